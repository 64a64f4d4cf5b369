#include "access_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "json_text.h"
#include "lodestar/types.h"

namespace lodestar::server {
namespace {

std::string time_text() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  char text[40];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  const long micro = now.tv_nsec / 1000;
  std::string out(text, size);
  const std::string digits = std::to_string(micro);
  return out + "." + std::string(6 - digits.size(), '0') + digits + "Z";
}

int open_log(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

}  // namespace

AccessLog::AccessLog(const std::string& path) {
  if (path.empty()) return;
  if (path == "-") {
    descriptor_ = STDERR_FILENO;
    return;
  }
  descriptor_ = open_log(path);
  if (descriptor_ < 0) throw Error(path + ": cannot be written: " + std::strerror(errno));
  path_ = path;
}

AccessLog::~AccessLog() {
  flush();
  if (!path_.empty()) ::close(descriptor_);
}

bool AccessLog::reopen() {
  const std::lock_guard lock(mutex_);
  write_out();
  if (path_.empty()) return true;
  const int next = open_log(path_);
  if (next < 0) return false;
  ::close(std::exchange(descriptor_, next));
  return true;
}

void AccessLog::add(std::string_view client, std::string_view method, std::string_view target,
                    const Reply& reply, double seconds) {
  if (descriptor_ < 0) return;
  JsonText json;
  json.open('{').key("time").text(time_text()).key("client").text(client);
  json.key("method").text(method).key("target").text(target.substr(0, 500));
  json.key("status").whole(static_cast<std::uint64_t>(reply.status)).key("code").text(reply.code);
  json.key("seconds").rounded(seconds, 6).key("bytes").whole(reply.content().size());
  if (reply.version) json.key("version").whole(*reply.version);
  json.key("expansions").whole(reply.expansions).close('}');
  json.out() += '\n';
  const std::lock_guard lock(mutex_);
  buffer_ += json.out();
  if (buffer_.size() >= 64 << 10) write_out();
}

void AccessLog::flush() {
  const std::lock_guard lock(mutex_);
  write_out();
}

void AccessLog::write_out() {
  std::string_view left = buffer_;
  while (!left.empty() && descriptor_ >= 0) {
    const ssize_t n = ::write(descriptor_, left.data(), left.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;  // a full disk must not stop answers
    left.remove_prefix(static_cast<std::size_t>(n));
  }
  buffer_.clear();
}

}  // namespace lodestar::server
