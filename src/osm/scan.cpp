#include "scan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <osmium/io/any_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm/node.hpp>
#include <osmium/osm/object.hpp>
#include <osmium/osm/relation.hpp>
#include <osmium/osm/way.hpp>
#include <osmium/thread/pool.hpp>
#include <stdexcept>
#include <unordered_map>

namespace lodestar::osm {
namespace {

// Finds ids in an ascending array, starting from where the last one was: those of a way, and
// those of a sorted file, lie close together. Three times as fast as a search from the middle.
class IdFinder {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;
  explicit IdFinder(const std::vector<std::int64_t>& ids) : ids_(ids) {}

  std::size_t find(std::int64_t id) {
    // Most nodes of a sorted file lie between the same two roads' nodes as the one before.
    if (lies_at(last_, id)) return found_at(last_, id);
    if (lies_at(last_ + 1, id)) return found_at(last_ + 1, id);
    std::size_t low = 0, high = ids_.size(), step = 1;
    if (last_ < ids_.size() && ids_[last_] <= id) {
      low = last_;
      while (last_ + step < ids_.size() && ids_[last_ + step] < id) {
        low = last_ + step;
        step *= 2;
      }
      high = std::min(ids_.size(), last_ + step + 1);
    } else if (last_ < ids_.size()) {
      high = last_;
      while (step <= last_ && ids_[last_ - step] > id) {
        high = last_ - step;
        step *= 2;
      }
      low = step <= last_ ? last_ - step : 0;
    }
    const auto found = std::lower_bound(ids_.begin() + static_cast<std::ptrdiff_t>(low),
                                        ids_.begin() + static_cast<std::ptrdiff_t>(high), id);
    return found_at(static_cast<std::size_t>(found - ids_.begin()), id);
  }

 private:
  // Whether it is the first place whose id is not below this one.
  bool lies_at(std::size_t place, std::int64_t id) const {
    return place < ids_.size() && ids_[place] >= id && (place == 0 || ids_[place - 1] < id);
  }
  std::size_t found_at(std::size_t place, std::int64_t id) {
    last_ = place;
    return place < ids_.size() && ids_[place] == id ? place : kNone;
  }

  const std::vector<std::int64_t>& ids_;
  std::size_t last_ = 0;
};

struct TurnRule {
  bool only = false;
  bool u_turn = false;
};

// "no_left_turn", "only_straight_on" and the like: the members say which turn is meant. Nothing is
// closed by "no_right_turn_on_red", which only tells when to wait. All items of a list must agree.
std::optional<TurnRule> turn_rule(std::string_view text) {
  std::size_t items = 0, no = 0, only = 0, u_turns = 0;
  for_each_item(text, [&](std::string_view item) {
    ++items;
    if (item.ends_with("_on_red")) return;
    no += item.starts_with("no_");
    only += item.starts_with("only_");
    u_turns += item.ends_with("_u_turn");
  });
  if (items != no && items != only) return std::nullopt;
  return TurnRule{only > 0, u_turns == items};
}

class WayPass {
 public:
  WayPass(RawRoads& out, const Profile& profile) : out_(out), profile_(profile) {}

  void way(const osmium::Way& way) {
    ++out_.all_ways;
    if (way.deleted() || way.nodes().size() < 2) return;
    const Passage passage = profile_.passage(way.tags());
    out_.conditional_ways += passage.open() && profile_.conditional(way.tags());
    out_.odd_speeds += passage.odd_speed;
    if (!passage.open()) return;
    out_.ways.push_back({way.id(), out_.refs.size(), static_cast<float>(passage.forward),
                         static_cast<float>(passage.backward), static_cast<float>(passage.duration),
                         street(way.tags(), passage)});
    bool odd_limit = false;
    out_.way_kind.push_back(out_.kinds.find(profile_.kind(way.tags(), &odd_limit)));
    out_.odd_limits += odd_limit;
    for (const osmium::NodeRef& node : way.nodes()) out_.refs.push_back(node.ref());
  }

