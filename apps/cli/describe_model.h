// What `info` says about a trained model, a file or an embedded one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lodestar::cli {

// True for what load_model takes and no graph reader does: .safetensors, or an embedded name.
bool names_model(const std::string& name_or_path);

// Throws Error if the file is not a valid model.
nlohmann::ordered_json model_facts(const std::string& name_or_path);
std::string describe_model(const std::string& name_or_path);  // the same as text

}  // namespace lodestar::cli
