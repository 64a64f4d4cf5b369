#include "describe_estimate.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "progress.h"

namespace lodestar::cli {
namespace {

struct RungText {
  const char* id;
  const char* name;
  const char* option;
};

RungText text_of(IndexKind rung) {
  switch (rung) {
    case IndexKind::kPotentials:
      return {"table", "table", "fit --whole"};
    case IndexKind::kCoreWithoutPaths:
      return {"core_without_paths", "core, costs alone", "fit --no-paths"};
    case IndexKind::kCore:
      return {"core", "core", "fit"};
    case IndexKind::kLabels:
      return {"labels", "labels", "fit --labels"};
  }
  return {};
}

}  // namespace

nlohmann::ordered_json rung_facts(const IndexCosts& rungs) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const IndexCost& cost : rungs.costs) {
    nlohmann::ordered_json rung = {{"rung", text_of(cost.kind).id},
                                   {"option", text_of(cost.kind).option},
                                   {"bytes_per_node", nullptr},
                                   {"seconds", nullptr},
                                   {"estimated", !cost.measured}};
    if (cost.bytes_per_node) rung["bytes_per_node"] = *cost.bytes_per_node;
    if (cost.seconds) rung["seconds"] = *cost.seconds;
    if (!cost.why.empty()) rung["why"] = cost.why;
    out.push_back(rung);
  }
  return out;
}

std::string describe_estimate(const IndexCosts& rungs, NodeId nodes, const std::string& indent) {
  std::string text;
  for (const IndexCost& cost : rungs.costs) {
    const RungText name = text_of(cost.kind);
    text += fmt::format("{}{:<18} {:<15}", indent, name.name, name.option);
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
  if (rungs.piece > 0) {
    text += fmt::format("{}(guessed from a piece of {} nodes and a quarter of it)\n", indent,
                        rungs.piece);
  }
  return text;
}

}  // namespace lodestar::cli
