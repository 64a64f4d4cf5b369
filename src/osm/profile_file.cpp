// Reading a profile: every rule is checked, so that a slip of the pen is told and not ignored.
#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>

#include "embedded_profiles.h"
#include "lodestar/types.h"
#include "profile.h"

namespace lodestar::osm {
namespace {

using Json = nlohmann::ordered_json;

class Section {
 public:
  Section(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) throw wrong("is not an object { … }");
  }

  Error wrong(const std::string& why) const { return Error(where_ + " " + why); }

  void allow(std::initializer_list<const char*> keys) const {
    for (const auto& [key, value] : json_.items()) {
      bool known = false;
      for (const char* name : keys) known = known || key == name;
      if (!known) {
        std::string names;
        for (const char* name : keys) names += std::string(" ") + name;
        throw wrong("has an unknown rule '" + key + "'; known are" + names);
      }
    }
  }

  Section section(const char* key) const {
    static const Json kNothing = Json::object();
    const auto found = json_.find(key);
    return {found == json_.end() ? kNothing : *found, where_ + " '" + key + "'"};
  }

  std::vector<std::string> words(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) return {};
    std::vector<std::string> out;
    if (found->is_array()) {
      for (const Json& word : *found) {
        if (!word.is_string()) throw wrong("'" + key + "' holds something that is no text");
        out.push_back(word.get<std::string>());
      }
      return out;
    }
    throw wrong("'" + key + "' is no list of texts");
  }

  std::string text(const char* key, const std::string& otherwise) const {
    const auto found = json_.find(key);
    if (found == json_.end()) return otherwise;
    if (!found->is_string() || found->get<std::string>().empty()) {
      throw wrong(std::string("'") + key + "' is no text, or an empty one");
    }
    return found->get<std::string>();
  }

  double number(const char* key, double otherwise) const {
    const auto found = json_.find(key);
    return found == json_.end() ? otherwise : positive(*found, key);
  }

  double seconds(const char* key) const {
    const Json& value = json_[key];
    if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > 1e6) {
      throw wrong(std::string("'") + key + "' is not a number of seconds up to 1000000");
    }
    return value.get<double>();
  }

  double positive(const Json& value, const std::string& key) const {
    if (!value.is_number() || !(value.get<double>() > 0) || value.get<double>() > 1000) {
      throw wrong("'" + key + "' is not a number above 0 and up to 1000");
    }
    return value.get<double>();
  }

  const Json& json() const { return json_; }

 private:
  const Json& json_;
  std::string where_;
};

std::string_view embedded_profile(std::string_view name) {
  for (const EmbeddedProfile& profile : embedded_profiles()) {
    if (profile.name == name) return profile.json;
  }
  return {};
}

template <class Out>
void read_numbers(const Section& section, Out& out) {
  for (const auto& [key, table] : section.json().items()) {
    const Section values = section.section(key.c_str());
    auto& entry = out.emplace_back();
    entry.key = key;
    for (const auto& [value, number] : table.items()) {
      entry.numbers[value] = values.positive(number, value);
    }
  }
}

template <class Key, class Out>
void read_lists(const Section& section, Out& out) {
  for (const auto& item : section.json().items()) {
    const std::vector<std::string> words = section.words(item.key());
    auto& entry = out.emplace_back();
    entry.key = Key::parse(item.key());
    entry.words = {words.begin(), words.end()};
  }
}

// Class → key → values. Rules are kept by key, because a way has few tags.
template <class Key, class Rules>
void read_classes(const Section& section, std::vector<std::string>& names, Rules& rules) {
  for (const auto& item : section.json().items()) {
    if (names.size() == Metrics::kMostClasses) throw section.wrong("has more than 64 classes");
    if (!is_class_name(item.key())) {
      throw section.wrong("has the class '" + item.key() +
                          "'; names have no blanks, commas and semicolons");
    }
    const std::uint64_t bit = std::uint64_t{1} << names.size();
    names.push_back(item.key());
    const Section keys = section.section(item.key().c_str());
    for (const auto& key : keys.json().items()) {
      auto rule = std::find_if(rules.begin(), rules.end(), [&](const auto& known) {
        return known.key.where.empty() && known.key.key == key.key();
      });
      if (rule == rules.end()) {
        rules.emplace_back().key = Key::parse(key.key());
        rule = rules.end() - 1;
      }
      for (const std::string& value : keys.words(key.key())) {
        (value == "*" ? rule->any : rule->classes[value]) |= bit;
      }
    }
  }
}

