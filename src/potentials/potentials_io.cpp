// The file of potentials (.lsp): a header of 160 bytes, then the rows.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "lodestar/atomic_file.h"
#include "lodestar/detail/format_version.h"
#include "lodestar/potentials.h"
#include "potentials/potentials_file.h"

namespace lodestar {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tables are written as they lie in memory");

constexpr char kMagic[8] = {'L', 'O', 'D', 'E', 'P', 'O', 'T', '\n'};
constexpr std::uint32_t kFormat = 1;

struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t header_bytes;
  std::uint32_t nodes;
  std::uint32_t potential_count;
  std::uint32_t row_bytes;
  std::uint32_t coarse;
  std::uint32_t storage;    // 0: 32 bits, 1: 16 bits
  std::uint32_t symmetric;  // 0 or 1
  double unit;
  std::uint64_t topology;
  std::uint64_t seed;
  std::uint64_t rounds;
  double seconds;
  char method[24];
  char version[24];
  char commit[24];
  std::uint64_t checksum;  // of the rows
};
static_assert(sizeof(Header) == 160);

// Two streams of 8 bytes: as fast as memory, and detects every flipped bit.
std::uint64_t checksum(const std::byte* data, std::size_t size) {
  std::uint64_t even = 1, odd = 2;
  for (std::size_t at = 0; at + 16 <= size; at += 16) {  // rows are multiples of 16 bytes
    std::uint64_t word[2];
    std::memcpy(word, data + at, 16);
    even = std::rotl(even ^ word[0], 29) * 0x9e3779b97f4a7c15ull;
    odd = std::rotl(odd ^ word[1], 31) * 0xbf58476d1ce4e5b9ull;
  }
  return mix64(even) ^ odd;
}

void put(char (&field)[24], const std::string& text) {
  std::memset(field, 0, sizeof field);
  std::memcpy(field, text.data(), std::min(text.size(), sizeof field - 1));
}
std::string take(const char (&field)[24]) {
  return {field, strnlen(field, sizeof field)};
}

void check(const Header& header, std::uintmax_t file_size, const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw Error(path + ": " + why + "; make the file again with `lodestar fit`");
  };
  if (std::memcmp(header.magic, kFamilyMagic, sizeof kFamilyMagic) == 0) {
    throw Error(path +
                ": has potentials for several blends of metrics, where those of one are needed");
  }
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0)
    refuse("not a file of potentials (.lsp)");
  if (header.format != kFormat) {
    throw Error(
        path + ": " +
        detail::other_format(header.format, kFormat, "make the file again with `lodestar fit`"));
  }
  if (header.header_bytes != sizeof(Header)) refuse("the header has another size");
  if (header.storage > 1 || header.symmetric > 1) refuse("the header has an unknown kind");
  if (header.potential_count == 0 || header.potential_count > 4096) {
    refuse("the header announces " + std::to_string(header.potential_count) + " potentials");
  }
  const std::uint32_t value_bytes = header.storage == 0 ? 4 : 2;
  if (header.row_bytes != (header.potential_count * value_bytes + 15) / 16 * 16) {
    refuse("the size of a row does not fit the number of potentials");
  }
  int exponent = 0;
  if (!std::isfinite(header.unit) || std::frexp(header.unit, &exponent) != 0.5) {
    refuse("the unit is not a power of two");
  }
  if (header.coarse == 0 || header.coarse > 1u << 20 ||
      (header.storage == 0 && header.coarse != 1)) {
    refuse("the step of the values is invalid");
  }
  const std::uintmax_t expected = sizeof(Header) + std::uintmax_t{header.nodes} * header.row_bytes;
  if (file_size != expected) {
    refuse("the file has " + std::to_string(file_size) + " bytes, its header announces " +
           std::to_string(expected));
  }
}

}  // namespace

void Potentials::write(AtomicFile& file) const {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.format = kFormat;
  header.header_bytes = sizeof(Header);
  header.nodes = nodes_;
  header.potential_count = count_;
  header.row_bytes = row_bytes_;
  header.coarse = coarse_;
  header.storage = storage_ == PotentialsStorage::k32Bit ? 0 : 1;
  header.symmetric = symmetric_ ? 1 : 0;
  header.unit = unit_;
  header.topology = topology_;
  header.seed = origin_.seed;
  header.rounds = origin_.rounds;
  header.seconds = origin_.seconds;
  put(header.method, origin_.method);
  put(header.version, origin_.version);
  put(header.commit, origin_.commit);
  header.checksum = checksum(data(), bytes());

  file.write({reinterpret_cast<const char*>(&header), sizeof header});
  file.write({reinterpret_cast<const char*>(data()), bytes()});
}

void Potentials::save(const std::string& path) const {
  AtomicFile file(path);
  write(file);
  file.commit();
}

std::size_t Potentials::file_bytes() const {
  return sizeof(Header) + bytes();
}

Potentials Potentials::load(const std::string& path) {
  std::error_code code;
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  const OpenFile file(code ? nullptr : std::fopen(path.c_str(), "rb"));
  if (file == nullptr) throw Error(path + ": cannot be opened; check the path");
  return read(file.get(), size, path);
}

Potentials Potentials::read(std::FILE* file, std::uintmax_t size, const std::string& path) {
  Header header{};
  if (size < sizeof header || std::fread(&header, sizeof header, 1, file) != 1) {
    throw Error(path +
                ": too short for a file of potentials (.lsp); make it again with `lodestar fit`");
  }
  check(header, size, path);

  Potentials potentials;
  potentials.nodes_ = header.nodes;
  potentials.count_ = header.potential_count;
  potentials.coarse_ = header.coarse;
  potentials.storage_ = header.storage == 0 ? PotentialsStorage::k32Bit : PotentialsStorage::k16Bit;
  potentials.symmetric_ = header.symmetric == 1;
  potentials.unit_ = header.unit;
  potentials.topology_ = header.topology;
  potentials.origin_ = {take(header.method), take(header.version), take(header.commit),
                        header.seed,         header.rounds,        header.seconds};
  potentials.allocate();
  if (std::fread(potentials.data(), 1, potentials.bytes(), file) != potentials.bytes()) {
    throw Error(path + ": reading failed before the end of the file");
  }
  if (checksum(potentials.data(), potentials.bytes()) != header.checksum) {
    throw Error(path + ": the values do not match their checksum; the file is damaged");
  }
  // Differences of larger values would not fit their type.
  for (std::uint32_t i = 0; i < potentials.count_; ++i) {
    for (const std::int32_t value : potentials.column(i)) {
      const bool fits = potentials.storage_ == PotentialsStorage::k32Bit
                            ? value >= -(1 << 30) && value <= 1 << 30
                            : value >= 0;
      if (!fits) throw Error(path + ": a value is out of range; the file is damaged");
    }
  }
  return potentials;
}

void seal_potentials(std::span<std::byte> image) {
  if (image.size() < sizeof(Header)) return;
  const std::uint64_t sum = checksum(image.data() + sizeof(Header), image.size() - sizeof(Header));
  std::memcpy(image.data() + offsetof(Header, checksum), &sum, sizeof sum);
}

}  // namespace lodestar
