// Files that are unusual and yet valid, and graphs that a format holds only in part.
#include <gtest/gtest.h>

#include <filesystem>

#include "error_of.h"
#include "lodestar/graph_io.h"
#include "scratch_folder.h"

namespace lodestar::odd_files_test {
namespace {

using Notes = std::vector<std::string>;

using testing::error_of;

TEST(OddFiles, AreRead) {
  struct Row {
    const char* name;
    const char* text;
    NodeId nodes;
    std::size_t arcs;
  };
  const Row rows[] = {
      {"a.gr", "p sp 2 1\n\n   \na 1 2 1\n", 2, 1},
      {"a.gr", "\xEF\xBB\xBFp sp 2 1\na 1 2 1", 2, 1},
      {"a.gr", "p sp 2 1\r\na\t1 2\t1\r\n", 2, 1},
      {"a.gr", "33D32945 STP File\nSECTION Graph\nNodes 2\nArcs 1\nA 1 2 3\nEND\nEOF\n", 2, 1},
      {"a.gr", "section graph\nnodes 2\nedges 1\ne 1 2 3\nend\neof\n", 2, 2},
      {"a.graph", "% c\n2 1 011 2\n% row\n9 9 2 5\n8 8 1 5\n", 2, 2},
      {"a.graph", "2 1 10 3\n9 9 9 2\n8 8 8 1\n", 2, 2},
      {"a.graph", "2 1 100\n7 2\n7 1\n", 2, 2},
      {"a.graph", "2 1 1 7\n2 5\n1 5\n", 2, 2},
      {"a.graph", "1 1\n1\n", 1, 1},
      {"a.graph", "0 0\n", 0, 0},
      {"a.mtx", "%%matrixmarket MATRIX Coordinate Integer SYMMETRIC\n% c\n2 2 2\n1 1 5\n2 1 4\n", 2,
       3},
      {"a.csv", "", 0, 0},
      {"a.csv", "# only a comment\n% and another\n", 0, 0},
      {"a.csv", "source,target,weight\n", 0, 0},
      {"a.csv", "\"a\" , \"b\"\"c\" ,1\n", 2, 1},
      {"a.csv", "a;b;1\n", 2, 1},
      {"a.txt", "a   b\t1\n", 2, 1},
      {"a.txt", "a b 1\n\"c d\" e 2\n", 4, 2},
      {"a.csv", "U,V,Dist\n1,2,3\n", 2, 1},
      {"a.cedge", "# c\n0 a b 2\n", 2, 2},
      {"a.graphml", "<graphml><graph><node id='a'/></graph></graphml>", 1, 0},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    EXPECT_EQ(error_of([&] {
                const GraphFile file = parse_graph(row.text, row.name);
                EXPECT_EQ(file.graph.node_count(), row.nodes);
                EXPECT_EQ(file.graph.arc_count(), row.arcs);
              }),
              "");
  }
}

TEST(OddFiles, WeightsOfEdgeLists) {
  const auto notes = [](const char* text, const ReadOptions& options) {
    return parse_graph(text, "a.csv", options).notes;
  };
  EXPECT_EQ(notes("a,b,7\n", {.weight = "none"}),
            (Notes{"the third column is ignored", "no weights; each is 1"}));
  EXPECT_EQ(notes("a,b\n", {}), Notes{"no weights; each is 1"});
  EXPECT_EQ(notes("a,b\n", {.weight = "none"}), Notes{"no weights; each is 1"});
  EXPECT_EQ(notes("from,to,toll\na,b,7\n", {.weight = "toll"}), Notes{});
  EXPECT_EQ(notes("from,to,toll,w\na,b,7,1\n", {}), Notes{"ignored columns: 'toll'"});
  EXPECT_EQ(notes("from,to,toll\na,b,7\n", {.weight = "none"}),
            (Notes{"ignored columns: 'toll'", "no weights; each is 1"}));
  EXPECT_NE(error_of([&] { notes("from,to,toll\na,b,7\n", {}); }).find("unknown weight column"),
            std::string::npos);
  EXPECT_NE(error_of([&] { notes("from,to\na,b\n", {.weight = "x"}); }).find("no column 'x'"),
            std::string::npos);
  EXPECT_NE(error_of([&] { notes("a,b,1\n", {.weight = "x"}); }).find("--weight requires a header"),
            std::string::npos);
  EXPECT_NE(error_of([&] { notes("a,b,1\n", {.metrics = {"x"}}); }).find("--metrics requires"),
            std::string::npos);
  EXPECT_NE(
      error_of([&] { notes("from,to,w\na,b,1\n", {.metrics = {"x"}}); }).find("no column 'x'"),
      std::string::npos);
}

// Names that edge lists and other texts hold only with quotes, or not at all.
TEST(OddFiles, NamesThatNeedQuotes) {
  const ScratchFolder folder;
  const auto named = [](const std::string& name) {
    const std::string xml = "<graphml><graph edgedefault='undirected'><node id='" + name +
                            "'/><node id='b'/><edge source='" + name +
                            "' target='b'/></graph></graphml>";
    return parse_graph(xml, "a.graphml");
  };
  for (const char* name :
       {"plain", "two words", "a,b", "a;b", "a&quot;b", "a&lt;b", "a&amp;b", "#a", "50%", "&gt;"}) {
    const GraphFile file = named(name);
    for (const char* extension : {".csv", ".tsv", ".graphml", ".lsg"}) {
      const std::string path = folder / ("a" + std::string(extension));
      write_graph(file, path);
      const GraphFile back = read_graph(path);
      for (NodeId v = 0; v < 2; ++v) {
        EXPECT_LT(back.names.find(file.names.name(v)), 2u) << name << extension;
      }
      EXPECT_EQ(back.graph.node_count(), 2u);
    }
    const Notes losses = write_graph(file, folder / "a.cedge");
    const bool word = std::string(name).find(' ') == std::string::npos && name[0] != '#';
    EXPECT_EQ(losses.empty(), word) << name;
  }
  const GraphFile lines = named("a&#10;b");
  EXPECT_NE(error_of([&] { write_graph(lines, folder / "b.csv"); }).find("line break"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "b.csv"));
}

TEST(OddFiles, KeysOfGraphml) {
  const auto graph = [](const std::string& keys, const std::string& edge) {
    return parse_graph("<graphml>" + keys +
                           "<graph edgedefault='directed'><node id='a'/><node id='b'/>"
                           "<edge source='a' target='b'>" +
                           edge + "</edge></graph></graphml>",
                       "a.graphml");
  };
  for (const char* type : {"int", "long", "float", "double"}) {
    const std::string key =
        std::string("<key id='k' for='all' attr.name='weight' attr.type='") + type + "'/>";
    EXPECT_EQ(graph(key, "<data key='k'>3</data>").graph.arcs(0)[0].weight, 3) << type;
  }
  const std::string fallback =
      "<key id='k' for='edge' attr.name='length'><default>4</default></key>";
  EXPECT_EQ(graph(fallback, "").graph.arcs(0)[0].weight, 4);
  // Some nodes with coordinates, others without.
  const std::string partly =
      "<graphml><key id='x' for='node' attr.name='lon'/><key id='y' for='node' attr.name='lat'/>"
      "<graph><node id='a'><data key='x'>1</data><data key='y'>2</data></node>"
      "<node id='b'><data key='x'>1</data></node></graph></graphml>";
  const GraphFile file = parse_graph(partly, "a.graphml");
  EXPECT_FALSE(file.graph.has_coordinates());
  ASSERT_FALSE(file.notes.empty());
  EXPECT_EQ(file.notes.back(), "coordinates ignored: only 1 nodes have them");
}

// Coordinates in DIMACS: whole numbers of 1e-6 or 1e-7 degrees, or a plane.
TEST(OddFiles, UnitsOfDimacs) {
  const ScratchFolder folder;
  const auto kind = [&](const std::string& coordinates) {
    folder.write("a.gr", "p sp 1 0\n");
    folder.write("a.co", "p aux sp co 1\n" + coordinates);
    const Graph graph = read_graph(folder / "a.gr").graph;
    return std::pair(graph.coordinate_kind(), graph.points()[0].x);
  };
  EXPECT_EQ(kind("v 1 7412345 43000000\n"), std::pair(CoordinateKind::kDegrees, 7.412345));
  EXPECT_EQ(kind("v 1 1741234567 430000000\n").first, CoordinateKind::kDegrees);
  EXPECT_EQ(kind("v 1 7.5 43\n").first, CoordinateKind::kPlane);
  EXPECT_EQ(kind("v 1 7 43.5\n").first, CoordinateKind::kPlane);
  EXPECT_EQ(kind("v 1 90000000000 5\n").first, CoordinateKind::kPlane);
}

TEST(OddFiles, OptionsThatDoNotApply) {
  const ScratchFolder folder;
  const std::string path = folder.write("a.gr", "p sp 1 0\n");
  for (const ReadOptions& options :
       {ReadOptions{.profile = "car"}, ReadOptions{.turns = true}, ReadOptions{.all = true},
        ReadOptions{.weight = "x"}, ReadOptions{.metrics = {"x"}},
        ReadOptions{.unit_diagonals = true}}) {
    EXPECT_NE(error_of([&] { read_graph(path, options); }), "");
  }
}

}  // namespace
}  // namespace lodestar::odd_files_test
