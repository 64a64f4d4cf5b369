#include "profile.h"

#include <charconv>
#include <cmath>

namespace lodestar::osm {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// ISO 8601, without years and months: "PT1H30M", "P1DT2H", "PT90S". 0 when it is none.
double iso_duration_seconds(std::string_view text) {
  text.remove_prefix(1);  // P
  const std::string_view units = "WDTHMS";
  const double seconds[] = {604800, 86400, 0, 3600, 60, 1};
  double sum = 0;
  std::size_t next = 0;  // units come in this order, each at most once
  while (!text.empty()) {
    if (text.front() == 'T') {
      if (next > 2 || text.size() == 1) return 0;
      next = 3;
      text.remove_prefix(1);
      continue;
    }
    double value = 0;
    const auto [stop, failed] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    if (failed != std::errc() || !(value >= 0) || text.empty()) return 0;
    const std::size_t unit = units.find(text.front(), next);
    // Before the T days and weeks are counted, behind it the time.
    if (unit == std::string_view::npos || (next < 3 && unit > 2)) return 0;
    sum += value * seconds[unit];
    next = unit + 1;
    text.remove_prefix(1);
  }
  return sum < 1e9 ? sum : 0;
}

// "1:30" is an hour and a half, "90" are minutes, "01:30:00" has seconds, "PT90M" is ISO 8601.
// 0 when it is none.
double duration_seconds(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('P')) return iso_duration_seconds(text);
  double parts[3] = {0, 0, 0};
  int count = 0;
  while (count < 3) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    int value = 0;
    const auto [stop, failed] = std::from_chars(text.data(), text.data() + colon, value);
    if (failed != std::errc() || stop != text.data() + colon || value < 0) return 0;
    parts[count++] = value;
    if (colon == text.size()) break;
    text.remove_prefix(colon + 1);
    if (count == 3) return 0;
  }
  if (count == 1) return parts[0] * 60;
  return parts[0] * 3600 + parts[1] * 60 + parts[2];
}

}  // namespace

Profile::Key Profile::Key::parse(std::string_view text) {
  Key out;
  while (true) {
    const std::size_t end = text.find('&');
    if (end == std::string_view::npos) break;
    const std::string_view one = text.substr(0, end);
    const std::size_t equal = std::min(one.find('='), one.size());
    out.where.emplace_back(one.substr(0, equal), one.substr(std::min(equal + 1, one.size())));
    text.remove_prefix(end + 1);
  }
  out.key = text;
  return out;
}

bool Profile::Key::applies(const osmium::TagList& tags) const {
  return std::all_of(where.begin(), where.end(), [&](const auto& one) {
    return one.second == tags.get_value_by_key(one.first.c_str(), "");
  });
}

bool Profile::any_match(const std::vector<Values>& rules, const osmium::TagList& tags) {
  return std::any_of(rules.begin(), rules.end(), [&](const Values& rule) {
    const char* value = tags.get_value_by_key(rule.key.key.c_str());
    if (value == nullptr || !rule.key.applies(tags)) return false;
    return rule.words.contains(value) ||
           (rule.words.contains("*") && std::string_view(value) != "no");
  });
}

// OSRM's curve: next to nothing for slight turns, half of the cost at about a right angle.
double TurnCosts::seconds(double angle, bool back, bool keeps_left) const {
  const double side = keeps_left ? 1 / bias : bias;
  const double right = angle >= 0 ? 1 / side : side;
  const double curve = turn / (1 + std::exp(-(13 * right * std::abs(angle) / 180 - 6.5 / right)));
  return curve + (back ? u_turn : 0);
}

// Of a list the most permissive item counts: what is open to foresters and to customers is open to
// customers.
Profile::Access Profile::access_value(std::string_view value) const {
  Access said = Access::kUnsaid;
  for_each_item(value, [&](std::string_view item) {
    const std::string word(item);
    if (access_yes_.contains(word)) said = Access::kYes;
    if (access_restricted_.contains(word) && said != Access::kYes) said = Access::kRestricted;
    if (access_no_.contains(word) && said == Access::kUnsaid) said = Access::kNo;
  });
  return said;
}

// Keys are listed from general to special; the most special one that says something counts.
Profile::Access Profile::access(const osmium::TagList& tags, const char* suffix) const {
  Access said = Access::kUnsaid;
  std::string key;
  for (const std::string& base : access_keys_) {
    for (const char* ending : {"", suffix}) {
      if (ending != suffix && *suffix == '\0') continue;
      key = base + ending;
      const char* value = tags.get_value_by_key(key.c_str());
      if (value == nullptr) continue;
      const Access word = access_value(value);
      if (word != Access::kUnsaid) said = word;
    }
  }
  return said;
}

// "50", "30 mph", "8 knots", "walk", "DE:urban". Of "70;50" the first counts.
std::optional<double> Profile::speed_value(std::string_view text) const {
  text = trimmed(text.substr(0, std::min(text.find(';'), text.size())));
  double value = 0;
  const auto [stop, failed] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (failed == std::errc()) {
    const auto digits = static_cast<std::size_t>(stop - text.data());
    const std::string_view unit = trimmed(text.substr(digits));
    if (!(value > 0)) return std::nullopt;
    if (unit.empty() || unit == "km/h" || unit == "kmh" || unit == "kph") return value;
    if (unit == "mph") return value * 1.609344;
    if (unit == "knots") return value * 1.852;
    return std::nullopt;
  }
  if (const auto named = named_.find(std::string(text)); named != named_.end()) {
    return named->second;
  }
  // "RO:urban": what the profile says of towns anywhere.
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto zone = named_.find(std::string(text.substr(colon + 1)));
  return zone != named_.end() ? std::optional<double>(zone->second) : std::nullopt;
}

