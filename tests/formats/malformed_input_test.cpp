// Every way a file can be wrong: an Error that names file and line, never a crash.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "error_of.h"
#include "formats/binary.h"
#include "formats/bytes.h"
#include "lodestar/graph_io.h"
#include "lodestar/version.h"
#include "scratch_folder.h"

namespace lodestar::malformed_input_test {
namespace {

using testing::error_of;

struct Malformed {
  const char* name;  // decides the format
  const char* text;
  const char* message;  // what the Error must say; begins with ":LINE:" where there is a line
};

const Malformed kGraphs[] = {
    // DIMACS, and distinguishing the .gr formats
    {"a.gr", "", ":0: the file is empty"},
    {"a.gr", "c only\n", ":1: the file is empty"},
    {"a.gr", "hello\n", ":1: neither DIMACS (`p sp`), PACE (`p tw`) nor SteinLib"},
    {"a.gr", "p max 3 3\n", ":1: neither DIMACS"},
    {"a.gr", "p sp\n", ":1: the number of nodes is missing"},
    {"a.gr", "p sp x 1\n", ":1: the number of nodes expected, found 'x'"},
    {"a.gr", "p sp -2 1\n", ":1: the number of nodes expected, found '-2'"},
    {"a.gr", "p sp 2 1 7\na 1 2 1\n", ":1: unexpected '7'"},
    {"a.gr", "p sp 4000000000 0\n", ":1: announces 4000000000 nodes, but only 0 bytes follow"},
    {"a.gr", "p sp 4294967295 0\n", ":1: announces 4294967295 nodes; the limit is 2^32 - 2"},
    {"a.gr", "p sp 99999999999999999999 0\n", ":1: the number of nodes expected"},
    {"a.gr", "p sp 2 9000000000000000000\na 1 2 1\n", ":1: announces 9000000000000000000 arcs"},
    {"a.gr", "p sp 2 2\na 1 2 1\n", ":1: announces 2 arcs, but only 8 bytes follow"},
    {"a.gr", "p sp 2 8\na 1 2 1\na 1 2 1\na 1 2 1\na 1 2 1\na 1 2 1\na 1 2 1\na 1 2 1\n",
     ":1: announces 8 arcs, but only 56 bytes follow"},
    {"a.gr", "p sp 2 2\na 1 2 1\nc a long comment\n", ":3: the file ends after 1 arcs; 2 are"},
    {"a.gr", "p sp 2 1\na 1 2 1\na 2 1 1\n", ":3: more arcs than the 1 announced"},
    {"a.gr", "p sp 2 1\na 1 3 1\n", ":2: node 3 is out of range; nodes are 1 to 2"},
    {"a.gr", "p sp 2 1\na 0 1 1\n", ":2: node 0 is out of range"},
    {"a.gr", "p sp 0 1\na 1 1 1\n", ":2: node 1 is out of range; the graph has no nodes"},
    {"a.gr", "p sp 2 1\na 1 2 -1\n", ":2: weight '-1' is negative"},
    {"a.gr", "p sp 2 1\na 1 2 nan\n", ":2: a weight is nan; it must be finite"},
    {"a.gr", "p sp 2 1\na 1 2 inf\n", ":2: a weight is inf; it must be finite"},
    {"a.gr", "p sp 2 1\na 1 2 1e999\n", ":2: a weight '1e999' is beyond what a double holds"},
    {"a.gr", "p sp 2 1\na 1 2 9007199254740993\n",
     ":2: weight '9007199254740993' cannot be stored"},
    {"a.gr", "p sp 2 1\na 1 2 0x10\n", ":2: a weight expected, found '0x10'"},
    {"a.gr", "p sp 2 1\na 1 2 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
     ":2: a weight expected, found 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'"},
    {"a.gr", "p sp 2 1\na 1 2 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy\n",
     ":2: a weight expected, found 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"},
    {"a.gr", "p sp 2 1\na 1 2 \n", ":2: a weight is missing"},
    {"a.gr", "p sp 2 1\na 1  \n\n\n", ":2: a node is missing"},
    {"a.gr", "p sp 2 1\na 1 2 3 4\n", ":2: unexpected '4'"},
    {"a.gr", "p sp 2 1\nab 1 2 3\n", ":2: `a TAIL HEAD WEIGHT` expected, found 'ab 1 2 3'"},
    {"a.gr", "p sp 2 1\ne 1 2 3\n", ":2: `a TAIL HEAD WEIGHT` expected"},
    // PACE
    {"a.tw", "p tw 2 1\n1 2 3\n", ":2: unexpected '3'"},
    {"a.tw", "p tw 2 1\n1 x\n", ":2: a node expected, found 'x'"},
    {"a.tw", "p tw 2 1\n1 3\n", ":2: node 3 is out of range"},
    {"a.tw", "p tw 2 1\n1 2\n2 1\n", ":3: more edges than the 1 announced"},
    {"a.tw", "p tw 2 2\n1 2\nc more\n", ":3: the file ends after 1 edges"},
    {"a.tw", "", ":0: the file is empty"},
    {"a.tw", "q tw 2 2\n", ":1: `p tw NODES EDGES` expected"},
    {"a.tw", "p sp 2 2\n", ":1: `p tw NODES EDGES` expected"},
    // SteinLib
    {"a.stp", "", ":0: SECTION Graph is missing"},
    {"a.stp", "SECTION Graph\nNodes 2\nEdges 1\nE 1 2 3\n", ":4: the file ends inside SECTION"},
    {"a.stp", "SECTION Comment\nx\n", ":2: the file ends inside SECTION Comment"},
    {"a.stp", "SECTION Graph\nE 1 2 3\nEND\n", ":2: `Nodes` and `Edges` must come first"},
    {"a.stp", "SECTION Graph\nNodes 2\nE 1 2 3\nEND\n", ":3: `Nodes` and `Edges` must"},
    {"a.stp", "SECTION Graph\nEdges 0\nEND\n", ":3: `Nodes` or `Edges` is missing"},
    {"a.stp", "SECTION Graph\nNodes 2\nEND\n", ":3: `Nodes` or `Edges` is missing"},
    {"a.stp", "SECTION Graph\nNodes 2\nNodes 3\n", ":3: `Nodes` is given twice"},
    {"a.stp", "SECTION Graph\nNodes 2\nEdges 0\nEdges 0\n", ":4: the number of edges is given"},
    {"a.stp", "SECTION Graph\nNodes 2\nEdges 2\nE 1 2 3\nEND\nEOF\n", ":5: the section ends after"},
    {"a.stp", "SECTION Graph\nNodes 2\nEdges 0\nE 1 2 3\nEND\n", ":4: more edges than the 0"},
    {"a.stp", "SECTION Graph\nNodes 2\nEdges 999\nEND\n", ":3: announces 999 edges"},
    {"a.stp", "SECTION Graph\nNodes 2\nEdges 0\nX\n", ":4: `E U V WEIGHT` or END expected"},
    {"a.stp", "SECTION Graph\nNodes 0\nEdges 0\nEND\nx\n", ":5: `SECTION …` or EOF expected"},
    {"a.stp", "SECTION Graph\nNodes 0\nEdges 0\nEND\nSECTION Graph\n",
     ":5: SECTION Graph is given"},
    // METIS
    {"a.graph", "% c\n", ":1: the file is empty"},
    {"a.graph", "2 1 2\n2\n1\n", ":1: format '2' is unknown"},
    {"a.graph", "2 1 0011\n2\n1\n", ":1: format '0011' is unknown"},
    {"a.graph", "9 1\n2\n1\n", ":1: announces 9 nodes, but only 4 bytes follow"},
    {"a.graph", "2 9\n2\n1\n", ":1: announces 9 edges"},
    {"a.graph", "3 1\n2\n1\n", ":3: the file ends after 2 nodes; 3 are announced"},
    {"a.graph", "2 1\n2\n1\n1\n", ":4: more rows than the 2 nodes announced"},
    {"a.graph", "2 1\n2\n\n", ":2: nodes 1 and 2 disagree"},
    {"a.graph", "2 1 1\n2 5\n1 6\n", ":2: nodes 1 and 2 disagree"},
    {"a.graph", "2 1 1\n2\n1\n", ":2: a weight is missing"},
    {"a.graph", "2 1 11\n\n\n", ":2: a node's weight is missing"},
    {"a.graph", "2 1 11 1001\n2\n1\n", ":1: more than 1000 weights per node"},
    {"a.graph", "3 1\n2 3\n1\n1\n", ": has 2 edges; 1 are announced"},
    {"a.graph", "3 1\n\n1\n\n", ":2: nodes 1 and 2 disagree"},
    {"a.graph", "3 2\n2\n1 3\n\n", ":3: nodes 2 and 3 disagree"},
    {"a.graph", "3 2\n2 3\n1\n2\n", ":2: nodes 1 and 3 disagree"},
    {"a.graph", "4 2\n\n4\n2\n1\n", ":2: nodes 1 and 4 disagree"},
    {"a.graph", "2 1 1 5 6\n2 1\n1 1\n", ":1: unexpected '6'"},
    {"a.graph", "2 1\n3\n1\n", ":2: node 3 is out of range"},
    // Matrix Market
    {"a.mtx", "", ":0: the file is empty"},
    {"a.mtx", "3 3 1\n1 1 1\n", ":1: `%%MatrixMarket matrix coordinate …` expected"},
    {"a.mtx", "%%MatrixMarket matrix array real general\n", ":1: layout 'array' is not supported"},
    {"a.mtx", "%%MatrixMarket matrix coordinate complex general\n", ":1: field 'complex' is not"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real hermitian\n", ":1: symmetry 'hermitian'"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n", ":1: `ROWS COLUMNS ENTRIES`"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 0\n", ":2: the matrix is 2 × 3"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 -5\n", ":3: weight '-5'"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1    \n", ":3: a weight is"},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", ":3: unexpected"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", ":3: the entry"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 9\n1 1 1\n", ":2: announces 9"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n%%%%%%\n",
     ":4: the file"},
    {"a.mtx", "%%MatrixMarket vector coordinate real general\n", ":1: `%%MatrixMarket matrix"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general more\n", ":1: unexpected 'more'"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1 1\n", ":2: unexpected '1'"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n1 2 1\n",
     ":4: more entries than the 1"},
    // edge lists
    {"a.csv", "a\n", ":1: `SOURCE TARGET [WEIGHT]` expected"},
    {"a.csv", "a,b,1,2\n", ":1: more than three columns; add a header line"},
    {"a.csv", "a,b,1\na,b\n", ":2: the line has 2 fields; the first has 3"},
    {"a.csv", "a,b,c\n", ":1: a weight expected, found 'c'"},
    {"a.csv", "a,,1\n", ":1: a node is missing"},
    {"a.csv", "a,\"b,1\n", ":1: a quote is not closed"},
    {"a.csv", "a,\"b\"x,1\n", ":1: text follows a closing quote"},
    {"a.csv", "source,target,weight\na,b,\n", ":2: a weight is missing"},
    {"a.tsv", "a\tb\t-2\n", ":1: weight '-2' is negative"},
    {"a.tsv", "a\tb\t1e-301\n", ":1: weight '1e-301' is out of range"},
    {"a.tsv", "a\tb\t1e308\nb\tc\t1e308\n", ":1: weight '1e308' is out of range"},
    // .cedge
    {"a.cedge", "0 1 2\n", ":1: a weight is missing"},
    {"a.cedge", "0 1\n", ":1: `EDGE U V LENGTH` expected"},
    {"a.cedge", "0 1 2 3 4\n", ":1: unexpected '4'"},
    // GraphML
    {"a.graphml", "", ":1: not well-formed XML: No document element found"},
    {"a.graphml", "<graphml>\n<graph>\n</graphml>", ":3: not well-formed XML"},
    {"a.graphml", "<x/>", ":1: there is no <graphml>"},
    {"a.graphml", "<graphml/>", ":1: there is no <graph>"},
    {"a.graphml", "<graphml><graph/>\n<graph/></graphml>", ":2: there is a second <graph>"},
    {"a.graphml", "<graphml><graph>\n<node/></graph></graphml>", ":2: a node without id"},
    {"a.graphml", "<graphml><graph><node id='a'/>\n<node id='a'/></graph></graphml>",
     ":2: node 'a' is listed twice"},
    {"a.graphml", "<graphml><graph><node id='a'><graph/></node></graph></graphml>",
     ":1: graphs within nodes"},
    {"a.graphml", "<graphml><graph><node id='a'/>\n<edge source='a' target='b'/></graph></graphml>",
     ":2: the edge's target 'b' is no node"},
    {"a.graphml", "<graphml><graph><hyperedge/></graph></graphml>", ":1: hyperedges"},
    {"a.graphml",
     "<graphml><key id='w' for='edge' attr.name='length'/><graph><node id='a'/>\n"
     "<edge source='a' target='a'/></graph></graphml>",
     ":2: the edge has no 'length'"},
    {"a.graphml",
     "<graphml><key id='w' for='edge' attr.name='length'/><graph><node id='a'/>\n"
     "<edge source='a' target='a'><data key='w'>-3</data></edge></graph></graphml>",
     ":2: weight '-3' is negative"},
    {"a.graphml",
     "<graphml><key id='x' for='node' attr.name='x'/><key id='y' for='node' attr.name='y'/><graph>"
     "<node id='a'><data key='x'>1</data><data key='y'>inf</data></node></graph></graphml>",
     ":1: a coordinate is inf"},
    // MovingAI
    {"a.map", "", ":0: the file is empty"},
    {"a.map", "type hex\n", ":1: `type octile` expected, found 'type hex'"},
    {"a.map", "type octile\n", ":1: the file ends where `height N` is expected"},
    {"a.map", "type octile\nwidth 3\n", ":2: `height N` expected"},
    {"a.map", "type octile\nheight 99\nwidth 1\n", ":2: announces 99 rows, but only"},
    {"a.map", "type octile\nheight 1\nwidth 99\nmap\n", ":3: announces 99 columns, but only"},
    {"a.map", "type octile\nheight 4000000000\nwidth 4000000000\nmap\n",
     ":2: announces 4000000000"},
    {"a.map", "type octile\nheight 9\nwidth 9\nmap\n.........\n", ":4: announces 81 cells"},
    {"a.map", "type octile\nheight 1\nwidth 2\nrow\n..\n", ":4: `map` expected"},
    {"a.map", "type octile\nheight 2\nwidth 2\nmap\n...\n..\n", ":5: the row has 3 cells"},
    {"a.map", "type octile\nheight 2\nwidth 2\nmap\n....\n", ":5: the row has 4 cells"},
    {"a.map", "type octile x\n", ":1: `type octile` expected"},
    {"a.map", "kind octile\n", ":1: `type octile` expected"},
    {"a.map", "type octile\nheight 0\nwidth 0\n", ":3: `map` expected"},
    {"a.map", "type octile\nheight 1\nwidth 2\nmap\n.x\n", ":5: cell 'x' is not a terrain"},
    {"a.map", "type octile\nheight 1\nwidth 2\nmap\n..\n..\n", ":6: more rows than"},
    // names and packing
    {"a.xyz", "", ": unknown format; supported extensions are .gr"},
    {"a", "", ": unknown format"},
    {"a.gr.gz", "not gzip", ": is damaged or not gzip"},
    {"a.gr.xz", "not xz at all", ": is damaged or not xz"},
    {"a.gr.gz", "", ": the gzip data is truncated"},
    {"a.gr.xz", "", ": the xz data is truncated"},
    {"a.lsg", "LODESTAR", ": is not a .lsg file"},
};

TEST(MalformedGraph, IsRefusedWithFileAndLine) {
  for (const Malformed& sample : kGraphs) {
    const std::string expected = sample.name + std::string(sample.message);
    const std::string error = error_of([&] { parse_graph(sample.text, sample.name); });
    EXPECT_TRUE(error.starts_with(expected))
        << "input:    " << sample.text << "\nexpected: " << expected << "\nfound:    " << error;
  }
}

TEST(MalformedGraph, OverlongLinesAreRefused) {
  const std::string longer(70'000, ' ');
  EXPECT_EQ(error_of([&] { parse_graph("p sp 1 0\n" + longer + "\n", "a.gr"); }),
            "a.gr:2: the line is longer than 65536 bytes; is this the right format?");
  EXPECT_EQ(error_of([&] { parse_graph("2 1\n" + longer + "2\n1\n", "a.graph"); }), "");
}

TEST(MalformedGraph, WholeNumbersBeyondTwoToThe53MustBeExact) {
  const auto weight = [](const std::string& text) {
    return parse_graph("p sp 2 1\na 1 2 " + text + "\n", "a.gr").graph.arcs(0)[0].weight;
  };
  EXPECT_EQ(weight("9007199254740994"), 0x1p53 + 2);
  EXPECT_EQ(weight("1152921504606846976"), 0x1p60);
  EXPECT_EQ(weight("00000000000000000000000007"), 7);
  EXPECT_THROW(weight("1152921504606846977"), Error);
  EXPECT_EQ(weight("-0"), 0);
  EXPECT_FALSE(std::signbit(weight("-0")));
  EXPECT_EQ(weight("+2.5"), 2.5);
}

const Malformed kCoordinates[] = {
    {"a.co", "", ":0: the file is empty"},
    {"a.co", "p sp 2 2\n", ":1: `p aux …` expected"},
    {"a.co", "p aux sp co 9\n", ":1: announces 9 nodes"},
    {"a.co", "p aux sp co 2\nv 1 1 1\nc padding\n", ":3: the file ends after 1 nodes"},
    {"a.co", "p aux sp co 2\nv 1 1 1\nv 1 1 1\n", ":3: node 1 has coordinates already"},
    {"a.co", "p aux sp co 2\nv 1 1 1\nv 3 1 1\n", ":3: node 3 is out of range"},
    {"a.co", "p aux sp co 1\nv 1 nan 1\n", ":2: a coordinate is nan"},
    {"a.co", "p aux sp co 1\nv 1 1     \n", ":2: a coordinate is missing"},
    {"a.co", "p aux sp co 1\nx 1 1 1\n", ":2: `v NODE X Y` expected"},
    {"a.co", "p aux sp co 1\nv 1 1 1\n", ": has coordinates for 1 nodes; "},
};

TEST(MalformedCoordinates, AreRefusedWithFileAndLine) {
  const ScratchFolder folder;
  folder.write("a.gr", "p sp 2 0\n");
  for (const Malformed& sample : kCoordinates) {
    folder.write("a.co", sample.text);
    const std::string expected = folder / "a.co" + sample.message;
    const std::string error = error_of([&] { read_graph(folder / "a.gr"); });
    EXPECT_TRUE(error.starts_with(expected)) << sample.text << "\nfound: " << error;
  }
  folder.write("b.cedge", "0 1 2 5\n");
  folder.write("b.cnode", "1 0 0\n1 2 2\n");
  EXPECT_EQ(error_of([&] { read_graph(folder / "b.cedge"); }),
            folder / "b.cnode:2: node '1' is listed twice");
  folder.write("b.cnode", "1 0 0\n3 2 2\n");
  EXPECT_EQ(error_of([&] { read_graph(folder / "b.cedge"); }),
            folder / "b.cedge:1: node '2' is not in " + (folder / "b.cnode"));
}

TEST(MalformedQueries, AreRefusedWithFileAndLine) {
  const GraphFile grid = parse_graph("type octile\nheight 2\nwidth 2\nmap\n..\n.@\n", "a.map");
  const GraphFile numbered = parse_graph("p sp 2 0\n", "a.gr");
  const Malformed tsv[] = {
      {"q.tsv", "1\n", ":1: `SOURCE TARGET [COST]` expected"},
      {"q.tsv", "# c\n1 3\n", ":2: the graph has no node '3'"},
      {"q.tsv", "1 01\n", ":1: the graph has no node '01'"},
      {"q.tsv", "1 2 x\n", ":1: a cost expected, found 'x'"},
      {"q.tsv", "1 2 -1\n", ":1: cost -1 is negative"},
      {"q.tsv", "1 2 nan\n", ":1: a cost is nan"},
      {"q.scen", "version 1\n", ": scenarios require a grid; give the .map file they belong to"},
  };
  for (const Malformed& sample : tsv) {
    const std::string error = error_of([&] { parse_queries(sample.text, sample.name, numbered); });
    EXPECT_TRUE(error.starts_with(sample.name + std::string(sample.message))) << error;
  }
  const Malformed scenarios[] = {
      {"q.scen", "", ":0: `version 1` expected"},
      {"q.scen", "0 a 2 2 0 0 0 1 1\n", ":1: `version 1` expected"},
      {"q.scen", "version 1\n0 a 2 2 0 0 0 1\n", ":2: nine fields expected, found 8"},
      {"q.scen", "version 1\n0 a 3 2 0 0 0 1 1\n", ":2: the scenario is for a map of 3 × 2 cells"},
      {"q.scen", "version 1\n0 a 2 2 0 0 1 1 1\n", ":2: cell 1,1 is blocked or outside the map"},
      {"q.scen", "version 1\n0 a 2 2 0 0 2 0 1\n", ":2: cell 2,0 is blocked or outside"},
      {"q.scen", "version 1\n0 a 2 2 0 -1 0 0 1\n", ":2: a row expected, found '-1'"},
      {"q.scen", "version 1\n0 a 2 2 0 0 0 1 -1\n", ":2: cost -1 is negative"},
  };
  for (const Malformed& sample : scenarios) {
    const std::string error = error_of([&] { parse_queries(sample.text, sample.name, grid); });
    EXPECT_TRUE(error.starts_with(sample.name + std::string(sample.message))) << error;
  }
}

TEST(MissingFile, IsNamed) {
  EXPECT_EQ(error_of([] { read_graph("/nowhere/a.gr"); }),
            "/nowhere/a.gr: cannot be opened: No such file or directory");
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "d.gr");
  EXPECT_EQ(error_of([&] { read_graph(folder / "d.gr"); }),
            folder / "d.gr: is a folder; give the path of a file");
}

// A binary file with one thing changed, checksums set right again unless `seal` is false.
class MalformedBinary : public ::testing::Test {
 protected:
  std::string image_of(const char* text, const char* name) {
    write_graph(parse_graph(text, name), folder_ / "a.lsg");
    return folder_.read("a.lsg");
  }
  template <class T>
  static std::string error_after(std::string image, std::size_t at, T value, bool seal = true) {
    std::memcpy(image.data() + at, &value, sizeof value);
    if (seal) formats::seal_binary(image);
    return error_of([&] { parse_graph(image, "a.lsg"); });
  }
  ScratchFolder folder_;
};

TEST_F(MalformedBinary, HeaderThatLies) {
  using Header = formats::BinaryHeader;
  const std::string image = image_of("p sp 3 3\na 1 2 5\na 2 3 6\na 3 1 7\n", "a.gr");
  const auto after = [&](std::size_t at, auto value, bool seal = true) {
    return error_after(image, at, value, seal);
  };
  EXPECT_EQ(error_of([&] { parse_graph(image, "a.lsg"); }), "");
  EXPECT_EQ(after(0, 'x'), "a.lsg: is not a .lsg file");
  EXPECT_EQ(after(offsetof(Header, version), 4),
            std::string("a.lsg: has format 4 of a newer version; this program (") + kVersion +
                ") reads up to format 3; update it, or convert the original again");
  EXPECT_EQ(after(offsetof(Header, endian), 0x04030201),
            "a.lsg: was written on a machine with another byte order; convert it on that machine");
  EXPECT_EQ(after(offsetof(Header, nodes), 2, false),
            "a.lsg: is damaged: its header's checksum is wrong");
  for (const std::size_t at :
       {offsetof(Header, symmetric), offsetof(Header, narrow), offsetof(Header, order),
        offsetof(Header, coordinates), offsetof(Header, names)}) {
    EXPECT_EQ(after(at, std::uint8_t{9}), "a.lsg: is damaged: its header is invalid") << at;
  }
  for (const std::uint64_t arcs : {~std::uint64_t{0}, std::uint64_t{0xffffffff}}) {
    EXPECT_EQ(after(offsetof(Header, arcs), arcs), "a.lsg: is damaged: its header is invalid");
  }
  EXPECT_EQ(after(offsetof(Header, nodes), kNoNode), "a.lsg: is damaged: its header is invalid");
  EXPECT_NE(after(offsetof(Header, arcs), std::uint64_t{0xfffffffe}).find("is it truncated?"),
            std::string::npos);
  const std::string too_large = after(offsetof(Header, nodes), 4'000'000'000u);
  EXPECT_TRUE(too_large.starts_with("a.lsg: has 384 bytes, but its header requires")) << too_large;
  EXPECT_EQ(error_of([&] { parse_graph(image.substr(0, 320), "a.lsg"); }),
            "a.lsg: has 320 bytes, but its header requires 384; is it truncated?");
  EXPECT_EQ(error_of([&] { parse_graph(image + "x", "a.lsg"); }),
            "a.lsg: has 385 bytes, but its header requires 384; is it truncated?");
}

TEST_F(MalformedBinary, BodyThatLies) {
  const std::string image = image_of("p sp 3 3\na 1 2 5\na 1 3 6\na 3 1 7\n", "a.gr");
  const auto after = [&](std::size_t at, auto value, bool seal = true) {
    return error_after(image, at, value, seal);
  };
  constexpr std::size_t kFirst = formats::kHeaderBytes;  // 4 offsets, padded
  constexpr std::size_t kArcs = kFirst + 64;             // 3 × {head, float}
  EXPECT_EQ(after(kArcs + 4, 5.5f), "");
  EXPECT_EQ(after(kArcs + 4, 5.5f, false), "a.lsg: is damaged: its checksum is wrong");
  EXPECT_EQ(after(kArcs + 4, -1.f), "a.lsg: is damaged: a weight is negative or not finite");
  EXPECT_EQ(after(kArcs + 4, std::numeric_limits<float>::quiet_NaN()),
            "a.lsg: is damaged: a weight is negative or not finite");
  EXPECT_EQ(after(kArcs + 4, std::numeric_limits<float>::infinity()),
            "a.lsg: is damaged: a weight is negative or not finite");
  EXPECT_EQ(after(kArcs + 16, 3u), "a.lsg: is damaged: a node is out of range");
  const std::string wide = image_of("p sp 3 3\na 1 2 5.1\na 1 3 6\na 3 1 7\n", "a.gr");
  for (const double weight : {1e-300, 5e-324, 1e300}) {
    EXPECT_EQ(error_after(wide, kArcs + 8, weight, true),
              "a.lsg: is damaged: a weight is neither 0 nor from 1.03e-289 to 9.7e288");
  }
  EXPECT_EQ(error_after(wide, kArcs + 8, 0.0, true), "");
  EXPECT_EQ(after(kArcs + 8, 0u), "a.lsg: is damaged: the arcs of a node are out of order");
  EXPECT_EQ(after(kFirst, 1u), "a.lsg: is damaged: rows do not ascend");
  EXPECT_EQ(after(kFirst + 4, 9u), "a.lsg: is damaged: rows do not ascend");
  EXPECT_EQ(after(kFirst + 12, 2u), "a.lsg: is damaged: rows do not ascend");

  const std::string named = image_of("b,a,1\na,c,2\n", "a.csv");
  const std::size_t names = named.size() - 64 * 3;  // first, by_name, text
  EXPECT_EQ(error_after(named, names + 64, 2u), "a.lsg: is damaged: its node names are wrong");
  EXPECT_EQ(error_after(named, names + 8, ~std::uint64_t{0}),
            "a.lsg: is damaged: its node names are wrong");
  const std::string grid = image_of("type octile\nheight 1\nwidth 2\nmap\n..\n", "a.map");
  EXPECT_EQ(error_after(grid, grid.size() - 64, 7u), "a.lsg: is damaged: its node names are wrong");
  EXPECT_EQ(error_after(grid, grid.size() - 128, kInfinity),
            "a.lsg: is damaged: a coordinate is not finite");
}

// 4 MB of zeros pack to 4 kB, and gzip members may follow one another.
TEST(DecompressionBomb, IsRefused) {
  const ScratchFolder folder;
  ASSERT_EQ(std::system(("head -c 4000000 /dev/zero | gzip > " + folder / "member").c_str()), 0);
  const std::string member = folder.read("member");
  std::string bomb;
  for (int i = 0; i < 80; ++i) bomb += member;
  EXPECT_EQ(error_of([&] { parse_graph(bomb, "a.gr.gz"); }),
            "a.gr.gz: decompresses to more than 200 times its size; decompress it yourself if that "
            "is intended");
}

}  // namespace
}  // namespace lodestar::malformed_input_test
