#include "lodestar/metrics.h"

#include <algorithm>
#include <cmath>

#include "graph/rows.h"

namespace lodestar {
namespace {

template <class Names>
std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Loops without an exit, which vectorise. Every float that is finite and not negative is a weight.
bool has_bad_weight(const MetricColumn& column) {
  bool bad = false;
  for (const float w : column.narrow) bad |= !(w >= 0 && w <= std::numeric_limits<float>::max());
  for (const double w : column.wide) bad |= !is_weight(w);
  return bad;
}

}  // namespace

std::optional<std::size_t> Metrics::find(std::string_view metric) const {
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i].name == metric) return i;
  }
  return {};
}

std::optional<std::size_t> Metrics::find_class(std::string_view name) const {
  const auto at = std::find(classes.begin(), classes.end(), name);
  if (at == classes.end()) return {};
  return static_cast<std::size_t>(at - classes.begin());
}

std::string Metrics::names() const {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.push_back(metric.name);
  return joined(names);
}

std::string Metrics::class_names() const {
  return joined(classes);
}

std::vector<std::string_view> Metrics::classes_of(const ArcKind& kind) const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if ((kind.classes >> i & 1) != 0) names.push_back(classes[i]);
  }
  return names;
}

Weight Metrics::weight(const Graph& graph, std::size_t i, ArcIndex arc) const {
  if (i > 0) return columns[i - 1][arc];
  return graph.visit(Direction::kForward, [&](auto adjacency) {
    return static_cast<Weight>(adjacency.arcs[arc].weight);
  });
}

std::vector<Weight> Metrics::weights(const Graph& graph, std::size_t i) const {
  if (i == 0) return graph.weights();
  std::vector<Weight> all(columns[i - 1].size());
  for (std::size_t arc = 0; arc < all.size(); ++arc) all[arc] = columns[i - 1][arc];
  return all;
}

void MetricsBuilder::add(Metric metric, std::vector<Weight> weights) {
  if (made_.find(metric.name)) throw Error("there are two metrics named '" + metric.name + "'");
  if (made_.metrics.size() == Metrics::kMostMetrics) {
    throw Error("a graph can have at most " + std::to_string(Metrics::kMostMetrics) + " metrics");
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (is_weight(weights[i])) continue;
    throw Error("arc " + std::to_string(i) + " has " + metric.name + " " +
                std::to_string(weights[i]) + "; weights must be finite and not negative");
  }
  made_.metrics.push_back(std::move(metric));
  columns_.push_back(std::move(weights));
}

bool is_class_name(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t\r\n,;") == std::string_view::npos;
}

std::size_t KindTable::Hash::operator()(const ArcKind& kind) const {
  std::size_t sum = std::hash<std::uint64_t>()(kind.classes);
  for (const float limit : {kind.max_height, kind.max_width, kind.max_weight}) {
    sum = sum * 0x9e3779b97f4a7c15ull + std::hash<float>()(limit);
  }
  return sum;
}

std::uint16_t KindTable::find(const ArcKind& kind) {
  const auto found = number_.find(kind);
  if (found != number_.end()) return found->second;
  if (kinds_.size() == Metrics::kMostKinds) {
    throw Error("a graph can have at most 65,536 kinds of arcs");
  }
  const auto number = static_cast<std::uint16_t>(kinds_.size());
  kinds_.push_back(kind);
  number_.emplace(kind, number);
  return number;
}

void MetricsBuilder::add_arc(std::span<const std::string_view> names, ArcKind limits) {
  for (const std::string_view name : names) {
    auto at = made_.find_class(name);
    if (!at) {
      if (made_.classes.size() == Metrics::kMostClasses) {
        throw Error("a graph can have at most 64 classes of arcs");
      }
      at = made_.classes.size();
      made_.classes.emplace_back(name);
    }
    limits.classes |= std::uint64_t{1} << *at;
  }
  arc_kind_.push_back(table_.find(limits));
}

