// The error message for files with an unsupported format version.
#pragma once

#include <cstdint>
#include <string>

#include "lodestar/version.h"

namespace lodestar {
namespace detail {

// "has format version 3, but this program (0.1.0) reads versions up to 2; update it, or …".
// `newest` is the highest supported version; `advice` says how to make the file again.
inline std::string other_format(std::uint64_t found, std::uint64_t newest,
                                const std::string& advice) {
  const std::string number = std::to_string(found);
  if (found > newest) {
    return "is of format " + number + ", of a newer Lodestar; this one (" + kVersion +
           ") reads up to " + std::to_string(newest) + ". Update it, or " + advice;
  }
  return "is of format " + number + ", which is no longer read; " + advice;
}

}  // namespace detail
}  // namespace lodestar
