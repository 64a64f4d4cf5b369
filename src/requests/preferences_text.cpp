// Preferences in short forms, as options and parameters have them.
#include "lodestar/preferences_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace lodestar {
namespace {

template <class T>
std::optional<T> number_in(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

// "name=1.5" or "name:1.5"; a missing number is 1 if that is allowed.
struct NamedNumber {
  std::string name;
  double value = 1;
};
NamedNumber named_number(std::string_view text, bool needs_number, const char* example) {
  std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) equals = text.rfind(':');
  NamedNumber made{std::string(text.substr(0, equals)), 1};
  if (equals == std::string_view::npos && !needs_number && !text.empty()) return made;
  const auto value = equals == std::string_view::npos ? std::optional<double>()
                                                      : number_in<double>(text.substr(equals + 1));
  if (!value || !std::isfinite(*value) || made.name.empty()) {
    throw Error("'" + std::string(text) + "' is not understood; write " + example);
  }
  made.value = *value;
  return made;
}

}  // namespace

WithFactor split_factor(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos) return {std::string(text), kInfinity};
  const auto factor = number_in<double>(text.substr(equals + 1));
  if (!factor || !(*factor >= 1)) {
    throw Error("the factor of '" + std::string(text) + "' must be a number of at least 1");
  }
  return {std::string(text.substr(0, equals)), *factor};
}

void add_avoided(Preferences& preferences, std::string_view text) {
  const auto [what, factor] = split_factor(text);
  if (what.empty()) throw Error("nothing to avoid is named; write a class, way/ID or x,y,radius");
  if (what.starts_with("way/")) {
    const auto id = number_in<std::int64_t>(std::string_view(what).substr(4));
    if (!id) throw Error("'" + what + "' is no way; write way/ and the id of OpenStreetMap");
    preferences.ways.push_back({*id, factor});
    return;
  }
  const std::vector<std::string_view> parts = split_at_commas(what);
  if (parts.size() == 1) {
    preferences.classes.push_back({what, factor});
    return;
  }
  std::array<double, 3> circle{};
  bool good = parts.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    const auto value = number_in<double>(parts[i]);
    good = value && std::isfinite(*value);
    if (good) circle[i] = *value;
  }
  if (!good) {
    throw Error("'" + what +
                "' is no circle; write longitude,latitude,radius in metres, like 9.52,47.14,500");
  }
  preferences.circles.push_back({{circle[0], circle[1]}, circle[2], factor});
}

void set_blend(Preferences& preferences, std::string_view text) {
  preferences.blend.clear();
  for (const std::string_view part : split_at_commas(text)) {
    const NamedNumber share = named_number(part, false, "a blend as time=1,length=0.02");
    preferences.blend.push_back({share.name, share.value});
  }
}

void add_factors(Preferences& preferences, std::string_view text) {
  for (const std::string_view part : split_at_commas(text)) {
    const NamedNumber factor = named_number(part, true, "factors as ferry=2,track=1.5");
    preferences.classes.push_back({factor.name, factor.value});
  }
}

void set_vehicle(Preferences& preferences, std::string_view text) {
  for (const std::string_view part : split_at_commas(text)) {
    const char* example = "a vehicle as height=3.8,width=2.5,weight=12";
    const NamedNumber size = named_number(part, true, example);
    Preferences::Vehicle& vehicle = preferences.vehicle;
    if (size.name == "height") {
      vehicle.height = size.value;
    } else if (size.name == "width") {
      vehicle.width = size.value;
    } else if (size.name == "weight") {
      vehicle.weight = size.value;
    } else {
      throw Error("a vehicle has no '" + size.name + "'; write " + example);
    }
  }
}

}  // namespace lodestar
