// Parses the target of a request: "/route/v1/car/1,2;3,4?overview=false".
//
//   const Target target = parse_target(text);          // throws Refusal on an invalid target
//   target.path[0] == "route"; target.option("overview");
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lodestar::server {

struct Target {
  std::vector<std::string> path;                             // decoded, without empty parts
  std::vector<std::pair<std::string, std::string>> options;  // decoded, in order

  // Null if absent. The last occurrence counts.
  const std::string* option(std::string_view name) const;
};

// Rejects invalid percent-encoding, control characters and invalid UTF-8. Boost.URL would do the
// same but is not in Boost 1.74, which Debian 12 has.
Target parse_target(std::string_view text);
// "a=1&b=2", the query of a URL or the body of a form.
std::vector<std::pair<std::string, std::string>> parse_pairs(std::string_view text);

// The number that the whole text represents; nothing for "nan", "inf", "1e999", "0x10" and " 1".
std::optional<double> parse_number(std::string_view text);
// Digits only, up to 2^64 - 1.
std::optional<std::uint64_t> parse_count(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char by);

}  // namespace lodestar::server
