#include "base/npz.h"

#include <zlib.h>

#include <limits>

#include "lodestar/types.h"

namespace lodestar {
namespace {

// Little-endian, as zip requires.
class Record {
 public:
  Record& u16(std::uint32_t value) { return bytes(value, 2); }
  Record& u32(std::uint32_t value) { return bytes(value, 4); }
  Record& text(const std::string& value) {
    out_ += value;
    return *this;
  }
  const std::string& str() const { return out_; }

 private:
  Record& bytes(std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i, value >>= 8) out_ += static_cast<char>(value & 0xff);
    return *this;
  }
  std::string out_;
};

// The common part of local and central headers: version 2.0, no flags, stored, and the fixed date
// 1980-01-01, so that the same samples give the same bytes.
Record& entry_fields(Record& record, std::uint32_t crc, std::uint32_t size,
                     const std::string& name) {
  return record.u16(20).u16(0).u16(0).u16(0).u16(0x21).u32(crc).u32(size).u32(size).u16(
      static_cast<std::uint32_t>(name.size()));
}

std::string npy_header(const char* type, const std::vector<std::size_t>& shape) {
  std::string text = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::size_t extent : shape) text += std::to_string(extent) + ",";
  text += "), }";
  constexpr std::size_t kPrefix = 10;
  text.resize((text.size() + kPrefix + 1 + 63) / 64 * 64 - kPrefix - 1, ' ');
  text += '\n';
  return Record()
             .text(std::string("\x93NUMPY\x01\0", 8))
             .u16(static_cast<std::uint32_t>(text.size()))
             .str() +
         text;
}

}  // namespace

std::string npy_bytes(const std::vector<std::size_t>& shape, std::span<const double> values) {
  const auto bytes = std::as_bytes(values);
  return npy_header("<f8", shape) +
         std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

NpzWriter::NpzWriter(std::string path) : path_(std::move(path)), out_(path_) {}

void NpzWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                    std::span<const float> values) {
  add_bytes(name, "<f4", shape, std::as_bytes(values));
}
void NpzWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                    std::span<const std::int32_t> values) {
  add_bytes(name, "<i4", shape, std::as_bytes(values));
}

void NpzWriter::add_bytes(const std::string& name, const char* type,
                          const std::vector<std::size_t>& shape, std::span<const std::byte> bytes) {
  const std::string header = npy_header(type, shape), file = name + ".npy";
  const std::uint64_t size = header.size() + bytes.size();
  if (written_ + size > std::numeric_limits<std::uint32_t>::max() - (1u << 20)) {
    throw Error(path_ + ": an .npz file holds at most 4 GB; write fewer samples");
  }
  uLong crc =
      crc32(0, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size()));
  crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  const Member member{file, static_cast<std::uint32_t>(crc), static_cast<std::uint32_t>(size),
                      static_cast<std::uint32_t>(written_)};
  Record local;
  local.u32(0x04034b50);
  entry_fields(local, member.crc, member.size, file).u16(0).text(file).text(header);
  out_.write(local.str());
  out_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  written_ += local.str().size() + bytes.size();
  members_.push_back(member);
}

void NpzWriter::close() {
  Record directory;
  for (const Member& member : members_) {
    directory.u32(0x02014b50).u16(20);
    entry_fields(directory, member.crc, member.size, member.name);
    directory.u16(0).u16(0).u16(0).u16(0).u32(0).u32(member.offset).text(member.name);
  }
  const auto count = static_cast<std::uint32_t>(members_.size());
  const auto size = static_cast<std::uint32_t>(directory.str().size());
  directory.u32(0x06054b50).u16(0).u16(0).u16(count).u16(count).u32(size);
  directory.u32(static_cast<std::uint32_t>(written_)).u16(0);
  out_.write(directory.str());
  out_.commit();
}

}  // namespace lodestar
