#include "lodestar/graph_io.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "error_of.h"
#include "graph_equality.h"
#include "lodestar/generate.h"
#include "one_segment.h"
#include "road.h"
#include "scratch_folder.h"

namespace lodestar::graph_io_test {
namespace {

constexpr const char* kTriangle =
    "c a triangle\n"
    "p sp 3 4\n"
    "a 1 2 5\n"
    "a 2 3 9007199254740992\n"
    "a 3 1 0.1\n"
    "\n"
    "a 3 3 0\n";

TEST(Dimacs, ReadsArcsExactlyAndNamesFromOne) {
  const GraphFile file = parse_graph(kTriangle, "triangle.gr");
  EXPECT_EQ(file.format, "DIMACS");
  EXPECT_EQ(file.graph.node_count(), 3u);
  ASSERT_EQ(file.graph.arc_count(), 4u);
  EXPECT_EQ(file.graph.arcs(0)[0], (Arc{1, 5}));
  EXPECT_EQ(file.graph.arcs(1)[0], (Arc{2, 0x1p53}));
  EXPECT_EQ(file.graph.arcs(2)[0], (Arc{0, 0.1}));
  EXPECT_EQ(file.names.find("3"), 2u);
  EXPECT_EQ(file.names.find("0"), kNoNode);
  EXPECT_EQ(file.names.find("4"), kNoNode);
  EXPECT_EQ(file.names.name(2), "3");
}

TEST(ParseGraph, AFormatThatIsGivenGoesBeforeTheName) {
  for (const char* name : {"triangle", "triangle.csv"}) {
    EXPECT_EQ(parse_graph(kTriangle, name, {.format = "gr"}).format, "DIMACS") << name;
  }
  const std::string said =
      testing::error_of([] { parse_graph(kTriangle, "triangle.gr", {.format = "abc"}); });
  EXPECT_EQ(said.find("triangle.gr: unknown format; supported extensions are "), 0u) << said;
}

TEST(ParseGraph, OptionsOfOtherFormatsAreRefused) {
  const auto said = [](const ReadOptions& options) {
    return testing::error_of([&] { parse_graph(kTriangle, "t.gr", options); });
  };
  for (const auto& [option, text] : {std::pair{std::string("--weight"), said({.weight = "length"})},
                                     {"--metrics", said({.metrics = {"length"}})}}) {
    EXPECT_EQ(text.find("t.gr: " + option + " does not apply to this format (DIMACS"), 0u) << text;
    EXPECT_NE(text.find("; it applies to ."), std::string::npos) << text;
  }
}

// Shapes and metrics count arcs by their heads.
TEST(Binary, SaysWhatAnotherOrderOfArcsLoses) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 100);
  builder.set_points(CoordinateKind::kDegrees, {{0, 0}, {1, 1}});
  GraphFile file;
  file.graph = builder.build();
  file.names = NodeNames::numbered(0, 2);
  file.shape = testing::one_segment("a").build();
  MetricsBuilder metrics({"time", "s", 0.1});
  for (int arc = 0; arc < 2; ++arc) metrics.add_arc({});
  file.metrics = std::move(metrics).build(file.graph);
  const ScratchFolder folder;
  EXPECT_TRUE(write_graph(file, folder / "a.lsg").empty());
  file.graph = file.graph.ordered(ArcOrder::kByWeight);
  EXPECT_EQ(write_graph(file, folder / "a.lsg"),
            (std::vector<std::string>{
                "the lines, streets and ids of arcs, which need arcs ordered by head",
                "metrics and classes, which need arcs ordered by head"}));
}

TEST(Formats, SayWhatTheyWere) {
  EXPECT_EQ(parse_graph("1 2 3\n", "a.txt").format, "edge list");
  EXPECT_EQ(parse_graph("", "a.csv").format, "edge list");
  EXPECT_EQ(parse_graph("0 a b 2\n", "a.cedge").format, "cedge");
}

