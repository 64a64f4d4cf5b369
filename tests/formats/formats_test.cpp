// What each format means, and that graphs survive the way from one to another.
#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <set>

#include "graph_equality.h"
#include "lodestar/atomic_file.h"
#include "lodestar/generate.h"
#include "lodestar/graph_stats.h"
#include "road.h"
#include "scratch_folder.h"

namespace lodestar::formats_test {
namespace {

using Notes = std::vector<std::string>;

TEST(Pace, IsUndirectedWithWeightOne) {
  const GraphFile file = parse_graph("c x\np tw 3 2\n1 2\n2 3\n", "a.gr");
  EXPECT_EQ(file.format, "PACE");
  EXPECT_TRUE(file.graph.symmetric());
  EXPECT_EQ(file.graph.arcs(1)[1], (Arc{2, 1}));
  EXPECT_EQ(file.notes, Notes{"no weights; each is 1"});
}

TEST(SteinLib, ReadsEdgesAndPassesOverTheRest) {
  const GraphFile file = parse_graph(
      "33D32945 STP File, STP Format Version 1.0\n"
      "SECTION Comment\nName \"x\"\nEND\n\n"
      "SECTION Graph\nNodes 3\nEdges 2\nE 1 2 230000001\nE 2 3 0\nEND\n\n"
      "SECTION Terminals\nTerminals 1\nT 1\nEND\n\nEOF\n",
      "a.gr");
  EXPECT_EQ(file.format, "SteinLib");
  EXPECT_TRUE(file.graph.symmetric());
  EXPECT_EQ(file.graph.arcs(0)[0], (Arc{1, 230000001}));
  EXPECT_EQ(file.notes, (Notes{"section 'Comment' ignored", "section 'Terminals' ignored"}));
}

TEST(Metis, ReadsEdgeWeightsAndPassesOverNodeWeights) {
  const GraphFile plain = parse_graph("% c\n4 2\n2\n1 3\n2\n\n", "a.graph");
  EXPECT_EQ(plain.graph.node_count(), 4u);
  EXPECT_EQ(plain.graph.arc_count(), 4u);
  const GraphFile weighted = parse_graph("2 1 111 2\n9 8 8 2 5\n9 8 8 1 5\n", "a.graph");
  EXPECT_EQ(weighted.graph.arcs(0)[0], (Arc{1, 5}));
  EXPECT_EQ(weighted.notes, Notes{"weights of nodes are ignored"});
  const GraphFile loop = parse_graph("1 1 1\n1 5\n", "a.graph");
  EXPECT_EQ(loop.graph.arcs(0)[0], (Arc{0, 5}));
}

TEST(MatrixMarket, EntriesAreArcsFromRowToColumn) {
  const GraphFile general = parse_graph(
      "%%MatrixMarket MATRIX Coordinate Real general\n% c\n3 3 2\n1 2 .5\n3 1 2e3\n", "a.mtx");
  EXPECT_EQ(general.graph.arcs(0)[0], (Arc{1, 0.5}));
  EXPECT_EQ(general.graph.arcs(2)[0], (Arc{0, 2000}));
  EXPECT_FALSE(general.graph.symmetric());
  const GraphFile pattern =
      parse_graph("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n", "a.mtx");
  EXPECT_EQ(pattern.graph.arc_count(), 3u);  // the self-loop once
  EXPECT_EQ(pattern.notes, Notes{"no weights; each is 1"});
}

TEST(EdgeList, NumbersAreConsecutiveNodesOrNames) {
  const GraphFile dense = parse_graph("# c\n10\t12\t1\n11\t10\t2.5\n", "a.tsv");
  EXPECT_EQ(dense.names.kind(), NodeNames::Kind::kNumbered);
  EXPECT_EQ(dense.names.base(), 10u);
  EXPECT_EQ(dense.graph.arcs(1)[0], (Arc{0, 2.5}));
  const GraphFile sparse = parse_graph("9 100\n100 20\n", "a.txt");
  EXPECT_EQ(sparse.graph.node_count(), 3u);
  EXPECT_EQ(sparse.names.name(1), "20");  // ascending as numbers, not as text
  EXPECT_EQ(sparse.names.find("100"), 2u);
  EXPECT_EQ(sparse.notes, Notes{"no weights; each is 1"});
}

TEST(EdgeList, HeaderNamesTheColumnsAndQuotesHoldAnything) {
  const char* text =
      "name,Length,To,from,cost\r\n"
      "\"x, y\",1.5,b,\"say \"\"a\"\"\",7\r\n"
      ",2,c,b,8\r\n";
  const GraphFile file = parse_graph(text, "a.csv");
  const NodeId a = file.names.find("say \"a\"");
  const NodeId b = file.names.find("b");
  ASSERT_NE(a, kNoNode);
  EXPECT_EQ(file.graph.arcs(a)[0], (Arc{b, 1.5}));
  EXPECT_EQ(file.notes, Notes{"ignored columns: 'name', 'cost'"});
  ReadOptions options;
  options.weight = "cost";
  options.undirected = true;
  const GraphFile other = parse_graph(text, "a.csv", options);
  EXPECT_EQ(other.graph.arcs(a)[0], (Arc{b, 7}));
  EXPECT_TRUE(other.graph.symmetric());
  options.weight = "tolls";
  EXPECT_THROW(parse_graph(text, "a.csv", options), Error);
}

TEST(EdgeList, TheOrderOfLinesDoesNotMatter) {
  const GraphFile one = parse_graph("a,b,1\nb,c,2\nc,a,3\n", "a.csv");
  const GraphFile two = parse_graph("c,a,3\nb,c,2\na,b,1\n", "a.csv");
  expect_same(one.graph, two.graph);
  expect_same_names(one, two);
}

TEST(Cedge, NodesAreThoseOfTheNodeFile) {
  const ScratchFolder folder;
  folder.write("a.cedge", "0 0 2 57.403187\n");
  EXPECT_EQ(read_graph(folder / "a.cedge").graph.node_count(), 2u);
  folder.write("a.cnode", "2 1.5 2\n0 3 4\n1 5 6\n");
  const GraphFile file = read_graph(folder / "a.cedge");
  EXPECT_EQ(file.graph.node_count(), 3u);
  EXPECT_EQ(file.graph.coordinate_kind(), CoordinateKind::kPlane);
  EXPECT_EQ(file.graph.points()[2], (Point{1.5, 2}));
  EXPECT_EQ(file.graph.arcs(2)[0], (Arc{0, 57.403187}));
  ReadOptions options;
  options.coordinates = folder.write("other.cnode", "0 0 0\n2 9 9\n");
  EXPECT_EQ(read_graph(folder / "a.cedge", options).graph.points()[1], (Point{9, 9}));
}

constexpr const char* kOsmnx = R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d4" for="edge" attr.name="travel_time" attr.type="string"/>
  <key id="d3" for="edge" attr.name="length" attr.type="string"/>
  <key id="d2" for="node" attr.name="x" attr.type="string"/>
  <key id="d1" for="node" attr.name="y" attr.type="string"/>
  <key id="d0" for="graph" attr.name="crs" attr.type="string"/>
  <graph edgedefault="directed">
    <data key="d0">epsg:4326</data>
    <node id="25177397"><data key="d1">43.74</data><data key="d2">7.42</data></node>
    <node id="21912089"><data key="d1">43.73</data><data key="d2">7.41</data></node>
    <edge source="21912089" target="25177397" id="0">
      <data key="d3"> 12.5 </data><data key="d4">1</data>
    </edge>
    <edge source="21912089" target="25177397" id="1">
      <data key="d3">13</data><data key="d4">2</data>
    </edge>
  </graph>
</graphml>)";

TEST(GraphMl, ReadsWhatOsmnxWrites) {
  const GraphFile file = parse_graph(kOsmnx, "a.graphml");
  EXPECT_EQ(file.graph.node_count(), 2u);
  EXPECT_EQ(file.names.find("25177397"), 1u);
  EXPECT_EQ(file.graph.arcs(0)[0], (Arc{1, 12.5}));
  EXPECT_EQ(file.graph.arcs(0)[1], (Arc{1, 13}));
  EXPECT_EQ(file.graph.arcs(1).size(), 0u);
  EXPECT_EQ(file.graph.coordinate_kind(), CoordinateKind::kDegrees);
  EXPECT_EQ(file.graph.points()[1], (Point{7.42, 43.74}));
  EXPECT_EQ(file.notes, Notes{"weight is 'length'"});
  ReadOptions options;
  options.weight = "travel_time";
  EXPECT_EQ(parse_graph(kOsmnx, "a.graphml", options).graph.arcs(0)[0], (Arc{1, 1}));
}

TEST(GraphMl, DefaultsAndSingleDirectedEdges) {
  const GraphFile file = parse_graph(
      "<graphml><key id='w' for='edge' attr.name='weight'><default>2</default></key>"
      "<graph edgedefault='undirected'><node id='a&amp;b'/><node id='c'/>"
      "<edge source='c' target='a&amp;b' directed='true'/><edge source='c' target='c'/>"
      "</graph></graphml>",
      "a.graphml");
  EXPECT_EQ(file.names.name(0), "a&b");
  EXPECT_EQ(file.graph.arcs(1)[0], (Arc{0, 2}));
  EXPECT_EQ(file.graph.arcs(1)[1], (Arc{1, 2}));
  EXPECT_EQ(file.graph.arcs(0).size(), 0u);
}

// Graphs of every kind that formats distinguish; each node has an arc.
std::vector<GraphFile> samples() {
  std::vector<GraphFile> out;
  out.push_back(
      parse_graph("p sp 3 5\na 1 2 0.1\na 1 2 5\na 2 3 9007199254740992\na 3 3 0\na 3 1 "
                  "1e-280\n",
                  "directed.gr"));
  out.push_back(parse_graph("p tw 4 5\n1 2\n2 3\n2 3\n3 4\n4 4\n", "unweighted.tw"));
  out.push_back(
      parse_graph("1,2,0.3333333333333333\n2,3,1e22\n", "numbers.csv", {.undirected = true}));
  out.push_back(parse_graph("x y,\"a,b\",1\n\"a,b\",\"#\",2\n", "names.csv"));
  out.push_back(
      parse_graph("type octile\nheight 4\nwidth 4\nmap\n..@.\nGS..\n@...\n@@@@\n", "a.map"));
  out.push_back(parse_graph(kOsmnx, "a.graphml"));
  out.push_back(testing::road_file(300, 1));
  return out;
}

// Every arc as text, by the names of its ends or by their numbers.
std::multiset<std::string> arcs_of(const GraphFile& file, bool by_number) {
  std::multiset<std::string> out;
  const auto name = [&](NodeId v) { return by_number ? std::to_string(v) : file.names.name(v); };
  for (NodeId u = 0; u < file.graph.node_count(); ++u) {
    for (const Arc arc : file.graph.arcs(u)) {
      std::array<char, 32> digits;
      const auto end = std::to_chars(digits.begin(), digits.end(), arc.weight).ptr;
      out.insert(name(u) + " -> " + name(arc.head) + " " + std::string(digits.begin(), end));
    }
  }
  return out;
}

// A writer that reports no loss must give everything back.
TEST(RoundTrip, EveryFormatThatHoldsTheGraphGivesItBack) {
  const ScratchFolder folder;
  const std::string extensions[] = {".gr",  ".gr.gz",  ".gr.xz",   ".tw",        ".stp",   ".graph",
                                    ".mtx", ".csv",    ".tsv.xz",  ".txt",       ".cedge", ".map",
                                    ".lsg", ".lsg.gz", ".graphml", ".graphml.gz"};
  int held = 0;
  int refused = 0;
  for (const GraphFile& file : samples()) {
    for (const std::string& extension : extensions) {
      SCOPED_TRACE(file.format + " to " + extension);
      const std::string path = folder / ("a" + std::to_string(held + refused) + extension);
      Notes losses;
      try {
        losses = write_graph(file, path);
      } catch (const Error&) {
        EXPECT_FALSE(std::filesystem::exists(path));
        ++refused;
        continue;
      }
      const GraphFile back = read_graph(path);
      if (losses.empty()) {
        expect_same(file.graph, back.graph);
        expect_same_names(file, back);
      }
      // Whatever else is lost, arcs and weights never are.
      const bool names_lost = !losses.empty() && losses[0].starts_with("node names");
      EXPECT_EQ(arcs_of(file, names_lost), arcs_of(back, names_lost));
      ++held;
    }
  }
  // 4 undirected-only formats refuse the 3 directed samples; .tw all weighted ones; .map all but
  // the grid.
  EXPECT_GT(held, 60);
  EXPECT_GT(refused, 15);
}

TEST(RoundTrip, WritersSayWhatTheyLose) {
  const ScratchFolder folder;
  const GraphFile named = parse_graph(kOsmnx, "a.graphml");
  EXPECT_EQ(write_graph(named, folder / "a.gr"), Notes{"node names; nodes are numbered from 1"});
  EXPECT_EQ(read_graph(folder / "a.gr").graph.points()[1], (Point{7.42, 43.74}));
  EXPECT_EQ(write_graph(named, folder / "a.csv"), Notes{"coordinates"});
  for (const char* name : {"a.mtx", "a.graph", "a.stp", "b.gr"}) {
    GraphFile plain = parse_graph("p sp 2 2\na 1 2 1\na 2 1 1\n", "a.gr");
    EXPECT_EQ(write_graph(plain, folder / name), Notes{}) << name;
    plain.names = NodeNames::numbered(0, 2);
    EXPECT_EQ(write_graph(plain, folder / name), Notes{"node names; nodes are numbered from 1"});
  }
  const GraphFile isolated = parse_graph("p sp 3 1\na 1 3 2\n", "a.gr");
  EXPECT_EQ(write_graph(isolated, folder / "b.csv"), Notes{"nodes without arcs: 1"});
  EXPECT_THROW(write_graph(named, folder / "a.graph"), Error);
  EXPECT_THROW(write_graph(named, folder / "a.tw"), Error);
  EXPECT_THROW(write_graph(named, folder / "a.map"), Error);
  EXPECT_THROW(write_graph(named, folder / "a.unknown"), Error);
  const char* map = "type octile\nheight 2\nwidth 2\nmap\n..\n..\n";
  EXPECT_THROW(write_graph(parse_graph(map, "a.map", {.unit_diagonals = true}), folder / "u.map"),
               Error);
}

TEST(AtomicFile, AppearsWholeOrNotAtAll) {
  const ScratchFolder folder;
  folder.write("a.txt", "old");
  {
    AtomicFile file(folder / "a.txt");
    file.write("half");
  }
  EXPECT_EQ(folder.read("a.txt"), "old");
  EXPECT_EQ(folder.file_count(), 1u);
  {
    AtomicFile file(folder / "a.txt");
    file.write("new");
    EXPECT_EQ(folder.read("a.txt"), "old");
    file.commit();
  }
  EXPECT_EQ(folder.read("a.txt"), "new");
  EXPECT_EQ(folder.file_count(), 1u);
  EXPECT_THROW(AtomicFile("/nowhere/a.txt"), Error);
  EXPECT_THROW(AtomicFile(folder / "."), Error);

  std::filesystem::create_symlink(folder / "a.txt", folder / "link");
  AtomicFile file(folder / "link");
  file.write("through");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(folder.read("a.txt"), "through");
}

TEST(AtomicFile, AWriterThatFailsLeavesNothing) {
  const ScratchFolder folder;
  GraphFile named = parse_graph("a,b,1\n", "a.csv");
  named.names = NodeNames::table({"fine", "two\nlines"});
  EXPECT_THROW(write_graph(named, folder / "a.csv"), Error);  // halfway through
  EXPECT_THROW(write_graph(named, folder / "a.graphml"), Error);
  EXPECT_EQ(folder.file_count(), 0u);
}

TEST(AtomicFile, ADeviceIsWrittenToAndStaysOne) {
  AtomicFile file("/dev/null");
  file.write("x");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(NodeNames, TablesFindEachNameAndRefuseTwins) {
  const NodeNames names = NodeNames::table({"b", "", "a", "ab"});
  for (const NodeId v : {0u, 1u, 2u, 3u}) EXPECT_EQ(names.find(names.name(v)), v);
  EXPECT_EQ(names.find("c"), kNoNode);
  EXPECT_THROW(NodeNames::table({"a", "a"}), Error);
}

TEST(GraphStats, CountsWhatIsThere) {
  const Graph graph =
      parse_graph("p sp 6 6\na 1 2 0\na 2 1 3\na 2 1 4\na 3 3 5\na 2 4 1.5\na 4 5 1\n", "a.gr")
          .graph;
  const GraphStats stats = graph_stats(graph);
  EXPECT_EQ(stats.self_loops, 1u);
  EXPECT_EQ(stats.parallel_arcs, 1u);
  EXPECT_EQ(stats.zero_weights, 1u);
  EXPECT_EQ(stats.isolated, 1u);
  EXPECT_FALSE(stats.whole_weights);
  EXPECT_EQ(stats.min_weight, 0);
  EXPECT_EQ(stats.max_weight, 5);
  EXPECT_EQ(stats.max_degree, 3u);
  EXPECT_EQ(stats.weak.count, 3u);  // {1, 2, 4, 5}, {3}, {6}
  EXPECT_EQ(stats.weak.largest, 4u);
  EXPECT_EQ(stats.strong.count, 5u);  // {1, 2}, {3}, {4}, {5}, {6}
  EXPECT_EQ(stats.strong.largest, 2u);
  EXPECT_EQ(oddities(stats), (Notes{"1 self-loop", "1 arc parallel to another", "1 arc of weight 0",
                                    "1 node without arcs"}));
  EXPECT_EQ(graph_stats(graph.ordered(ArcOrder::kByWeight)).parallel_arcs, 1u);
  EXPECT_EQ(graph_stats(Graph()).weak.count, 0u);
}

// Two nodes are strongly connected if each reaches the other: checked by plain reachability.
TEST(GraphStats, StrongComponentsAgreeWithReachability) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    const NodeId n = 1 + rng.below(12);
    GraphBuilder builder(n);
    for (std::uint32_t i = rng.below(3 * n); i > 0; --i) {
      const NodeId tail = rng.below(n);
      builder.add_arc(tail, rng.below(n), 1);
    }
    const Graph graph = builder.build();
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
    for (NodeId u = 0; u < n; ++u) {
      reach[u][u] = true;
      for (const Arc arc : graph.arcs(u)) reach[u][arc.head] = true;
    }
    for (NodeId k = 0; k < n; ++k) {
      for (NodeId u = 0; u < n; ++u) {
        for (NodeId v = 0; v < n; ++v) {
          if (reach[u][k] && reach[k][v]) reach[u][v] = true;
        }
      }
    }
    const Components strong = strong_components(graph);
    for (NodeId u = 0; u < n; ++u) {
      for (NodeId v = 0; v < n; ++v) {
        EXPECT_EQ(strong.of[u] == strong.of[v], reach[u][v] && reach[v][u]);
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::formats_test
