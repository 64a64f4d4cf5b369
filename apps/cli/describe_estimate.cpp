#include "describe_estimate.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

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
  return text;
}

}  // namespace lodestar::cli