// A .cnode beside the edges has no place for the kind of coordinates.
TEST(Cedge, CoordinatesAreThoseOfAPlane) {
  const ScratchFolder folder;
  const auto losses = [&](CoordinateKind kind) {
    GraphBuilder builder(2);
    builder.add_edge(0, 1, 2);
    builder.set_points(kind, {{0, 0}, {1, 1}});
    GraphFile file;
    file.graph = builder.build();
    file.names = NodeNames::numbered(0, 2);
    return write_graph(file, folder / "a.cedge");
  };
  EXPECT_TRUE(losses(CoordinateKind::kPlane).empty());
  for (const CoordinateKind kind : {CoordinateKind::kDegrees, CoordinateKind::kGrid}) {
    EXPECT_EQ(losses(kind),
              (std::vector<std::string>{"the kind of coordinates; they read back as a plane's"}));
  }
}

TEST(GraphMl, NotesSayWhatIsMissing) {
  const auto notes = [](const std::string& nodes) {
    return parse_graph(
               "<graphml><key id='x' for='node' attr.name='x'/>"
               "<key id='y' for='node' attr.name='y'/><graph edgedefault='directed'>" +
                   nodes + "<edge source='a' target='b'/></graph></graphml>",
               "a.graphml")
        .notes;
  };
  using Texts = std::vector<std::string>;
  const std::string at = "<data key='x'>1</data><data key='y'>2</data>";
  const std::string no_weights = "no weights; each is 1";
  EXPECT_EQ(notes("<node id='a'/><node id='b'/>"), (Texts{no_weights}));
  EXPECT_EQ(notes("<node id='a'>" + at + "</node><node id='b'/>"),
            (Texts{no_weights, "coordinates ignored: only 1 nodes have them"}));
  EXPECT_EQ(notes("<node id='a'>" + at + "</node><node id='b'>" + at + "</node>"),
            (Texts{no_weights}));
}

TEST(Dimacs, TakesCoordinatesAlongAndTellsDegreesFromThePlane) {
  const ScratchFolder folder;
  folder.write("a.gr", "p sp 2 1\na 1 2 3\n");
  const auto read_with = [&](const std::string& co) {
    folder.write("a.co", co);
    return read_graph(folder / "a.gr").graph;
  };
  const Graph micro = read_with("p aux sp co 2\nv 1 -73530767 41085396\nv 2 -73530538 41086098\n");
  EXPECT_EQ(micro.coordinate_kind(), CoordinateKind::kDegrees);
  EXPECT_EQ(micro.points()[0], (Point{-73.530767, 41.085396}));
  const Graph fine = read_with("p aux sp co 2\nv 2 74229093 437371175\nv 1 74220280 437370125\n");
  EXPECT_EQ(fine.coordinate_kind(), CoordinateKind::kDegrees);
  EXPECT_EQ(fine.points()[0], (Point{7.4220280, 43.7370125}));
  const Graph named = read_with("c lon*1e7 lat*1e7\np aux sp co 2\nv 1 10 20\nv 2 30 40\n");
  EXPECT_EQ(named.points()[1], (Point{30 / 1e7, 40 / 1e7}));
  const Graph plane = read_with("p aux sp co 2\nv 1 500000 4500000\nv 2 1.5 2\n");
  EXPECT_EQ(plane.coordinate_kind(), CoordinateKind::kPlane);
  EXPECT_EQ(plane.points()[1], (Point{1.5, 2}));
}

constexpr const char* kSmallMap =
    "type octile\r\nheight 3\r\nwidth 4\r\nmap\r\n"
    "..@.\r\n"
    "GS.T\r\n"
    "@...\r\n";

TEST(MovingAi, MovesAreOctileWithoutCornerCutting) {
  const GraphFile file = parse_graph(kSmallMap, "small.map");
  EXPECT_EQ(file.graph.node_count(), 9u);
  EXPECT_EQ(file.graph.coordinate_kind(), CoordinateKind::kGrid);
  const NodeId corner = file.names.find("1,0");
  const NodeId below = file.names.find("1,1");
  const NodeId across = file.names.find("2,1");
  EXPECT_EQ(file.names.find("2,0"), kNoNode);
  EXPECT_EQ(file.names.find_cell(1, 1), below);
  EXPECT_EQ(file.names.name(across), "2,1");
  EXPECT_EQ(file.graph.points()[across], (Point{2, 1}));
  // 1,0 reaches 0,0  0,1  1,1 but not 2,1: 2,0 is blocked.
  EXPECT_EQ(file.graph.degree(corner), 3u);
  EXPECT_EQ(file.graph.arcs(corner)[1].weight, std::numbers::sqrt2);
  EXPECT_EQ(file.graph.degree(file.names.find("3,0")), 0u);
}

