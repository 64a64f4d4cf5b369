#include "case.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "lodestar/rng.h"

namespace adversary {

using lodestar::CoordinateKind;
using lodestar::Graph;
using lodestar::GraphBuilder;
using lodestar::NodeId;
using lodestar::Rng;

Graph Case::graph(bool before) const {
  GraphBuilder builder(nodes);
  builder.reserve(arcs.size());
  for (const CaseArc& arc : arcs) {
    builder.add_arc(arc.tail, arc.head, before ? arc.before : arc.weight);
  }
  if (kind != CoordinateKind::kNone) builder.set_points(kind, points);
  return builder.build();
}

std::string Case::text() const {
  char line[160];
  std::snprintf(line, sizeof line, "seed %llu: %s, %u nodes, %zu arcs\n",
                static_cast<unsigned long long>(seed), name.c_str(), nodes, arcs.size());
  std::string out = std::string(line) + "from,to,weight,weight before\n";
  for (const CaseArc& arc : arcs) {
    std::snprintf(line, sizeof line, "%u,%u,%.17g,%.17g\n", arc.tail, arc.head, arc.weight,
                  arc.before);
    out += line;
  }
  for (std::size_t v = 0; v < points.size(); ++v) {
    std::snprintf(line, sizeof line, "node %zu at %.17g %.17g\n", v, points[v].x, points[v].y);
    out += line;
  }
  return out;
}

namespace {

enum Shape {
  kSparse,
  kDense,
  kClique,
  kStar,
  kHubs,
  kChain,
  kGrid,
  kIslands,
  kLoops,
  kTrap,
  kLadder,
  kTiny,
  kShapes
};
constexpr const char* kShapeNames[] = {"sparse",  "dense",   "clique",
                                       "star",    "hubs",    "chain",
                                       "grid",    "islands", "parallel arcs and loops",
                                       "detours", "ladder",  "tiny"};
enum Weights {
  kWhole,
  kZeros,
  kTies,
  kEighths,
  kHuge,
  kDecimals,
  kDoubles,
  kMixed,
  kTinyOnes,
  kGiantOnes,
  kWhole53,
  kBothEnds,
  kWeights
};
constexpr const char* kWeightNames[] = {
    "whole",      "zeros",    "ties",       "eighths",
    "huge range", "decimals", "doubles",    "mixed magnitudes",
    "tiny",       "giant",    "up to 2^40", "both ends of the domain"};

double draw_weight(Weights kind, int decimals, Rng& rng) {
  const double tens = std::pow(10.0, decimals);
  switch (kind) {
    case kZeros:
      return rng.below(3) == 0 ? 1 + rng.below(3) : 0;
    case kTies:
      return 1;
    case kEighths:
      return rng.below(64) / 8.0;
    case kHuge:
      return rng.chance(0.5) ? rng.below(4) : static_cast<double>(rng.next() >> 24);
    case kDecimals:
      return rng.chance(0.1) ? 0 : std::round(rng.uniform(0, 2) * tens) / tens;
    case kDoubles:
      return rng.uniform(0, 1);
    case kMixed:
      return rng.uniform(1, 2) * std::pow(10.0, static_cast<double>(rng.below(25)) - 12);
    case kTinyOnes:
      return rng.chance(0.1) ? 0 : lodestar::kLeastWeight * rng.uniform(1, 4);
    case kGiantOnes:
      return rng.chance(0.1) ? 0 : lodestar::kLargestWeight * rng.uniform(0.25, 1);
    case kWhole53:
      return static_cast<double>(rng.next() >> 24);
    case kBothEnds:
      return rng.uniform(1, 2) * std::ldexp(1.0, static_cast<int>(rng.below(1919)) - 960);
    default:
      return rng.below(1000);
  }
}

bool sums_are_exact(Weights kind) {
  return kind <= kHuge || kind == kWhole53;
}

}  // namespace

Case draw(std::uint64_t seed, std::uint64_t rarity) {
  Rng rng(lodestar::mix64(seed));
  const auto shape = static_cast<Shape>(rng.below(kShapes));
  const auto weights = static_cast<Weights>(rng.below(kWeights));
  const bool directed = rng.chance(0.5);
  const int decimals = 1 + static_cast<int>(rng.below(9));
  const bool giant = rarity > 0 && seed % rarity == rarity - 1;
  Case c;
  c.seed = seed;
  c.exact_sums = sums_are_exact(weights) && !(giant && weights >= kHuge);
  c.name = std::string(giant ? "long chain" : kShapeNames[shape]) + ", " + kWeightNames[weights] +
           (directed ? ", directed" : "");
  const auto add = [&](std::uint32_t u, std::uint32_t v) {
    const double w = draw_weight(weights, decimals, rng);
    // Some weights have fallen or risen since potentials were made; most have not changed.
    double before = w;
    if (rng.chance(0.1)) before = draw_weight(weights, decimals, rng);
    c.arcs.push_back({u, v, w, before});
    if (!directed) c.arcs.push_back({v, u, w, before});
  };
  if (giant) {
    c.nodes = 1'000'000;
    for (std::uint32_t v = 0; v + 1 < c.nodes; ++v) add(v, v + 1);
    return c;
  }
  const std::uint32_t n = c.nodes = shape == kTiny     ? 1 + rng.below(3)
                                    : shape == kDense  ? 40 + rng.below(80)
                                    : shape == kClique ? 35 + rng.below(25)
                                                       : 4 + rng.below(60);
  switch (shape) {
    case kDense:
    case kClique:
      for (std::uint32_t u = 0; u < n; ++u) {
        for (std::uint32_t v = directed ? 0 : u + 1; v < n; ++v) {
          if (u != v && (shape == kClique || rng.chance(0.5))) add(u, v);
        }
      }
      break;
    case kStar:
      for (std::uint32_t v = 1; v < n; ++v) add(0, v), add(v, 0);
      break;
    case kHubs:
      for (std::uint32_t v = 3; v < n; ++v) add(rng.below(3), v), add(v, rng.below(3));
      for (std::uint32_t i = 0; i < n; ++i) add(rng.below(n), rng.below(n));
      break;
    case kChain:
      for (std::uint32_t v = 0; v + 1 < n; ++v) add(v, v + 1);
      break;
    case kGrid:
      for (std::uint32_t v = 0; v < n; ++v) {
        if (v % 8 != 7 && v + 1 < n) add(v, v + 1);
        if (v + 8 < n) add(v, v + 8);
      }
      break;
    case kTrap:
      // Long cheap detours beside short expensive arcs, which mislead an inadmissible heuristic.
      for (std::uint32_t v = 0; v + 1 < n; ++v) add(v, v + 1);
      for (std::uint32_t v = 0; v + 3 < n; ++v) add(v, v + 3), c.arcs.back().weight *= 4;
      break;
    case kLadder:
      // Every node leads to all after it, at rising cost: labels fall again and again.
      for (std::uint32_t v = 1; v < n; ++v) {
        for (std::uint32_t u = v > 12 ? v - 12 : 0; u < v; ++u) add(u, v);
      }
      break;
    default:
      for (std::uint32_t i = 0, count = n * (1 + rng.below(4)); i < count; ++i) {
        const std::uint32_t u = rng.below(n);
        std::uint32_t v = rng.below(n);
        if (shape == kIslands) v = u / 8 * 8 + v % 8 < n ? u / 8 * 8 + v % 8 : u;
        if (shape == kLoops && rng.chance(0.2)) v = u;
        add(u, v);
        if (shape == kLoops && rng.chance(0.5)) add(u, v);
      }
  }
  for (CaseArc& arc : c.arcs) {
    arc.weight = std::min(arc.weight, lodestar::kLargestWeight);
  }
  if (rng.chance(0.4)) {
    constexpr CoordinateKind kKinds[] = {CoordinateKind::kPlane, CoordinateKind::kDegrees,
                                         CoordinateKind::kGrid};
    c.kind = kKinds[rng.below(3)];
    const double spread = rng.chance(0.2) ? 1e-9 : 80;
    for (std::uint32_t v = 0; v < n; ++v) {
      c.points.push_back({rng.uniform(-1, 1) * spread, rng.uniform(-1, 1) * spread});
      if (c.kind == CoordinateKind::kGrid || rng.chance(0.1)) {
        c.points.back() = {std::floor(c.points.back().x), std::floor(c.points.back().y)};
      }
    }
  }
  return c;
}

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Judge::Judge(const Case& c)
    : ways_(c.nodes),
      least_(c.small() ? std::size_t{c.nodes} * c.nodes : 0, kNever),
      rows_(c.small() ? c.nodes : 1),
      queued_(c.nodes, 0) {
  for (const CaseArc& arc : c.arcs) {
    ways_[arc.tail].push_back({arc.head, arc.weight});
    if (least_.empty()) continue;
    double& least = least_[std::size_t{arc.tail} * c.nodes + arc.head];
    least = std::min(least, arc.weight);
  }
}

const std::vector<double>& Judge::distances(std::uint32_t source) {
  std::vector<double>& distance = rows_[least_.empty() ? 0 : source];
  if (!least_.empty() && !distance.empty()) return distance;
  distance.assign(ways_.size(), kNever);
  distance[source] = 0;
  queue_.assign(1, source);
  for (std::size_t at = 0; at < queue_.size(); ++at) {
    const std::uint32_t u = queue_[at];
    queued_[u] = 0;
    for (const Way& way : ways_[u]) {
      const double through = distance[u] + way.weight;
      if (through >= distance[way.head]) continue;
      distance[way.head] = through;
      if (!queued_[way.head]) queue_.push_back(way.head);
      queued_[way.head] = 1;
    }
  }
  return distance;
}

double Judge::cost_of(const std::vector<NodeId>& path) const {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const NodeId u = path[i], v = path[i + 1];
    if (u >= ways_.size() || v >= ways_.size()) return kNever;
    if (!least_.empty()) {
      sum += least_[u * ways_.size() + v];
      continue;
    }
    double least = kNever;
    for (const Way& way : ways_[u]) {
      if (way.head == v && way.weight < least) least = way.weight;
    }
    sum += least;
  }
  return sum;
}

}  // namespace adversary
