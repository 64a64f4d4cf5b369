// The classes and limits of a way, by the profile's rules.
#include <algorithm>

#include "vehicle_limits.h"
#include "profile.h"

namespace lodestar::osm {

// The value of the most special access key that says something; null if none does.
const char* Profile::access_said(const osmium::TagList& tags) const {
  const char* said = nullptr;
  for (const std::string& key : access_keys_) {
    const char* value = tags.get_value_by_key(key.c_str());
    if (value != nullptr && access_value(value) != Access::kUnsaid) said = value;
  }
  return said;
}

ArcKind Profile::kind(const osmium::TagList& tags, bool* odd_limit) const {
  ArcKind out;
  for (const ClassRule& rule : class_rules_) {
    const char* value =
        rule.key == "access" ? access_said(tags) : tags.get_value_by_key(rule.key.c_str());
    if (value == nullptr) continue;
    if (std::string_view(value) != "no") out.classes |= rule.any;
    for_each_item(value, [&](std::string_view item) {
      const auto found = rule.classes.find(std::string(item));
      if (found != rule.classes.end()) out.classes |= found->second;
    });
  }
  const auto limit = [&](const std::vector<std::string>& keys, auto parsed) {
    float least = ArcKind::kNoLimit;
    for (const std::string& key : keys) {
      const char* text = tags.get_value_by_key(key.c_str());
      if (text == nullptr) continue;
      const std::optional<float> one = parsed(text);
      if (!one) *odd_limit = true;
      if (one) least = std::min(least, *one);
    }
    return least;
  };
  out.max_height = limit(height_keys_, limit_in_metres);
  out.max_width = limit(width_keys_, limit_in_metres);
  out.max_weight = limit(weight_keys_, limit_in_tonnes);
  return out;
}

}  // namespace lodestar::osm
