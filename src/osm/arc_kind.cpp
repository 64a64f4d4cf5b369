// The classes and limits of a way, by the profile's rules.
#include <algorithm>

#include "profile.h"
#include "vehicle_limits.h"

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

void Profile::ClassRule::apply(std::string_view value, ArcKind& kind) const {
  if (value != "no") kind.classes |= any;
  for_each_item(value, [&](std::string_view item) {
    const auto found = classes.find(std::string(item));
    if (found != classes.end()) kind.classes |= found->second;
  });
}

// One pass over the tags, of which a way has few; most keys fit no rule.
ArcKind Profile::kind(const osmium::TagList& tags, bool* odd_limit) const {
  ArcKind out;
  const auto limit = [&](std::optional<float> said, float& least) {
    if (!said) *odd_limit = true;
    if (said) least = std::min(least, *said);
  };
  const auto listed = [](const std::vector<std::string>& keys, std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const osmium::Tag& tag : tags) {
    const std::string_view key = tag.key();
    for (const ClassRule& rule : class_rules_) {
      if (rule.key.key != key || key == "access" || !rule.key.applies(tags)) continue;
      rule.apply(tag.value(), out);
    }
    if (listed(height_keys_, key)) limit(limit_in_metres(tag.value()), out.max_height);
    if (listed(width_keys_, key)) limit(limit_in_metres(tag.value()), out.max_width);
    if (listed(weight_keys_, key)) limit(limit_in_tonnes(tag.value()), out.max_weight);
  }
  for (const ClassRule& rule : class_rules_) {
    if (rule.key.key != "access" || !rule.key.applies(tags)) continue;
    if (const char* said = access_said(tags)) rule.apply(said, out);
  }
  return out;
}

}  // namespace lodestar::osm
