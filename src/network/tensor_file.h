// Reads and writes named float32 matrices as safetensors: 8 bytes of header length, a JSON header
// and the numbers. Models and checkpoints use it.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lodestar/model.h"

namespace lodestar {

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<std::pair<std::string, Matrix>> tensors;
};

std::string tensor_file_bytes(const TensorFile& file);
// `where` names the source in errors.
TensorFile parse_tensor_file(std::span<const std::byte> bytes, const std::string& where);

std::string read_entire_file(const std::string& path);

}  // namespace lodestar
