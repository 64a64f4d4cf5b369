// Models as safetensors: 8 bytes of header length, a JSON header, the numbers.
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "lodestar/model.h"

namespace lodestar {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

constexpr const char* kFormat = "1";
constexpr std::uint64_t kLargestHeader = 1u << 24;
constexpr std::uint32_t kLargestSize = 4096;  // of H and M: far above use, far below overflow

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
  require(config.steps >= 1 && config.steps <= 1024, "steps must be 1 … 1024");
  require(std::isfinite(config.y_scale), "y_scale must be finite");
  require(config.features.reference_degree > 0 && std::isfinite(config.features.reference_degree),
          "reference_degree must be above 0 and finite");
}

Json parse_header(std::span<const std::byte> bytes, const std::string& where,
                  std::span<const std::byte>& data) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw Error(where + ": too short to be a safetensors file");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kLargestHeader || length > bytes.size() - sizeof length) {
    throw Error(where + ": not a safetensors file, or cut off inside its header");
  }
  const char* text = reinterpret_cast<const char*>(bytes.data() + sizeof length);
  Json header = Json::parse(text, text + length, nullptr, false);
  if (!header.is_object()) throw Error(where + ": the safetensors header is not a JSON object");
  data = bytes.subspan(sizeof length + length);
  return header;
}

std::uint32_t dimension(const Json& value, const std::string& where, const std::string& name) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 3 * kLargestSize) {
    throw Error(where + ": the tensor '" + name + "' has an impossible shape");
  }
  return value.get<std::uint32_t>();
}

Matrix parse_tensor(const Json& entry, const std::string& name, std::span<const std::byte> data,
                    const std::string& where, std::size_t& used) {
  const auto bad = [&](const std::string& why) {
    return Error(where + ": the tensor '" + name + "' " + why);
  };
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
      !entry.contains("data_offsets")) {
    throw bad("lacks dtype, shape or data_offsets");
  }
  if (entry["dtype"] != "F32") throw bad("is not F32; only 32-bit floats are read");
  const Json& shape = entry["shape"];
  if (!shape.is_array() || shape.size() != 2) throw bad("does not have two dimensions");
  Matrix matrix;
  matrix.rows = dimension(shape[0], where, name);
  matrix.cols = dimension(shape[1], where, name);
  const Json& offsets = entry["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned()) {
    throw bad("has malformed data_offsets");
  }
  const auto begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
  const std::uint64_t size = std::uint64_t{matrix.rows} * matrix.cols * sizeof(float);
  if (begin > end || end > data.size()) throw bad("lies beyond the end: the file is cut off");
  if (end - begin != size) throw bad("has another number of bytes than its shape needs");
  matrix.values.resize(size / sizeof(float));
  if (size > 0) std::memcpy(matrix.values.data(), data.data() + begin, size);
  used += size;
  return matrix;
}

std::string metadata_field(const Json& metadata, const char* name, const std::string& where) {
  const auto found = metadata.find(name);
  if (found == metadata.end() || !found->is_string()) {
    throw Error(where + ": the metadata has no '" + name + "': not a model of this program");
  }
  return found->get<std::string>();
}

}  // namespace

std::string config_json(const ModelConfig& config) {
  const OrderedJson json = {
      {"preset", config.preset},
      {"hidden", config.hidden},
      {"message", config.message},
      {"message_layers", config.message_layers},
      {"steps", config.steps},
      {"predecessor", config.predecessor},
      {"pos", config.features.pos},
      {"hints", config.features.hints},
      {"direction", to_string(config.features.direction)},
      {"degree_normalisation", config.features.degree_normalisation},
      {"reference_degree", config.features.reference_degree},
      {"y_scale", config.y_scale},
  };
  return json.dump();
}

