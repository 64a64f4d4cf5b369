#include "base/npz.h"

#include <zlib.h>

#include <charconv>
#include <cstring>
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
  if (!bytes.empty()) {  // of a null pointer, zlib's checksum begins anew
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  }
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

namespace {

// A view of a member's bytes that refuses to read past its end.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  [[noreturn]] void fail(const char* what) const { throw Error(where_ + ": " + what); }
  std::string_view part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) fail("the file ends too early");
    return bytes_.substr(at, size);
  }
  std::uint32_t number(std::size_t at, std::size_t size) const {
    std::uint32_t value = 0;
    const std::string_view digits = part(at, size);
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& where_;
};

constexpr std::size_t kMostUnpacked = std::size_t{1} << 30;

// The bytes of a zip member, by the archive's directory.
std::string zip_member(const Reader& zip, const std::string& name) {
  constexpr std::size_t kEnd = 22;  // without a comment, as numpy writes it
  if (zip.size() < kEnd || zip.number(zip.size() - kEnd, 4) != 0x06054b50) {
    zip.fail("not an .npz file");
  }
  std::size_t at = zip.number(zip.size() - 6, 4);
  for (std::uint32_t left = zip.number(zip.size() - 12, 2); left > 0; --left) {
    if (zip.number(at, 4) != 0x02014b50) zip.fail("the directory of the archive is damaged");
    const std::uint32_t method = zip.number(at + 10, 2), crc = zip.number(at + 16, 4);
    const std::size_t packed = zip.number(at + 20, 4), size = zip.number(at + 24, 4);
    const std::size_t letters = zip.number(at + 28, 2);
    const std::size_t local = zip.number(at + 42, 4);
    if (zip.part(at + 46, letters) != name) {
      at += 46 + letters + zip.number(at + 30, 2) + zip.number(at + 32, 2);
      continue;
    }
    if (size > kMostUnpacked) zip.fail("an array is above 1 GB");
    const std::size_t begin = local + 30 + zip.number(local + 26, 2) + zip.number(local + 28, 2);
    const std::string_view stored = zip.part(begin, packed);
    std::string out(method == 0 ? stored : std::string_view());
    if (method == 8) {
      out.resize(size);
      z_stream stream{};
      if (inflateInit2(&stream, -15) != Z_OK) throw std::bad_alloc();
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data()));
      stream.avail_in = static_cast<uInt>(stored.size());
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      const int code = inflate(&stream, Z_FINISH);
      const bool whole = code == Z_STREAM_END && stream.avail_out == 0;
      inflateEnd(&stream);
      if (!whole) zip.fail("a compressed array is damaged");
    }
    if (out.size() != size ||
        crc32(0, reinterpret_cast<const Bytef*>(out.data()), static_cast<uInt>(size)) != crc) {
      zip.fail("an array is damaged, or compressed by another method than deflate");
    }
    return out;
  }
  zip.fail("the array is missing");
}

template <class T>
void append_numbers(std::string_view bytes, std::vector<double>& out) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    out.push_back(static_cast<double>(value));
  }
}

}  // namespace

NpyArray read_npz_array(std::string_view bytes, const std::string& name, const std::string& where) {
  const std::string in = where + ": " + name;
  const std::string member = zip_member(Reader(bytes, in), name + ".npy");
  const Reader npy(member, in);
  if (npy.part(0, 6) != "\x93NUMPY" || npy.number(6, 1) != 1) npy.fail("not an .npy array");
  const std::size_t length = npy.number(8, 2);
  const std::string_view header = npy.part(10, length);
  const auto after = [&](std::string_view key) {
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos) npy.fail("the header of the array is damaged");
    return header.substr(at + key.size());
  };
  if (!after("'fortran_order': ").starts_with("False")) npy.fail("the array is not in C order");
  NpyArray out;
  std::size_t count = 1;
  std::string_view shape = after("'shape': (");
  shape = shape.substr(0, shape.find(')'));
  while (!shape.empty()) {
    std::size_t extent = 0;
    const auto [end, code] = std::from_chars(shape.data(), shape.data() + shape.size(), extent);
    if (code != std::errc{} || (extent > 0 && count > kMostUnpacked / extent)) {
      npy.fail("the shape of the array is damaged");
    }
    out.shape.push_back(extent);
    count *= extent;
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
    while (shape.starts_with(',') || shape.starts_with(' ')) shape.remove_prefix(1);
  }
  const std::string_view type = after("'descr': '");
  const auto read = [&](auto kind) {
    append_numbers<decltype(kind)>(npy.part(10 + length, count * sizeof kind), out.values);
  };
  if (type.starts_with("<f4'")) {
    read(float{});
  } else if (type.starts_with("<f8'")) {
    read(double{});
  } else if (type.starts_with("<i4'")) {
    read(std::int32_t{});
  } else if (type.starts_with("<i8'")) {
    read(std::int64_t{});
  } else if (type.starts_with("|b1'") || type.starts_with("|u1'")) {
    read(std::uint8_t{});
  } else {
    npy.fail("the type of the array is not supported");
  }
  return out;
}

}  // namespace lodestar
