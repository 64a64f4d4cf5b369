// What is said of a file in a format this program does not read: one wording for all formats.
#pragma once

#include <cstdint>
#include <string>

#include "lodestar/version.h"

namespace lodestar {
namespace detail {

// "is of format 3, of a newer Lodestar; this one (0.1.0) reads up to 2. Update it, or fit the graph
// again". `newest` is the highest that is read.
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