  void relation(const osmium::Relation& relation) {
    if (relation.deleted() || !relation.tags().has_tag("type", "restriction")) return;
    const std::string_view said = profile_.restriction(relation.tags());
    out_.conditional_restrictions += said.empty() && profile_.conditional(relation.tags());
    if (said.empty()) return;
    const std::optional<TurnRule> rule = turn_rule(said);
    if (!rule) {
      ++out_.other_restrictions;
      return;
    }
    const bool only = rule->only;
    std::vector<std::int64_t> from, to, via, via_ways;
    for (const osmium::RelationMember& member : relation.members()) {
      const bool is_way = member.type() == osmium::item_type::way;
      if (is_way && std::strcmp(member.role(), "from") == 0) from.push_back(member.ref());
      if (is_way && std::strcmp(member.role(), "to") == 0) to.push_back(member.ref());
      if (std::strcmp(member.role(), "via") != 0) continue;
      if (is_way) via_ways.push_back(member.ref());
      if (member.type() == osmium::item_type::node) via.push_back(member.ref());
    }
    // no_entry has several from, no_exit several to; "only" with several has no meaning.
    const bool clear = only ? from.size() == 1 && to.size() == 1
                            : !from.empty() && !to.empty() && (from.size() == 1 || to.size() == 1);
    if (!clear || via.size() > 1 || via.empty() == via_ways.empty()) {
      ++out_.other_restrictions;
      return;
    }
    for (const std::int64_t f : from) {
      for (const std::int64_t t : to) {
        out_.restrictions.push_back(
            {f, via.empty() ? via_ways : via, via.empty(), t, only, rule->u_turn});
      }
    }
  }

 private:
  std::uint32_t text(const std::string& said) {
    const auto next = static_cast<std::uint32_t>(out_.first_letter.size() - 1);
    const auto [entry, fresh] = texts_.emplace(said, next);
    if (fresh) {
      out_.letters += said;
      out_.first_letter.push_back(out_.letters.size());
    }
    return entry->second;
  }
  std::uint32_t text_or_none(const std::string& said) {
    return said.empty() ? StreetDetail::kNoText : text(said);
  }

  std::uint32_t street(const osmium::TagList& tags, const Passage& passage) {
    const std::string ref = listed(tags.get_value_by_key("ref", ""));
    const char* name = tags.get_value_by_key("name");
    if (name == nullptr) name = name_beside(tags);
    RawStreet street;
    street.name = text(name == nullptr ? ref : name);
    street.detail.ref = text_or_none(ref);
    // Signs speak to one direction; on a road with two it is not known to which.
    if (passage.forward == 0 || passage.backward == 0 || passage.pushed_forward ||
        passage.pushed_backward) {
      const std::string to = listed(tags.get_value_by_key("destination", ""));
      const std::string roads = listed(tags.get_value_by_key("destination:ref", ""));
      // On the second line, the number of the exit.
      const std::string exits = listed(tags.get_value_by_key("junction:ref", ""));
      street.detail.destinations = text_or_none(roads + (roads.empty() || to.empty() ? "" : ": ") +
                                                to + (exits.empty() ? "" : "\n" + exits));
    }
    street.detail.mode = text(profile_.mode(tags, passage));
    street.detail.left = profile_.keeps_left(tags);
    const auto [entry, fresh] =
        streets_.emplace(std::array{street.name, street.detail.ref, street.detail.destinations,
                                    street.detail.mode, street.detail.left},
                         static_cast<std::uint32_t>(out_.streets.size()));
    if (fresh) out_.streets.push_back(street);
    return entry->second;
  }

  // A path beside a street has the street's name if it has none of its own.
  static const char* name_beside(const osmium::TagList& tags) {
    const bool beside = tags.has_tag("footway", "sidewalk") ||
                        tags.has_tag("cycleway", "sidepath") || tags.has_tag("is_sidepath", "yes");
    const std::string_view highway = tags.get_value_by_key("highway", "");
    if (!beside || (highway != "footway" && highway != "cycleway" && highway != "path")) {
      return nullptr;
    }
    const char* name = tags.get_value_by_key("is_sidepath:of:name");
    return name != nullptr ? name : tags.get_value_by_key("street:name");
  }

  // "A 1, A 2" of "A 1;A 2".
  static std::string listed(std::string_view tag) {
    std::string out;
    while (!tag.empty()) {
      const std::size_t end = std::min(tag.find(';'), tag.size());
      std::string_view one = tag.substr(0, end);
      while (one.starts_with(' ')) one.remove_prefix(1);
      while (one.ends_with(' ')) one.remove_suffix(1);
      if (!one.empty()) out += (out.empty() ? "" : ", ") + std::string(one);
      tag.remove_prefix(std::min(end + 1, tag.size()));
    }
    return out;
  }

