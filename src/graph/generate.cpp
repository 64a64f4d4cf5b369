#include "lodestar/generate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "graph/drawing.h"
#include "lodestar/detail/stop.h"

namespace lodestar {
namespace {

Graph erdos_renyi(const GraphSpec& spec, Rng& rng) {
  const double p = edge_probability(spec);
  GraphBuilder builder(spec.nodes);
  for (NodeId u = 0; u < spec.nodes; ++u) {
    check_stop();
    if (spec.draw == Draw::kDirected) {
      for (NodeId v = 0; v < spec.nodes; ++v) {
        if (u != v && rng.chance(p)) builder.add_arc(u, v, rng.uniform24());
      }
      continue;
    }
    for (NodeId v = u + 1; v < spec.nodes; ++v) {
      bool joined = rng.chance(p);
      if (spec.draw == Draw::kOr) joined = rng.chance(p) || joined;
      if (joined) builder.add_edge(u, v, rng.uniform24());
    }
  }
  return builder.build();
}

Graph grid(const GraphSpec& spec, Rng& rng) {
  // Enlarge the grid, so that `nodes` counts the free cells.
  const auto [width, height] = lattice_sides(spec.nodes / (1 - spec.obstacles));
  std::vector<NodeId> number(std::size_t{width} * height, kNoNode);
  std::vector<Point> points;
  for (NodeId y = 0; y < height; ++y) {
    check_stop();
    for (NodeId x = 0; x < width; ++x) {
      if (rng.chance(spec.obstacles)) continue;
      number[std::size_t{y} * width + x] = static_cast<NodeId>(points.size());
      points.push_back({static_cast<double>(x), static_cast<double>(y)});
    }
  }
  const auto at = [&, columns = width, rows = height](NodeId x, NodeId y) {  // for clang 14
    return x < columns && y < rows ? number[std::size_t{y} * columns + x] : kNoNode;
  };
  std::vector<DrawnEdge> edges;
  for (const Point& p : points) {
    const auto x = static_cast<NodeId>(p.x), y = static_cast<NodeId>(p.y);
    const NodeId here = at(x, y), right = at(x + 1, y), below = at(x, y + 1), left = at(x - 1, y);
    if (right != kNoNode) edges.push_back({here, right, 1});
    if (below != kNoNode) edges.push_back({here, below, 1});
    // A diagonal requires both orthogonal cells.
    const NodeId diagonal = at(x + 1, y + 1), other = at(x - 1, y + 1);
    if (diagonal != kNoNode && right != kNoNode && below != kNoNode) {
      edges.push_back({here, diagonal, std::numbers::sqrt2});
    }
    if (other != kNoNode && left != kNoNode && below != kNoNode) {
      edges.push_back({here, other, std::numbers::sqrt2});
    }
  }
  return largest_part(edges, points, CoordinateKind::kGrid);
}

Graph geometric(const GraphSpec& spec, Rng& rng) {
  const double radius = std::sqrt(spec.degree / (std::numbers::pi * spec.nodes));
  const auto cells = static_cast<NodeId>(std::clamp(std::floor(1 / radius), 1.0, 4096.0));
  std::vector<Point> points(spec.nodes);
  std::vector<std::vector<NodeId>> bins(std::size_t{cells} * cells);
  const auto cell_of = [&](double x) {
    return std::min(cells - 1, static_cast<NodeId>(x * cells));
  };
  GraphBuilder builder(spec.nodes);
  for (NodeId v = 0; v < spec.nodes; ++v) {
    check_stop(v);
    points[v] = {rng.uniform(), rng.uniform()};
    const NodeId cx = cell_of(points[v].x), cy = cell_of(points[v].y);
    for (NodeId y = cy > 0 ? cy - 1 : 0; y <= std::min(cy + 1, cells - 1); ++y) {
      for (NodeId x = cx > 0 ? cx - 1 : 0; x <= std::min(cx + 1, cells - 1); ++x) {
        for (const NodeId u : bins[std::size_t{y} * cells + x]) {
          const double dx = points[u].x - points[v].x, dy = points[u].y - points[v].y;
          const double squared = dx * dx + dy * dy;
          if (squared <= radius * radius) {
            builder.add_edge(u, v, static_cast<float>(std::sqrt(squared)));
          }
        }
      }
    }
    bins[std::size_t{cy} * cells + cx].push_back(v);
  }
  builder.set_points(CoordinateKind::kPlane, std::move(points));
  return builder.build();
}

// A jittered lattice of 100 m blocks. Every 8th line is an arterial road and every 64th a highway;
// three in ten local segments are missing, which leaves 1.4 edges per node as in real networks.
// Weights are travel times in milliseconds.
Drawing road(const GraphSpec& spec, Rng& rng) {
  constexpr double kBlock = 100, kJitter = 60, kMissing = 0.3;
  constexpr double kLocal = 30, kArterial = 55, kHighway = 100;    // km/h
  const auto [width, height] = lattice_sides(spec.nodes * 1.006);  // what is cut off
  std::vector<Point> points;
  points.reserve(std::size_t{width} * height);
  for (NodeId y = 0; y < height; ++y) {
    for (NodeId x = 0; x < width; ++x) {
      points.push_back({kBlock * x + kJitter * (rng.uniform() - 0.5),
                        kBlock * y + kJitter * (rng.uniform() - 0.5)});
    }
  }
  std::vector<DrawnEdge> edges;
  const auto join = [&](NodeId u, NodeId v, NodeId line) {
    const bool highway = line % 64 == 32, arterial = line % 8 == 0;
    const double detour = rng.uniform(1.0, 1.3);  // roads are not straight
    const bool missing = rng.chance(kMissing) && !highway && !arterial;
    if (missing) return;
    const double speed = highway ? kHighway : arterial ? kArterial : kLocal;
    const double metres = straight_line(points[u], points[v]) * detour;
    edges.push_back({u, v, travel_milliseconds(metres, speed), metres,
                     highway    ? kMotorway
                     : arterial ? kPrimary
                                : kResidential});
  };
  for (NodeId y = 0; y < height; ++y) {
    check_stop();
    for (NodeId x = 0; x < width; ++x) {
      const NodeId here = y * width + x;
      if (x + 1 < width) join(here, here + 1, y);
      if (y + 1 < height) join(here, here + width, x);
    }
  }
  return {std::move(edges), std::move(points)};
}

void check(const GraphSpec& spec) {
  if (spec.nodes == 0) throw Error("a graph needs at least one node");
  if (spec.nodes > 1u << 28) throw Error("a generated graph has at most 2^28 nodes");
  if (spec.family == Family::kErdosRenyi) {
    const double p = edge_probability(spec);
    if (!(p >= 0 && p <= 1)) throw Error("the edge probability must lie in [0, 1]");
  }
  if (spec.family == Family::kGrid && !(spec.obstacles >= 0 && spec.obstacles < 1)) {
    throw Error("the share of obstacles must lie in [0, 1)");
  }
  if (spec.family == Family::kGeometric && !(spec.degree > 0 && spec.degree < spec.nodes)) {
    throw Error("the mean degree must be above 0 and below the number of nodes");
  }
}

}  // namespace

double edge_probability(const GraphSpec& spec) {
  switch (spec.density) {
    case Density::kSparse:
      return std::round(std::log(static_cast<double>(spec.nodes)) / spec.nodes * 0x1p40) * 0x1p-40;
    case Density::kDense:
      return 0.35;
    case Density::kVeryDense:
      return 0.5;
    case Density::kGiven:
      break;
  }
  return spec.p;
}

Graph generate(const GraphSpec& spec) {
  check(spec);
  Rng rng(spec.seed);
  switch (spec.family) {
    case Family::kErdosRenyi:
      return erdos_renyi(spec, rng);
    case Family::kGrid:
      return grid(spec, rng);
    case Family::kGeometric:
      return geometric(spec, rng);
    case Family::kCity:
    case Family::kRoad:
      break;
  }
  const Drawing drawn = spec.family == Family::kCity ? city(spec, rng) : road(spec, rng);
  return largest_part(drawn.edges, drawn.points, CoordinateKind::kPlane);
}

GeneratedGraph generate_with_metrics(const GraphSpec& spec) {
  if (spec.family != Family::kCity && spec.family != Family::kRoad) return {generate(spec), {}};
  check(spec);
  Rng rng(spec.seed);
  const Drawing drawn = spec.family == Family::kCity ? city(spec, rng) : road(spec, rng);
  std::vector<std::size_t> places;
  GeneratedGraph made;
  made.graph = largest_part(drawn.edges, drawn.points, CoordinateKind::kPlane, &places);
  made.metrics = road_metrics(made.graph, drawn.edges, places);
  return made;
}

std::string to_string(Family family) {
  constexpr const char* kNames[] = {"er", "grid", "geometric", "road", "city"};
  return kNames[static_cast<int>(family)];
}
std::string to_string(Draw draw) {
  constexpr const char* kNames[] = {"or", "exact", "directed"};
  return kNames[static_cast<int>(draw)];
}
std::string to_string(Density density) {
  constexpr const char* kNames[] = {"sparse", "dense", "very-dense", "given"};
  return kNames[static_cast<int>(density)];
}

Family parse_family(const std::string& text) {
  for (const Family f :
       {Family::kErdosRenyi, Family::kGrid, Family::kGeometric, Family::kRoad, Family::kCity}) {
    if (text == to_string(f)) return f;
  }
  throw Error("unknown family '" + text + "'; choose er, grid, geometric, road or city");
}

Draw parse_draw(const std::string& text) {
  for (const Draw d : {Draw::kOr, Draw::kExact, Draw::kDirected}) {
    if (text == to_string(d)) return d;
  }
  throw Error("unknown draw '" + text + "'; choose or, exact or directed");
}

void parse_density(const std::string& text, GraphSpec& spec) {
  for (const Density d : {Density::kSparse, Density::kDense, Density::kVeryDense}) {
    if (text == to_string(d)) {
      spec.density = d;
      return;
    }
  }
  double p = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), p);
  if (code != std::errc{} || end != text.data() + text.size() || !(p >= 0 && p <= 1)) {
    throw Error("unknown density '" + text +
                "'; choose sparse, dense, very-dense or a probability in [0, 1]");
  }
  spec.density = Density::kGiven;
  spec.p = p;
}

}  // namespace lodestar
