// Metrics and classes in edge lists and GraphML, and what other formats say about them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph_equality.h"
#include "lodestar/graph_io.h"
#include "lodestar/rng.h"
#include "metrics_sample.h"
#include "scratch_folder.h"

namespace lodestar::metrics_text_test {
namespace {

using testing::classes_of;
using testing::metrics_sample;
using Notes = std::vector<std::string>;

std::string error_of(const std::string& text, const std::string& name,
                     const ReadOptions& options = {}) {
  try {
    parse_graph(text, name, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(MetricsOfEdgeLists, SeveralColumnsAndClasses) {
  const char* text =
      "from,to,time,length,toll_cost,class,comment\n"
      "b,a,7,70,0.5,motorway toll,x\n"
      "a,b,5,50,0,residential,y\n"
      "a,b,3,90,0.25,motorway;toll,z\n"
      "a,a,1,2,3,,\n";
  const GraphFile file =
      parse_graph(text, "a.csv", {.weight = "time", .metrics = {"length", "toll_cost"}});
  EXPECT_EQ(file.notes, Notes{"ignored columns: 'comment'"});
  EXPECT_EQ(file.metrics.names(), "time, length, toll_cost");
  // a→a 1, a→b 3, a→b 5, b→a 7.
  EXPECT_EQ(file.graph.weights(), (std::vector<Weight>{1, 3, 5, 7}));
  EXPECT_EQ(file.metrics.weights(file.graph, 1), (std::vector<Weight>{2, 90, 50, 70}));
  EXPECT_EQ(file.metrics.weights(file.graph, 2), (std::vector<Weight>{3, 0.25, 0, 0.5}));
  EXPECT_EQ(file.metrics.class_names(), "motorway, residential, toll");
  using Names = std::vector<std::string>;
  EXPECT_EQ(classes_of(file.metrics, 0), Names{});
  EXPECT_EQ(classes_of(file.metrics, 1), (Names{"motorway", "toll"}));
  EXPECT_EQ(classes_of(file.metrics, 2), Names{"residential"});
  EXPECT_EQ(classes_of(file.metrics, 3), (Names{"motorway", "toll"}));
  EXPECT_EQ(file.metrics.kinds.size(), 3u);
  // Without --metrics the classes alone are kept, and other columns are ignored.
  const GraphFile plain = parse_graph(text, "a.csv", {.weight = "time"});
  EXPECT_EQ(plain.metrics.names(), "time");
  EXPECT_EQ(classes_of(plain.metrics, 2), Names{"residential"});
  // The weight may be among the metrics; the default weight is `length`.
  EXPECT_EQ(parse_graph(text, "a.csv", {.metrics = {"length", "time"}}).metrics.names(),
            "length, time");
  EXPECT_TRUE(parse_graph("from,to,weight\na,b,1\n", "a.csv").metrics.empty());
}

TEST(MetricsOfEdgeLists, MalformedOnes) {
  const ReadOptions two{.weight = "time", .metrics = {"length"}};
  EXPECT_EQ(error_of("a,b,1\n", "a.csv", {.metrics = {"length"}}),
            "a.csv:1: --metrics requires a header line that names the columns");
  EXPECT_EQ(error_of("from,to,time\na,b,1\n", "a.csv", two),
            "a.csv:1: there is no column 'length'");
  for (const char* bad : {"-1", "x", "", "nan", "inf", "1e300"}) {
    const std::string error =
        error_of("from,to,time,length\na,b,1," + std::string(bad) + "\n", "a.csv", two);
    EXPECT_TRUE(error.starts_with("a.csv:2: ")) << bad << ": " << error;
  }
  EXPECT_NE(error_of("from,to,time,length\na,b,1,2\n", "a.csv",
                     {.weight = "time", .metrics = {"length", "length"}}),
            "no error");
  EXPECT_NE(error_of("p sp 2 1\na 1 2 3\n", "a.gr", {.metrics = {"length"}}), "no error");
}

TEST(MetricsOfEdgeLists, TooManyClassesAreIgnoredWithANote) {
  std::string text = "from,to,weight,class\n";
  for (int i = 0; i < 65; ++i) text += "a,b," + std::to_string(i) + ",c" + std::to_string(i) + "\n";
  const GraphFile file = parse_graph(text, "a.csv");
  EXPECT_EQ(file.notes, Notes{"classes ignored: there are 65, and a graph can have 64"});
  EXPECT_TRUE(file.metrics.classes.empty());
}

TEST(MetricsOfEdgeLists, TheOrderOfLinesDoesNotMatter) {
  std::vector<std::string> lines;
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    lines.push_back(std::to_string(rng.below(9)) + "," + std::to_string(rng.below(9)) + "," +
                    std::to_string(1000 + i) + "," + std::to_string(rng.below(50)) + ",c" +
                    std::to_string(rng.below(9)) + "\n");
  }
  const ScratchFolder folder;
  const auto image = [&] {
    std::string text = "from,to,time,length,class\n";
    for (const std::string& line : lines) text += line;
    write_graph(parse_graph(text, "a.csv", {.weight = "time", .metrics = {"length"}}),
                folder / "a.lsg");
    return folder.read("a.lsg");
  };
  const std::string first = image();
  std::reverse(lines.begin(), lines.end());
  EXPECT_EQ(image(), first);
}

// By the names of nodes, weight, metrics and classes: independent of the order of classes.
std::multiset<std::string> rows_of(const GraphFile& file) {
  std::multiset<std::string> rows;
  ArcIndex index = 0;
  for (NodeId u = 0; u < file.graph.node_count(); ++u) {
    for (const Arc arc : file.graph.arcs(u)) {
      std::string row = file.names.name(u) + " " + file.names.name(arc.head);
      for (std::size_t i = 0; i < file.metrics.metrics.size(); ++i) {
        row += " " + std::to_string(file.metrics.weight(file.graph, i, index));
      }
      std::vector<std::string> classes = classes_of(file.metrics, index);
      std::sort(classes.begin(), classes.end());
      for (const std::string& name : classes) row += " " + name;
      rows.insert(row);
      ++index;
    }
  }
  return rows;
}

TEST(MetricsOfText, RoundTrips) {
  const ScratchFolder folder;
  const GraphFile file = metrics_sample();
  const std::string limits = "limits of height, width and weight; .lsg stores them";
  for (const char* name : {"a.csv", "a.tsv", "a.txt", "a.csv.gz"}) {
    EXPECT_EQ(write_graph(file, folder / name),
              (Notes{"the name of the weights, time, and the units of metrics; .lsg and .graphml "
                     "store them",
                     limits}));
    const GraphFile back = read_graph(folder / name, {.metrics = {"length", "toll_cost"}});
    expect_same(file.graph, back.graph);
    EXPECT_EQ(rows_of(file), rows_of(back));
    EXPECT_EQ(back.metrics.names(), "weight, length, toll_cost");
    // Read without options, the graph is the same.
    expect_same(file.graph, read_graph(folder / name).graph);
  }
  for (const char* name : {"a.graphml", "a.graphml.xz"}) {
    EXPECT_EQ(write_graph(file, folder / name), Notes{limits});
    const GraphFile back = read_graph(folder / name);
    expect_same(file.graph, back.graph);
    EXPECT_EQ(back.metrics.metrics, file.metrics.metrics);  // with units
    EXPECT_EQ(rows_of(file), rows_of(back));
    const GraphFile other = read_graph(folder / name, {.weight = "length", .metrics = {"time"}});
    EXPECT_EQ(other.metrics.metrics[1], file.metrics.metrics[0]);
    EXPECT_EQ(other.metrics.names(), "length, time");
  }
}

TEST(MetricsOfText, OtherFormatsReportTheOmission) {
  const ScratchFolder folder;
  const GraphFile file = metrics_sample();
  const std::string note =
      "metrics (time, length, toll_cost) and classes of arcs; .lsg, .csv and .graphml store them";
  for (const char* name : {"a.gr", "a.mtx"}) {
    const Notes notes = write_graph(file, folder / name);
    EXPECT_NE(std::find(notes.begin(), notes.end(), note), notes.end()) << name;
    EXPECT_TRUE(read_graph(folder / name).metrics.empty());
  }
}

constexpr const char* kKeys =
    "<graphml><key id='a' for='edge' attr.name='time' attr.type='double'/>"
    "<key id='b' for='edge' attr.name='length' attr.type='double'/>"
    "<key id='c' for='edge' attr.name='class' attr.type='string'><default>road</default></key>"
    "<key id='l' for='graph' attr.name='lodestar_metrics' attr.type='string'/>";
constexpr const char* kEdges =
    "<node id='1'/><node id='2'/>"
    "<edge source='1' target='2'><data key='a'>5</data><data key='b'>50</data>"
    "<data key='c'>toll bridge</data></edge>"
    "<edge source='2' target='2'><data key='a'>1</data><data key='b'>9</data></edge>"
    "</graph></graphml>";

TEST(MetricsOfGraphml, KeysAndClasses) {
  const std::string text = std::string(kKeys) + "<graph edgedefault='undirected'>" + kEdges;
  const GraphFile file = parse_graph(text, "a.graphml", {.weight = "time", .metrics = {"length"}});
  EXPECT_EQ(file.metrics.names(), "time, length");
  EXPECT_EQ(file.graph.weights(), (std::vector<Weight>{5, 5, 1}));  // the loop once
  EXPECT_EQ(file.metrics.weights(file.graph, 1), (std::vector<Weight>{50, 50, 9}));
  EXPECT_EQ(classes_of(file.metrics, 1), (std::vector<std::string>{"bridge", "toll"}));
  EXPECT_EQ(classes_of(file.metrics, 2), (std::vector<std::string>{"road"}));
  EXPECT_EQ(parse_graph(text, "a.graphml").metrics.names(), "length");
}

TEST(MetricsOfGraphml, MalformedOnes) {
  const std::string keys(kKeys);
  const auto error = [&](const std::string& listed, const ReadOptions& options = {}) {
    return error_of(keys + "<graph><data key='l'>" + listed + "</data>" + kEdges, "a.graphml",
                    options);
  };
  EXPECT_EQ(error("time|s|0.1;length|m|0.1"), "no error");
  EXPECT_EQ(error(""), "no error");
  EXPECT_EQ(error("time"), "a.graphml:1: metrics are listed as NAME|UNIT|SCALE, not 'time'");
  for (const char* listed : {"time|s|x", "time|s|0", "time|s|-1", "time|s|nan", "time|1", "||",
                             "speed|s|1", "time|s|1;speed||1", "time|s|1;length|m|1;length|m|1"}) {
    EXPECT_NE(error(listed), "no error") << listed;
  }
  EXPECT_EQ(error("", {.metrics = {"speed"}}), "a.graphml:1: no edge key is named 'speed'");
  EXPECT_NE(
      error_of(keys + "<graph><node id='1'/><edge source='1' target='1'><data key='a'>1</data>"
                      "<data key='b'>-1</data></edge></graph></graphml>",
               "a.graphml", {.weight = "time", .metrics = {"length"}}),
      "no error");
}

TEST(MetricsOfBinary, SomeOfThemByName) {
  const ScratchFolder folder;
  const GraphFile file = metrics_sample();
  write_graph(file, folder / "a.lsg");
  const GraphFile one = read_graph(folder / "a.lsg", {.metrics = {"toll_cost"}});
  EXPECT_EQ(one.metrics.names(), "time, toll_cost");
  EXPECT_EQ(one.metrics.weights(one.graph, 1), file.metrics.weights(file.graph, 2));
  EXPECT_EQ(
      read_graph(folder / "a.lsg", {.metrics = {"toll_cost", "time", "length"}}).metrics.names(),
      "time, toll_cost, length");
  try {
    read_graph(folder / "a.lsg", {.metrics = {"speed"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), folder /
                                "a.lsg: there is no metric 'speed'; known are time, length, "
                                "toll_cost");
  }
}

// Reverse arcs get the metrics of the arc they reverse; arcs that are there keep their own.
TEST(MetricsOfText, UndirectedKeepsThem) {
  const char* text =
      "from,to,weight,length,class\n"
      "1,2,5,50,a\n2,1,5,51,b\n1,2,6,60,c\n2,3,1,10,d\n3,3,2,20,e\n";
  const GraphFile file = parse_graph(text, "a.csv", {.undirected = true, .metrics = {"length"}});
  EXPECT_EQ(what_is_wrong(file.metrics, file.graph.arc_count()), "");
  EXPECT_EQ(rows_of(file),
            (std::multiset<std::string>{"1 2 5.000000 50.000000 a", "2 1 5.000000 51.000000 b",
                                        "1 2 6.000000 60.000000 c", "2 1 6.000000 60.000000 c",
                                        "2 3 1.000000 10.000000 d", "3 2 1.000000 10.000000 d",
                                        "3 3 2.000000 20.000000 e"}));
}

// Parallel arcs change places when their weights change; metrics go with them.
TEST(MetricsOrder, FollowsNewWeights) {
  const GraphFile file = metrics_sample();
  std::vector<Weight> weights = file.graph.weights();
  std::swap(weights[4], weights[5]);  // c→d twice: the first now costs 30
  GraphFile changed = file;
  changed.graph = file.graph.with_weights(weights);
  changed.metrics = with_weights(file.metrics, file.graph, weights);
  EXPECT_EQ(what_is_wrong(changed.metrics, 6), "");
  EXPECT_EQ(changed.graph.weights()[4], 5);
  EXPECT_EQ(changed.metrics.weight(changed.graph, 1, 4), 60);
  EXPECT_EQ(changed.metrics.weight(changed.graph, 2, 5), 2.5);
  EXPECT_EQ(classes_of(changed.metrics, 4), std::vector<std::string>{"ferry"});
}

}  // namespace
}  // namespace lodestar::metrics_text_test
