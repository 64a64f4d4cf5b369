#include "lodestar/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "lodestar/detail/stop.h"
#include "lodestar/types.h"

namespace lodestar {
namespace {

// The names of all open temporary files, for signal handlers. A file that finds no free slot is
// left behind if a signal ends the process.
std::array<std::atomic<const char*>, 64> temporaries{};

void enlist(const char* name) {
  for (auto& slot : temporaries) {
    const char* none = nullptr;
    if (slot.compare_exchange_strong(none, name)) return;
  }
}

void strike_out(const char* name) {
  for (auto& slot : temporaries) {
    const char* expected = name;
    if (slot.compare_exchange_strong(expected, nullptr)) return;
  }
}

// Follows symbolic links, because renaming onto a link would replace the link.
std::string resolve(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? std::string(real.get()) : path;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(resolve(path)) {
  static std::atomic<unsigned> counter{0};
  if (path_ == "-") {
    path_ = "stdout";
    descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail("cannot be written");
    return;
  }
  struct stat status;
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    throw Error(path_ + ": is a folder; give the path of a file");
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = target_ + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) enlist(temporary_.c_str());
    if (descriptor_ >= 0 && exists) ::fchmod(descriptor_, status.st_mode & 0777);
  }
  if (descriptor_ < 0) {
    const int reason = errno;
    temporary_.clear();
    require_folder_of(path_);
    errno = reason;
    fail("cannot be written");
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  strike_out(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 22;  // a few milliseconds
  while (!bytes.empty()) {
    check_stop();
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kPiece));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("writing failed");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("writing failed");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
  strike_out(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::fail(const std::string& what) const {
  throw Error(path_ + ": " + what + ": " + std::strerror(errno));
}

void replace_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void require_folder_of(const std::string& path) {
  if (path == "-") return;
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) return;
  throw Error(path + ": the folder " + folder.string() + " does not exist; create it first");
}

void remove_temporary_files() noexcept {
  for (auto& slot : temporaries) {
    if (const char* name = slot.load()) ::unlink(name);
  }
}

}  // namespace lodestar
