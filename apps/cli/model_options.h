// Options of the verbs that use a trained model.
#pragma once

#include <cstdint>
#include <vector>

#include "verb.h"

namespace lodestar::cli {

inline constexpr const char* kModelHelp =
    "Model: paper, deep, swift, the name of an embedded model, or a file (.safetensors)";

// `Steps` and the others are members of the verb's own options.
inline std::vector<Option> add_model_options(Verb& verb, std::uint32_t& steps, double& scale,
                                             bool& exact) {
  return {verb.option("--steps", steps, "Steps of the model").default_text("the model's own"),
          verb.option("--scale", scale, "Scale of the model's potentials")
              .default_text("the model's own"),
          verb.flag("--exact", exact,
                    "Close the model's potentials, so that they are consistent and A* is exact")};
}

}  // namespace lodestar::cli
