// Water, parks and woods of an extract, for drawing. Relations say which ways are their borders, so
// they are read first; then the ways, then the nodes of those.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <osmium/io/any_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm/node.hpp>
#include <osmium/osm/relation.hpp>
#include <osmium/osm/way.hpp>
#include <unordered_map>

#include "extract_format.h"
#include "lodestar/osm.h"
#include "scan.h"

namespace lodestar {
namespace {

using Refs = std::vector<std::int64_t>;

struct AreaTag {
  const char* key;
  const char* value;
  MapArea::Kind kind;
};
constexpr AreaTag kTags[] = {
    {"natural", "water", MapArea::kWater},
    {"waterway", "riverbank", MapArea::kWater},
    {"landuse", "reservoir", MapArea::kWater},
    {"landuse", "basin", MapArea::kWater},
    {"leisure", "park", MapArea::kGreen},
    {"leisure", "garden", MapArea::kGreen},
    {"leisure", "golf_course", MapArea::kGreen},
    {"leisure", "nature_reserve", MapArea::kGreen},
    {"landuse", "grass", MapArea::kGreen},
    {"landuse", "cemetery", MapArea::kGreen},
    {"landuse", "meadow", MapArea::kGreen},
    {"landuse", "recreation_ground", MapArea::kGreen},
    {"landuse", "village_green", MapArea::kGreen},
    {"natural", "grassland", MapArea::kGreen},
    {"landuse", "forest", MapArea::kWood},
    {"natural", "wood", MapArea::kWood},
    {"natural", "coastline", MapArea::kSea},
    {"waterway", "river", MapArea::kStream},
    {"waterway", "canal", MapArea::kStream},
    {"waterway", "stream", MapArea::kStream},
};

std::optional<MapArea::Kind> kind_of(const osmium::TagList& tags) {
  if (tags.has_tag("tunnel", "yes") || tags.has_tag("tunnel", "culvert")) return std::nullopt;
  for (const AreaTag& tag : kTags) {
    if (tags.has_tag(tag.key, tag.value)) return tag.kind;
  }
  return std::nullopt;
}

bool is_line(MapArea::Kind kind) {
  return kind == MapArea::kSea || kind == MapArea::kStream;
}

// Joins lines at their ends. Directed ones keep their direction.
std::vector<Refs> joined(std::vector<Refs> parts, bool directed) {
  std::unordered_multimap<std::int64_t, std::size_t> at;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    at.emplace(parts[i].front(), i);
    if (!directed) at.emplace(parts[i].back(), i);
  }
  std::vector<char> used(parts.size(), 0);
  std::vector<char> begins(parts.size(), 1);  // of directed lines: no other one leads here
  if (directed) {
    std::unordered_map<std::int64_t, int> ends;
    for (const Refs& part : parts) ++ends[part.back()];
    for (std::size_t i = 0; i < parts.size(); ++i) begins[i] = ends.count(parts[i].front()) == 0;
  }
  std::vector<Refs> out;
  for (const bool rings : {false, true}) {  // open lines from their beginning, then the rest
    for (std::size_t first = 0; first < parts.size(); ++first) {
      if (used[first] || (!rings && !begins[first])) continue;
      used[first] = 1;
      Refs line = parts[first];
      while (line.front() != line.back()) {
        const auto [low, high] = at.equal_range(line.back());
        const auto next =
            std::find_if(low, high, [&](const auto& one) { return !used[one.second]; });
        if (next == high) break;
        used[next->second] = 1;
        Refs& more = parts[next->second];
        if (more.front() != line.back()) std::reverse(more.begin(), more.end());
        line.insert(line.end(), more.begin() + 1, more.end());
      }
      out.push_back(std::move(line));
    }
  }
  return out;
}

template <class Item, class Handle>
void read_each(const osmium::io::File& file, osmium::osm_entity_bits::type which, Handle handle) {
  osmium::io::Reader reader(file, which, osmium::io::read_meta::no);
  while (const osmium::memory::Buffer buffer = reader.read()) {
    osm::check_tags(buffer);
    for (const Item& item : buffer.select<Item>()) {
      if (!item.deleted()) handle(item);
    }
  }
  reader.close();
}

struct Border {
  MapArea::Kind kind;
  std::vector<Refs> parts;
};

}  // namespace

std::vector<MapArea> read_osm_areas(const std::string& path, const ReadOptions& options) {
  const std::string format =
      osm::osmium_format(options.format.empty() ? path : "." + options.format);
  const osmium::io::File file(std::filesystem::absolute(path).string(), format);
  std::vector<Border> borders;  // of relations, then of ways
  std::unordered_multimap<std::int64_t, std::size_t> members;
  try {
    read_each<osmium::Relation>(
        file, osmium::osm_entity_bits::relation, [&](const osmium::Relation& relation) {
          const auto kind = kind_of(relation.tags());
          if (!kind || is_line(*kind) || !relation.tags().has_tag("type", "multipolygon")) return;
          for (const osmium::RelationMember& member : relation.members()) {
            if (member.type() != osmium::item_type::way) continue;
            members.emplace(member.ref(), borders.size());
          }
          borders.push_back({*kind, {}});
        });
    Border coast{MapArea::kSea, {}};
    read_each<osmium::Way>(file, osmium::osm_entity_bits::way, [&](const osmium::Way& way) {
      if (way.nodes().size() < 2) return;
      const auto kind = kind_of(way.tags());
      const auto [low, high] = members.equal_range(way.id());
      if (!kind && low == high) return;
      Refs refs;
      for (const osmium::NodeRef& node : way.nodes()) refs.push_back(node.ref());
      for (auto one = low; one != high; ++one) borders[one->second].parts.push_back(refs);
      if (!kind) return;
      if (*kind == MapArea::kSea) {
        coast.parts.push_back(std::move(refs));
      } else if (is_line(*kind) || refs.front() == refs.back()) {
        borders.push_back({*kind, {std::move(refs)}});
      }
    });
    if (!coast.parts.empty()) borders.push_back(std::move(coast));
    std::unordered_map<std::int64_t, FixedPoint> points;
    for (const Border& border : borders) {
      for (const Refs& part : border.parts) {
        for (const std::int64_t ref : part) points.emplace(ref, FixedPoint{INT32_MAX, INT32_MAX});
      }
    }
    read_each<osmium::Node>(file, osmium::osm_entity_bits::node, [&](const osmium::Node& node) {
      if (!node.location().valid()) return;
      const auto found = points.find(node.id());
      if (found != points.end()) found->second = {node.location().x(), node.location().y()};
    });
    std::vector<MapArea> out;
    for (Border& border : borders) {
      MapArea area{border.kind, {}};
      for (const Refs& line : joined(std::move(border.parts), is_line(border.kind))) {
        if (!is_line(border.kind) && (line.front() != line.back() || line.size() < 4)) continue;
        std::vector<FixedPoint> drawn;
        for (const std::int64_t ref : line) {
          const FixedPoint p = points.at(ref);
          if (p.lon != INT32_MAX) drawn.push_back(p);
        }
        if (drawn.size() > 1) area.lines.push_back(std::move(drawn));
      }
      if (!area.lines.empty()) out.push_back(std::move(area));
    }
    return out;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(path + ": cannot be read: " + error.what());
  }
}

}  // namespace lodestar
