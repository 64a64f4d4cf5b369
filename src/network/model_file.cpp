// Model files, configs as JSON, and embedded models.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "lodestar/atomic_file.h"
#include "lodestar/detail/format_version.h"
#include "lodestar/model.h"
#include "network/tensor_file.h"

namespace lodestar {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::uint64_t kFormatNumber = 1;
constexpr const char* kFormat = "1";
constexpr std::uint32_t kLargestSize = 4096;  // of H and M: far above use, far below overflow
constexpr std::uint32_t kMostHeads = 64;

// Calls always(name, member) and, for members that files of older versions do not have,
// sometimes(name, member, value): files omit the member if it has that value.
template <class Config, class Always, class Sometimes>
void visit_config(Config& config, const Always& always, const Sometimes& sometimes) {
  always("preset", config.preset);
  always("hidden", config.hidden);
  always("message", config.message);
  always("message_layers", config.message_layers);
  always("steps", config.steps);
  always("predecessor", config.predecessor);
  always("pos", config.features.pos);
  always("hints", config.features.hints);
  always("direction", config.features.direction);
  always("degree_normalisation", config.features.degree_normalisation);
  always("reference_degree", config.features.reference_degree);
  always("y_scale", config.y_scale);
  sometimes("heads", config.heads, 1);
  sometimes("update_layers", config.update_layers, 1);
  sometimes("y_scale_most", config.y_scale_most, 0);
  sometimes("settle", config.settle, 0);
  sometimes("reach", config.features.reach, 0);
}

template <class T>
T field(const Json& json, const char* name, const std::string& where) {
  const auto found = json.find(name);
  if (found == json.end()) throw Error(where + ": the config has no '" + name + "'");
  const bool fits =
      std::is_same_v<T, std::string> ? found->is_string()
      : std::is_same_v<T, bool>      ? found->is_boolean()
      : std::is_floating_point_v<T>
          ? found->is_number()
          : found->is_number_unsigned() &&
                found->get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
  if (!fits) throw Error(where + ": the config's '" + name + "' has the wrong type");
  return found->get<T>();
}

void check_range(const ModelConfig& config, const std::string& where) {
  const auto require = [&](bool holds, const std::string& rule) {
    if (!holds) throw Error(where + ": " + rule);
  };
  require(config.hidden >= 1 && config.hidden <= kLargestSize, "hidden must be 1 … 4096");
  require(config.message >= 1 && config.message <= kLargestSize, "message must be 1 … 4096");
  require(config.message_layers >= 1 && config.message_layers <= 3, "message_layers must be 1 … 3");
  require(config.update_layers >= 1 && config.update_layers <= 3, "update_layers must be 1 … 3");
  require(config.steps >= 1 && config.steps <= 1024, "steps must be 1 … 1024");
  require(config.heads >= 1 && config.heads <= kMostHeads, "heads must be 1 … 64");
  require(std::isfinite(config.y_scale), "y_scale must be finite");
  require(config.y_scale_most == 0 ||
              (config.y_scale_most >= config.y_scale && std::isfinite(config.y_scale_most)),
          "y_scale_most must be 0 or at least y_scale");
  require(config.settle >= 0 && std::isfinite(config.settle), "settle must not be negative");
  require(config.features.reach >= 0 && std::isfinite(config.features.reach),
          "reach must not be negative");
  require(config.features.reference_degree > 0 && std::isfinite(config.features.reference_degree),
          "reference_degree must be above 0 and finite");
}

std::string metadata_field(const TensorFile& file, const char* name, const std::string& where) {
  const auto found = file.metadata.find(name);
  if (found == file.metadata.end()) {
    throw Error(where + ": the metadata has no '" + name + "'; it is not a Lodestar model");
  }
  return found->second;
}

}  // namespace

std::string config_json(const ModelConfig& config) {
  OrderedJson json;
  const auto put = [&]<class T>(const char* name, const T& value) {
    if constexpr (std::is_same_v<T, MessageDirection>) {
      json[name] = to_string(value);
    } else {
      json[name] = value;
    }
  };
  visit_config(config, put, [&](const char* name, const auto& value, unsigned usual) {
    if (value > usual) put(name, value);
  });
  return json.dump();
}

ModelConfig parse_config(const std::string& text, const std::string& where) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw Error(where + ": the config is not a JSON object");
  ModelConfig config;
  std::set<std::string> known;
  const auto take = [&]<class T>(const char* name, T& value) {
    known.insert(name);
    if constexpr (std::is_same_v<T, MessageDirection>) {
      const std::string direction = field<std::string>(json, name, where);
      try {
        value = parse_message_direction(direction);
      } catch (const Error& error) {
        throw Error(where + ": " + error.what());
      }
    } else {
      value = field<T>(json, name, where);
    }
  };
  visit_config(config, take, [&](const char* name, auto& value, unsigned) {
    if (json.contains(name)) take(name, value);
  });
  for (const auto& [name, value] : json.items()) {
    if (!known.contains(name)) {
      throw Error(where + ": the config's '" + name +
                  "' is unknown; the model may have been written by a newer version");
    }
  }
  check_range(config, where);
  return config;
}

std::string model_bytes(const Model& model) {
  model.check("model");
  TensorFile file;
  file.metadata = {{"lodestar", kFormat},
                   {"config", config_json(model.config)},
                   {"provenance", model.provenance},
                   {"shape_hash", shape_hash(model.config)}};
  for (const MatrixShape& shape : model_shapes(model.config)) {
    file.tensors.emplace_back(shape.name, model.matrix(shape.name));
  }
  return tensor_file_bytes(file);
}

Model parse_model(std::span<const std::byte> bytes, const std::string& where) {
  TensorFile file = parse_tensor_file(bytes, where);
  if (const std::string format = metadata_field(file, "lodestar", where); format != kFormat) {
    throw Error(where + ": " +
                detail::other_format(std::strtoull(format.c_str(), nullptr, 10), kFormatNumber,
                                     "train the model again"));
  }
  Model model;
  model.config = parse_config(metadata_field(file, "config", where), where);
  model.provenance = metadata_field(file, "provenance", where);
  for (auto& [name, matrix] : file.tensors) model.matrices[name] = std::move(matrix);
  model.check(where);
  if (metadata_field(file, "shape_hash", where) != shape_hash(model.config)) {
    throw Error(where + ": the shape hash does not match the config; the file was altered");
  }
  return model;
}

Model read_model(const std::string& path) {
  const std::string bytes = read_entire_file(path);
  return parse_model(std::as_bytes(std::span(bytes)), path);
}

void write_model(const Model& model, const std::string& path) {
  replace_file(path, model_bytes(model));
}

Model load_model(const std::string& name_or_path) {
  std::string known;
  for (const EmbeddedModel& embedded : embedded_models()) {
    if (name_or_path == embedded.name || (embedded.is_default && name_or_path == embedded.preset)) {
      return parse_model(embedded.bytes, "embedded model " + std::string(embedded.name));
    }
    if (embedded.is_default) known += (known.empty() ? "" : ", ") + std::string(embedded.preset);
  }
  std::error_code ignored;
  if (!std::filesystem::exists(name_or_path, ignored)) {
    throw Error("no such model '" + name_or_path + "': it is neither a file nor one of " +
                (known.empty() ? "the embedded ones (this build has none)" : known));
  }
  return read_model(name_or_path);
}

}  // namespace lodestar
