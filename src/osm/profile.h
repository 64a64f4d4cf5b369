// The rules of an import: which ways are roads, for whom, in which direction and how fast.
//
//   const Profile profile = Profile::load("car");     // or the path of a user's file
//   const Passage passage = profile.passage(way.tags());
//
// Rules are data: src/osm/profiles/*.json, described in docs/guide/openstreetmap.md. This file only
// applies them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <osmium/osm/tag.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lodestar/metrics.h"

namespace lodestar::osm {

// How a way may be passed; 0 km/h is not at all.
struct Passage {
  double forward = 0;           // km/h
  double backward = 0;          // km/h
  double duration = 0;          // seconds for the whole way, when the way says so; 0 when not
  bool odd_speed = false;       // a speed that is not understood was ignored
  bool pushed_forward = false;  // not ridden but pushed; see Profile::mode
  bool pushed_backward = false;
  bool open() const { return forward > 0 || backward > 0; }
};

// What turns cost in an arc-based graph, in seconds.
struct TurnCosts {
  double turn = 0;    // of a turn by 180 degrees
  double bias = 1;    // above 1: turns across the oncoming traffic cost more
  double u_turn = 0;  // of turning back, in addition
  bool any() const { return turn > 0 || u_turn > 0; }
  // angle: in degrees, to the right if positive.
  double seconds(double angle, bool back, bool keeps_left) const;
};

// What passing a node costs, and whether it can be passed.
struct NodeRule {
  bool blocked = false;
  double seconds = 0;
};

// Calls `use` with every item of a list such as "agricultural;forestry".
template <class Use>
void for_each_item(std::string_view list, Use&& use) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (true) {
    const std::size_t end = std::min(list.find(';'), list.size());
    std::string_view item = list.substr(0, end);
    while (!item.empty() && blank(item.front())) item.remove_prefix(1);
    while (!item.empty() && blank(item.back())) item.remove_suffix(1);
    use(item);
    if (end == list.size()) return;
    list.remove_prefix(end + 1);
  }
}

class Profile {
 public:
  // "car", "bicycle", "foot", or a file. Throws Error that says what is wrong and where.
  static Profile load(const std::string& name);
  static Profile parse(std::string_view json, const std::string& name);

  const std::string& name() const { return name_; }
  Passage passage(const osmium::TagList& tags) const;
  NodeRule node(const osmium::TagList& node) const;
  const TurnCosts& turn_costs() const { return turn_costs_; }
  // Seconds on entering a road of these classes from one that has none of them.
  double entry_seconds() const { return entry_seconds_; }
  std::uint64_t entry_classes() const { return entry_classes_; }
  // Whether the tags have a condition for an access key or, on a relation, for a restriction.
  bool conditional(const osmium::TagList& tags) const;
  // How a road is travelled: "driving", "ferry", … in OSRM's words. "cycling;pushing
  // bike" if the directions differ.
  std::string mode(const osmium::TagList& tags, const Passage& passage) const;
  // Whether traffic keeps left: as the way says, otherwise as the profile does.
  bool keeps_left(const osmium::TagList& tags) const;
  // The names of classes, and which of them a way has, with its limits for vehicles. Sets
  // *odd_limit if a limit is not understood.
  const std::vector<std::string>& classes() const { return classes_; }
  ArcKind kind(const osmium::TagList& tags, bool* odd_limit) const;
  // What the restriction says to this profile, as it is written; empty when nothing.
  std::string_view restriction(const osmium::TagList& relation) const;

 private:
  using Words = std::unordered_set<std::string>;
  template <class T>
  using Table = std::unordered_map<std::string, T>;
  // A key as a rule has it: "access", or "highway=service&access" for ways with highway=service.
  struct Key {
    std::string key;
    std::vector<std::pair<std::string, std::string>> where;
    static Key parse(std::string_view text);  // an empty value means that the key is absent
    bool applies(const osmium::TagList& tags) const;
  };
  struct Values {  // of one key
    Key key;
    Words words;  // "*": every value but "no"
  };
  struct Modes {
    Key key;
    Table<std::string> modes;
  };
  struct Numbers {
    std::string key;
    Table<double> numbers;
  };
  struct ClassRule {
    Key key;
    Table<std::uint64_t> classes;  // value → bits of classes_
    std::uint64_t any = 0;         // of every value but "no"
    void apply(std::string_view value, ArcKind& kind) const;
  };
  enum class Access { kUnsaid, kYes, kRestricted, kNo };

  bool fits_vehicle(const osmium::TagList& tags) const;
  static bool any_match(const std::vector<Values>& rules, const osmium::TagList& tags);
  Access access_value(std::string_view value) const;
  Access access(const osmium::TagList& tags, const char* suffix) const;
  const char* access_said(const osmium::TagList& tags) const;
  std::optional<double> limit(const osmium::TagList& tags, const char* suffix, bool* odd) const;
  std::optional<double> speed_value(std::string_view text) const;

  std::string name_;
  std::vector<Numbers> roads_;
  std::vector<std::string> timed_;  // keys of roads whose duration tag counts
  std::vector<Values> closed_;
  std::vector<std::string> access_keys_;
  Words access_yes_, access_restricted_, access_no_;
  std::vector<std::pair<std::string, double>> opens_;  // key → km/h of unlisted values, with access
  std::vector<Values> access_not_on_, access_implied_, access_separate_;
  std::vector<std::string> oneway_keys_;
  Words forward_, backward_, both_, neither_;
  std::vector<Values> implied_, implied_backward_, contraflow_;
  double push_speed_ = 0;  // km/h; 0: vehicles are not pushed
  std::string push_mode_;
  std::vector<Values> push_opens_, push_not_against_;
  std::vector<std::string> limit_keys_, zone_keys_;
  Table<double> named_;
  double share_ = 1, least_ = 1, most_ = 1000;
  std::vector<Numbers> caps_;
  std::vector<Values> barriers_, passable_;
  std::vector<Numbers> node_costs_;
  std::vector<std::string> turn_keys_;
  Words turn_except_;
  TurnCosts turn_costs_;
  double entry_seconds_ = 0;
  std::uint64_t entry_classes_ = 0;
  std::string mode_ = "driving";
  std::vector<Modes> modes_;
  std::vector<std::string> classes_;
  std::vector<ClassRule> class_rules_;
  std::vector<std::string> height_keys_, width_keys_, weight_keys_, length_keys_;
  double vehicle_height_ = 0, vehicle_width_ = 0, vehicle_length_ = 0, vehicle_weight_ = 0;
  bool left_ = false;
};

}  // namespace lodestar::osm
