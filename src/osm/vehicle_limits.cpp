#include "vehicle_limits.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <string>

#include "profile.h"

namespace lodestar::osm {
namespace {

constexpr float kNone = std::numeric_limits<float>::infinity();

// In "14 ft 6 in" units of one system descend in rank.
struct LimitUnit {
  std::string_view name;
  double factor;
  int system;
  int rank;
};
constexpr LimitUnit kLengthUnits[] = {
    {"m", 1, 0, 0},         {"metres", 1, 0, 0},  {"meters", 1, 0, 0},
    {"cm", 0.01, 0, 1},     {"ft", 0.3048, 1, 0}, {"feet", 0.3048, 1, 0},
    {"foot", 0.3048, 1, 0}, {"'", 0.3048, 1, 0},  {"′", 0.3048, 1, 0},
    {"’", 0.3048, 1, 0},    {"in", 0.0254, 1, 1}, {"inches", 0.0254, 1, 1},
    {"inch", 0.0254, 1, 1}, {"\"", 0.0254, 1, 1}, {"″", 0.0254, 1, 1},
    {"”", 0.0254, 1, 1},    {"''", 0.0254, 1, 1},
};
constexpr LimitUnit kWeightUnits[] = {
    {"t", 1, 0, 0},
    {"tonnes", 1, 0, 0},
    {"tonne", 1, 0, 0},
    {"kg", 0.001, 0, 0},
    {"st", 0.90718474, 0, 0},
    {"tons", 0.90718474, 0, 0},
    {"ton", 0.90718474, 0, 0},
    {"lt", 1.0160469088, 0, 0},
    {"lbs", 0.00045359237, 0, 0},
    {"lb", 0.00045359237, 0, 0},
};
constexpr std::string_view kNoLimitWords[] = {
    "none", "no", "default", "below_default", "no_indications", "no_sign", "unsigned", "unknown"};

// A number and a unit, both removed from the text. Nothing if there is no number.
std::optional<double> take_number(std::string_view& text, std::string_view& unit) {
  const auto skip = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  };
  double value = 0;
  const auto [stop, failed] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (failed != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  skip();
  const std::size_t end = std::min(text.find_first_of(" \t0123456789.-"), text.size());
  unit = text.substr(0, end);
  text.remove_prefix(end);
  skip();
  return value;
}

std::optional<float> one_limit(std::string_view text, std::span<const LimitUnit> units) {
  if (std::find(std::begin(kNoLimitWords), std::end(kNoLimitWords), text) !=
      std::end(kNoLimitWords)) {
    return kNone;
  }
  double sum = 0;
  const LimitUnit* last = nullptr;
  do {
    std::string_view name;
    const std::optional<double> value = take_number(text, name);
    if (!value || !(*value >= 0)) return std::nullopt;
    const LimitUnit* unit = nullptr;
    if (name.empty()) {
      // 14'6: inches follow feet. A number alone is in the first unit.
      if (!text.empty() || (last != nullptr && (last->system != 1 || last->rank != 0))) {
        return std::nullopt;
      }
      unit = &units[0];
      if (last != nullptr) {
        sum += *value * 0.0254;
        break;
      }
    }
    for (const LimitUnit& known : units) {
      if (known.name == name) unit = &known;
    }
    if (unit == nullptr) return std::nullopt;
    if (last != nullptr && (unit->system != last->system || unit->rank <= last->rank)) {
      return std::nullopt;
    }
    sum += *value * unit->factor;
    last = unit;
  } while (!text.empty());
  if (!(sum > 0) || !(sum < 1e6)) return std::nullopt;
  return static_cast<float>(sum);
}

std::optional<float> limit_of(std::string_view text, std::span<const LimitUnit> units) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ',') c = '.';
  }
  std::optional<float> least = kNone;
  for_each_item(lower, [&](std::string_view item) {
    const std::optional<float> one = one_limit(item, units);
    least = one && least ? std::optional<float>(std::min(*one, *least)) : std::nullopt;
  });
  return least;
}

}  // namespace

std::optional<float> limit_in_metres(std::string_view text) {
  return limit_of(text, kLengthUnits);
}

std::optional<float> limit_in_tonnes(std::string_view text) {
  return limit_of(text, kWeightUnits);
}

}  // namespace lodestar::osm
