// Public data with answers that others computed. Looks in the folder LODESTAR_DATA names and
// skips without it. LODESTAR_SCENARIOS sets how many scenario entries of each of the eight
// MovingAI sets are checked; the default keeps the suite quick.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "lodestar/bidirectional.h"
#include "lodestar/focal.h"
#include "lodestar/graph_io.h"
#include "lodestar/heuristic.h"
#include "lodestar/search.h"

namespace lodestar::real_data_test {
namespace {

namespace fs = std::filesystem;

class RealData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("LODESTAR_DATA");
    if (folder == nullptr) GTEST_SKIP() << "LODESTAR_DATA is not set";
    data_ = folder;
  }
  fs::path data_;
};

// Every exact method on one graph.
class AllExact {
 public:
  explicit AllExact(const Graph& graph)
      : searcher_(graph),
        two_sided_(graph),
        two_sided_sorted_(graph.ordered(ArcOrder::kByWeight)),
        focal_(graph) {
    if (graph.has_coordinates()) geometry_.emplace(graph);
  }

  // Calls check(name, result, path).
  template <class Check>
  void run(Query query, Check check) {
    const auto report = [&](const char* name, const SearchResult& found, const auto& searcher) {
      check(name, found, searcher.path());
    };
    report("dijkstra", searcher_.run(query, Zero{}), searcher_);
    report("textbook", two_sided_.run(query, BidirectionalKeys::kTextbook), two_sided_);
    report("look-ahead", two_sided_.run(query), two_sided_);
    report("sorted", two_sided_sorted_.run(query), two_sided_sorted_);
    report("focal 0", focal_.run(query, Zero{}, Zero{}, {.bound = 0}), focal_);
    if (!geometry_) return;
    const auto to = geometry_->to(query.target), from = geometry_->to(query.source);
    report("A*", searcher_.run(query, to), searcher_);
    report("bidirectional A*", two_sided_.run(query, to, from), two_sided_);
  }

 private:
  Searcher searcher_;
  BidirectionalSearcher two_sided_, two_sided_sorted_;
  FocalSearcher focal_;
  std::optional<Geometry> geometry_;
};

void expect_cost(const Graph& graph, Query query, const char* name, const SearchResult& found,
                 const std::vector<NodeId>& path, double expected, double tolerance) {
  SCOPED_TRACE(name);
  EXPECT_TRUE(found.optimal());
  if (std::isinf(expected)) {
    EXPECT_FALSE(found.reached());
    return;
  }
  if (tolerance == 0) {
    EXPECT_EQ(found.cost, expected);
  } else {
    EXPECT_NEAR(found.cost, expected, tolerance);
  }
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(path.front(), query.source);
  EXPECT_EQ(path.back(), query.target);
  EXPECT_NEAR(path_cost(graph, path), found.cost, 1e-9 * (1 + found.cost));
}

TEST_F(RealData, GoldenCasesOfEightLibraries) {
  std::ifstream stream(data_ / "golden/golden_shortest_paths.json");
  const auto golden = nlohmann::json::parse(stream);
  std::size_t queries = 0, distances = 0;
  for (const auto& test : golden.at("cases")) {
    SCOPED_TRACE(test.at("id").get<std::string>());
    GraphBuilder builder(test.at("n").get<NodeId>());
    if (test.contains("generator")) {  // the one large case is described, not listed
      ASSERT_EQ(test.at("id"), "ig-lattice-10x10x10x10");
      for (NodeId v = 0; v < 10'000; ++v) {
        for (NodeId place = 1; place <= 1000; place *= 10) {
          if (v / place % 10 < 9) builder.add_edge(v, v + place, 1);
        }
      }
    }
    for (const auto& edge : test.value("edges", nlohmann::json::array())) {
      const auto u = edge[0].get<NodeId>(), v = edge[1].get<NodeId>();
      const double w = edge.size() > 2 && !edge[2].is_null() ? edge[2].get<double>() : 1;
      if (test.at("directed").get<bool>()) {
        builder.add_arc(u, v, w);
      } else {
        builder.add_edge(u, v, w);
      }
    }
    const Graph graph = builder.build();
    AllExact exact(graph);
    for (const auto& line : test.at("queries")) {
      const Query query{line.at("s").get<NodeId>(), line.at("t").get<NodeId>()};
      ++queries;
      if (line.contains("implementation_specific")) {
        // Another library's sub-optimal answer to an inadmissible heuristic; the optimum is 9.
        const auto h = test.at("heuristic").at("h").get<std::vector<double>>();
        Searcher searcher(graph);
        const SearchResult found = searcher.run(query, [&](NodeId v) { return h[v]; });
        EXPECT_GE(found.cost, 9);
        EXPECT_LE(found.cost, line.at("cost").get<double>());
        EXPECT_LE(found.lower_bound, 9);
        continue;
      }
      const double cost = line.at("cost").is_null() ? kInfinity : line.at("cost").get<double>();
      const double tolerance = cost == std::floor(cost) ? 0 : 1e-9 * cost;
      exact.run(query,
                [&](const char* name, const SearchResult& found, const std::vector<NodeId>& path) {
                  expect_cost(graph, query, name, found, path, cost, tolerance);
                });
    }
    const auto rows = test.find("distances");
    if (rows == test.end() || rows->is_null()) continue;
    for (const auto& [source, row] : rows->items()) {
      for (NodeId t = 0; t < row.size(); ++t) {
        const Query query{static_cast<NodeId>(std::stoul(source)), t};
        const double cost = row[t].is_null() ? kInfinity : row[t].get<double>();
        ++distances;
        exact.run(query, [&](const char* name, const SearchResult& found,
                             const std::vector<NodeId>& path) {
          expect_cost(graph, query, name, found, path, cost,
                      cost == std::floor(cost) ? 0 : 1e-9 * cost);
        });
      }
    }
  }
  EXPECT_EQ(queries, 66u);
  EXPECT_EQ(distances, 352u);  // 183 that a library asserts, the rest derived
}

