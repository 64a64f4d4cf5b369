#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "describe.h"
#include "lodestar/index.h"

namespace lodestar::cli {

nlohmann::ordered_json index_facts(const IndexFacts& facts) {
  nlohmann::ordered_json out;
  out["kind"] = "index";
  out["nodes"] = facts.nodes;
  out["core"] = facts.core;
  out["core_arcs"] = facts.core_arcs;
  out["up_arcs"] = facts.up_arcs;
  out["per_node"] = facts.potential_count;
  out["bytes"] = facts.bytes;
  out["path_bytes"] = facts.path_bytes;
  out["labels"] = facts.labels;
  out["plain"] = facts.plain;
  out["label_bytes"] = facts.label_bytes;
  out["core_distances"] = facts.core_distances;
  out["core_distance_bytes"] = facts.core_distance_bytes;
  out["symmetric"] = facts.symmetric;
  out["paths"] = facts.paths;
  out["path_words"] = facts.path_words;
  out["whole_numbers"] = facts.whole_numbers;
  out["exact_sums"] = facts.exact_sums;
  out["unit"] = facts.unit;
  out["topology"] = fmt::format("{:016x}", facts.topology);
  out["seed"] = facts.origin.seed;
  out["rounds"] = facts.origin.rounds;
  out["contraction_seconds"] = facts.origin.contraction_seconds;
  out["training_seconds"] = facts.origin.training_seconds;
  out["version"] = facts.origin.version;
  out["commit"] = facts.origin.commit;
  return out;
}

std::string describe_index(const IndexFacts& facts) {
  const double nodes = std::max<double>(1, facts.nodes), core = std::max<double>(1, facts.core);
  const char* kind = facts.labels                ? "labels"
                     : facts.plain               ? "search from both ends"
                     : facts.core == 0           ? "contraction hierarchy"
                     : facts.core_distances      ? "core with stored distances"
                     : facts.core == facts.nodes ? "potentials of the whole graph"
                                                 : "core with potentials";
  return fmt::format(
      "index, {}: {} of {} nodes in the core, {:.1f} MB, {:.1f} bytes per node\n"
      "  {}, {:.2f} arcs up per node, {:.2f} arcs per core node, {} potentials\n"
      "  {}; {}\n"
      "  memory per node: {:.1f} bytes for the search, {:.1f} for paths, {:.1f} for labels\n"
      "  graph topology {:016x}; seed {}, contracted in {:.1f} s, {} rounds in {:.1f} s "
      "(lodestar {}, {})\n",
      kind, facts.core, facts.nodes, static_cast<double>(facts.bytes) / 1e6,
      static_cast<double>(facts.bytes) / nodes, facts.symmetric ? "undirected" : "directed",
      static_cast<double>(facts.up_arcs) / nodes, static_cast<double>(facts.core_arcs) / core,
      facts.potential_count,
      facts.whole_numbers  ? fmt::format("whole numbers of {:g} in 32 bits", facts.unit)
      : facts.exact_sums   ? std::string("doubles, sums exact")
      : facts.rounded_sums ? std::string("doubles, sums rounded")
                           : fmt::format("whole numbers of {:g} in doubles", facts.unit),
      facts.paths ? fmt::format("paths in {:.2f} words per node",
                                static_cast<double>(facts.path_words) / nodes)
                  : std::string("without paths"),
      static_cast<double>(facts.bytes - facts.path_bytes - facts.label_bytes) / nodes,
      static_cast<double>(facts.path_bytes) / nodes, static_cast<double>(facts.label_bytes) / nodes,
      facts.topology, facts.origin.seed, facts.origin.contraction_seconds, facts.origin.rounds,
      facts.origin.training_seconds, facts.origin.version, facts.origin.commit);
}

}  // namespace lodestar::cli
