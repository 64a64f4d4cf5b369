#include "assemble.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "entry_costs.h"
#include "lodestar/graph_stats.h"

namespace lodestar::osm {
namespace {

std::vector<RoadArc> road_arcs(const RawRoads& raw, const Roads& roads, const Profile& profile,
                               bool by_length) {
  std::vector<RoadArc> arcs;
  for (std::uint32_t s = 0; s < roads.segments.size(); ++s) {
    const Segment& segment = roads.segments[s];
    const ArcKind& kind = raw.kinds.kinds()[raw.way_kind[segment.way]];
    const bool restricted =
        !by_length && profile.entry_seconds() > 0 && (kind.classes & profile.entry_classes()) != 0;
    const auto add = [&](NodeId tail, NodeId head, std::uint32_t time, std::uint32_t against) {
      if (time == 0) return;
      arcs.push_back(
          {tail, head, by_length ? segment.length : time, time, 2 * s + against, restricted});
    };
    add(segment.from, segment.to, segment.forward, 0);
    add(segment.to, segment.from, segment.backward, 1);
  }
  std::sort(arcs.begin(), arcs.end(), [](const RoadArc& a, const RoadArc& b) {
    return std::tie(a.tail, a.head, a.weight, a.segment) <
           std::tie(b.tail, b.head, b.weight, b.segment);
  });
  return arcs;
}

// What the graph is made of, before anything is cut off.
struct Parts {
  std::vector<FixedPoint> points;     // by node
  std::vector<std::int64_t> node_id;  // by node
  std::vector<FinalArc> arcs;         // sorted
};

Graph graph_of(const Parts& parts) {
  GraphBuilder builder(static_cast<NodeId>(parts.points.size()));
  builder.reserve(parts.arcs.size());
  for (const FinalArc& arc : parts.arcs) builder.add_arc(arc.tail, arc.head, arc.weight);
  std::vector<Point> points;
  points.reserve(parts.points.size());
  for (const FixedPoint& p : parts.points) points.push_back(p.degrees());
  builder.set_points(CoordinateKind::kDegrees, std::move(points));
  return builder.build();
}

// One node for each junction, and a second one where roads that are not for through traffic leave
// others: it stands for having come along such a road, or having been there all the time.
std::size_t add_junctions(Parts& parts, const Roads& roads, const std::vector<RoadArc>& arcs,
                          const EntryCosts& costs) {
  parts.points = roads.node_point;
  parts.node_id = roads.node_id;
  std::vector<std::uint8_t> is_left(parts.points.size()), is_free(parts.points.size());
  for (const RoadArc& arc : arcs) {
    if (arc.restricted) is_left[arc.tail] = 1;
    if (!arc.restricted) is_free[arc.tail] = is_free[arc.head] = 1;
  }
  const auto nodes = static_cast<NodeId>(parts.points.size());
  std::vector<NodeId> inner(nodes, kNoNode);
  for (NodeId v = 0; v < nodes; ++v) {
    if (is_left[v] == 0 || is_free[v] == 0) continue;
    inner[v] = static_cast<NodeId>(parts.points.size());
    parts.points.push_back(roads.node_point[v]);
    parts.node_id.push_back(roads.node_id[v]);
  }
  for (const RoadArc& arc : arcs) {
    const NodeId head = arc.restricted && inner[arc.head] != kNoNode ? inner[arc.head] : arc.head;
    const bool both = inner[arc.tail] != kNoNode;
    parts.arcs.push_back(costs.arc(arc.tail, head, arc, !both));
    if (both) parts.arcs.push_back(costs.arc(inner[arc.tail], head, arc, true));
  }
  std::sort(parts.arcs.begin(), parts.arcs.end());
  return parts.points.size() - nodes;
}

// A road arc that no turn leads into has no arc of the graph: it gets a node where it begins.
std::size_t add_entrances(Parts& parts, const Roads& roads, const std::vector<RoadArc>& arcs) {
  const std::size_t states = parts.points.size();
  std::vector<std::uint8_t> entered(states);
  for (const FinalArc& turn : parts.arcs) entered[turn.head] = 1;
  for (NodeId a = 0; a < arcs.size(); ++a) {
    if (entered[a] != 0) continue;
    const RoadArc& arc = arcs[a];
    const auto start = static_cast<NodeId>(parts.points.size());
    parts.points.push_back(roads.node_point[arc.tail]);
    parts.node_id.push_back(roads.node_id[arc.tail]);
    parts.arcs.push_back({start, a, arc.weight, arc.duration, arc.segment, 0});
  }
  return parts.points.size() - states;
}

// Keeps the largest strong component, of equally large ones that of the first node.
void keep_largest(Parts& parts, const Graph& graph) {
  const Components components = strong_components(graph);
  std::vector<NodeId> size(components.count);
  for (const std::uint32_t c : components.of) ++size[c];
  std::uint32_t kept = 0;
  for (const std::uint32_t c : components.of) {
    if (size[c] == components.largest) {
      kept = c;
      break;
    }
  }
  std::vector<NodeId> number(graph.node_count(), kNoNode);
  NodeId next = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    if (components.of[v] != kept) continue;
    parts.points[next] = parts.points[v];
    parts.node_id[next] = parts.node_id[v];
    number[v] = next++;
  }
  parts.points.resize(next);
  parts.node_id.resize(next);
  std::erase_if(parts.arcs, [&](FinalArc& arc) {
    arc.tail = number[arc.tail];
    arc.head = number[arc.head];
    return arc.tail == kNoNode || arc.head == kNoNode;
  });
}

Shape shape_of(const Parts& parts, const RawRoads& raw, const Roads& roads, bool arc_based,
               bool by_time, std::string remarks) {
  ShapeBuilder out;
  out.arc_based = arc_based;
  out.node_id = parts.node_id;
  out.remarks = std::move(remarks);
  // Only what an arc still uses: segments, then the streets of those.
  constexpr std::uint32_t kUnused = UINT32_MAX;
  std::vector<std::uint32_t> number(roads.segments.size(), kUnused);
  for (const FinalArc& arc : parts.arcs) number[arc.segment / 2] = 0;
  std::vector<std::uint32_t> street(raw.streets.size(), kUnused);
  const auto add_text = [&](std::uint32_t i) {
    out.letters.append(raw.text(i));
    out.first_letter.push_back(out.letters.size());
  };
  std::uint32_t next = 0;
  for (std::size_t s = 0; s < number.size(); ++s) {
    if (number[s] == kUnused) continue;
    number[s] = next++;
    const Segment& segment = roads.segments[s];
    const RawWay& way = raw.ways[segment.way];
    out.segment_length.push_back(segment.length);
    out.segment_way.push_back(way.id);
    if (street[way.street] == kUnused) {
      street[way.street] = static_cast<std::uint32_t>(out.street_detail.size());
      out.street_detail.push_back(raw.streets[way.street].detail);
      add_text(raw.streets[way.street].name);
    }
    out.segment_street.push_back(street[way.street]);
    out.points.insert(out.points.end(),
                      roads.points.begin() + static_cast<std::ptrdiff_t>(segment.first_point),
                      roads.points.begin() + static_cast<std::ptrdiff_t>(roads.end_point(s)));
    for (std::uint64_t i = segment.first_point; i < roads.end_point(s); ++i) {
      out.point_id.add(roads.point_id[i]);
    }
    out.first_point.push_back(out.points.size());
  }
  // Behind the names, the other texts of streets, each once.
  std::unordered_map<std::uint32_t, std::uint32_t> text;
  for (StreetDetail& detail : out.street_detail) {
    for (std::uint32_t* said : {&detail.ref, &detail.destinations, &detail.mode}) {
      if (*said == StreetDetail::kNoText) continue;
      const auto texts = static_cast<std::uint32_t>(out.first_letter.size() - 1);
      const auto [entry, fresh] = text.emplace(*said, texts);
      if (fresh) add_text(*said);
      *said = entry->second;
    }
  }
  for (const FinalArc& arc : parts.arcs) {
    out.arc_segment.push_back(2 * number[arc.segment / 2] + arc.segment % 2);
    out.arc_duration.push_back(arc.duration);
  }
  const bool due = std::any_of(parts.arcs.begin(), parts.arcs.end(), [&](const FinalArc& arc) {
    return arc.entry > 0 || (by_time && arc.weight > arc.duration);
  });
  for (const FinalArc& arc : parts.arcs) {
    if (due) out.arc_entry.push_back(arc.entry);
  }
  return std::move(out).build();
}

Metrics metrics_of(const Parts& parts, const RawRoads& raw, const Roads& roads,
                   const Profile& profile, const Graph& graph, bool by_length) {
  const Metric time{"time", "s", 0.1}, length{"length", "m", 0.1};
  MetricsBuilder out(by_length ? length : time);
  std::vector<Weight> other;
  std::vector<std::uint16_t> kind;
  other.reserve(parts.arcs.size());
  kind.reserve(parts.arcs.size());
  for (const FinalArc& arc : parts.arcs) {
    const Segment& segment = roads.segments[arc.segment / 2];
    other.push_back(by_length ? arc.duration : segment.length);
    kind.push_back(raw.way_kind[segment.way]);
  }
  out.add(by_length ? time : length, std::move(other));
  out.set_kinds(profile.classes(), raw.kinds.kinds(), std::move(kind));
  return std::move(out).build(graph);
}

std::string count_text(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

GraphFile assemble(RawRoads raw, Roads roads, const Profile& profile, const Wishes& wishes,
                   const std::string& file) {
  std::vector<RoadArc> arcs = road_arcs(raw, roads, profile, wishes.by_length);
  if (arcs.empty()) {
    throw Error(file + ": holds no road for the profile " + profile.name() + " (" +
                std::to_string(raw.all_ways) + " ways, " + std::to_string(raw.all_nodes) +
                " nodes)");
  }
  if (arcs.size() >= UINT32_MAX / 2) throw Error(file + ": has more than 2^31 road arcs");
  std::string remarks =
      "profile " + profile.name() + ", weights are " +
      (wishes.by_length ? "lengths in tenths of a metre" : "times in tenths of a second") + "\n";
  const auto remark = [&](std::size_t count, const char* one, const char* many, const char* what) {
    if (count > 0) remarks += count_text(count, one, many) + what + "\n";
  };
  Parts parts;
  const EntryCosts costs(roads, raw, profile, wishes.by_length, wishes.turns);
  if (wishes.turns) {
    TurnCounts counts;
    const Turns turns = allowed_turns(raw, roads, arcs, &counts);
    const auto arc_of = [&](std::uint32_t state) -> const RoadArc& {
      return arcs[state < arcs.size() ? state : turns.further_arc[state - arcs.size()]];
    };
    for (std::uint32_t s = 0; s < arcs.size() + turns.further_arc.size(); ++s) {
      parts.points.push_back(roads.node_point[arc_of(s).head]);
      parts.node_id.push_back(roads.node_id[arc_of(s).head]);
    }
    parts.arcs.reserve(turns.turns.size());
    for (const Turn& turn : turns.turns) {
      const RoadArc& from = arc_of(turn.from);
      parts.arcs.push_back(costs.arc(turn.from, turn.to, arc_of(turn.to), from.restricted, &from));
    }
    const std::size_t entrances = wishes.all ? add_entrances(parts, roads, arcs) : 0;
    std::sort(parts.arcs.begin(), parts.arcs.end());
    remarks += "turns are arcs: " + std::to_string(arcs.size()) + " road arcs are the nodes" +
               (entrances > 0 ? ", and " + count_text(entrances, "beginning", "beginnings") +
                                    " of roads that no turn leads into"
                              : "") +
               "\n" + "turn restrictions: " + std::to_string(counts.no) + " no_, " +
               std::to_string(counts.only) + " only_ used, " + std::to_string(counts.via_ways) +
               " of them via ways; " + std::to_string(counts.without_road) +
               " beside this profile's roads, " + std::to_string(counts.ambiguous) +
               " ambiguous, " + std::to_string(raw.other_restrictions) + " unclear ones ignored\n";
  } else {
    const std::size_t inner = add_junctions(parts, roads, arcs, costs);
    remark(inner, "junction is", "junctions are",
           " divided, because roads there are not for through traffic");
    const std::size_t said = raw.restrictions.size() + raw.other_restrictions;
    remark(said, "turn restriction", "turn restrictions", " not used; --turns honours them");
  }
  arcs = {};
  const std::size_t nodes = parts.points.size(), all_arcs = parts.arcs.size();
  Graph graph = graph_of(parts);
  if (!wishes.all) {
    keep_largest(parts, graph);
    if (parts.arcs.empty()) {
      throw Error(file + ": no two places are joined there and back; --all keeps what there is");
    }
    if (parts.points.size() < nodes) {
      graph = {};
      graph = graph_of(parts);
      remarks += "largest strong component: " + std::to_string(nodes - parts.points.size()) +
                 " of " + std::to_string(nodes) + " nodes and " +
                 std::to_string(all_arcs - parts.arcs.size()) + " of " + std::to_string(all_arcs) +
                 " arcs cut off; --all keeps them\n";
    }
  }
  remark(raw.conditional_restrictions, "turn restriction", "turn restrictions",
         " with a condition ignored (restriction:conditional)");
  remark(raw.conditional_ways, "way has", "ways have",
         " access for some times (:conditional), which is ignored");
  remark(raw.missing_nodes, "node of roads is", "nodes of roads are",
         " not in the extract; roads end there");
  remark(raw.odd_speeds, "way has a speed", "ways have speeds",
         " not understood; the class's is taken");
  remark(raw.odd_limits, "way has a limit", "ways have limits",
         " of height, width or weight not understood; none is assumed");
  GraphFile out;
  out.metrics = metrics_of(parts, raw, roads, profile, graph, wishes.by_length);
  out.shape = shape_of(parts, raw, roads, wishes.turns, !wishes.by_length, std::move(remarks));
  out.notes = out.shape.notes();
  out.names = NodeNames::numbered(0, graph.node_count());
  out.graph = std::move(graph);
  out.format = "OpenStreetMap";
  return out;
}

}  // namespace lodestar::osm
