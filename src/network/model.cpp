#include "lodestar/model.h"

#include <cassert>
#include <cmath>

#include "lodestar/rng.h"

namespace lodestar {
namespace {

// FNV-1a, 64 bit, spread by mix64 so that short prefixes make good file names.
class Hasher {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) state_ = (state_ ^ bytes[i]) * 0x100000001b3ull;
  }
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::string hex() const {
    constexpr char kDigits[] = "0123456789abcdef";
    std::uint64_t value = mix64(state_);
    std::string out(16, '0');
    for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = kDigits[value & 15];
    return out;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

}  // namespace

std::vector<MatrixShape> model_shapes(const ModelConfig& config) {
  const std::uint32_t h = config.hidden, m = config.message;
  std::vector<MatrixShape> shapes = {
      {"node_encoder", static_cast<std::uint32_t>(config.features.node_inputs()), h},
      {"edge_encoder", static_cast<std::uint32_t>(config.features.edge_inputs()), h},
      {"message.receiver", 2 * h, m},
      {"message.sender", 2 * h, m},
      {"message.edge", h, m},
      {"message.bias", 1, m},
  };
  for (std::uint32_t k = 2; k <= config.message_layers; ++k) {
    const std::string prefix = "message." + std::to_string(k);
    shapes.push_back({prefix + ".weight", m, m});
    shapes.push_back({prefix + ".bias", 1, m});
  }
  shapes.push_back({"update.self", 2 * h, h});
  shapes.push_back({"update.message", m, h});
  shapes.push_back({"update.bias", 1, h});
  for (std::uint32_t k = 2; k <= config.update_layers; ++k) {
    const std::string prefix = "update." + std::to_string(k);
    shapes.push_back({prefix + ".weight", h, h});
    shapes.push_back({prefix + ".bias", 1, h});
  }
  shapes.push_back({"y_decoder", 3 * h, config.heads});
  if (config.predecessor) {
    shapes.push_back({"predecessor.query", 3 * h, h});
    shapes.push_back({"predecessor.key", 3 * h, h});
  }
  return shapes;
}

const Matrix& Model::matrix(std::string_view name) const {
  const auto found = matrices.find(name);
  assert(found != matrices.end());
  return found->second;
}

std::size_t Model::parameter_count() const {
  std::size_t count = 0;
  for (const auto& [name, matrix] : matrices) count += matrix.values.size();
  return count;
}

void Model::check(const std::string& where) const {
  const auto shape = [](std::uint32_t rows, std::uint32_t cols) {
    return std::to_string(rows) + " x " + std::to_string(cols);
  };
  const std::vector<MatrixShape> shapes = model_shapes(config);
  for (const MatrixShape& expected : shapes) {
    const auto found = matrices.find(expected.name);
    if (found == matrices.end()) {
      throw Error(where + ": the tensor '" + expected.name +
                  "' is missing, although the config asks for it; the file was altered");
    }
    const Matrix& matrix = found->second;
    if (matrix.rows != expected.rows || matrix.cols != expected.cols) {
      throw Error(where + ": the tensor '" + expected.name + "' is " +
                  shape(matrix.rows, matrix.cols) + ", but the config asks for " +
                  shape(expected.rows, expected.cols));
    }
    assert(matrix.values.size() == std::size_t{matrix.rows} * matrix.cols);
    for (const float value : matrix.values) {
      if (!std::isfinite(value)) {
        throw Error(where + ": the tensor '" + expected.name +
                    "' contains a number that is not finite; train the model again");
      }
    }
  }
  if (matrices.size() != shapes.size()) {
    for (const auto& [name, matrix] : matrices) {
      bool known = false;
      for (const MatrixShape& expected : shapes) known = known || expected.name == name;
      if (!known) throw Error(where + ": the tensor '" + name + "' is not part of such a model");
    }
  }
}

std::string shape_hash(const ModelConfig& config) {
  ModelConfig shape = config;
  shape.preset.clear();
  shape.y_scale = 1;
  shape.y_scale_most = 0;
  Hasher hasher;
  hasher.add(config_json(shape));
  for (const MatrixShape& matrix : model_shapes(config)) {
    hasher.add(matrix.name + ":" + std::to_string(matrix.rows) + "x" + std::to_string(matrix.cols) +
               ";");
  }
  return hasher.hex();
}

std::string content_hash(const Model& model) {
  Hasher hasher;
  hasher.add(shape_hash(model.config));
  hasher.add(&model.config.y_scale, sizeof model.config.y_scale);
  if (model.config.y_scale_most > 0) {
    hasher.add(&model.config.y_scale_most, sizeof model.config.y_scale_most);
  }
  for (const MatrixShape& shape : model_shapes(model.config)) {
    const Matrix& matrix = model.matrix(shape.name);
    hasher.add(matrix.values.data(), matrix.values.size() * sizeof(float));
  }
  return hasher.hex();
}

}  // namespace lodestar
