// What a function says when it throws Error; empty if it does not.
#pragma once

#include <string>

#include "lodestar/types.h"

namespace lodestar::testing {

inline std::string error_of(const auto& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace lodestar::testing
