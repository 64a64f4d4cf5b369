// The table of formats: complete, documented, fuzzed, and obeyed by everything that reads graphs.
#include "lodestar/graph_formats.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "graph_equality.h"
#include "scratch_folder.h"

namespace lodestar::graph_formats_test {
namespace {

namespace fs = std::filesystem;
const fs::path kSource = LODESTAR_SOURCE_DIR;

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

// The row as docs/design/FORMATS.md has it.
std::string documented(const GraphFormat& format) {
  std::string row = "|";
  for (const std::string& extension : words(format.extensions)) row += " `" + extension + "`";
  for (const auto cell :
       {format.title, format.direction, format.weights, format.ids, format.coordinates}) {
    row += " | " + std::string(cell);
  }
  return row + " |\n";
}

// tests/fuzz/<target>_fuzz.cpp reads the format with this extension.
const std::map<std::string, std::string> kFuzzTargets = {
    {".gr", "dimacs"},         {".tw", "pace"},       {".stp", "steinlib"}, {".graph", "metis"},
    {".mtx", "matrix_market"}, {".txt", "edge_list"}, {".cedge", "cedge"},  {".graphml", "graphml"},
    {".map", "movingai"},      {".lsg", "binary"},
};

TEST(GraphFormats, EveryRowIsDocumentedAndFuzzed) {
  const std::string manual = contents(kSource / "docs/design/FORMATS.md");
  std::set<std::string> targets;
  for (const GraphFormat& format : graph_formats()) {
    SCOPED_TRACE(format.title);
    EXPECT_NE(manual.find(documented(format)), std::string::npos)
        << "docs/design/FORMATS.md lacks\n"
        << documented(format);
    EXPECT_TRUE((format.read == nullptr) != (format.read_file == nullptr));
    const auto target = kFuzzTargets.find(words(format.extensions).back());
    ASSERT_NE(target, kFuzzTargets.end());
    targets.insert(target->second);
    EXPECT_TRUE(fs::exists(kSource / "tests" / "fuzz" / (target->second + "_fuzz.cpp")));
    const fs::path samples = kSource / "tests" / "fuzz" / "corpus" / target->second;
    EXPECT_TRUE(fs::is_directory(samples) && !fs::is_empty(samples));
  }
  EXPECT_EQ(targets.size(), graph_formats().size()) << "two formats share a fuzz target";
}

TEST(GraphFormats, AnExtensionBelongsToTheFirstRowThatHasIt) {
  EXPECT_EQ(readable_extensions(),
            ".gr .tw .stp .graph .mtx .csv .tsv .txt .cedge .graphml .map .lsg");
  EXPECT_EQ(writable_extensions(), readable_extensions());
  EXPECT_THROW(add_graph_format({.extensions = ".new .gr"}), Error);
}

TEST(GraphFormats, AFolderGivesItsGraphs) {
  const ScratchFolder folder;
  for (const char* name : {"b.stp", "a.tw", "c.gr.xz", "d.lsg", "e.csv", "notes.txt", "a.co",
                           "today.queries.tsv", "graph", "f.lsp"}) {
    folder.write(name, "");
  }
  EXPECT_EQ(graph_files(folder / ""),
            (std::vector<std::string>{folder / "a.tw", folder / "b.stp", folder / "c.gr.xz",
                                      folder / "d.lsg", folder / "e.csv"}));
  EXPECT_EQ(graph_files(folder / "notes.txt"), std::vector<std::string>{folder / "notes.txt"});
  EXPECT_THROW(graph_files(folder / "nowhere"), Error);
}

// One sample a format can say: a one-way arc where it knows such, an edge elsewhere.
struct Sample {
  const char* name;
  const char* text;
};
constexpr Sample kSamples[] = {
    {"a.gr", "p sp 3 2\na 1 2 5\na 3 2 7\n"},
    {"a.tw", "p tw 3 2\n1 2\n2 3\n"},
    {"a.stp", "SECTION Graph\nNodes 3\nEdges 2\nA 1 2 5\nA 3 2 7\nEND\nEOF\n"},
    {"a.graph", "3 2\n2\n1 3\n2\n"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n3 2 7\n"},
    {"a.csv", "from,to,weight,time\n1,2,5,9\n3,2,7,9\n"},
    {"a.tsv", "1\t2\t5\n3\t2\t7\n"},
    {"a.txt", "1 2 5\n3 2 7\n"},
    {"a.cedge", "0 1 2 5\n1 2 3 7\n"},
    {"a.graphml",
     "<graphml><key id='w' for='edge' attr.name='weight' attr.type='double'/>"
     "<graph edgedefault='directed'><node id='1'/><node id='2'/><node id='3'/>"
     "<edge source='1' target='2'><data key='w'>5</data></edge>"
     "<edge source='3' target='2'><data key='w'>7</data></edge></graph></graphml>"},
    {"a.map", "type octile\nheight 1\nwidth 3\nmap\n...\n"},
};

// The walk over (format, option): each is obeyed or refused, none is ignored.
TEST(GraphFormats, EveryReadingOptionIsObeyedOrRefused) {
  const ScratchFolder folder;
  std::vector<std::string> paths;
  std::set<std::string> seen;
  for (const Sample& sample : kSamples) {
    paths.push_back(folder.write(sample.name, sample.text));
    seen.insert(fs::path(sample.name).extension());
  }
  write_graph(read_graph(folder / "a.gr"), folder / "a.lsg");
  paths.push_back(folder / "a.lsg");
  seen.insert(".lsg");
  for (const std::string& extension : words(readable_extensions())) {
    EXPECT_TRUE(seen.contains(extension)) << "no sample of " << extension;
  }
  const std::string coordinates =
      folder.write("c.co", "p aux sp co 3\nv 1 0 0\nv 2 1 0\nv 3 2 0\n");
  const std::string nodes = folder.write("c.cnode", "1 0 0\n2 1 0\n3 2 0\n");

  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    const bool edge_list = path.ends_with(".csv");
    const bool chooses_weight = edge_list || path.ends_with(".graphml");
    const bool chooses_moves = path.ends_with(".map");

    const GraphFile plain = read_graph(path);
    const GraphFile both = read_graph(path, {.undirected = true});
    EXPECT_TRUE(both.graph.symmetric());
    EXPECT_EQ(both.graph.arc_count(), 4u);
    EXPECT_EQ(both.graph.arcs(1).size(), 2u);

    const std::string column = edge_list ? "time" : "weight";
    if (chooses_weight) {
      EXPECT_EQ(read_graph(path, {.weight = column}).graph.arcs(0)[0].weight, edge_list ? 9 : 5);
      const GraphFile ones = read_graph(path, {.weight = "none"});
      EXPECT_EQ(ones.graph.arcs(0)[0].weight, 1);
      EXPECT_NE(ones.notes, plain.notes);
    }
    EXPECT_THROW(read_graph(path, {.weight = "elsewhere"}), Error);
    if (chooses_weight) {
      const GraphFile two = read_graph(path, {.weight = "none", .metrics = {column}});
      EXPECT_EQ(two.metrics.names(), "hops, " + column);
      EXPECT_EQ(two.metrics.weight(two.graph, 1, 0), edge_list ? 9 : 5);
    }
    EXPECT_THROW(read_graph(path, {.metrics = {"elsewhere"}}), Error);
    const ReadOptions moves[] = {
        {.unit_diagonals = true}, {.corner_cutting = true}, {.exact_diagonals = true}};
    for (const ReadOptions& options : moves) {
      if (chooses_moves) {
        EXPECT_NO_THROW(read_graph(path, options));
      } else {
        EXPECT_THROW(read_graph(path, options), Error);
      }
    }
    EXPECT_THROW(read_graph(path, {.unit_diagonals = true, .exact_diagonals = true}), Error);

    const GraphFile placed =
        read_graph(path, {.coordinates = path.ends_with(".cedge") ? nodes : coordinates});
    EXPECT_EQ(placed.graph.points()[2].x, 2);

    // Read by another name, by its own extension.
    const std::string unnamed = folder / "unnamed";
    fs::copy_file(path, unnamed, fs::copy_options::overwrite_existing);
    EXPECT_THROW(read_graph(unnamed), Error);
    expect_same(read_graph(unnamed, {.format = path.substr(path.rfind('.') + 1)}).graph,
                plain.graph);
  }
}

// An unlisted weight column must not turn into arcs that cost 1 each.
TEST(GraphFormats, AWeightThatCannotBeFoundIsAskedFor) {
  const char* csv = "from;to;len;time\n1;2;30;4\n";
  try {
    parse_graph(csv, "a.csv");
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "a.csv:1: unknown weight column; choose one of 'len', 'time' with "
                 "--weight, or --weight none to give each arc weight 1");
  }
  EXPECT_EQ(parse_graph(csv, "a.csv", {.weight = "len"}).graph.arcs(0)[0].weight, 30);
  EXPECT_EQ(parse_graph(csv, "a.csv", {.weight = "none"}).notes,
            (std::vector<std::string>{"ignored columns: 'len', 'time'", "no weights; each is 1"}));
  const char* graphml =
      "<graphml><key id='w' for='edge' attr.name='toll' attr.type='double'/>"
      "<key id='n' for='edge' attr.name='name' attr.type='string'/>"
      "<graph><node id='1'/><node id='2'/><edge source='1' target='2'>"
      "<data key='w'>5</data></edge></graph></graphml>";
  EXPECT_THROW(parse_graph(graphml, "a.graphml"), Error);
  EXPECT_EQ(parse_graph(graphml, "a.graphml", {.weight = "toll"}).graph.arcs(0)[0].weight, 5);
}

TEST(GraphFormats, UndirectedKeepsTwinsThatAreThere) {
  const GraphFile file = parse_graph("p sp 3 5\na 1 2 5\na 2 1 5\na 1 2 6\na 2 3 1\na 3 3 2\n",
                                     "a.gr", {.undirected = true});
  EXPECT_TRUE(file.graph.symmetric());
  EXPECT_EQ(file.graph.arc_count(), 7u);  // twins of 1→2 (6) and 2→3 are added
}

}  // namespace
}  // namespace lodestar::graph_formats_test
