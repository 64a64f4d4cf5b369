// What a number on the command line must be.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

namespace lodestar::cli {

// Not "nan" and not "inf", which the parser takes for numbers.
inline CLI::Validator finite() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && std::isfinite(value)) return std::string();
        return "a finite number is needed, not " + text;
      },
      "", "finite");
}

}  // namespace lodestar::cli
