// A small graph with three metrics, classes and limits, and the comparison of metrics.
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "lodestar/graph_io.h"

namespace lodestar::testing {

// Four nodes, six arcs: two of them parallel, one way only from c to d. `toll` has no float32.
inline GraphFile metrics_sample() {
  GraphBuilder builder(4);
  builder.add_edge(0, 1, 10);
  builder.add_edge(1, 2, 20);
  builder.add_arc(2, 3, 5);
  builder.add_arc(2, 3, 30);
  GraphFile file;
  file.graph = builder.build();
  file.names = NodeNames::table({"a", "b", "c", "d"});
  file.format = "sample";
  // In the order of Graph::weights(): a-b, b-a, b-c, c-b, c-d 5, c-d 30.
  MetricsBuilder metrics({"time", "s", 0.1});
  metrics.add({"length", "m", 0.1}, {100, 101, 200, 200, 50, 60});
  metrics.add({"toll_cost", "", 1}, {0, 0, 1.1, 0, 2.5, 0});
  using Names = std::vector<std::string_view>;
  metrics.add_arc(Names{"residential"});
  metrics.add_arc(Names{"residential"});
  metrics.add_arc(Names{"motorway", "toll"}, {.max_height = 4.5f});
  metrics.add_arc(Names{"motorway", "toll"}, {.max_height = 4.5f, .max_weight = 7.5f});
  metrics.add_arc(Names{});
  metrics.add_arc(Names{"ferry"});
  file.metrics = std::move(metrics).build(file.graph);
  return file;
}

// The names of an arc's classes, in the order of the list of classes.
inline std::vector<std::string> classes_of(const Metrics& metrics, ArcIndex arc) {
  std::vector<std::string> names;
  if (metrics.arc_kind.empty()) return names;
  const std::uint64_t bits = metrics.kinds[metrics.arc_kind[arc]].classes;
  for (std::size_t i = 0; i < metrics.classes.size(); ++i) {
    if ((bits >> i & 1) != 0) names.push_back(metrics.classes[i]);
  }
  return names;
}

inline void expect_same_metrics(const GraphFile& a, const GraphFile& b) {
  ASSERT_EQ(a.metrics.metrics, b.metrics.metrics);
  ASSERT_EQ(a.graph.arc_count(), b.graph.arc_count());
  EXPECT_EQ(a.metrics.classes, b.metrics.classes);
  ASSERT_EQ(a.metrics.arc_kind.size(), b.metrics.arc_kind.size());
  for (std::size_t i = 0; i < a.metrics.metrics.size(); ++i) {
    EXPECT_EQ(a.metrics.weights(a.graph, i), b.metrics.weights(b.graph, i)) << i;
  }
  for (std::size_t arc = 0; arc < a.metrics.arc_kind.size(); ++arc) {
    ASSERT_EQ(a.metrics.kinds[a.metrics.arc_kind[arc]], b.metrics.kinds[b.metrics.arc_kind[arc]])
        << arc;
  }
}

}  // namespace lodestar::testing
