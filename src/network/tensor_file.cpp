#include "network/tensor_file.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace lodestar {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

constexpr std::uint64_t kLargestHeader = 1u << 24;
constexpr std::uint64_t kLargestExtent = 1u << 28;  // its square still fits 64 bits as bytes

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
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kLargestExtent) {
    throw Error(where + ": the tensor '" + name + "' has an invalid shape");
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

}  // namespace

std::string tensor_file_bytes(const TensorFile& file) {
  OrderedJson header;
  header["__metadata__"] = file.metadata;
  std::uint64_t offset = 0;
  std::string data;
  for (const auto& [name, matrix] : file.tensors) {
    const std::uint64_t size = matrix.values.size() * sizeof(float);
    header[name] = {{"dtype", "F32"},
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

TensorFile parse_tensor_file(std::span<const std::byte> bytes, const std::string& where) {
  std::span<const std::byte> data;
  const Json header = parse_header(bytes, where, data);
  TensorFile file;
  std::size_t used = 0;
  for (const auto& [name, entry] : header.items()) {
    if (name != "__metadata__") {
      file.tensors.emplace_back(name, parse_tensor(entry, name, data, where, used));
      continue;
    }
    if (!entry.is_object()) throw Error(where + ": the metadata is not a JSON object");
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) throw Error(where + ": the metadata '" + key + "' is not a text");
      file.metadata[key] = value.get<std::string>();
    }
  }
  if (used != data.size()) {
    throw Error(where + ": holds " + std::to_string(data.size()) + " bytes of numbers, but " +
                std::to_string(used) + " are announced");
  }
  return file;
}

std::string read_entire_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path + ": cannot be opened for reading");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace lodestar