TEST_F(RealData, RoadQueriesOfAnIndependentDijkstra) {
  const std::map<std::string, std::string> files = {{"rome99", "rome99.gr"},
                                                    {"DE", "DE.gr.xz"},
                                                    {"NY.topology", "NY.topology.gr.xz"},
                                                    {"OL", "OL.cedge"},
                                                    {"cal", "cal.cedge"},
                                                    {"andorra", "osm/andorra.gr.xz"},
                                                    {"baltimore", "osm/baltimore.gr.xz"},
                                                    {"krems", "osm/krems.gr.xz"},
                                                    {"monaco", "osm/monaco.gr.xz"}};
  for (const auto& [name, path] : files) {
    SCOPED_TRACE(name);
    const GraphFile file = read_graph((data_ / "roads" / path).string());
    const QueryFile queries =
        read_queries((data_ / "queries" / (name + ".queries.tsv")).string(), file);
    EXPECT_EQ(queries.lines.size(), name == "NY.topology" ? 10u : 40u);
    AllExact exact(file.graph);
    for (const QueryLine& line : queries.lines) {
      ASSERT_TRUE(line.expected.has_value());
      const double cost = *line.expected;
      exact.run(line.query, [&](const char* method, const SearchResult& found,
                                const std::vector<NodeId>& found_path) {
        expect_cost(file.graph, line.query, method, found, found_path, cost,
                    cost == std::floor(cost) ? 0 : 1e-9 * cost + 1e-6);
      });
    }
  }
}

TEST_F(RealData, MovingAiScenarios) {
  const char* setting = std::getenv("LODESTAR_SCENARIOS");
  const std::size_t wanted = setting != nullptr ? std::stoul(setting) : 12;
  const fs::path folder = fs::temp_directory_path() / ("lodestar-maps-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::size_t total = 0;
  for (const char* set : {"bg512", "da2", "dao", "mazes", "random", "rooms", "sc1", "street"}) {
    SCOPED_TRACE(set);
    const fs::path archive = data_ / "movingai" / (std::string(set) + ".tar.xz");
    const std::string command =
        "tar -xJf '" + archive.string() + "' -C '" + folder.string() + "' 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::vector<fs::path> maps;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "maps")) {
      if (entry.path().extension() == ".map") maps.push_back(entry.path());
    }
    std::sort(maps.begin(), maps.end());
    // A few maps, spread over the set, and entries spread over each.
    const std::size_t used = std::min(maps.size(), std::max<std::size_t>(3, wanted / 250));
    for (std::size_t m = 0; m < used; ++m) {
      const fs::path& map = maps[m * maps.size() / used];
      const fs::path scenario =
          folder / "scenarios" / map.parent_path().filename() / (map.filename().string() + ".scen");
      SCOPED_TRACE(map.filename().string());
      const GraphFile file = read_graph(map.string());
      const QueryFile queries = read_queries(scenario.string(), file);
      AllExact exact(file.graph);
      const std::size_t entries = std::min(queries.lines.size(), (wanted + used - 1) / used);
      for (std::size_t i = 0; i < entries; ++i) {
        const QueryLine& line = queries.lines[i * queries.lines.size() / entries];
        ASSERT_TRUE(line.expected.has_value());
        exact.run(line.query, [&](const char* method, const SearchResult& found,
                                  const std::vector<NodeId>& path) {
          expect_cost(file.graph, line.query, method, found, path, *line.expected, 0.01);
        });
        ++total;
      }
    }
    fs::remove_all(folder / "maps");
    fs::remove_all(folder / "scenarios");
  }
  fs::remove_all(folder);
  std::printf("%zu scenario entries checked with every exact method\n", total);
}

}  // namespace
}  // namespace lodestar::real_data_test