ModelConfig parse_config(const std::string& text, const std::string& where) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw Error(where + ": the config is not a JSON object");
  ModelConfig config;
  std::set<std::string> known;
  const auto take = [&](const char* name, auto& value) {
    known.insert(name);
    value = field<std::remove_reference_t<decltype(value)>>(json, name, where);
  };
  std::string direction;
  take("preset", config.preset);
  take("hidden", config.hidden);
  take("message", config.message);
  take("message_layers", config.message_layers);
  take("steps", config.steps);
  take("predecessor", config.predecessor);
  take("pos", config.features.pos);
  take("hints", config.features.hints);
  take("direction", direction);
  take("degree_normalisation", config.features.degree_normalisation);
  take("reference_degree", config.features.reference_degree);
  take("y_scale", config.y_scale);
  for (const auto& [name, value] : json.items()) {
    if (!known.contains(name)) {
      throw Error(where + ": the config's '" + name +
                  "' is unknown; a newer version wrote this model");
    }
  }
  try {
    config.features.direction = parse_message_direction(direction);
  } catch (const Error& error) {
    throw Error(where + ": " + error.what());
  }
  check_range(config, where);
  return config;
}

std::string model_bytes(const Model& model) {
  model.check("model");
  OrderedJson header;
  header["__metadata__"] = {{"lodestar", kFormat},
                            {"config", config_json(model.config)},
                            {"provenance", model.provenance},
                            {"shape_hash", shape_hash(model.config)}};
  std::uint64_t offset = 0;
  std::string data;
  for (const MatrixShape& shape : model_shapes(model.config)) {
    const Matrix& matrix = model.matrix(shape.name);
    const std::uint64_t size = matrix.values.size() * sizeof(float);
    header[shape.name] = {{"dtype", "F32"},
                          {"shape", {matrix.rows, matrix.cols}},
                          {"data_offsets", {offset, offset + size}}};
    data.append(reinterpret_cast<const char*>(matrix.values.data()), size);
    offset += size;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the numbers start at a multiple of 8
  const std::uint64_t length = text.size();
  std::string out(sizeof length, '\0');
  std::memcpy(out.data(), &length, sizeof length);
  return out + text + data;
}

Model parse_model(std::span<const std::byte> bytes, const std::string& where) {
  std::span<const std::byte> data;
  const Json header = parse_header(bytes, where, data);
  const auto metadata = header.find("__metadata__");
  if (metadata == header.end() || !metadata->is_object()) {
    throw Error(where + ": the safetensors header has no metadata: not a model of this program");
  }
  if (const std::string format = metadata_field(*metadata, "lodestar", where); format != kFormat) {
    throw Error(where + ": model format '" + format + "' is unknown; this program reads format " +
                kFormat);
  }
  Model model;
  model.config = parse_config(metadata_field(*metadata, "config", where), where);
  model.provenance = metadata_field(*metadata, "provenance", where);
  std::size_t used = 0;
  for (const auto& [name, entry] : header.items()) {
    if (name != "__metadata__") {
      model.matrices[name] = parse_tensor(entry, name, data, where, used);
    }
  }
  if (used != data.size()) {
    throw Error(where + ": holds " + std::to_string(data.size()) + " bytes of numbers where " +
                std::to_string(used) + " are announced");
  }
  model.check(where);
  if (metadata_field(*metadata, "shape_hash", where) != shape_hash(model.config)) {
    throw Error(where + ": the shape hash does not fit the config; the file was altered");
  }
  return model;
}

Model read_model(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path + ": cannot be opened for reading");
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return parse_model(std::as_bytes(std::span(bytes)), path);
}

void write_model(const Model& model, const std::string& path) {
  const std::string bytes = model_bytes(model);
  const std::string partial = path + ".partial";
  {
    std::ofstream out(partial, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) throw Error(partial + ": cannot be written; is the disk full, the folder there?");
  }
  std::error_code failed;
  std::filesystem::rename(partial, path, failed);
  if (failed) throw Error(path + ": cannot be written: " + failed.message());
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
    throw Error("there is no model '" + name_or_path + "': neither a file nor one of " +
                (known.empty() ? "the embedded ones (this build has none)" : known));
  }
  return read_model(name_or_path);
}

}  // namespace lodestar
