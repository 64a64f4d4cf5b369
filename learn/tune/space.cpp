#include "learn/tune/space.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "lodestar/rng.h"
#include "lodestar/types.h"

namespace lodestar::tune {
namespace {

double four_digits(double value) {
  return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);
}

void allow_only(const Json& object, std::initializer_list<const char*> names,
                const std::string& where) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    std::string known;
    for (const char* name : names) known += (known.empty() ? "" : ", ") + std::string(name);
    throw Error(where + ": '" + key + "' is not known here; there may be " + known);
  }
}

Range parse_range(const std::string& name, const Json& json, const std::string& where) {
  const std::string here = where + ": '" + name + "'";
  if (!json.is_object()) {
    throw Error(here + R"( must be an object: {"low": a, "high": b}, {"choose": […]} or )"
                       R"({"same_as": "option"})");
  }
  Range range;
  range.name = name;
  if (json.contains("choose")) {
    allow_only(json, {"choose"}, here);
    range.kind = Range::Kind::kChoice;
    if (!json["choose"].is_array() || json["choose"].empty()) {
      throw Error(here + ": 'choose' must be a list with at least one value");
    }
    for (const Json& value : json["choose"]) range.choices.push_back(value);
    return range;
  }
  if (json.contains("same_as")) {
    allow_only(json, {"same_as"}, here);
    range.kind = Range::Kind::kSame;
    if (!json["same_as"].is_string()) throw Error(here + ": 'same_as' must name an option");
    range.same_as = json["same_as"].get<std::string>();
    return range;
  }
  allow_only(json, {"low", "high", "log"}, here);
  for (const char* end : {"low", "high"}) {
    if (!json.contains(end) || !json[end].is_number()) {
      throw Error(here + ": '" + end + "' must be there and be a number");
    }
  }
  range.low = json["low"].get<double>();
  range.high = json["high"].get<double>();
  range.whole = json["low"].is_number_integer() && json["high"].is_number_integer();
  if (json.contains("log")) {
    if (!json["log"].is_boolean()) throw Error(here + ": 'log' must be true or false");
    range.log = json["log"].get<bool>();
  }
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || range.low > range.high) {
    throw Error(here + fmt::format(": low {:g} is above high {:g}", range.low, range.high));
  }
  if (range.log && range.low <= 0) {
    throw Error(here + ": a logarithmic interval must begin above 0");
  }
  return range;
}

void check_references(const Space& space, const std::string& where) {
  std::set<std::string> drawn;
  for (const Range& range : space.ranges) {
    const std::string here = where + ": '" + range.name + "'";
    if (range.kind == Range::Kind::kSame && !drawn.contains(range.same_as)) {
      throw Error(here + " is to be the same as '" + range.same_as +
                  "', which is not drawn before it");
    }
    drawn.insert(range.name);
    if (space.fixed.contains(range.name)) throw Error(here + " is both fixed and drawn");
  }
}

Json number(const Range& range, double value) {
  if (range.whole) return static_cast<std::int64_t>(value);
  return value;
}

Json draw_one(const Range& range, double u, const Json& drawn) {
  if (range.kind == Range::Kind::kSame) return drawn.at(range.same_as);
  if (range.kind == Range::Kind::kChoice) {
    const auto index = static_cast<std::size_t>(u * static_cast<double>(range.choices.size()));
    return range.choices[index];
  }
  // Whole numbers: each of low … high has its share, the ends too.
  const double low = range.whole ? range.low - 0.5 : range.low;
  const double high = range.whole ? range.high + 0.5 : range.high;
  double value = range.log ? std::exp(std::log(low) + u * (std::log(high) - std::log(low)))
                           : low + u * (high - low);
  value = range.whole ? std::round(value) : four_digits(value);
  return number(range, std::clamp(value, range.low, range.high));
}

Range shrink_interval(Range range, std::span<const Json> best) {
  const auto on_axis = [&](double x) { return range.log ? std::log(x) : x; };
  const auto off_axis = [&](double x) { return range.log ? std::exp(x) : x; };
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Json& values : best) {
    const double x = on_axis(values.at(range.name).get<double>());
    low = std::min(low, x);
    high = std::max(high, x);
  }
  const double widest = on_axis(range.high) - on_axis(range.low);
  const double gaps = std::max<double>(1, static_cast<double>(best.size()) - 1);
  // Values that agree still leave a twentieth to each side.
  const double margin = std::max((high - low) / gaps, widest / 20);
  low = off_axis(low - margin);
  high = off_axis(high + margin);
  low = range.whole ? std::floor(low) : four_digits(low);
  high = range.whole ? std::ceil(high) : four_digits(high);
  range.low = std::max(range.low, low);
  range.high = std::min(range.high, high);
  return range;
}

}  // namespace

