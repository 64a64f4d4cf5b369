#include "learn/tune/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lodestar/types.h"

namespace lodestar::tune {
namespace {

std::string read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return {};
  std::string text;
  char buffer[1 << 16];
  ssize_t got = descriptor < 0 ? -1 : 0;
  while (descriptor >= 0 && (got = ::read(descriptor, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  const int code = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (got < 0) {
    throw Error(path + ": the journal cannot be read: " + std::strerror(code) +
                ". Nothing was changed; the finished trials are in their folders");
  }
  return text;
}

}  // namespace

Journal::Journal(std::string path) : path_(std::move(path)) {
  read();
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::read() {
  const std::string text = read_file(path_);
  std::size_t begin = 0, number = 0;
  while (begin < text.size()) {
    ++number;
    const std::size_t end = text.find('\n', begin);
    const bool last = end == std::string::npos || end + 1 == text.size();
    Json line = Json::parse(text.substr(begin, end - begin), nullptr, false);
    const bool whole = end != std::string::npos && line.is_object();
    if (!whole && !last) {
      throw Error(path_ + ":" + std::to_string(number) +
                  ": the journal is damaged here. Nothing was changed. Move the journal away and "
                  "run the same command again: trials that are finished are taken from their "
                  "folders, not trained again");
    }
    if (!whole) break;
    lines_.push_back(std::move(line));
    begin = end + 1;
    whole_bytes_ = static_cast<long>(begin);
  }
}

void Journal::open_for_writing() {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0 || ::ftruncate(descriptor_, whole_bytes_) != 0) {
    throw Error(path_ + ": the journal cannot be written: " + std::strerror(errno));
  }
  // The file's name must last too.
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  const int parent = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (parent >= 0) {
    ::fsync(parent);
    ::close(parent);
  }
}

void Journal::append(const Json& line) {
  if (descriptor_ < 0) open_for_writing();
  const std::string text = line.dump() + "\n";
  std::size_t written = 0;
  bool failed = false;
  while (written < text.size() && !failed) {
    const ssize_t got = ::pwrite(descriptor_, text.data() + written, text.size() - written,
                                 whole_bytes_ + static_cast<long>(written));
    if (got < 0 && errno == EINTR) continue;
    failed = got <= 0;
    if (!failed) written += static_cast<std::size_t>(got);
  }
  if (!failed) failed = ::fsync(descriptor_) != 0;
  if (failed) {
    const int code = errno;
    // Best effort: a torn line does no harm to the next reader.
    [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, whole_bytes_);
    throw Error(path_ + ": the journal cannot be written: " + std::strerror(code) +
                ". What was finished is kept: make room and run the same command again");
  }
  whole_bytes_ += static_cast<long>(text.size());
  lines_.push_back(line);
}

}  // namespace lodestar::tune
