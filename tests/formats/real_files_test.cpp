// The public data sets in LODESTAR_DATA read with the counts their authors give.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "lodestar/graph_io.h"
#include "lodestar/graph_stats.h"

namespace lodestar::real_files_test {
namespace {

class RealFiles : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("LODESTAR_DATA");
    if (folder == nullptr) GTEST_SKIP() << "LODESTAR_DATA is not set: no real files to read";
    data_ = folder;
  }
  GraphFile read(const std::string& name) const { return read_graph((data_ / name).string()); }
  std::filesystem::path data_;
};

TEST_F(RealFiles, RoadsHaveTheirCounts) {
  struct Expected {
    const char* name;
    const char* format;
    NodeId nodes;
    std::size_t arcs;
    CoordinateKind kind;
  };
  const Expected roads[] = {
      {"roads/rome99.gr", "DIMACS", 3353, 8870, CoordinateKind::kNone},
      {"roads/DE.gr.xz", "DIMACS", 49109, 121024, CoordinateKind::kNone},
      {"roads/NY.topology.gr.xz", "PACE", 264346, 2 * 365050, CoordinateKind::kNone},
      {"roads/OL.cedge", "cedge", 6105, 2 * 7035, CoordinateKind::kPlane},
      {"roads/cal.cedge", "cedge", 21048, 2 * 21693, CoordinateKind::kPlane},
      {"roads/osm/andorra.gr.xz", "DIMACS", 16510, 31688, CoordinateKind::kDegrees},
      {"roads/osm/baltimore.gr.xz", "DIMACS", 12915, 26147, CoordinateKind::kDegrees},
      {"roads/osm/krems.gr.xz", "DIMACS", 2150, 3972, CoordinateKind::kDegrees},
      {"roads/osm/monaco.gr.xz", "DIMACS", 2815, 4717, CoordinateKind::kDegrees},
  };
  for (const Expected& road : roads) {
    SCOPED_TRACE(road.name);
    const GraphFile file = read(road.name);
    EXPECT_EQ(file.format, road.format);
    EXPECT_EQ(file.graph.node_count(), road.nodes);
    EXPECT_EQ(file.graph.arc_count(), road.arcs);
    EXPECT_EQ(file.graph.coordinate_kind(), road.kind);
  }
  const GraphStats delaware = graph_stats(read("roads/DE.gr.xz").graph);
  EXPECT_EQ(delaware.self_loops, 448u);
  EXPECT_EQ(delaware.parallel_arcs, 1280u);
  EXPECT_EQ(delaware.weak.count, 82u);
  const GraphStats rome = graph_stats(read("roads/rome99.gr").graph);
  EXPECT_EQ(rome.parallel_arcs, 11u);
  EXPECT_EQ(rome.strong.count, 1u);
}

TEST_F(RealFiles, EveryGraphReads) {
  std::map<std::string, int> read_by_format;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_ / "graphs")) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || path.find("LICENSE") != std::string::npos) continue;
    SCOPED_TRACE(path);
    if (path.ends_with("Hamrle1.mtx")) {  // has negative entries
      EXPECT_THROW(read_graph(path), Error);
      continue;
    }
    const GraphFile file = read_graph(path);
    EXPECT_GT(file.graph.arc_count(), 0u);
    ++read_by_format[file.format];
  }
  EXPECT_EQ(read_by_format,
            (std::map<std::string, int>{{"METIS", 9}, {"Matrix Market", 1}, {"SteinLib", 13}}));
}

TEST_F(RealFiles, MapsHaveTheCountsOfTheirTableAndScenariosRead) {
  std::ifstream table(data_ / "movingai/MAPS.tsv");
  std::string line;
  std::getline(table, line);
  int maps = 0;
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string set, name;
    std::uint64_t width = 0, height = 0, cells = 0, edges = 0, components = 0, largest = 0;
    fields >> set >> name >> width >> height >> cells >> edges >> components >> largest;
    const std::filesystem::path path = data_ / "movingai/plain" / name;
    if (!std::filesystem::exists(path)) continue;
    SCOPED_TRACE(name);
    const GraphFile file = read_graph(path.string());
    EXPECT_EQ(file.names.width(), width);
    EXPECT_EQ(file.names.height(), height);
    EXPECT_EQ(file.graph.node_count(), cells);
    EXPECT_EQ(file.graph.arc_count(), 2 * edges);
    const Components weak = weak_components(file.graph);
    EXPECT_EQ(weak.count, components);
    EXPECT_EQ(weak.largest, largest);
    const QueryFile queries = read_queries(path.string() + ".scen", file);
    EXPECT_TRUE(queries.scenario);
    EXPECT_GT(queries.lines.size(), 10u);
    ++maps;
  }
  EXPECT_EQ(maps, 7);
}

TEST_F(RealFiles, QueriesNameNodesOfTheirGraphs) {
  const std::map<std::string, std::string> graphs = {
      {"rome99", "roads/rome99.gr"},
      {"DE", "roads/DE.gr.xz"},
      {"NY.topology", "roads/NY.topology.gr.xz"},
      {"OL", "roads/OL.cedge"},
      {"cal", "roads/cal.cedge"},
      {"andorra", "roads/osm/andorra.gr.xz"},
      {"baltimore", "roads/osm/baltimore.gr.xz"},
      {"krems", "roads/osm/krems.gr.xz"},
      {"monaco", "roads/osm/monaco.gr.xz"},
  };
  for (const auto& [name, graph] : graphs) {
    const auto path = data_ / "queries" / (name + ".queries.tsv");
    const QueryFile queries = read_queries(path.string(), read(graph));
    EXPECT_EQ(queries.lines.size(), name == "NY.topology" ? 10u : 40u) << name;
    for (const QueryLine& line : queries.lines) EXPECT_TRUE(line.expected.has_value());
  }
}

}  // namespace
}  // namespace lodestar::real_files_test
