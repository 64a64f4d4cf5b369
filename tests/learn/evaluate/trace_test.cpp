#include "lodestar/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "learn/evaluate/splits.h"

namespace lodestar::trace_test {
namespace {

// The CLRS definition, transcribed: a dense matrix, a scan for the smallest d in the queue. Shares
// nothing with the search. A missing arc is negative.
struct ClrsDijkstra {
  std::size_t n;
  std::vector<double> weights;
  Trajectory run(NodeId s) {
    Trajectory out;
    out.nodes = static_cast<NodeId>(n);
    out.source = s;
    std::vector<NodeId> pi(n);
    std::iota(pi.begin(), pi.end(), NodeId{0});
    std::vector<double> d(n, 0);
    std::vector<std::uint8_t> mark(n, 0), in_queue(n, 0);
    in_queue[s] = 1;
    const auto push = [&](NodeId u) {
      out.u.push_back(u);
      out.pi.insert(out.pi.end(), pi.begin(), pi.end());
      out.d.insert(out.d.end(), d.begin(), d.end());
      out.mark.insert(out.mark.end(), mark.begin(), mark.end());
      out.in_queue.insert(out.in_queue.end(), in_queue.begin(), in_queue.end());
    };
    push(s);
    for (std::size_t round = 0; round < n; ++round) {
      std::size_t u = n;
      for (std::size_t v = 0; v < n; ++v) {
        if (in_queue[v] && (u == n || d[v] < d[u])) u = v;
      }
      if (u == n) break;
      mark[u] = 1;
      in_queue[u] = 0;
      for (std::size_t v = 0; v < n; ++v) {
        const double w = weights[u * n + v];
        if (w >= 0 && mark[v] == 0 && (in_queue[v] == 0 || d[u] + w < d[v])) {
          pi[v] = static_cast<NodeId>(u);
          d[v] = d[u] + w;
          in_queue[v] = 1;
        }
      }
      push(static_cast<NodeId>(u));
    }
    return out;
  }
};

ClrsDijkstra transcribed(const Graph& graph) {
  const std::size_t n = graph.node_count();
  ClrsDijkstra out{n, std::vector<double>(n * n, -1)};
  for (NodeId u = 0; u < n; ++u) {
    for (const Arc arc : graph.arcs(u)) {
      double& w = out.weights[u * n + arc.head];
      if (w < 0 || arc.weight < w) w = arc.weight;
    }
  }
  return out;
}

void expect_same(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.u, b.u);
  EXPECT_EQ(a.pi, b.pi);
  EXPECT_EQ(a.d, b.d);
  EXPECT_EQ(a.mark, b.mark);
  EXPECT_EQ(a.in_queue, b.in_queue);
}

TEST(Trace, EveryStepIsThatOfTheClrsDefinition) {
  for (const char* text : {"a:40:16:dense:or:11", "b:40:23:sparse:directed:12",
                           "c:20:40:very-dense:exact:13", "d:20:2:0.9:or:14"}) {
    const Split split = parse_split(text);
    for (std::uint32_t i = 0; i < split.count; ++i) {
      const Instance instance = draw_instance(split, i);
      Searcher searcher(instance.graph);
      expect_same(dijkstra_trajectory(searcher, instance.query.source),
                  transcribed(instance.graph).run(instance.query.source));
    }
  }
}

TEST(Trace, HandDrawnGraph) {
  GraphBuilder builder(4);  // node 3 is out of reach
  builder.add_arc(0, 1, 4);
  builder.add_arc(0, 2, 1);
  builder.add_arc(2, 1, 2);
  Searcher searcher(builder.build());
  const Trajectory steps = dijkstra_trajectory(searcher, 0);
  ASSERT_EQ(steps.steps(), 3u);
  EXPECT_EQ(steps.u, (std::vector<NodeId>{0, 0, 2, 1}));
  const HintView first = steps.frame(1), second = steps.frame(2);
  EXPECT_EQ(std::vector<NodeId>(first.pi.begin(), first.pi.end()),
            (std::vector<NodeId>{0, 0, 0, 3}));
  EXPECT_EQ(std::vector<double>(second.d.begin(), second.d.end()),
            (std::vector<double>{0, 3, 1, 0}));
  EXPECT_EQ(std::vector<NodeId>(second.pi.begin(), second.pi.end()),
            (std::vector<NodeId>{0, 2, 0, 3}));
}

TEST(Trace, GoldenCasesOfClrs) {
  const char* data = std::getenv("LODESTAR_DATA");
  if (!data) GTEST_SKIP() << "LODESTAR_DATA is not set";
  std::ifstream in(std::string(data) + "/golden/golden_shortest_paths.json");
  if (!in) GTEST_SKIP() << "no golden/golden_shortest_paths.json in LODESTAR_DATA";
  int checked = 0;
  const nlohmann::json file = nlohmann::json::parse(in);
  for (const auto& golden : file["cases"]) {
    // Those whose vector comes from Dijkstra or Bellman-Ford; with unit weights ties decide.
    const std::string id = golden["id"];
    if (!id.starts_with("clrs-weighted") || !golden.contains("predecessors")) continue;
    GraphBuilder builder(golden["n"].get<NodeId>());
    for (const auto& edge : golden["edges"]) {
      const auto u = edge[0].get<NodeId>(), v = edge[1].get<NodeId>();
      const auto w = edge[2].get<double>();
      if (golden["directed"].get<bool>()) {
        builder.add_arc(u, v, w);
      } else {
        builder.add_edge(u, v, w);
      }
    }
    Searcher searcher(builder.build());
    for (const auto& [source, expected] : golden["predecessors"].items()) {
      const Trajectory steps =
          dijkstra_trajectory(searcher, static_cast<NodeId>(std::stoul(source)));
      const auto pi = steps.frame(steps.steps()).pi;
      EXPECT_EQ(std::vector<NodeId>(pi.begin(), pi.end()), expected.get<std::vector<NodeId>>())
          << id;
      ++checked;
    }
  }
  EXPECT_GE(checked, 2);
}

TEST(Trace, NumpyReadsTheFile) {
  if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) {
    GTEST_SKIP() << "numpy is not installed";
  }
  std::vector<TrajectorySample> samples;
  const Split split = parse_split("a:3:5:sparse:directed:3");
  for (std::uint32_t i = 0; i < split.count; ++i) {
    const Instance instance = draw_instance(split, i);
    Searcher searcher(instance.graph);
    samples.push_back(
        {instance.graph, instance.query, dijkstra_trajectory(searcher, instance.query.source)});
  }
  const std::string path = ::testing::TempDir() + "/trajectories.npz";
  write_trajectories(samples, path);
  const std::string script = ::testing::TempDir() + "/check_npz.py";
  std::ofstream(script) << R"(
import sys, zipfile, numpy as np
assert zipfile.ZipFile(sys.argv[1]).testzip() is None
z = np.load(sys.argv[1])
assert sorted(z.files) == sorted("pos s t A adj pi_h d mark in_queue u lengths pi".split())
T, N, n = z["d"].shape
assert (N, n) == (3, 5) and z["A"].shape == (3, 5, 5) and T == z["lengths"].max()
assert (z["adj"] == ((z["A"] != 0) | np.eye(n, dtype=bool))).all()
for i in range(N):
    A, s = z["A"][i], int(z["s"][i].argmax())
    d, mark, queue, pi = np.zeros(n), np.zeros(n), np.zeros(n), np.arange(n)
    queue[s] = 1
    frames = [(pi.copy(), d.copy(), mark.copy(), queue.copy(), s)]
    for _ in range(n):
        u = np.argsort(d + (1.0 - queue) * 1e9)[0]
        if queue[u] == 0: break
        mark[u], queue[u] = 1, 0
        for v in range(n):
            if A[u, v] != 0 and mark[v] == 0 and (queue[v] == 0 or d[u] + A[u, v] < d[v]):
                pi[v], d[v], queue[v] = u, d[u] + A[u, v], 1
        frames.append((pi.copy(), d.copy(), mark.copy(), queue.copy(), u))
    assert len(frames) == z["lengths"][i]
    for k, (pi, d, mark, queue, u) in enumerate(frames):
        assert (z["pi_h"][k, i] == pi).all() and np.allclose(z["d"][k, i], d, atol=1e-6)
        assert (z["mark"][k, i] == mark).all() and (z["in_queue"][k, i] == queue).all()
        assert z["u"][k, i].argmax() == u and z["u"][k, i].sum() == 1
    assert (z["pi"][i] == pi).all() and z["t"][i].sum() == 1
)";
  EXPECT_EQ(std::system(("/usr/bin/python3 " + script + " " + path).c_str()), 0);
  samples.push_back({Graph(), {}, {}});
  EXPECT_THROW(write_trajectories(samples, path), Error);
}

