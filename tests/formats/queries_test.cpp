// Files of queries: names, headers, costs, scenarios, and lines with unknown nodes.
#include <gtest/gtest.h>

#include "lodestar/graph_io.h"
#include "scratch_folder.h"

namespace lodestar::queries_test {
namespace {

GraphFile named() {
  return parse_graph("a,s,1\ns,t,2\nt,long name,3\n", "x.csv");
}
GraphFile grid() {
  return parse_graph("type octile\nheight 2\nwidth 3\nmap\n..@\n...\n", "x.map");
}

std::string failure(const std::string& text, const std::string& name, const GraphFile& graph) {
  try {
    parse_queries(text, name, graph, UnknownNodes::kRefuse);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Queries, NamesBetweenTabsOrBlanks) {
  const GraphFile graph = named();
  const auto node = [&](const char* name) { return graph.names.find(name); };
  const QueryFile blanks =
      parse_queries("# comment\na  t\n\nt s 2.5\na a -\n", "q.tsv", graph, UnknownNodes::kRefuse);
  ASSERT_EQ(blanks.lines.size(), 3u);
  EXPECT_FALSE(blanks.scenario);
  EXPECT_EQ(blanks.lines[0].query.target, node("t"));
  EXPECT_FALSE(blanks.lines[0].expected);
  EXPECT_EQ(blanks.lines[1].expected, 2.5);
  EXPECT_EQ(blanks.lines[2].expected, kInfinity);
  const QueryFile tabs =
      parse_queries("a\tlong name\t6\nlong name\ta\t\n", "q", graph, UnknownNodes::kRefuse);
  ASSERT_EQ(tabs.lines.size(), 2u);
  EXPECT_EQ(tabs.lines[0].query.target, node("long name"));
  EXPECT_FALSE(tabs.lines[1].expected);
}

TEST(Queries, HeadersAreKnownWords) {
  const GraphFile graph = parse_graph("p sp 3 1\na 1 2 5\n", "three.gr");
  for (const char* header : {"s t", "source\ttarget\tcost", "from to"}) {
    const QueryFile file =
        parse_queries(std::string(header) + "\n1 2\n", "q", graph, UnknownNodes::kRefuse);
    EXPECT_EQ(file.lines.size(), 1u) << header;
  }
  for (const char* wrong : {"s target", "source t", "from target", "source to", "to from"}) {
    EXPECT_NE(failure(std::string(wrong) + "\n1 2\n", "q", graph), "no error") << wrong;
  }
  EXPECT_NE(failure("1 2\ns t\n", "q", graph), "no error");  // only as the first line
  // Nodes of these names are nodes.
  const QueryFile file = parse_queries("s t\n", "q", named(), UnknownNodes::kRefuse);
  EXPECT_EQ(file.lines.size(), 1u);
}

TEST(Queries, WrongLinesAreNamed) {
  const GraphFile graph = named();
  EXPECT_NE(failure("a\n", "q", graph).find("q:1: `SOURCE TARGET"), std::string::npos);
  EXPECT_NE(failure("a t\nx t\n", "q", graph).find("q:2: the graph has no node 'x'"),
            std::string::npos);
  EXPECT_NE(failure("a x\n", "q", graph).find("no node 'x'"), std::string::npos);
  EXPECT_NE(failure("a t -1\n", "q", graph).find("is negative"), std::string::npos);
  EXPECT_NE(failure("a t one\n", "q", graph).find("a cost"), std::string::npos);
  for (const char* none : {"inf", "infinity", "-", "none", "unreachable"}) {
    EXPECT_EQ(failure(std::string("a t ") + none, "q", graph), "no error") << none;
  }
  const QueryFile rest = parse_queries("a t\nx t\nt a\n", "q", graph, UnknownNodes::kSkip);
  EXPECT_EQ(rest.lines.size(), 2u);
  ASSERT_EQ(rest.skipped.size(), 1u);
  EXPECT_NE(rest.skipped[0].find("q:2:"), std::string::npos);
  // Only unknown nodes are skipped.
  EXPECT_THROW(parse_queries("a\n", "q", graph, UnknownNodes::kSkip), Error);
}

TEST(Queries, Scenarios) {
  const GraphFile graph = grid();
  const auto parse = [&](const std::string& lines) {
    return parse_queries("version 1\n" + lines, "x.scen", graph, UnknownNodes::kRefuse);
  };
  const QueryFile file = parse(
      "0\tx.map\t3\t2\t0\t0\t1\t0\t1\n0\ta map\t3\t2\t0\t0\t0\t1\t0 \t\n0 a map 3 2 1 1 1 1 0\n");
  EXPECT_TRUE(file.scenario);
  ASSERT_EQ(file.lines.size(), 3u);
  EXPECT_EQ(file.lines[0].expected, 1);
  EXPECT_EQ(file.lines[1].expected, kInfinity);  // 0 between two cells: no path
  EXPECT_EQ(file.lines[2].expected, 0);
  EXPECT_EQ(file.lines[2].query.source, file.lines[2].query.target);
  const auto reason = [&](const std::string& text) { return failure(text, "x.scen", graph); };
  EXPECT_NE(reason("").find("version"), std::string::npos);
  EXPECT_NE(reason("vision 1\n").find("version"), std::string::npos);
  EXPECT_NE(reason("version 1\n0 x 3 2 0 0 1 0\n").find("nine fields"), std::string::npos);
  EXPECT_NE(reason("version 1\n0 x 4 2 0 0 1 0 1\n").find("4 × 2"), std::string::npos);
  EXPECT_NE(reason("version 1\n0 x 3 3 0 0 1 0 1\n").find("3 × 3"), std::string::npos);
  EXPECT_NE(reason("version 1\n0 x 3 2 2 0 1 0 1\n").find("blocked or outside"), std::string::npos);
  EXPECT_NE(reason("version 1\n0 x 3 2 0 0 3 0 1\n").find("blocked or outside"), std::string::npos);
  EXPECT_NE(reason("version 1\n0 x 3 2 0 0 0 2 1\n").find("blocked or outside"), std::string::npos);
  EXPECT_NE(failure("version 1\n", "x.scen", named()).find("require a grid"), std::string::npos);
  const ScratchFolder folder;
  const std::string path = folder.write("x.scen", "version 1\n0 x 3 2 0 0 1 0 1\n");
  EXPECT_EQ(read_queries(path, graph, UnknownNodes::kRefuse).lines.size(), 1u);
  EXPECT_THROW(read_queries(folder / "no.scen", graph, UnknownNodes::kRefuse), Error);
}

TEST(Queries, NamesOfCells) {
  const GraphFile graph = grid();
  EXPECT_NE(graph.names.find("0,0"), kNoNode);
  EXPECT_EQ(graph.names.find("1,1"), graph.names.find_cell(1, 1));
  for (const char* none : {"2,0", "3,0", "0,2", "0", "a,0", "0,b", ",", "0,0,0", "-1,0"}) {
    EXPECT_EQ(graph.names.find(none), kNoNode) << none;
  }
  EXPECT_EQ(named().names.find_cell(0, 0), kNoNode);
}

}  // namespace
}  // namespace lodestar::queries_test
