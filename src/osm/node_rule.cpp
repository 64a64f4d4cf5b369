// What a profile says of nodes and of limits for its vehicle.
#include <algorithm>

#include "profile.h"
#include "vehicle_limits.h"

namespace lodestar::osm {

// A limit of exactly the vehicle's width is too narrow; the others must only be reached.
bool Profile::fits_vehicle(const osmium::TagList& tags) const {
  const auto least = [&](const std::vector<std::string>& keys, auto&& parse) {
    float out = ArcKind::kNoLimit;
    for (const std::string& key : keys) {
      const char* text = tags.get_value_by_key(key.c_str());
      if (text != nullptr) out = std::min(out, parse(text).value_or(ArcKind::kNoLimit));
    }
    return static_cast<double>(out);
  };
  constexpr double kDigits = 1e-6;  // limits are floats
  if (vehicle_height_ > 0 && least(height_keys_, limit_in_metres) < vehicle_height_ - kDigits) {
    return false;
  }
  if (vehicle_width_ > 0 && least(width_keys_, limit_in_metres) <= vehicle_width_ + kDigits) {
    return false;
  }
  if (vehicle_length_ > 0 && least(length_keys_, limit_in_metres) < vehicle_length_ - kDigits) {
    return false;
  }
  return !(vehicle_weight_ > 0) ||
         !(least(weight_keys_, limit_in_tonnes) < vehicle_weight_ - kDigits);
}

NodeRule Profile::node(const osmium::TagList& node) const {
  NodeRule out;
  if (node.empty()) return out;
  const Access said = access(node, "");
  const bool barrier = any_match(barriers_, node);
  if (said == Access::kNo) out.blocked = !any_match(access_not_on_, node);
  if (said == Access::kUnsaid) out.blocked = barrier && !any_match(passable_, node);
  if (barrier && said == Access::kUnsaid && !fits_vehicle(node)) out.blocked = true;
  for (const Numbers& rule : node_costs_) {
    const char* value = node.get_value_by_key(rule.key.c_str());
    // A gate that access tags speak of is open.
    if (value == nullptr || (barrier && said != Access::kUnsaid)) continue;
    const auto found = rule.numbers.find(value);
    if (found != rule.numbers.end()) out.seconds += found->second;
  }
  return out;
}

bool Profile::conditional(const osmium::TagList& tags) const {
  constexpr std::string_view kEnd = ":conditional";
  for (const osmium::Tag& tag : tags) {
    std::string_view key = tag.key();
    if (!key.ends_with(kEnd)) continue;
    key.remove_suffix(kEnd.size());
    for (const std::vector<std::string>* keys : {&access_keys_, &turn_keys_}) {
      for (const std::string& base : *keys) {
        if (key == base || (key.starts_with(base) && key[base.size()] == ':')) return true;
      }
    }
  }
  return false;
}

}  // namespace lodestar::osm
