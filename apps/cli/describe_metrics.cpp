#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "describe.h"

namespace lodestar::cli {
namespace {

// In the unit of the metric.
struct MetricRange {
  double least = 0;
  double most = 0;
};

MetricRange range_of(const GraphFile& file, std::size_t metric) {
  const std::vector<Weight> weights = file.metrics.weights(file.graph, metric);
  if (weights.empty()) return {};
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  const double parts = 1 / file.metrics.metrics[metric].scale;  // 10 for tenths: rounds better
  return {*least / parts, *most / parts};
}

// The arcs of each class, and those with a limit of height, width and weight.
struct KindCounts {
  std::vector<std::size_t> classes;
  std::size_t height = 0, width = 0, weight = 0;
};

KindCounts counts_of(const Metrics& metrics) {
  std::vector<std::size_t> arcs(metrics.kinds.size());
  for (const std::uint16_t kind : metrics.arc_kind) ++arcs[kind];
  KindCounts out;
  out.classes.resize(metrics.classes.size());
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const ArcKind& kind = metrics.kinds[k];
    for (std::size_t i = 0; i < out.classes.size(); ++i) {
      if ((kind.classes >> i & 1) != 0) out.classes[i] += arcs[k];
    }
    if (kind.max_height < ArcKind::kNoLimit) out.height += arcs[k];
    if (kind.max_width < ArcKind::kNoLimit) out.width += arcs[k];
    if (kind.max_weight < ArcKind::kNoLimit) out.weight += arcs[k];
  }
  return out;
}

}  // namespace

std::vector<std::pair<const char*, std::string>> metric_lines(const GraphFile& file) {
  std::vector<std::pair<const char*, std::string>> lines;
  const Metrics& metrics = file.metrics;
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    const Metric& metric = metrics.metrics[i];
    const MetricRange range = range_of(file, i);
    std::string text = fmt::format("{} {:.7g} … {:.7g}", metric.name, range.least, range.most);
    if (!metric.unit.empty()) text += " " + metric.unit;
    lines.emplace_back("metric", text + (i == 0 ? ", the weight" : ""));
  }
  const KindCounts counts = counts_of(metrics);
  std::string classes, unused;
  for (std::size_t i = 0; i < counts.classes.size(); ++i) {
    if (counts.classes[i] == 0) {
      unused += " " + metrics.classes[i];
    } else {
      classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", metrics.classes[i],
                             counts.classes[i]);
    }
  }
  if (!classes.empty()) lines.emplace_back("classes", classes + " arcs");
  if (!unused.empty())
    lines.emplace_back(classes.empty() ? "classes" : "", "without arcs:" + unused);
  if (counts.height + counts.width + counts.weight > 0) {
    lines.emplace_back("limits", fmt::format("height {}, width {}, weight {} arcs", counts.height,
                                             counts.width, counts.weight));
  }
  return lines;
}

void add_metric_facts(const GraphFile& file, nlohmann::ordered_json& facts) {
  const Metrics& metrics = file.metrics;
  if (metrics.empty()) return;
  facts["metrics"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    const Metric& metric = metrics.metrics[i];
    const MetricRange range = range_of(file, i);
    facts["metrics"].push_back({{"name", metric.name},
                                {"unit", metric.unit},
                                {"scale", metric.scale},
                                {"range", {range.least, range.most}}});
  }
  const KindCounts counts = counts_of(metrics);
  facts["classes"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < counts.classes.size(); ++i) {
    facts["classes"][metrics.classes[i]] = counts.classes[i];
  }
  facts["limits"] = {{"height", counts.height}, {"width", counts.width}, {"weight", counts.weight}};
}

}  // namespace lodestar::cli
