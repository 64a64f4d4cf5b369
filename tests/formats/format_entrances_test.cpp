// What readers and writers refuse or leave out, and the second ways in: standard output, graphs
// whose arcs are ordered by weight, coordinates from elsewhere, packed files of other programs.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>

#include "error_of.h"
#include "formats/binary.h"
#include "lodestar/graph_formats.h"
#include "metrics_sample.h"
#include "scratch_folder.h"
#include "standard_output.h"

namespace lodestar::format_entrances_test {
namespace {

using Losses = std::vector<std::string>;
using testing::error_of;

// Three nodes in a row and one alone.
GraphFile drawn_line() {
  GraphBuilder builder(4);
  builder.add_edge(0, 1, 3);
  builder.add_edge(1, 2, 4);
  builder.set_points(CoordinateKind::kPlane, {{0, 0}, {3, 0}, {7, 0}, {9, 9}});
  GraphFile file;
  file.graph = builder.build();
  file.names = NodeNames::numbered(1, 4);
  return file;
}

TEST(FormatEntrances, StandardOutputHasNoSecondFile) {
  const GraphFile file = drawn_line();
  const std::string lost =
      "coordinates; they need a second file beside the graph, so write to a file instead of "
      "standard output";
  const ScratchFolder folder;
  for (const std::string extension : {".gr", ".cedge"}) {
    Losses losses;
    {
      const testing::StandardOutput out(folder / ("out" + extension));
      losses = write_graph(file, "-", extension);
    }
    EXPECT_EQ(losses, Losses{lost}) << extension;
    const GraphFile back = read_graph(folder / ("out" + extension));
    EXPECT_EQ(back.graph.arc_count(), 4u);
    EXPECT_FALSE(back.graph.has_coordinates());
  }
  GraphFile bare = file;
  bare.graph = file.graph.with_points(CoordinateKind::kNone, {});
  EXPECT_EQ(write_graph(bare, folder / "bare.cedge"), Losses{"nodes without arcs: 1"});
}

TEST(FormatEntrances, WritersRefuseNamesThatTheirFormatCannotHold) {
  const ScratchFolder folder;
  GraphFile file = parse_graph("a,b,1\n", "a.csv");
  file.names = NodeNames::table({"a", ""});
  EXPECT_EQ(error_of([&] { write_graph(file, folder / "a.csv"); }),
            folder / "a.csv" +
                ": a node name is empty, which an edge list cannot store; write .graphml or .lsg");
  for (const std::string wrong : {"a|b", "a;b"}) {
    for (const bool in_unit : {false, true}) {
      GraphFile sample = testing::metrics_sample();
      Metric& metric = sample.metrics.metrics[1];
      (in_unit ? metric.unit : metric.name) = wrong;
      EXPECT_EQ(error_of([&] { write_graph(sample, folder / "a.graphml"); }),
                folder / "a.graphml" + ": the metric '" + metric.name +
                    "' has a | or ; in its name or unit, which GraphML cannot store; write .lsg");
    }
  }
  EXPECT_EQ(folder.file_count(), 0u);
}

// As many bytes as cells follow, but they include the ends of lines.
TEST(FormatEntrances, AMapEndsWithItsRows) {
  EXPECT_EQ(
      error_of([] { parse_graph("type octile\nheight 4\nwidth 2\nmap\n..\n..\n..\n", "a.map"); }),
      "a.map:7: the file ends after 3 rows; 4 are announced");
}

TEST(FormatEntrances, AFolderWithoutGraphs) {
  const ScratchFolder folder;
  folder.write("notes.txt", "a b 1\n");
  std::filesystem::create_directory(folder / "roads.gr");
  const std::string path = folder / ".";
  EXPECT_EQ(error_of([&] { graph_files(path); }),
            path + ": the folder contains no graphs; `lodestar convert --help` lists the formats");
  EXPECT_NE(error_of([&] { graph_files(folder / "none"); }).find("cannot be read"),
            std::string::npos);
  folder.write("a.gr.gz", "");
  EXPECT_EQ(graph_files(path).size(), 1u);
  EXPECT_EQ(graph_files("-"), std::vector<std::string>{"-"});
}

TEST(FormatEntrances, CoordinatesOfNumberedNodesOnly) {
  const ScratchFolder folder;
  ASSERT_TRUE(write_graph(drawn_line(), folder / "a.gr").empty());
  const std::string named = folder.write("b.csv", "x,y,1\n");
  EXPECT_EQ(error_of([&] { read_graph(named, {.coordinates = folder / "a.co"}); }),
            folder / "a.co" + ": numbers its nodes, but the nodes of " + named +
                " have names; coordinates can be read only for numbered nodes");
  // They stay when reverse arcs are added.
  folder.write("c.gr", "p sp 4 2\na 1 2 3\na 3 2 4\n");
  const GraphFile both =
      read_graph(folder / "c.gr", {.undirected = true, .coordinates = folder / "a.co"});
  EXPECT_EQ(both.graph.arc_count(), 4u);
  EXPECT_EQ(both.graph.points()[2], (Point{7, 0}));
  const GraphFile again =
      read_graph(folder / "a.gr", {.undirected = true, .coordinates = folder / "a.co"});
  EXPECT_EQ(again.graph.arc_count(), 4u);
}

// Shape and metrics count arcs in the order of heads, so they belong to graphs in that order.
TEST(FormatEntrances, ArcsByWeightLoseShapeAndMetrics) {
  const ScratchFolder folder;
  GraphFile file = testing::metrics_sample();
  const std::vector<std::uint32_t> arc_segment = {0, 1, 2, 3, 4, 6};
  ShapeBuilder shape;
  shape.first_point = {0, 0, 0, 0, 0};
  shape.segment_length = {1, 2, 3, 4};
  shape.segment_street = {0, 0, 0, 0};
  shape.segment_way = {1, 2, 3, 4};
  shape.letters = "Street";
  shape.first_letter = {0, 6};
  shape.arc_segment = arc_segment;
  shape.arc_duration = {1, 1, 1, 1, 1, 1};
  shape.node_id = {1, 2, 3, 4};
  file.shape = std::move(shape).build();
  ASSERT_EQ(what_is_wrong(file.shape, 4, 6), "");
  const Losses none;
  EXPECT_EQ(write_graph(file, folder / "a.lsg"), none);
  const GraphFile back = read_graph(folder / "a.lsg");
  EXPECT_EQ(back.shape.segment_way[3], 4);
  EXPECT_EQ(back.metrics.metrics.size(), 3u);
  GraphFile by_weight = file;
  by_weight.graph = file.graph.ordered(ArcOrder::kByWeight);
  EXPECT_EQ(write_graph(by_weight, folder / "b.lsg"),
            (Losses{"the lines, streets and ids of arcs, which need arcs ordered by head",
                    "metrics and classes, which need arcs ordered by head"}));
  EXPECT_TRUE(read_graph(folder / "b.lsg").shape.empty());
  const Losses losses = write_graph(by_weight, folder / "b.gr");
  EXPECT_EQ(losses.size(), 3u) << "names, shape and metrics";
  EXPECT_EQ(read_graph(folder / "b.gr").graph.arc_count(), 6u);

  // A file that says so of arcs by weight is damaged.
  const auto with_order = [&](const std::string& name) {
    std::string image = folder.read(name);
    image[offsetof(formats::BinaryHeader, order)] = static_cast<char>(ArcOrder::kByWeight);
    formats::seal_binary(image);
    return error_of([&] { parse_graph(image, "x.lsg"); });
  };
  // Rows of one arc, and of arcs whose order by head is one by weight, pass the checks of arcs.
  GraphFile one;
  GraphBuilder builder(4);
  for (NodeId u = 0; u < 3; ++u) builder.add_arc(u, u + 1, 2);
  one.graph = builder.build();
  MetricsBuilder metrics({"time", "s", 1});
  metrics.add({"length", "m", 1}, {1, 2, 3});
  one.metrics = std::move(metrics).build(one.graph);
  write_graph(one, folder / "metrics.lsg");
  EXPECT_EQ(with_order("metrics.lsg"),
            "x.lsg: is damaged: its metrics require arcs ordered by head");
  one.metrics = {};
  one.shape = file.shape;
  one.shape.arc_segment = std::span(arc_segment).first(3);
  one.shape.arc_duration = one.shape.arc_duration.first(3);
  write_graph(one, folder / "shape.lsg");
  EXPECT_EQ(with_order("shape.lsg"), "x.lsg: is damaged: its shape requires arcs ordered by head");
}

// "p sp 1 0\n" by xz, with a dictionary as `xz --lzma2=dict=1536MiB` makes it.
TEST(FormatEntrances, PackedFilesMayNeedTooMuchMemory) {
  const ScratchFolder folder;
  write_graph(parse_graph("p sp 1 0\n", "a.gr"), folder / "a.gr.xz");
  std::string packed = folder.read("a.gr.xz");
  constexpr std::size_t kBlock = 12;  // behind the header of the stream
  const std::size_t size = (static_cast<unsigned char>(packed[kBlock]) + 1u) * 4;
  const std::size_t filter = packed.find('\x21', kBlock + 2);
  ASSERT_LT(filter, kBlock + size - 4) << "no LZMA2";
  packed[filter + 2] = 37;  // 2^30 + 2^29 bytes
  const auto crc = static_cast<std::uint32_t>(crc32(
      0, reinterpret_cast<const Bytef*>(packed.data() + kBlock), static_cast<uInt>(size - 4)));
  std::memcpy(packed.data() + kBlock + size - 4, &crc, sizeof crc);
  EXPECT_EQ(error_of([&] { parse_graph(packed, "a.gr.xz"); }),
            "a.gr.xz: requires more than 256 MiB to decompress; compress it with xz -9 or less");
}

TEST(FormatEntrances, AFileThatCannotBeRead) {
  if (!std::filesystem::exists("/proc/self/mem")) GTEST_SKIP();
  EXPECT_EQ(error_of([] { read_graph("/proc/self/mem", {.format = ".gr"}); }),
            "/proc/self/mem: reading failed: Input/output error");
}

}  // namespace
}  // namespace lodestar::format_entrances_test
