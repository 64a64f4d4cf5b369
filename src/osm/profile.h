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
  double forward = 0;      // km/h
  double backward = 0;     // km/h
  double duration = 0;     // seconds for the whole way, when the way says so; 0 when not
  bool odd_speed = false;  // a speed nobody understands was passed over
  bool open() const { return forward > 0 || backward > 0; }
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
  bool blocks(const osmium::TagList& node) const;
  // How a road is travelled: "driving", "ferry", … in OSRM's words.
  std::string_view mode(const osmium::TagList& tags) const;
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
  struct Values {  // of one key
    std::string key;
    Words words;
  };
  struct Modes {
    std::string key;
    Table<std::string> modes;
  };
  struct Numbers {
    std::string key;
    Table<double> numbers;
  };
  struct ClassRule {
    std::string key;
    Table<std::uint64_t> classes;  // value → bits of classes_
    std::uint64_t any = 0;         // of every value but "no"
    void apply(std::string_view value, ArcKind& kind) const;
  };
  enum class Access { kUnsaid, kYes, kNo };

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
  Words access_yes_, access_no_;
  std::vector<std::string> oneway_keys_;
  Words forward_, backward_, both_, neither_;
  std::vector<Values> implied_, implied_backward_, contraflow_;
  std::vector<std::string> limit_keys_, zone_keys_;
  Table<double> named_;
  double share_ = 1, least_ = 1, most_ = 1000;
  std::vector<Numbers> caps_;
  std::vector<Values> barriers_;
  std::vector<std::string> turn_keys_;
  Words turn_except_;
  std::string mode_ = "driving";
  std::vector<Modes> modes_;
  std::vector<std::string> classes_;
  std::vector<ClassRule> class_rules_;
  std::vector<std::string> height_keys_, width_keys_, weight_keys_;
  bool left_ = false;
};

}  // namespace lodestar::osm
