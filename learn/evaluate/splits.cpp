#include "learn/evaluate/splits.h"

#include <charconv>
#include <cmath>

#include "lodestar/search.h"

namespace lodestar {
namespace {

template <class T>
T number(const std::string& text, const char* what, const std::string& whole) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) {
    throw Error("split '" + whole + "': " + what + " '" + text + "' is not a number that fits");
  }
  return value;
}

std::string shortest(double value) {
  char text[32];
  const auto [end, code] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, code == std::errc{} ? end : text);
}

Graph chain_graph(const Split& split, std::uint64_t seed) {
  Rng rng(seed);
  GraphBuilder builder(split.nodes);
  const auto farthest = static_cast<NodeId>(1 + 2 * std::ceil(split.p));
  for (NodeId v = 1; v < split.nodes; ++v) {
    builder.add_edge(v, v - 1, rng.uniform24());
    for (double more = split.p; more > 0; more -= 1) {
      const NodeId back = 2 + rng.below(farthest);
      if (rng.chance(more) && back <= v) builder.add_edge(v, v - back, rng.uniform24());
    }
  }
  return builder.build();
}

// As the CLRS benchmark draws undirected graphs: an edge if both of its directions are drawn, with
// the weight √(u · u′ + 10⁻³).
Graph clrs_graph(const GraphSpec& spec) {
  Rng rng(spec.seed);
  GraphBuilder builder(spec.nodes);
  const double p = edge_probability(spec);
  for (NodeId u = 0; u < spec.nodes; ++u) {
    for (NodeId v = 0; v < u; ++v) {
      const bool there = rng.chance(p), back = rng.chance(p);
      const double weight = std::sqrt(rng.uniform() * rng.uniform() + 1e-3);
      if (there && back) builder.add_edge(u, v, weight);
    }
  }
  return builder.build();
}

constexpr const char* kChain = "chain";
constexpr const char* kClrs = "clrs";
constexpr Family kOtherFamilies[] = {Family::kGrid, Family::kGeometric, Family::kRoad};

}  // namespace

Instance draw_instance(const Split& split, std::uint32_t index) {
  GraphSpec spec;
  spec.nodes = split.nodes;
  spec.density = split.density;
  spec.p = split.p;
  spec.draw = split.draw;
  spec.family = split.family;
  if (split.family == Family::kGrid) spec.obstacles = split.p;
  if (split.family == Family::kGeometric) spec.degree = split.p;
  spec.seed = mix64(mix64(split.seed) + index);
  // A graph without any reachable pair (tiny and sparse) is drawn again.
  for (int attempt = 0;; ++attempt) {
    Graph graph = split.chain  ? chain_graph(split, spec.seed)
                  : split.clrs ? clrs_graph(spec)
                               : generate(spec);
    Searcher searcher(graph);
    Rng rng(mix64(spec.seed));
    try {
      const Query query = random_reachable_query(searcher, rng);
      return {std::move(graph), query};
    } catch (const Error&) {
      if (attempt == 100) throw;
      spec.seed = mix64(spec.seed);
    }
  }
}

std::string to_string(const Split& split) {
  const bool other = split.chain || split.family != Family::kErdosRenyi;
  const std::string density =
      split.density == Density::kGiven || other ? shortest(split.p) : to_string(split.density);
  return split.name + ":" + std::to_string(split.count) + ":" + std::to_string(split.nodes) + ":" +
         density + ":" +
         (split.chain  ? kChain
          : split.clrs ? kClrs
          : other      ? to_string(split.family)
                       : to_string(split.draw)) +
         ":" + std::to_string(split.seed);
}

Split parse_split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() != 6) {
    throw Error("split '" + text +
                "' is not NAME:COUNT:NODES:DENSITY:DRAW:SEED, as in train:1000:16:dense:or:1");
  }
  Split split;
  GraphSpec spec;
  split.name = parts[0];
  split.count = number<std::uint32_t>(parts[1], "the count", text);
  split.nodes = number<NodeId>(parts[2], "the number of nodes", text);
  for (const Family family : kOtherFamilies) {
    if (parts[4] == to_string(family)) split.family = family;
  }
  split.chain = parts[4] == kChain;
  if (split.chain || split.family != Family::kErdosRenyi) {
    split.density = Density::kGiven;
    split.p = number<double>(parts[3], "the density", text);
    if (!(split.p >= 0 && split.p <= 64)) {
      throw Error("split '" + text + "': the density must lie in [0, 64]");
    }
  } else {
    parse_density(parts[3], spec);
    split.density = spec.density;
    split.p = spec.p;
    split.clrs = parts[4] == kClrs;
    if (!split.clrs) split.draw = parse_draw(parts[4]);
  }
  split.seed = number<std::uint64_t>(parts[5], "the seed", text);
  if (split.nodes < 2) throw Error("split '" + text + "': a query needs at least two nodes");
  return split;
}

Split paper_train_split() {
  return {"train-dense-16", 1000, 16, Density::kDense, 0, Draw::kOr, 1};
}

Split paper_validation_split() {
  return {"validation-dense-16", 128, 16, Density::kDense, 0, Draw::kOr, 2};
}

std::vector<Split> paper_test_splits(Draw draw) {
  constexpr Density kDensities[] = {Density::kSparse, Density::kDense, Density::kVeryDense};
  constexpr NodeId kSizes[] = {16, 32, 64, 96, 128, 160, 192, 224, 256};
  std::vector<Split> splits;
  for (const Density density : kDensities) {
    for (const NodeId nodes : kSizes) {
      const std::uint64_t seed = 1'000'000 + 100'000 * static_cast<std::uint64_t>(draw) +
                                 10'000 * static_cast<std::uint64_t>(density) + nodes;
      splits.push_back({"test-" + to_string(density) + "-" + std::to_string(nodes), 128, nodes,
                        density, 0, draw, seed});
    }
  }
  return splits;
}

}  // namespace lodestar