Space parse_space(const std::string& text, const std::string& where) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(where + ": not JSON: " + error.what());
  }
  if (!json.is_object()) throw Error(where + ": the space must be a JSON object");
  allow_only(json, {"preset", "fixed", "draw"}, where);
  Space space;
  space.source = where;
  if (json.contains("preset")) {
    if (!json["preset"].is_string()) throw Error(where + ": 'preset' must be a text");
    space.preset = json["preset"].get<std::string>();
  }
  if (json.contains("fixed")) {
    if (!json["fixed"].is_object()) throw Error(where + ": 'fixed' must be an object of options");
    space.fixed = json["fixed"];
  }
  if (!json.contains("draw") || !json["draw"].is_object() || json["draw"].empty()) {
    throw Error(where + ": 'draw' must be an object with at least one option of training");
  }
  for (const auto& [name, range] : json["draw"].items()) {
    space.ranges.push_back(parse_range(name, range, where));
  }
  check_references(space, where);
  return space;
}

Json to_json(const Space& space) {
  Json json = {{"preset", space.preset}, {"fixed", space.fixed}, {"draw", Json::object()}};
  for (const Range& range : space.ranges) {
    Json& out = json["draw"][range.name];
    if (range.kind == Range::Kind::kChoice) {
      out["choose"] = range.choices;
    } else if (range.kind == Range::Kind::kSame) {
      out["same_as"] = range.same_as;
    } else {
      out = {{"low", number(range, range.low)}, {"high", number(range, range.high)}};
      if (range.log) out["log"] = true;
    }
  }
  return json;
}

Space paper_space() {
  return parse_space(
      R"({"draw": {"hidden": {"low": 16, "high": 512}, "message": {"same_as": "hidden"},
    "learning_rate": {"low": 1e-4, "high": 1e-2}, "weight_decay": {"low": 1e-5, "high": 1e-1},
    "lambda": {"low": 1e-3, "high": 1.0}}})",
      "the paper's space");
}

Space paper_space2() {
  return parse_space(
      R"({"draw": {"hidden": {"low": 80, "high": 100}, "message": {"same_as": "hidden"},
    "learning_rate": {"low": 9e-4, "high": 4e-3}, "weight_decay": {"low": 9e-4, "high": 4e-3},
    "lambda": {"low": 1e-2, "high": 5e-2}}})",
      "the paper's second space");
}

void use_logarithms(Space& space) {
  for (Range& range : space.ranges) {
    if (range.kind != Range::Kind::kInterval) continue;
    if (range.low <= 0) {
      throw Error("'" + range.name + "' begins at 0 or below: it has no logarithmic interval");
    }
    range.log = true;
  }
}

Space replace_ranges(Space space, const Space& narrow) {
  for (const Range& range : narrow.ranges) {
    const auto found = std::find_if(space.ranges.begin(), space.ranges.end(),
                                    [&](const Range& old) { return old.name == range.name; });
    if (found == space.ranges.end()) {
      throw Error("the second space draws '" + range.name + "', which the first does not");
    }
    *found = range;
  }
  check_references(space, "the second space");
  return space;
}

Json draw(const Space& space, std::uint64_t seed, std::uint32_t level, std::uint32_t index) {
  Rng rng = Rng(seed).fork(level).fork(index);
  Json values = Json::object();
  for (const Range& range : space.ranges) {
    const double u = rng.uniform();  // every range takes one, so that they do not shift each other
    values[range.name] = draw_one(range, u, values);
  }
  return values;
}

Space shrink(const Space& space, std::span<const Json> best) {
  Space smaller = space;
  for (Range& range : smaller.ranges) {
    if (range.kind == Range::Kind::kInterval) range = shrink_interval(range, best);
    if (range.kind != Range::Kind::kChoice) continue;
    std::erase_if(range.choices, [&](const Json& choice) {
      return std::none_of(best.begin(), best.end(),
                          [&](const Json& values) { return values.at(range.name) == choice; });
    });
  }
  return smaller;
}

}  // namespace lodestar::tune
