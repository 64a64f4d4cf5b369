// The target of a request taken apart: "/route/v1/car/1,2;3,4?overview=false".
//
//   const Target target = parse_target(text);          // throws Refusal on what is no target
//   target.path[0] == "route"; target.option("overview");
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lodestar::serve {

struct Target {
  std::vector<std::string> path;                             // decoded, without empty parts
  std::vector<std::pair<std::string, std::string>> options;  // decoded, in order

  // Null when it is not there. The last one counts.
  const std::string* option(std::string_view name) const;
};

// Percent-encoding that is wrong, control characters and bytes that are no UTF-8 are refused: they
// have no meaning here, and would end up in logs.
Target parse_target(std::string_view text);
// "a=1&b=2" as in a URL behind the ?, and as forms are sent.
std::vector<std::pair<std::string, std::string>> parse_pairs(std::string_view text);

// Text as a number, the whole of it; nothing for "nan", "inf", "1e999", "0x10" and " 1".
std::optional<double> parse_number(std::string_view text);
// Digits only, up to 2^64 - 1.
std::optional<std::uint64_t> parse_count(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char by);

}  // namespace lodestar::serve
