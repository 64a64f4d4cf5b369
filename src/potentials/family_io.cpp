// The file of a family of potentials: a header, the names of the metrics, the blends of the knots,
// then the potentials of each knot as a file of its own would have them.
#include <bit>
#include <cstring>
#include <filesystem>

#include "lodestar/atomic_file.h"
#include "lodestar/detail/format_version.h"
#include "lodestar/potential_family.h"
#include "lodestar/rng.h"
#include "potentials/potentials_file.h"

namespace lodestar {
namespace {

constexpr std::uint32_t kFamilyFormat = 1;
constexpr std::uint32_t kMostNameBytes = 1 << 16;

struct FamilyHeader {
  char magic[8];
  std::uint32_t format;
  std::uint32_t metrics;
  std::uint32_t knots;
  std::uint32_t from_source;  // 0 or 1
  std::uint64_t name_bytes;   // each name ends with a zero
  std::uint64_t checksum;     // of the names and blends
};
static_assert(sizeof(FamilyHeader) == 40);

std::uint64_t family_checksum(const std::string& names, const std::vector<double>& blends) {
  std::uint64_t sum = 1;
  for (const char letter : names) sum = mix64(sum ^ static_cast<unsigned char>(letter));
  for (const double share : blends) sum = mix64(sum ^ std::bit_cast<std::uint64_t>(share));
  return sum;
}

}  // namespace

void PotentialFamily::save(const std::string& path) const {
  if (knots_.size() == 1 && metrics_.size() == 1 && metrics_[0].empty()) {
    knots_[0].potentials->save(path);
    return;
  }
  std::string names;
  for (const std::string& metric : metrics_) names += metric + '\0';
  std::vector<double> blends;
  for (const Knot& knot : knots_) blends.insert(blends.end(), knot.blend.begin(), knot.blend.end());
  FamilyHeader header{};
  std::memcpy(header.magic, kFamilyMagic, sizeof kFamilyMagic);
  header.format = kFamilyFormat;
  header.metrics = static_cast<std::uint32_t>(metrics_.size());
  header.knots = static_cast<std::uint32_t>(knots_.size());
  header.from_source = from_source_ ? 1 : 0;
  header.name_bytes = names.size();
  header.checksum = family_checksum(names, blends);
  AtomicFile file(path);
  file.write({reinterpret_cast<const char*>(&header), sizeof header});
  file.write(names);
  file.write({reinterpret_cast<const char*>(blends.data()), blends.size() * sizeof(double)});
  for (const Knot& knot : knots_) {
    const std::uint64_t size = knot.potentials->file_bytes();
    file.write({reinterpret_cast<const char*>(&size), sizeof size});
    knot.potentials->write(file);
  }
  file.commit();
}

PotentialFamily PotentialFamily::load(const std::string& path) {
  std::error_code code;
  std::uintmax_t left = std::filesystem::file_size(path, code);
  const OpenFile file(code ? nullptr : std::fopen(path.c_str(), "rb"));
  if (file == nullptr) throw Error(path + ": cannot be opened; check the path");
  const auto refuse = [&](const std::string& why) -> Error {
    return Error(path + ": " + why + "; make the file again with `lodestar fit`");
  };
  const auto take = [&](void* to, std::size_t bytes) {
    if (bytes > left || std::fread(to, 1, bytes, file.get()) != bytes) {
      throw refuse("too short for what its header announces");
    }
    left -= bytes;
  };
  FamilyHeader header{};
  if (left < sizeof header) throw refuse("too short for a file of potentials (.lsp)");
  take(&header, sizeof header);
  if (std::memcmp(header.magic, kFamilyMagic, sizeof kFamilyMagic) != 0) {
    return PotentialFamily("", std::make_shared<const Potentials>(Potentials::load(path)));
  }
  if (header.format != kFamilyFormat) {
    throw Error(path + ": " +
                detail::other_format(header.format, kFamilyFormat,
                                     "make the file again with `lodestar fit`"));
  }
  if (header.metrics == 0 || header.metrics > PotentialFamily::kMostMetrics || header.knots == 0 ||
      header.knots > PotentialFamily::kMostKnots || header.name_bytes > kMostNameBytes ||
      header.from_source > 1) {
    throw refuse("the header is invalid");
  }
  std::string text(header.name_bytes, '\0');
  take(text.data(), text.size());
  std::vector<double> blends(std::size_t{header.metrics} * header.knots);
  take(blends.data(), blends.size() * sizeof(double));
  if (family_checksum(text, blends) != header.checksum) {
    throw refuse("the blends do not match their checksum");
  }
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\0', at);
    if (end == std::string::npos) throw refuse("the names of its metrics are invalid");
    names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (names.size() != header.metrics) throw refuse("the names of its metrics are invalid");
  std::vector<Knot> knots;
  for (std::uint32_t k = 0; k < header.knots; ++k) {
    std::uint64_t size = 0;
    take(&size, sizeof size);
    if (size > left) throw refuse("too short for what its header announces");
    const auto begin = blends.begin() + static_cast<std::ptrdiff_t>(k * header.metrics);
    knots.push_back({std::vector<double>(begin, begin + header.metrics),
                     std::make_shared<const Potentials>(Potentials::read(file.get(), size, path))});
    left -= size;
  }
  if (left != 0) throw refuse("the file is longer than its header announces");
  try {
    PotentialFamily family(std::move(names), std::move(knots));
    family.set_from_source(header.from_source == 1);
    return family;
  } catch (const Error& error) {
    throw refuse(error.what());
  }
}

}  // namespace lodestar