TEST(Splits, TextGivesTheSplitBack) {
  for (const Split& split : paper_test_splits()) {
    EXPECT_EQ(to_string(parse_split(to_string(split))), to_string(split));
  }
  EXPECT_EQ(paper_test_splits().size(), 27u);
  EXPECT_EQ(to_string(parse_split("x:5:16:0.58:directed:9")), "x:5:16:0.58:directed:9");
  for (const char* bad : {"", "a:1:16:dense:or", "a:x:16:dense:or:1", "a:1:1:dense:or:1",
                          "a:1:16:thick:or:1", "a:1:16:dense:and:1", "a:1:16:dense:or:-1"}) {
    EXPECT_THROW(parse_split(bad), Error) << bad;
  }
}

TEST(Splits, NoTestGraphIsATrainingGraph) {
  std::vector<Split> splits = {paper_train_split(), paper_validation_split()};
  for (const Draw draw : {Draw::kOr, Draw::kExact, Draw::kDirected}) {
    for (const Split& split : paper_test_splits(draw)) splits.push_back(split);
  }
  std::vector<std::uint64_t> seeds;
  for (const Split& split : splits) seeds.push_back(split.seed);
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::adjacent_find(seeds.begin(), seeds.end()), seeds.end());
}

}  // namespace
}  // namespace lodestar::trace_test