TEST(MovingAi, OptionsAllowUnitDiagonalsAndCornerCutting) {
  ReadOptions options;
  options.corner_cutting = true;
  options.unit_diagonals = true;
  const GraphFile file = parse_graph(kSmallMap, "small.map", options);
  EXPECT_EQ(file.graph.degree(file.names.find("1,0")), 4u);
  EXPECT_EQ(file.graph.arcs(file.names.find("3,0"))[0], (Arc{file.names.find("2,1"), 1}));
}

// Sums of these diagonals are exact in any order; and 92682/65536 is so near to √2 that a cheapest
// path stays one: |a + b√2| never falls below |b| times the error while |b| < 570.
TEST(MovingAi, ExactDiagonals) {
  const Weight diagonal =
      parse_graph(kSmallMap, "small.map", {.exact_diagonals = true}).graph.arcs(1)[1].weight;
  EXPECT_EQ(diagonal * 65536, 92682);
  const double error = diagonal - std::numbers::sqrt2;
  EXPECT_LT(std::abs(error), 1.6e-6);
  for (int b = 1; b < 570; ++b) {
    const double off = b * std::numbers::sqrt2 - std::round(b * std::numbers::sqrt2);
    EXPECT_LT(b * std::abs(error), std::abs(off)) << b;
  }
}

TEST(Binary, KeepsEverythingAndOpensFromFileMemoryAndPacked) {
  const ScratchFolder folder;
  GraphFile road = testing::road_file(500, 17);
  const GraphFile triangle = parse_graph(kTriangle, "triangle.gr");
  const GraphFile grid = parse_graph(kSmallMap, "small.map");
  for (const GraphFile* file : std::initializer_list<const GraphFile*>{&road, &triangle, &grid}) {
    for (const std::string name : {"a.lsg", "a.lsg.gz", "a.lsg.xz"}) {
      EXPECT_TRUE(write_graph(*file, folder / name).empty());
      const GraphFile back = read_graph(folder / name);
      expect_same(file->graph, back.graph);
      expect_same_names(*file, back);
    }
    expect_same(file->graph, parse_graph(folder.read("a.lsg"), "a.lsg").graph);
  }
  road.graph = road.graph.ordered(ArcOrder::kByWeight);
  write_graph(road, folder / "weight.lsg");
  expect_same(road.graph, read_graph(folder / "weight.lsg").graph);
}

TEST(Queries, ReadTsvWithAndWithoutCosts) {
  const GraphFile graph = parse_graph(kTriangle, "triangle.gr");
  const QueryFile queries =
      parse_queries("# s t cost settled\n1\t2\t5\t17\n2 1\n3\t3\tinf\n1\t3\t\t4\n", "q.tsv", graph);
  ASSERT_EQ(queries.lines.size(), 4u);
  EXPECT_FALSE(queries.scenario);
  EXPECT_EQ(queries.lines[0].query, (Query{0, 1}));
  EXPECT_EQ(queries.lines[0].expected, 5);
  EXPECT_EQ(queries.lines[1].query, (Query{1, 0}));
  EXPECT_FALSE(queries.lines[1].expected.has_value());
  EXPECT_EQ(queries.lines[2].expected, kInfinity);
  EXPECT_FALSE(queries.lines[3].expected.has_value());
}

TEST(Queries, ReadScenarios) {
  const GraphFile graph = parse_graph(kSmallMap, "small.map");
  const QueryFile queries = parse_queries(
      "version 1\n"
      "0\tmaps/a b.map\t4\t3\t0\t0\t1\t1\t1.41421\n"
      "0 small.map 4 3 0 0 3 0 0\r\n"
      "0 small.map 4 3 0 0 0 0 0\n",
      "small.map.scen", graph);
  ASSERT_EQ(queries.lines.size(), 3u);
  EXPECT_TRUE(queries.scenario);
  EXPECT_EQ(queries.lines[0].query, (Query{0, graph.names.find("1,1")}));
  EXPECT_EQ(queries.lines[0].expected, 1.41421);
  EXPECT_EQ(queries.lines[1].expected, kInfinity);
  EXPECT_EQ(queries.lines[2].expected, 0);
}

}  // namespace
}  // namespace lodestar::graph_io_test
