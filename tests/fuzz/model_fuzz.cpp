#include <cmath>

#include "lodestar/model.h"
#include "target.h"

// .safetensors: what `--model FILE` and `info FILE` read.
FUZZ_TARGET(model) {
  using namespace lodestar;
  try {
    const Model model = parse_model(std::as_bytes(std::span(bytes)), "fuzz.safetensors");
    for (const auto& [name, matrix] : model.matrices) {
      fuzz::require(matrix.values.size() == std::size_t{matrix.rows} * matrix.cols);
      for (const float value : matrix.values) fuzz::require(std::isfinite(value));
    }
    // What was read can be written, and reads back the same.
    const std::string again = model_bytes(model);
    fuzz::require(content_hash(parse_model(std::as_bytes(std::span(again)), "again")) ==
                  content_hash(model));
  } catch (const Error& error) {
    fuzz::require(std::string_view(error.what()).starts_with("fuzz.safetensors"));
  }
}
