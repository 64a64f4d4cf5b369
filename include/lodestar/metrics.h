// Further weights of a graph's arcs (metrics: time, length, …) and what a request may avoid: the
// classes of roads, and limits for vehicles.
//
//   const GraphFile file = read_graph("town.lsg");
//   file.metrics.names();                              // "time", "length"
//   Router router(file.graph, {.metrics = file.metrics});
//
// Metric 0 is the graph's own weights; the others are columns. Arcs are numbered as in the forward
// rows, ordered by head, as those of a Shape. The arrays may be part of a mapped file; copies share
// them.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/types.h"

namespace lodestar {

struct Metric {
  std::string name;  // "time"
  std::string unit;  // "s"; may be empty
  double scale = 1;  // weight · scale is a value in that unit
  friend bool operator==(const Metric&, const Metric&) = default;
};

// What a request can refer to. Arcs of the same classes and limits share a kind.
struct ArcKind {
  static constexpr float kNoLimit = std::numeric_limits<float>::infinity();
  std::uint64_t classes = 0;    // bit i: Metrics::classes[i]
  float max_height = kNoLimit;  // metres
  float max_width = kNoLimit;   // metres
  float max_weight = kNoLimit;  // tonnes
  friend bool operator==(const ArcKind&, const ArcKind&) = default;
};

// The weights of one metric, in 4 bytes each if all of them are exactly float32.
struct MetricColumn {
  std::span<const float> narrow;  // one of the two is empty, unless there are no arcs
  std::span<const double> wide;
  std::size_t size() const { return narrow.empty() ? wide.size() : narrow.size(); }
  Weight operator[](std::size_t i) const { return narrow.empty() ? wide[i] : narrow[i]; }
};

struct Metrics {
  static constexpr std::size_t kMostClasses = 64;
  static constexpr std::size_t kMostKinds = 65536;
  static constexpr std::size_t kMostMetrics = 16;

  std::vector<Metric> metrics;        // [r]; the first describes the graph's own weights
  std::vector<MetricColumn> columns;  // [r - 1][m]
  std::vector<std::string> classes;   // at most 64 names: "motorway", "toll", …
  std::vector<ArcKind> kinds;
  std::span<const std::uint16_t> arc_kind;  // [m], or empty if there are no kinds
  std::shared_ptr<const void> keeper;       // keeps the arrays alive

  bool empty() const { return metrics.empty(); }
  // The index of a metric or class; nothing if there is none of that name.
  std::optional<std::size_t> find(std::string_view metric) const;
  std::optional<std::size_t> find_class(std::string_view name) const;
  // "time, length", for messages.
  std::string names() const;
  std::string class_names() const;
  // The names of the classes of a kind.
  std::vector<std::string_view> classes_of(const ArcKind& kind) const;
  // The weight of an arc by metric i.
  Weight weight(const Graph& graph, std::size_t i, ArcIndex arc) const;
  // All weights of metric i, [m].
  std::vector<Weight> weights(const Graph& graph, std::size_t i) const;
};

// Whether a text can name a class: not empty, without blanks, commas and semicolons.
bool is_class_name(std::string_view name);

// Numbers kinds in the order of their appearance.
class KindTable {
 public:
  // Throws Error if there are more than 65,536 kinds.
  std::uint16_t find(const ArcKind& kind);
  const std::vector<ArcKind>& kinds() const { return kinds_; }

 private:
  struct Hash {
    std::size_t operator()(const ArcKind& kind) const;
  };
  std::vector<ArcKind> kinds_;
  std::unordered_map<ArcKind, std::uint16_t, Hash> number_;
};

// Collects the arrays of Metrics and owns them. Columns are in the order of Graph::weights().
class MetricsBuilder {
 public:
  explicit MetricsBuilder(Metric own) { made_.metrics.push_back(std::move(own)); }
  // Throws Error if the name is taken or a weight is outside its domain (types.h).
  void add(Metric metric, std::vector<Weight> weights);
  // The kind of the next arc; `names` are class names. Throws Error if there are more than 64
  // classes or 65,536 kinds.
  void add_arc(std::span<const std::string_view> names, ArcKind limits = {});
  // All kinds at once, instead of add_arc. `arc_kind` has one entry for each arc, or none.
  void set_kinds(std::vector<std::string> classes, std::vector<ArcKind> kinds,
                 std::vector<std::uint16_t> arc_kind);
  // Throws Error if a column does not have one entry for each arc of the graph, or if the arcs of
  // the graph are not ordered by head.
  Metrics build(const Graph& graph) &&;

 private:
  Metrics made_;
  std::vector<std::vector<Weight>> columns_;
  std::vector<std::uint16_t> arc_kind_;
  KindTable table_;
};

// Checks metrics that come from elsewhere. Returns an empty string if they are well-formed and fit
// the number of arcs, otherwise a description of the problem.
std::string what_is_wrong(const Metrics& metrics, std::size_t arcs);

// An arc of a list from which a graph is made, and its place in the list. A list of undirected
// edges has each edge twice with the same place, a self-loop once.
struct ListedArc {
  NodeId tail;
  NodeId head;
  Weight weight;
  std::size_t place;
};
// The places of all arcs in the order of the graph made from them.
std::vector<std::size_t> places_by_arc(std::vector<ListedArc> arcs);
// The metrics of a graph whose arc i was arc from[i] of the graph that they describe.
Metrics rearranged(const Metrics& metrics, std::span<const std::size_t> from);
// The metrics of graph.with_weights(weights), which sorts parallel arcs by their new weights.
// `weights` must have one entry for each arc.
Metrics with_weights(const Metrics& metrics, const Graph& graph, std::span<const Weight> weights);

}  // namespace lodestar
