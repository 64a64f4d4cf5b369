// The space of a search: options of training, each with an interval or a list of values.
//
//   {"preset": "paper",
//    "fixed": {"epochs": 5},
//    "draw": {"hidden":        {"low": 16, "high": 512},
//             "message":       {"same_as": "hidden"},
//             "learning_rate": {"low": 1e-4, "high": 1e-2, "log": true},
//             "optimizer":     {"choose": ["sgd", "adam"]}}}
//
// An interval between whole numbers gives whole numbers. A draw depends on seed, level and index
// alone, not on the order or the number of draws.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace lodestar::tune {

using Json = nlohmann::ordered_json;

struct Range {
  enum class Kind : std::uint8_t { kInterval, kChoice, kSame };
  std::string name;  // of the option
  Kind kind = Kind::kInterval;
  double low = 0, high = 0;
  bool log = false;    // uniform in the logarithm
  bool whole = false;  // whole numbers only
  std::vector<Json> choices;
  std::string same_as;
};

struct Space {
  std::string source;           // where it is from, for messages
  std::string preset;           // empty: the program's choice
  Json fixed = Json::object();  // options that are the same in every trial
  std::vector<Range> ranges;
};

// Throws Error, naming `where` and the option, on anything that is not such a file.
Space parse_space(const std::string& text, const std::string& where);
Json to_json(const Space& space);

// The paper's intervals (appendix "Model selection"). Two of level 2 are misprinted there, weight
// decay as [9e4, 4e-3] and λ as [5e-2, 1e-2]; they are read as [9e-4, 4e-3] and [1e-2, 5e-2].
Space paper_space();
Space paper_space2();

// Makes every interval log-uniform; throws Error where one reaches 0.
void use_logarithms(Space& space);

// Replaces ranges by those of `narrow` with the same name. Throws Error if `narrow` names an option
// that `space` does not draw.
Space replace_ranges(Space space, const Space& narrow);

// One value per range, in order: {"hidden": 37, …}. Real numbers have four digits: enough, and
// the same on every machine, which the last bits of a logarithm are not.
Json draw(const Space& space, std::uint64_t seed, std::uint32_t level, std::uint32_t index);

// Intervals around the best trials' values: from the smallest to the largest, one mean gap wider
// at both ends, within the old interval. An option that matters shrinks; one that does not stays
// as wide as chance spread it. Lists keep what the best ones chose. `best` must not be empty.
Space shrink(const Space& space, std::span<const Json> best);

}  // namespace lodestar::tune
