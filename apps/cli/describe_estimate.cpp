#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "describe.h"
#include "progress.h"

namespace lodestar::cli {
namespace {

struct KindText {
  const char* id;
  const char* name;
  const char* option;
};

KindText text_of(IndexKind kind) {
  switch (kind) {
    case IndexKind::kPotentials:
      return {"potentials", "potentials", "fit"};
    case IndexKind::kCoreWithoutPaths:
      return {"core_without_paths", "core, costs only", "index --no-paths"};
    case IndexKind::kCore:
      return {"core", "core", "index"};
    case IndexKind::kLabels:
      return {"labels", "labels", "index --labels"};
  }
  return {};
}

// The times of a plain index and of the same search without it differ by noise.
constexpr double kSlower = 1.1, kClock = 1e-6;

}  // namespace

nlohmann::ordered_json estimate_facts(const IndexCosts& estimate) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const IndexCost& cost : estimate.costs) {
    nlohmann::ordered_json row = {{"kind", text_of(cost.kind).id},
                                  {"command", text_of(cost.kind).option},
                                  {"bytes_per_node", nullptr},
                                  {"seconds", nullptr},
                                  {"estimated", !cost.measured}};
    if (cost.bytes_per_node) row["bytes_per_node"] = *cost.bytes_per_node;
    if (cost.seconds) row["seconds"] = *cost.seconds;
    if (!cost.why.empty()) row["why"] = cost.why;
    out.push_back(row);
  }
  return out;
}

nlohmann::ordered_json query_times_facts(const QueryTimes& times) {
  return {{"index_microseconds", 1e6 * times.index},
          {"bidirectional_microseconds", 1e6 * times.bidirectional},
          {"fastest", times.index_is_faster() ? "index" : "bidirectional"}};
}

std::string describe_query_times(const QueryTimes& times) {
  return fmt::format("{:.1f} µs with an index, {:.1f} µs by a search from both ends; {} is faster",
                     1e6 * times.index, 1e6 * times.bidirectional,
                     times.index_is_faster() ? "the index" : "the search");
}

std::vector<std::string> index_notes(const IndexFacts& facts, const QueryTimes& times) {
  std::vector<std::string> notes;
  if (facts.plain) {
    notes.push_back(
        "queries search this graph from both ends: contraction does not help, or had no time");
  } else if (times.index > kSlower * times.bidirectional + kClock) {
    notes.push_back(
        "queries with this index are slower than without: use the algorithm bidirectional");
  }
  return notes;
}

std::string describe_estimate(const IndexCosts& estimate, NodeId nodes, const std::string& indent) {
  std::string text;
  for (const IndexCost& cost : estimate.costs) {
    const KindText name = text_of(cost.kind);
    text += fmt::format("{}{:<18} {:<17}", indent, name.name, name.option);
    if (!cost.bytes_per_node) {
      text += " –  " + cost.why + "\n";
      continue;
    }
    const char* about = cost.measured ? "" : "about ";
    text += fmt::format(" {}{:.0f} bytes a node, {:.1f} MB", about, *cost.bytes_per_node,
                        *cost.bytes_per_node * nodes / 1e6);
    if (cost.seconds) text += fmt::format(", {}{}", about, format_seconds(*cost.seconds));
    text += "\n";
  }
  if (estimate.piece > 0) {
    text += fmt::format("{}(estimated from a piece of {} nodes and a quarter of it)\n", indent,
                        estimate.piece);
  }
  if (estimate.times) {
    text +=
        fmt::format("{}sample queries{}: {}\n", indent, estimate.piece > 0 ? " of the piece" : "",
                    describe_query_times(*estimate.times));
  }
  return text;
}

}  // namespace lodestar::cli