  RawRoads& out_;
  const Profile& profile_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::map<std::array<std::uint32_t, 5>, std::uint32_t> streets_;
};

class NodePass {
 public:
  NodePass(RawRoads& out, const Profile& profile)
      : out_(out), profile_(profile), finder_(out.ids) {}

  void node(const osmium::Node& node) {
    ++out_.all_nodes;
    if (node.deleted() || !node.location().valid()) return;
    const std::size_t place = finder_.find(node.id());
    if (place == IdFinder::kNone) return;
    found_ += out_.points[place] == kNowhere;
    out_.points[place] = {node.location().x(), node.location().y()};
    const NodeRule rule = profile_.node(node.tags());
    out_.blocked[place] = rule.blocked;
    out_.passing[place] = static_cast<std::uint32_t>(std::lround(10 * rule.seconds));
  }

  // Nothing more is looked for: what follows in a sorted file, the ways, need not be unpacked
  // again.
  bool complete() const { return found_ > 0 && found_ == out_.ids.size(); }

 private:
  RawRoads& out_;
  const Profile& profile_;
  IdFinder finder_;
  std::size_t found_ = 0;
};

// Until the end of the file, or until `handle` returns false.
template <class Handle>
void read_all(const osmium::io::File& file, osmium::thread::Pool& pool,
              osmium::osm_entity_bits::type which, const std::function<void(double)>& progress,
              double from, Handle&& handle) {
  osmium::io::Reader reader(file, pool, which, osmium::io::read_meta::no);
  const auto size = static_cast<double>(std::max<std::size_t>(1, reader.file_size()));
  while (const osmium::memory::Buffer buffer = reader.read()) {
    check_tags(buffer);
    if (!handle(buffer)) break;
    if (progress)
      progress(from + 0.45 * std::min(1.0, static_cast<double>(reader.offset()) / size));
  }
  reader.close();
}

}  // namespace

void check_tags(const osmium::memory::Buffer& buffer) {
  for (const osmium::OSMObject& object : buffer.select<osmium::OSMObject>()) {
    const osmium::TagList& tags = object.tags();
    const unsigned char* const texts = tags.data() + sizeof(osmium::TagList);
    if (std::count(texts, tags.data() + tags.byte_size(), 0) % 2 == 0) continue;
    throw std::runtime_error("a tag of object " + std::to_string(object.id()) +
                             " has a zero byte within");
  }
}

RawRoads scan(const osmium::io::File& file, const Profile& profile, unsigned threads,
              const std::function<void(double)>& progress) {
  RawRoads out;
  osmium::thread::Pool pool(static_cast<int>(std::max(1u, threads)));
  {
    WayPass pass(out, profile);
    const auto which = osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation;
    read_all(file, pool, which, progress, 0, [&](const osmium::memory::Buffer& buffer) {
      for (const osmium::Way& way : buffer.select<osmium::Way>()) pass.way(way);
      for (const osmium::Relation& each : buffer.select<osmium::Relation>()) pass.relation(each);
      return true;
    });
  }
  out.ids = out.refs;
  std::sort(out.ids.begin(), out.ids.end());
  out.ids.erase(std::unique(out.ids.begin(), out.ids.end()), out.ids.end());
  out.ids.shrink_to_fit();
  out.points.assign(out.ids.size(), kNowhere);
  out.blocked.assign(out.ids.size(), 0);
  out.passing.assign(out.ids.size(), 0);
  IdFinder finder(out.ids);
  for (std::int64_t& ref : out.refs) ref = static_cast<std::int64_t>(finder.find(ref));

  NodePass pass(out, profile);
  read_all(file, pool, osmium::osm_entity_bits::node, progress, 0.45,
           [&](const osmium::memory::Buffer& buffer) {
             for (const osmium::Node& node : buffer.select<osmium::Node>()) pass.node(node);
             return !pass.complete();
           });
  out.missing_nodes =
      static_cast<std::size_t>(std::count(out.points.begin(), out.points.end(), kNowhere));
  return out;
}

}  // namespace lodestar::osm