std::optional<double> Profile::limit(const osmium::TagList& tags, const char* suffix,
                                     bool* odd) const {
  std::optional<double> said;
  for (const std::string& base : limit_keys_) {
    for (const char* ending : {"", suffix}) {
      const char* text = tags.get_value_by_key((base + ending).c_str());
      if (text == nullptr) continue;
      const std::string_view value(text);
      if (value == "signals" || value == "variable") continue;  // as fast as the class
      const std::optional<double> number = speed_value(value);
      *odd = *odd || !number;
      if (number) said = number;
    }
  }
  for (std::size_t i = 0; !said && i < zone_keys_.size(); ++i) {
    if (const char* zone = tags.get_value_by_key(zone_keys_[i].c_str())) said = speed_value(zone);
  }
  return said;
}

Passage Profile::passage(const osmium::TagList& tags) const {
  Passage out;
  double speed = 0;
  const Numbers* road = nullptr;
  for (const Numbers& candidate : roads_) {
    const char* value = tags.get_value_by_key(candidate.key.c_str());
    if (value == nullptr) continue;
    const auto found = candidate.numbers.find(value);
    if (found == candidate.numbers.end()) continue;
    road = &candidate;
    speed = found->second;
    break;
  }
  // A road of a class that is not listed is open where its access tags say so.
  bool listed = road != nullptr;
  for (auto open = opens_.begin(); road == nullptr && open != opens_.end(); ++open) {
    const char* value = tags.get_value_by_key(open->first.c_str());
    if (value == nullptr || *value == '\0') continue;
    speed = open->second;
    listed = false;
    break;
  }
  if (!(speed > 0) || any_match(closed_, tags) || !fits_vehicle(tags)) return out;

  // Step 1. Directions.
  bool forward = true, backward = true;
  if (any_match(implied_, tags)) backward = false;
  if (any_match(implied_backward_, tags)) forward = false;
  for (const std::string& key : oneway_keys_) {
    const char* value = tags.get_value_by_key(key.c_str());
    if (value == nullptr) continue;
    if (both_.contains(value)) forward = backward = true;
    if (forward_.contains(value)) {
      forward = true;
      backward = false;
    }
    if (backward_.contains(value)) {
      forward = false;
      backward = true;
    }
    if (neither_.contains(value)) forward = backward = false;
  }
  if (any_match(contraflow_, tags)) forward = backward = true;

  // Step 2. How fast.
  double cap = most_;
  for (const Numbers& rule : caps_) {
    const char* value = tags.get_value_by_key(rule.key.c_str());
    if (value == nullptr) continue;
    if (const auto found = rule.numbers.find(value); found != rule.numbers.end()) {
      cap = std::min(cap, found->second);
    }
  }
  const auto pace = [&](const char* suffix) {
    const std::optional<double> said = limit(tags, suffix, &out.odd_speed);
    return std::clamp(said ? *said * share_ : speed, least_, std::max(least_, cap));
  };

  // Step 3. Who may. Where a vehicle may not be ridden, it may be pushed: against a one-way street,
  // and along roads that are open to walkers.
  const auto pass = [&](bool along, const char* suffix, bool* pushed) {
    Access said = access(tags, suffix);
    if (said == Access::kUnsaid && any_match(access_implied_, tags)) said = Access::kYes;
    if (said == Access::kUnsaid && any_match(access_separate_, tags)) said = Access::kNo;
    if (said == Access::kNo) return 0.0;
    const bool road_for_us = listed || said == Access::kYes;
    if (along && road_for_us) return pace(suffix);
    *pushed = push_speed_ > 0 && (road_for_us || any_match(push_opens_, tags)) &&
              (along || !any_match(push_not_against_, tags));
    return *pushed ? std::min(push_speed_, pace(suffix)) : 0.0;
  };
  out.forward = pass(forward, ":forward", &out.pushed_forward);
  out.backward = pass(backward, ":backward", &out.pushed_backward);
  if (listed && std::find(timed_.begin(), timed_.end(), road->key) != timed_.end()) {
    if (const char* text = tags.get_value_by_key("duration")) out.duration = duration_seconds(text);
  }
  return out;
}

std::string Profile::mode(const osmium::TagList& tags, const Passage& passage) const {
  const std::string* ridden = &mode_;
  for (const Modes& rule : modes_) {
    const char* value = tags.get_value_by_key(rule.key.key.c_str());
    if (value == nullptr || !rule.key.applies(tags)) continue;
    if (const auto found = rule.modes.find(value); found != rule.modes.end()) {
      ridden = &found->second;
      break;
    }
  }
  const std::string& forward = passage.pushed_forward ? push_mode_ : *ridden;
  const std::string& backward = passage.pushed_backward ? push_mode_ : *ridden;
  if (passage.forward == 0 || forward == backward) return backward;
  return passage.backward == 0 ? forward : forward + ";" + backward;
}

bool Profile::keeps_left(const osmium::TagList& tags) const {
  const std::string_view side = tags.get_value_by_key("driving_side", "");
  if (side == "left") return true;
  return side == "right" ? false : left_;
}

std::string_view Profile::restriction(const osmium::TagList& relation) const {
  std::string_view said;
  for (const std::string& key : turn_keys_) {
    if (const char* value = relation.get_value_by_key(key.c_str())) said = value;
  }
  bool excepted = false;
  for_each_item(relation.get_value_by_key("except", ""), [&](std::string_view item) {
    excepted = excepted || turn_except_.contains(std::string(item));
  });
  return excepted ? std::string_view() : said;
}

}  // namespace lodestar::osm