void MetricsBuilder::set_kinds(std::vector<std::string> classes, std::vector<ArcKind> kinds,
                               std::vector<std::uint16_t> arc_kind) {
  made_.classes = std::move(classes);
  made_.kinds = std::move(kinds);
  arc_kind_ = std::move(arc_kind);
}

Metrics MetricsBuilder::build(const Graph& graph) && {
  struct Owned {
    std::vector<std::vector<float>> narrow;
    std::vector<std::vector<double>> wide;
    std::vector<std::uint16_t> arc_kind;
  };
  if (graph.arc_order() != ArcOrder::kByHead) {
    throw Error("metrics require a graph whose arcs are ordered by head");
  }
  auto owned = std::make_shared<Owned>();
  for (auto& column : columns_) {
    const bool narrow = std::all_of(column.begin(), column.end(), detail::is_narrow);
    MetricColumn view;
    if (narrow) {
      owned->narrow.emplace_back(column.begin(), column.end());
      view.narrow = owned->narrow.back();
    } else {
      owned->wide.push_back(std::move(column));
      view.wide = owned->wide.back();
    }
    made_.columns.push_back(view);
  }
  if (made_.kinds.empty()) made_.kinds = table_.kinds();
  owned->arc_kind = std::move(arc_kind_);
  made_.arc_kind = owned->arc_kind;
  made_.keeper = std::move(owned);
  if (const std::string wrong = what_is_wrong(made_, graph.arc_count()); !wrong.empty()) {
    throw Error("the metrics do not fit the graph: " + wrong);
  }
  return std::move(made_);
}

std::string what_is_wrong(const Metrics& metrics, std::size_t arcs) {
  if (metrics.empty()) return metrics.columns.empty() ? "" : "columns without names";
  if (metrics.metrics.size() != metrics.columns.size() + 1) return "columns without names";
  if (metrics.metrics.size() > Metrics::kMostMetrics) return "more than 16 metrics";
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    const Metric& metric = metrics.metrics[i];
    if (metric.name.empty()) return "a metric has no name";
    if (metrics.find(metric.name) != i) return "two metrics are named " + metric.name;
    if (!(metric.scale > 0) || !std::isfinite(metric.scale)) {
      return "the scale of " + metric.name + " is not a positive number";
    }
  }
  for (const MetricColumn& column : metrics.columns) {
    if (column.size() != arcs) {
      return "a metric has " + std::to_string(column.size()) + " weights for " +
             std::to_string(arcs) + " arcs";
    }
    if (has_bad_weight(column)) return "a weight is negative or not finite";
  }
  if (metrics.classes.size() > Metrics::kMostClasses) return "more than 64 classes";
  for (std::size_t i = 0; i < metrics.classes.size(); ++i) {
    if (!is_class_name(metrics.classes[i])) {
      return "the name of a class is empty or has a blank, comma or semicolon";
    }
    if (metrics.find_class(metrics.classes[i]) != i) {
      return "two classes are named " + metrics.classes[i];
    }
  }
  const std::uint64_t unknown =
      metrics.classes.size() == 64 ? 0 : ~std::uint64_t{0} << metrics.classes.size();
  for (const ArcKind& kind : metrics.kinds) {
    if ((kind.classes & unknown) != 0) return "a kind has an unknown class";
    for (const float limit : {kind.max_height, kind.max_width, kind.max_weight}) {
      if (!(limit >= 0)) return "a limit is negative or not a number";
    }
  }
  if (!metrics.arc_kind.empty() && metrics.arc_kind.size() != arcs) {
    return "there are " + std::to_string(metrics.arc_kind.size()) + " kinds for " +
           std::to_string(arcs) + " arcs";
  }
  std::uint16_t last = 0;
  for (const std::uint16_t kind : metrics.arc_kind) last = std::max(last, kind);
  if (!metrics.arc_kind.empty() && last >= metrics.kinds.size()) {
    return "an arc has an unknown kind";
  }
  return "";
}

}  // namespace lodestar