template <class Set>
void read_set(const Section& section, const char* key, Set& out) {
  const std::vector<std::string> words = section.words(key);
  out = {words.begin(), words.end()};
}

}  // namespace

Profile Profile::parse(std::string_view text, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text, nullptr, true, true);
  } catch (const std::exception& error) {
    throw Error(name + ": is no profile: " + error.what());
  }
  const Section top(json, name + ": the profile");
  top.allow({"name",  "about",        "roads",    "timed",    "closed",     "access", "oneway",
             "speed", "caps",         "barriers", "passable", "node_costs", "turns",  "mode",
             "modes", "driving_side", "classes",  "limits",   "vehicle",    "entry",  "push"});
  Profile out;
  out.name_ =
      json.contains("name") && json["name"].is_string() ? json["name"].get<std::string>() : name;
  read_numbers(top.section("roads"), out.roads_);
  if (out.roads_.empty()) throw top.wrong("has no 'roads'");
  out.timed_ = top.words("timed");
  read_lists<Key>(top.section("closed"), out.closed_);

  const Section access = top.section("access");
  access.allow({"keys", "yes", "restricted", "no", "opens", "not_on", "implied", "separate"});
  out.access_keys_ = access.words("keys");
  read_set(access, "yes", out.access_yes_);
  read_set(access, "restricted", out.access_restricted_);
  read_set(access, "no", out.access_no_);
  const Section opens = access.section("opens");
  for (const auto& [key, speed] : opens.json().items()) {
    out.opens_.emplace_back(key, opens.positive(speed, key));
  }
  read_lists<Key>(access.section("not_on"), out.access_not_on_);
  read_lists<Key>(access.section("implied"), out.access_implied_);
  read_lists<Key>(access.section("separate"), out.access_separate_);

  const Section oneway = top.section("oneway");
  oneway.allow({"keys", "forward", "backward", "both", "neither", "implied", "implied_backward",
                "contraflow"});
  out.oneway_keys_ = oneway.words("keys");
  read_set(oneway, "forward", out.forward_);
  read_set(oneway, "backward", out.backward_);
  read_set(oneway, "both", out.both_);
  read_set(oneway, "neither", out.neither_);
  read_lists<Key>(oneway.section("implied"), out.implied_);
  read_lists<Key>(oneway.section("implied_backward"), out.implied_backward_);
  read_lists<Key>(oneway.section("contraflow"), out.contraflow_);

  const Section push = top.section("push");
  push.allow({"speed", "mode", "opens", "not_against"});
  out.push_speed_ = push.number("speed", 0);
  out.push_mode_ = push.text("mode", "pushing bike");
  read_lists<Key>(push.section("opens"), out.push_opens_);
  read_lists<Key>(push.section("not_against"), out.push_not_against_);

  const Section speed = top.section("speed");
  speed.allow({"keys", "zone_keys", "named", "share", "least", "most", "country", "countries"});
  out.limit_keys_ = speed.words("keys");
  out.zone_keys_ = speed.words("zone_keys");
  const Section named = speed.section("named");
  for (const auto& [word, number] : named.json().items()) {
    out.named_[word] = named.positive(number, word);
  }
  out.share_ = speed.number("share", 1);
  out.least_ = speed.number("least", 1);
  out.most_ = speed.number("most", 1000);
  if (out.least_ > out.most_) throw speed.wrong("has a 'least' above its 'most'");
  // Classes of one country instead of those of 'roads'.
  std::vector<Numbers> countries;
  read_numbers(speed.section("countries"), countries);
  if (speed.json().contains("country")) {
    const Json& country = speed.json()["country"];
    if (!country.is_string()) throw speed.wrong("'country' is no text");
    const std::string code = country.get<std::string>();
    const auto found = std::find_if(countries.begin(), countries.end(),
                                    [&](const Numbers& row) { return row.key == code; });
    if (!code.empty() && found == countries.end()) {
      throw speed.wrong("'countries' has no '" + code + "'");
    }
    for (Numbers& road : out.roads_) {
      if (code.empty() || road.key != "highway") continue;
      for (const auto& [value, number] : found->numbers) road.numbers[value] = number;
    }
  }
  read_numbers(top.section("caps"), out.caps_);
  read_lists<Key>(top.section("barriers"), out.barriers_);
  read_lists<Key>(top.section("passable"), out.passable_);
  read_numbers(top.section("node_costs"), out.node_costs_);
  const Section turns = top.section("turns");
  turns.allow({"keys", "except", "seconds", "bias", "u_turn"});
  TurnCosts& costs = out.turn_costs_;
  costs.turn = turns.number("seconds", costs.turn);
  costs.bias = turns.number("bias", costs.bias);
  costs.u_turn = turns.number("u_turn", costs.u_turn);
  out.turn_keys_ = turns.words("keys");
  read_set(turns, "except", out.turn_except_);
  out.mode_ = top.text("mode", out.mode_);
  const Section modes = top.section("modes");
  for (const auto& item : modes.json().items()) {
    const Section values = modes.section(item.key().c_str());
    auto& entry = out.modes_.emplace_back();
    entry.key = Key::parse(item.key());
    for (const auto& value : values.json().items()) {
      entry.modes[value.key()] = values.text(value.key().c_str(), "");
    }
  }
  if (!json.contains("modes")) {
    out.modes_ = {{{"route", {}}, {{"ferry", "ferry"}, {"shuttle_train", "train"}}}};
  }
  // A profile without these rules has those of cars.
  const bool complete = json.contains("classes") && json.contains("limits");
  const Json of_car = complete ? Json::object() : Json::parse(embedded_profile("car"));
  const Section car(of_car, "the profile");
  read_classes<Key>((json.contains("classes") ? top : car).section("classes"), out.classes_,
                    out.class_rules_);
  const Section limits = (json.contains("limits") ? top : car).section("limits");
  limits.allow({"height", "width", "weight", "length"});
  out.length_keys_ = limits.words("length");
  out.height_keys_ = limits.words("height");
  out.width_keys_ = limits.words("width");
  out.weight_keys_ = limits.words("weight");
  const Section vehicle = top.section("vehicle");
  vehicle.allow({"height", "width", "length", "weight"});
  out.vehicle_height_ = vehicle.number("height", 0);
  out.vehicle_width_ = vehicle.number("width", 0);
  out.vehicle_length_ = vehicle.number("length", 0);
  out.vehicle_weight_ = vehicle.number("weight", 0);
  const Section entry = top.section("entry");
  entry.allow({"seconds", "classes"});
  if (entry.json().contains("seconds")) out.entry_seconds_ = entry.seconds("seconds");
  for (const std::string& word : entry.words("classes")) {
    const auto found = std::find(out.classes_.begin(), out.classes_.end(), word);
    if (found == out.classes_.end()) throw entry.wrong("has the unknown class '" + word + "'");
    out.entry_classes_ |= std::uint64_t{1} << (found - out.classes_.begin());
  }
  const std::string side = top.text("driving_side", "right");
  if (side != "left" && side != "right") throw top.wrong("'driving_side' is left or right");
  out.left_ = side == "left";
  return out;
}

Profile Profile::load(const std::string& name) {
  std::string known;
  for (const EmbeddedProfile& profile : embedded_profiles()) {
    if (profile.name == name) return parse(profile.json, name);
    known += " " + std::string(profile.name);
  }
  std::ifstream stream(name, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream.is_open() || stream.bad()) {
    throw Error("there is no profile '" + name + "': known are" + known + ", or a file like those");
  }
  return parse(text, name);
}

}  // namespace lodestar::osm
