// The access log: one JSON object per line and request, written in blocks, at least every second.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "message.h"

namespace lodestar::server {

class AccessLog {
 public:
  // "-" is standard error; empty: no log. Throws Error when the file cannot be opened.
  explicit AccessLog(const std::string& path);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void add(std::string_view client, std::string_view method, std::string_view target,
           const Reply& reply, double seconds);
  void flush();
  // For log rotation: writes the buffer to the old file, then opens the path again. Returns false
  // and keeps the old file open if that fails; true if there is no file.
  bool reopen();

 private:
  void write_out();   // mutex_ is held
  std::string path_;  // empty when the descriptor is not ours
  std::mutex mutex_;
  std::string buffer_;
  int descriptor_ = -1;
};

}  // namespace lodestar::server
