// The error message for files with an unsupported format version.
#pragma once

#include <cstdint>
#include <string>

#include "lodestar/version.h"

namespace lodestar {
namespace detail {

// "has format 3 of a newer version; this program (0.1.0) reads up to format 2; update it, or …".
// `newest` is the highest supported format; `advice` says how to make the file again.
inline std::string other_format(std::uint64_t found, std::uint64_t newest,
                                const std::string& advice) {
  const std::string number = std::to_string(found);
  if (found > newest) {
    return "has format " + number + " of a newer version; this program (" + kVersion +
           ") reads up to format " + std::to_string(newest) + "; update it, or " + advice;
  }
  return "has format " + number + ", which is no longer supported; " + advice;
}

}  // namespace detail
}  // namespace lodestar
