// Metrics, classes and kinds: what a builder rejects, and what is wrong with arrays from elsewhere.
#include "lodestar/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "hand_drawn.h"

namespace lodestar::metrics_test {
namespace {

Graph two_arcs() {
  return testing::hand_drawn(3, {{0, 1, 5}, {1, 2, 7}});
}

using testing::error_of;

TEST(Metrics, BuilderRejects) {
  const auto with = [](auto&& change) {
    return error_of([&] {
      MetricsBuilder builder({"time", "s", 1});
      change(builder);
      const Metrics made = std::move(builder).build(two_arcs());
      (void)made;
    });
  };
  using B = MetricsBuilder;
  EXPECT_EQ(with([](B&) {}), "");
  EXPECT_EQ(with([](B& b) { b.add({"length", "m", 1}, {1, 2}); }), "");
  EXPECT_NE(with([](B& b) {
              b.add({"time", "m", 1}, {1, 2});
            }).find("two metrics"),
            std::string::npos);
  for (const double bad : {-1.0, kInfinity, std::nan(""), 1e300}) {
    EXPECT_NE(with([&](B& b) {
                b.add({"length", "m", 1}, {1, bad});
              }).find("arc 1 has length"),
              std::string::npos);
  }
  EXPECT_NE(with([](B& b) {
              b.add({"length", "m", 1}, {1});
            }).find("1 weights for 2 arcs"),
            std::string::npos);
  EXPECT_NE(with([](B& b) { b.add({"", "m", 1}, {1, 2}); }).find("no name"), std::string::npos);
  for (const double scale : {0.0, -1.0, kInfinity, std::nan("")}) {
    EXPECT_NE(with([&](B& b) {
                b.add({"length", "m", scale}, {1, 2});
              }).find("scale of length"),
              std::string::npos);
  }
  EXPECT_EQ(with([](B& b) {
              for (int i = 1; i < 16; ++i) b.add({"m" + std::to_string(i), "", 1}, {1, 2});
            }),
            "");
  EXPECT_NE(with([](B& b) {
              for (int i = 1; i < 17; ++i) b.add({"m" + std::to_string(i), "", 1}, {1, 2});
            }).find("at most 16 metrics"),
            std::string::npos);
  const auto classes = [](B& b, int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back("c" + std::to_string(i));
    const std::vector<std::string_view> views(names.begin(), names.end());
    b.add_arc(views);
    b.add_arc({});
  };
  EXPECT_EQ(with([&](B& b) { classes(b, 64); }), "");
  EXPECT_NE(with([&](B& b) { classes(b, 65); }).find("at most 64 classes"), std::string::npos);
  EXPECT_NE(with([](B& b) { b.add_arc({}); }).find("1 kinds for 2 arcs"), std::string::npos);
  EXPECT_NE(error_of([] {
              MetricsBuilder builder({"time", "s", 1});
              std::move(builder).build(two_arcs().ordered(ArcOrder::kByWeight));
            }).find("ordered by head"),
            std::string::npos);
}

TEST(Metrics, KindsAreNumberedOnce) {
  KindTable table;
  EXPECT_EQ(table.find({}), 0);
  EXPECT_EQ(table.find({.classes = 1}), 1);
  EXPECT_EQ(table.find({.max_height = 3}), 2);
  EXPECT_EQ(table.find({.max_width = 3}), 3);
  EXPECT_EQ(table.find({.max_weight = 3}), 4);
  EXPECT_EQ(table.find({.classes = 1}), 1);
  EXPECT_EQ(table.kinds().size(), 5u);
  for (std::uint64_t i = 5; i < Metrics::kMostKinds; ++i) table.find({.classes = i});
  EXPECT_EQ(table.kinds().size(), Metrics::kMostKinds);
  EXPECT_EQ(table.find({.classes = 77}), 77);
  EXPECT_THROW(table.find({.classes = 1'000'000}), Error);
}

TEST(Metrics, WhatIsWrong) {
  const std::vector<double> wide{1, 2}, three{1, 2, 3}, bad{1, -1};
  const std::vector<float> narrow{1, 2};
  const std::vector<std::uint16_t> kinds{0, 1}, unknown{0, 2}, one{0};
  const auto problem = [&](auto&& change) {
    Metrics metrics;
    metrics.metrics = {{"time", "s", 1}, {"length", "m", 0.1}};
    metrics.columns = {{narrow, {}}};
    metrics.classes = {"toll", "ferry"};
    metrics.kinds = {{}, {.classes = 3}};
    metrics.arc_kind = kinds;
    change(metrics);
    return what_is_wrong(metrics, 2);
  };
  using M = Metrics;
  EXPECT_EQ(problem([](M&) {}), "");
  EXPECT_EQ(problem([&](M& m) { m.columns[0] = {{}, wide}; }), "");
  EXPECT_EQ(problem([](M& m) { m = {}; }), "");
  EXPECT_EQ(problem([](M& m) { m.metrics.clear(); }), "columns without names");
  EXPECT_EQ(problem([](M& m) { m.metrics.pop_back(); }), "columns without names");
  EXPECT_EQ(problem([](M& m) { m.columns.clear(); }), "columns without names");
  EXPECT_EQ(problem([&](M& m) {
              for (int i = 2; i < 17; ++i) {
                m.metrics.push_back({"m" + std::to_string(i), "", 1});
                m.columns.push_back({narrow, {}});
              }
            }),
            "more than 16 metrics");
  EXPECT_EQ(problem([](M& m) { m.metrics[0].name = ""; }), "a metric has no name");
  EXPECT_EQ(problem([](M& m) { m.metrics[1].name = "time"; }), "two metrics are named time");
  EXPECT_EQ(problem([&](M& m) {
              m.columns[0] = {{}, three};
            }),
            "a metric has 3 weights for 2 arcs");
  EXPECT_EQ(problem([&](M& m) { m.columns[0] = {{}, bad}; }), "a weight is negative or not finite");
  EXPECT_EQ(problem([](M& m) { m.classes.resize(65, "x"); }), "more than 64 classes");
  EXPECT_EQ(problem([](M& m) {
              for (int i = 2; i < 64; ++i) m.classes.push_back("c" + std::to_string(i));
              m.kinds[1].classes = ~std::uint64_t{0};
            }),
            "");
  for (const char* name : {"", "a b", "a,b", "a;b", "a\tb", "a\n"}) {
    EXPECT_NE(problem([&](M& m) { m.classes[1] = name; }).find("empty or has a blank"),
              std::string::npos);
    EXPECT_FALSE(is_class_name(name));
  }
  EXPECT_EQ(problem([](M& m) { m.classes[1] = "toll"; }), "two classes are named toll");
  EXPECT_EQ(problem([](M& m) { m.kinds[0].classes = 4; }), "a kind has an unknown class");
  EXPECT_NE(problem([](M& m) { m.kinds[0].max_height = -1; }), "");
  EXPECT_NE(problem([](M& m) { m.kinds[1].max_width = -1; }), "");
  EXPECT_NE(problem([](M& m) { m.kinds[1].max_weight = std::nanf(""); }), "");
  EXPECT_EQ(problem([&](M& m) { m.arc_kind = one; }), "there are 1 kinds for 2 arcs");
  EXPECT_EQ(problem([&](M& m) { m.arc_kind = unknown; }), "an arc has an unknown kind");
  EXPECT_EQ(problem([](M& m) { m.arc_kind = {}; }), "");
}

TEST(Metrics, NamesAndWeights) {
  MetricsBuilder builder({"time", "s", 1});
  builder.add({"length", "m", 1}, {10, 0.1});
  builder.add({"hops", "", 1}, {1, 1});
  const std::string_view toll[] = {"toll"}, both[] = {"ferry", "toll"};
  builder.add_arc(toll);
  builder.add_arc(both, {.max_height = 4});
  const Graph graph = two_arcs();
  const Metrics metrics = std::move(builder).build(graph);
  EXPECT_EQ(metrics.names(), "time, length, hops");
  EXPECT_EQ(metrics.class_names(), "toll, ferry");
  EXPECT_EQ(metrics.find("hops"), 2u);
  EXPECT_FALSE(metrics.find("speed"));
  EXPECT_EQ(metrics.find_class("ferry"), 1u);
  EXPECT_FALSE(metrics.find_class("motorway"));
  EXPECT_EQ(metrics.weight(graph, 0, 1), 7);
  EXPECT_EQ(metrics.weight(graph, 1, 1), 0.1);
  EXPECT_EQ(metrics.weights(graph, 0), (std::vector<Weight>{5, 7}));
  EXPECT_EQ(metrics.weights(graph, 1), (std::vector<Weight>{10, 0.1}));
  EXPECT_EQ(metrics.weights(graph, 2), (std::vector<Weight>{1, 1}));
  EXPECT_EQ(metrics.classes_of(metrics.kinds[metrics.arc_kind[1]]),
            (std::vector<std::string_view>{"toll", "ferry"}));
  EXPECT_EQ(metrics.kinds[1].max_height, 4);
}

}  // namespace
}  // namespace lodestar::metrics_test
