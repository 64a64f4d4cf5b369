// One JSON object a line for each request. Written in blocks, at least once a second.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "message.h"

namespace lodestar::serve {

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

 private:
  void write_out();  // mutex_ is held
  std::mutex mutex_;
  std::string buffer_;
  int descriptor_ = -1;
  bool own_ = false;
};

}  // namespace lodestar::serve
