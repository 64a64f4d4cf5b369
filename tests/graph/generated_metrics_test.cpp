// Metrics of generated graphs: lengths that fit the coordinates, times that fit the classes.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "graph_equality.h"
#include "lodestar/generate.h"

namespace lodestar::generated_metrics_test {
namespace {

GraphSpec spec_of(Family family, NodeId nodes, std::uint64_t seed) {
  GraphSpec spec;
  spec.family = family;
  spec.nodes = nodes;
  spec.seed = seed;
  return spec;
}

TEST(GeneratedMetrics, LengthsAndClassesFitTheMap) {
  const std::map<std::string, double> kSpeeds[] = {
      {{"motorway", 100}, {"primary", 55}, {"residential", 30}},
      {{"motorway", 110}, {"primary", 50}, {"residential", 30}}};
  for (const Family family : {Family::kRoad, Family::kCity}) {
    const auto& speeds = kSpeeds[family == Family::kCity];
    const GraphSpec spec = spec_of(family, 6000, 3);
    const GeneratedGraph made = generate_with_metrics(spec);
    expect_same(made.graph, generate(spec));
    EXPECT_EQ(what_is_wrong(made.metrics, made.graph.arc_count()), "");
    EXPECT_EQ(made.metrics.names(), "time, length");
    std::map<std::string, int> seen;
    ArcIndex index = 0;
    for (NodeId u = 0; u < made.graph.node_count(); ++u) {
      for (const Arc arc : made.graph.arcs(u)) {
        const Point &a = made.graph.points()[u], &b = made.graph.points()[arc.head];
        const double straight = std::hypot(a.x - b.x, a.y - b.y);
        const double metres = made.metrics.weight(made.graph, 1, index) / 100;
        const double detour = family == Family::kRoad ? 1.3 : 1.0;
        EXPECT_GE(metres, straight - 1e-9);
        EXPECT_LE(metres, straight * detour + 0.011);
        double speed = 0;
        bool link = false;
        const ArcKind& kind = made.metrics.kinds[made.metrics.arc_kind[index]];
        for (const std::string_view name : made.metrics.classes_of(kind)) {
          ++seen[std::string(name)];
          const auto found = speeds.find(std::string(name));
          if (found != speeds.end()) speed = found->second;
          link = link || name == "link";
        }
        if (link) speed = speeds.at("primary");
        ASSERT_GT(speed, 0);
        EXPECT_NEAR(arc.weight, metres / (speed / 3.6) * 1000, 3);
        ++index;
      }
    }
    const std::vector<std::string> expected =
        family == Family::kCity ? std::vector<std::string>{"motorway", "primary", "residential",
                                                           "link",     "bridge",  "toll"}
                                : std::vector<std::string>{"motorway", "primary", "residential"};
    EXPECT_EQ(seen.size(), expected.size());
    for (const std::string& name : expected) EXPECT_GT(seen[name], 0) << name;
  }
}

TEST(GeneratedMetrics, OtherFamiliesHaveNone) {
  for (const Family family : {Family::kErdosRenyi, Family::kGrid, Family::kGeometric}) {
    EXPECT_TRUE(generate_with_metrics(spec_of(family, 50, 1)).metrics.empty());
  }
}

}  // namespace
}  // namespace lodestar::generated_metrics_test
