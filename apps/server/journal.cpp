#include "journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "lodestar/detail/format_version.h"

namespace lodestar::server {
namespace {

// "LSJ1", nodes, arcs, and a number that depends on every arc and weight of the graph's file. All
// numbers are little-endian, as on every machine this runs on.
constexpr std::size_t kHeader = 4 + 4 + 4 + 8;
// A record: bytes of its body, the body's checksum, the checksum of both; the body is a version,
// flags, and changes of 12 bytes.
constexpr std::size_t kPrefix = 8 + 8 + 8;

std::uint64_t mix(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
  return sum ^ (sum >> 29);
}

std::uint64_t checksum(const char* bytes, std::size_t size) {
  std::uint64_t sum = size;
  for (; size >= 8; bytes += 8, size -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    sum = mix(sum, word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes, size);
  return mix(mix(sum, rest), 0x6c6f6465);
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T get(const char*& in) {
  T value;
  std::memcpy(&value, in, sizeof value);
  in += sizeof value;
  return value;
}

std::uint64_t prefix_check(std::uint64_t size, std::uint64_t sum) {
  return mix(mix(0x6a6f75726e616cu, size), sum);
}

std::string header_of(const Graph& graph) {
  std::uint64_t sum = graph.node_count();
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      std::uint64_t weight;
      std::memcpy(&weight, &arc.weight, 8);
      sum = mix(mix(sum, arc.head), weight);
    }
    sum = mix(sum, u);
  }
  std::string out = "LSJ1";
  put(out, graph.node_count());
  put(out, static_cast<std::uint32_t>(graph.arc_count()));
  put(out, sum);
  return out;
}

void append_record(std::string& out, const JournalEntry& entry) {
  std::string body;
  body.reserve(9 + entry.changes.size() * 12);
  put(body, entry.version);
  put(body, static_cast<std::uint8_t>(entry.reset));
  for (const WeightChange& change : entry.changes) {
    put(body, change.arc);
    put(body, change.weight);
  }
  put(out, static_cast<std::uint64_t>(body.size()));
  const std::uint64_t sum = checksum(body.data(), body.size());
  put(out, sum);
  put(out, prefix_check(body.size(), sum));
  out += body;
}

// The body of the first record; nothing if it is truncated or damaged.
std::optional<std::string_view> record_at(std::string_view bytes) {
  if (bytes.size() < kPrefix) return std::nullopt;
  const char* in = bytes.data();
  const auto size = get<std::uint64_t>(in);
  const auto sum = get<std::uint64_t>(in);
  if (get<std::uint64_t>(in) != prefix_check(size, sum) || size > bytes.size() - kPrefix ||
      size < 9 || (size - 9) % 12 != 0 || checksum(in, size) != sum) {
    return std::nullopt;
  }
  return bytes.substr(kPrefix, size);
}

// The position of the first whole record after a damaged one.
std::optional<std::size_t> next_record(std::string_view bytes) {
  for (std::size_t at = 1; at + kPrefix <= bytes.size(); ++at) {
    if (record_at(bytes.substr(at))) return at;
  }
  return std::nullopt;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// A new or renamed file survives a crash only if its folder has been synced.
void sync_folder(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::absolute(path).parent_path();
  const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

}  // namespace

Journal::Journal(std::string path, const Graph& graph, JournalDamage damage)
    : path_(std::move(path)), header_(header_of(graph)) {
  open_and_lock();
  try {
    read(damage);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::fail(const std::string& what) const {
  throw Error(path_ + ": " + what + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
}

void Journal::open_and_lock() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
  if (descriptor_ < 0) fail("cannot be opened for writing");
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(descriptor_);
  errno = 0;
  fail("is in use by another server; give each its own --state file");
}

void Journal::read(JournalDamage damage) {
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0) fail("cannot be read");
  std::string bytes(static_cast<std::size_t>(facts.st_size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n =
        ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("cannot be read");
    done += static_cast<std::size_t>(n);
  }
  errno = 0;
  if (bytes.size() < kHeader) {  // new, or ended while it was made
    if (!std::string_view(header_).starts_with(bytes)) fail("is no journal of weights");
    if (::ftruncate(descriptor_, 0) != 0 || !write_all(descriptor_, header_) ||
        ::fsync(descriptor_) != 0) {
      fail("cannot be written");
    }
    sync_folder(path_);
    size_ = kHeader;
    note_ = path_ + ": a new journal; the weights are those of the graph's file";
    if (!bytes.empty()) {
      note_ += ". The file had " + std::to_string(bytes.size()) + " bytes and no update";
    }
    return;
  }
  if (!bytes.starts_with("LSJ")) fail("is no journal of weights");
  if (bytes[3] != '1') {
    const int format = bytes[3] > '1' && bytes[3] <= '9' ? bytes[3] - '0' : 0;
    if (format == 0) fail("is no journal of weights");
    fail(detail::other_format(static_cast<std::uint64_t>(format), 1, "name another --state file"));
  }
  if (!bytes.starts_with(header_)) {
    fail("belongs to another graph, or to other weights of it; name another --state file");
  }
  std::string_view rest = std::string_view(bytes).substr(kHeader);
  std::uint64_t version = 0;
  while (const auto body = record_at(rest)) {
    entries_.push_back(entry_of(*body, version));
    version = entries_.back().version;
    rest.remove_prefix(kPrefix + body->size());
  }
  size_ = bytes.size() - rest.size();
  if (!rest.empty()) {
    const auto whole = damage == JournalDamage::kRefuse ? next_record(rest) : std::nullopt;
    if (whole) {
      fail("is damaged at byte " + std::to_string(size_) + ", after version " +
           std::to_string(version) + "; the next whole record is at byte " +
           std::to_string(size_ + *whole) + "; --cut-damaged-state starts with version " +
           std::to_string(version) + " and keeps the rest in another file");
    }
    cut_off(rest, version);
  }
  if (::lseek(descriptor_, 0, SEEK_END) < 0) fail("cannot be written");
}

// A valid checksum over impossible values is not damage: another program wrote it.
JournalEntry Journal::entry_of(std::string_view body, std::uint64_t before) const {
  const char* in = body.data();
  const char* const stop = in + body.size();
  JournalEntry entry;
  entry.version = get<std::uint64_t>(in);
  entry.reset = get<std::uint8_t>(in) != 0;
  if (entry.version <= before) fail("has versions that do not ascend");
  std::uint32_t arcs;
  std::memcpy(&arcs, header_.data() + 8, 4);
  while (in < stop) {
    const auto arc = get<ArcIndex>(in);
    const auto weight = get<Weight>(in);
    if (arc >= arcs || !is_weight(weight)) fail("holds a weight no arc can have");
    entry.changes.push_back({arc, weight});
  }
  return entry;
}

// Moves the end of the file, from size_ on, to a file of its own.
void Journal::cut_off(std::string_view bytes, std::uint64_t version) {
  std::string aside;
  int made = -1;
  for (int i = 1; made < 0; ++i) {  // files of earlier starts are kept
    aside = path_ + ".damaged" + (i > 1 ? "-" + std::to_string(i) : "");
    made = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (made < 0 && errno != EEXIST) fail("is damaged, and " + aside + " cannot be made");
  }
  const bool kept = write_all(made, bytes) && ::fsync(made) == 0;
  const int why = errno;
  ::close(made);
  if (!kept) {
    ::unlink(aside.c_str());
    errno = why;
    fail("is damaged, and " + aside + " cannot be written");
  }
  sync_folder(aside);
  if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0 || ::fsync(descriptor_) != 0) {
    fail("cannot be written");
  }
  errno = 0;
  note_ = path_ + ": the last " + std::to_string(bytes.size()) +
          " bytes are damaged or incomplete, and were moved to " + aside +
          ". The weights are those of version " + std::to_string(version) +
          "; updates after it are lost. After a crash that is an update that was not acknowledged";
}

void Journal::append(std::span<const JournalEntry> entries) {
  std::string bytes;
  for (const JournalEntry& entry : entries) append_record(bytes, entry);
  // A whole record after a torn one would not be found again.
  if (torn_) torn_ = ::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0;
  if (!torn_ && ::lseek(descriptor_, static_cast<off_t>(size_), SEEK_SET) >= 0 &&
      write_all(descriptor_, bytes) && ::fdatasync(descriptor_) == 0) {
    size_ += bytes.size();
    return;
  }
  const std::string reason = std::strerror(errno);
  torn_ = ::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0;
  throw JournalWriteError(path_ + ": cannot be written: " + reason, reason);
}

void Journal::compact(const JournalEntry& whole) {
  std::string bytes = header_;
  append_record(bytes, whole);
  const std::string fresh = path_ + ".new";
  const int made = ::open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  if (made < 0) fail("cannot be made anew");
  if (::flock(made, LOCK_EX | LOCK_NB) != 0 || !write_all(made, bytes) || ::fsync(made) != 0 ||
      ::rename(fresh.c_str(), path_.c_str()) != 0) {
    const int why = errno;
    ::close(made);
    ::unlink(fresh.c_str());
    errno = why;
    fail("cannot be made anew");
  }
  sync_folder(path_);
  ::close(descriptor_);
  descriptor_ = made;
  size_ = bytes.size();
}

JournalAside::JournalAside(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  moved_ = std::rename(path_.c_str(), (path_ + ".old").c_str()) == 0;
  if (!moved_ && errno != ENOENT) {
    throw Error(path_ + ": cannot be renamed: " + std::strerror(errno));
  }
}

JournalAside::~JournalAside() {
  if (moved_) std::rename((path_ + ".old").c_str(), path_.c_str());
}

}  // namespace lodestar::server
