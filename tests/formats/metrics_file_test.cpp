// Metrics in .lsg files: kept, shared when mapped, and checked.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "formats/binary.h"
#include "graph_equality.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "metrics_sample.h"
#include "scratch_folder.h"

namespace lodestar::metrics_file_test {
namespace {

using testing::expect_same_metrics;
using testing::metrics_sample;

std::uint32_t version_of(const std::string& image) {
  formats::BinaryHeader header;
  std::memcpy(&header, image.data(), sizeof header);
  return header.version;
}

TEST(MetricsFile, KeepsEverything) {
  const ScratchFolder folder;
  const GraphFile file = metrics_sample();
  EXPECT_TRUE(write_graph(file, folder / "a.lsg").empty());
  EXPECT_EQ(version_of(folder.read("a.lsg")), 3u);
  for (const bool map : {false, true}) {
    const GraphFile back = read_graph(folder / "a.lsg", {.map = map});
    expect_same(file.graph, back.graph);
    expect_same_metrics(file, back);
    EXPECT_FALSE(back.metrics.columns[0].narrow.empty());
    EXPECT_FALSE(back.metrics.columns[1].wide.empty());
    EXPECT_EQ(back.metrics.kinds, file.metrics.kinds);
  }
  // Written again, the bytes are the same.
  write_graph(read_graph(folder / "a.lsg"), folder / "b.lsg");
  EXPECT_EQ(folder.read("a.lsg"), folder.read("b.lsg"));
}

TEST(MetricsFile, OldVersionsAreWrittenWithoutMetrics) {
  const ScratchFolder folder;
  GraphFile file = metrics_sample();
  file.metrics = {};
  write_graph(file, folder / "a.lsg");
  EXPECT_EQ(version_of(folder.read("a.lsg")), 1u);
  EXPECT_TRUE(read_graph(folder / "a.lsg").metrics.empty());
}

TEST(MetricsFile, OneMetricWithClassesOrNothingElse) {
  const ScratchFolder folder;
  GraphFile file = metrics_sample();
  MetricsBuilder only({"time", "s", 0.1});
  file.metrics = std::move(only).build(file.graph);
  write_graph(file, folder / "a.lsg");
  expect_same_metrics(file, read_graph(folder / "a.lsg"));
  // No arcs at all.
  file.graph = GraphBuilder(2).build();
  file.names = NodeNames::numbered(0, 2);
  MetricsBuilder none({"time", "", 1});
  none.add({"length", "", 1}, {});
  file.metrics = std::move(none).build(file.graph);
  write_graph(file, folder / "b.lsg");
  EXPECT_EQ(read_graph(folder / "b.lsg").metrics.names(), "time, length");
}

TEST(MetricsFile, AsManyMetricsAndClassesAsThereMayBe) {
  const ScratchFolder folder;
  GraphFile file = metrics_sample();
  const std::size_t arcs = file.graph.arc_count();
  MetricsBuilder full({"time", "s", 0.1});
  for (std::size_t i = 1; i < Metrics::kMostMetrics; ++i) {
    full.add({"metric " + std::to_string(i), "", 1}, std::vector<Weight>(arcs, i));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < Metrics::kMostClasses; ++i) names.push_back("c" + std::to_string(i));
  const std::vector<std::string_view> classes(names.begin(), names.end());
  for (std::size_t arc = 0; arc < arcs; ++arc) full.add_arc(classes);
  file.metrics = std::move(full).build(file.graph);
  EXPECT_TRUE(write_graph(file, folder / "a.lsg").empty());
  const GraphFile back = read_graph(folder / "a.lsg");
  EXPECT_EQ(back.metrics.metrics.size(), Metrics::kMostMetrics);
  expect_same_metrics(file, back);
}

TEST(MetricsFile, ArcsByWeightLoseThemWithANote) {
  const ScratchFolder folder;
  GraphFile file = metrics_sample();
  file.graph = file.graph.ordered(ArcOrder::kByWeight);
  EXPECT_EQ(write_graph(file, folder / "a.lsg"),
            std::vector<std::string>{"metrics and classes, which need arcs ordered by head"});
  EXPECT_TRUE(read_graph(folder / "a.lsg").metrics.empty());
}

// The columns of a mapped file lie in the file.
TEST(MetricsFile, MappedColumnsAreNotCopied) {
  const ScratchFolder folder;
  const GraphFile file = metrics_sample();
  write_graph(file, folder / "a.lsg");
  const GraphFile back = read_graph(folder / "a.lsg", {.map = true});
  const auto* graph = reinterpret_cast<const char*>(back.graph.arrays().arcs[0].data());
  const auto bytes = static_cast<std::ptrdiff_t>(folder.read("a.lsg").size());
  for (const void* at : {static_cast<const void*>(back.metrics.columns[0].narrow.data()),
                         static_cast<const void*>(back.metrics.columns[1].wide.data()),
                         static_cast<const void*>(back.metrics.arc_kind.data())}) {
    const std::ptrdiff_t away = static_cast<const char*>(at) - graph;
    EXPECT_GT(away, 0);
    EXPECT_LT(away, bytes);
  }
  Metrics kept;
  {
    const GraphFile other = read_graph(folder / "a.lsg", {.map = true});
    kept = other.metrics;
  }
  EXPECT_EQ(kept.columns[0][5], 60);  // outlives the graph
}

class DamagedMetrics : public ::testing::Test {
 protected:
  void SetUp() override {
    const GraphFile file = metrics_sample();
    write_graph(file, folder_ / "a.lsg");
    image_ = folder_.read("a.lsg");
    begin_ = image_.size() - formats::metrics_bytes(file.metrics, file.graph.arc_count());
  }
  // The error of the file with a number changed at an offset of its metrics.
  template <class T>
  std::string after(std::size_t at, T value) {
    std::string image = image_;
    std::memcpy(image.data() + begin_ + at, &value, sizeof value);
    return error_of(image);
  }
  static std::string error_of(std::string image) {
    formats::seal_binary(image);
    try {
      parse_graph(image, "a.lsg");
    } catch (const Error& error) {
      return std::string(error.what()).substr(std::strlen("a.lsg: is damaged: "));
    }
    return "no error";
  }
  ScratchFolder folder_;
  std::string image_;
  std::size_t begin_ = 0;
};

TEST_F(DamagedMetrics, AreRejectedWithAReason) {
  const std::string nonsense = "its metrics make no sense";
  const std::string size = "its metrics have another size than they say";
  EXPECT_EQ(error_of(image_), "no error");
  EXPECT_EQ(after(0, std::uint64_t{5}), nonsense);  // arcs
  EXPECT_EQ(after(8, 0u), nonsense);                // metrics
  EXPECT_EQ(after(8, 17u), nonsense);
  EXPECT_EQ(after(12, 65u), nonsense);                // classes
  EXPECT_EQ(after(16, 65537u), nonsense);             // kinds
  EXPECT_EQ(after(16, 6000u), size);                  // more than there is room for
  EXPECT_EQ(after(20, 2u), nonsense);                 // flags
  EXPECT_EQ(after(24, ~std::uint64_t{0}), nonsense);  // letters
  EXPECT_EQ(after(24, std::uint64_t{1}), "the names of its metrics make no sense");
  const std::size_t metrics = 64, classes = 192, letters = 256, kinds = 320, arc_kind = 448,
                    length = 512, toll = 576;
  EXPECT_EQ(after(metrics, 0.0), "the scale of time is not a positive number");
  EXPECT_EQ(after(metrics, std::numeric_limits<double>::quiet_NaN()),
            "the scale of time is not a positive number");
  EXPECT_EQ(after(metrics + 8, 0u), "the names of its metrics make no sense");
  EXPECT_EQ(after(metrics + 8, ~0u), "the names of its metrics make no sense");
  EXPECT_EQ(after(metrics + 16, 4u), nonsense);  // the graph's own weights take no column
  EXPECT_EQ(after(metrics + 24 + 16, 5u), nonsense);
  EXPECT_EQ(after(classes, 1u), "the names of its metrics make no sense");
  EXPECT_EQ(after(letters + 4 + 1 + 6 + 1 + 9, ' '),
            "the name of a class is empty or has a blank, comma or semicolon");
  EXPECT_EQ(after(kinds, ~std::uint64_t{0}), "a kind has an unknown class");
  EXPECT_EQ(after(kinds + 8, -1.f), "a limit is negative or not a number");
  EXPECT_EQ(after(arc_kind, std::uint16_t{5}), "an arc has an unknown kind");
  EXPECT_EQ(after(length, -1.f), "a weight is negative or not finite");
  EXPECT_EQ(after(length, std::numeric_limits<float>::infinity()),
            "a weight is negative or not finite");
  EXPECT_EQ(after(toll, 1e300), "a weight is negative or not finite");
  EXPECT_EQ(after(toll, 3.5), "no error");
}

TEST_F(DamagedMetrics, SizesOfTheFileAreChecked) {
  const auto with_bytes = [&](std::string image) {
    const std::uint64_t bytes = image.size();
    std::memcpy(image.data() + offsetof(formats::BinaryHeader, file_bytes), &bytes, sizeof bytes);
    return error_of(image);
  };
  EXPECT_EQ(with_bytes(image_), "no error");
  EXPECT_EQ(with_bytes(image_.substr(0, begin_)), "its metrics are cut off");
  EXPECT_EQ(with_bytes(image_.substr(0, image_.size() - 64)),
            "its metrics have another size than they say");
  EXPECT_EQ(with_bytes(image_ + std::string(64, '\0')),
            "its metrics have another size than they say");
  EXPECT_NE(with_bytes(image_ + "x"), "no error");
}

// Any bit flipped: an error, or metrics that still hold together.
TEST_F(DamagedMetrics, FlippedBitsAreAnErrorOrHarmless) {
  for (std::size_t at = begin_; at < image_.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string image = image_;
      image[at] = static_cast<char>(image[at] ^ (1 << bit));
      formats::seal_binary(image);
      try {
        const GraphFile file = parse_graph(image, "a.lsg");
        EXPECT_EQ(what_is_wrong(file.metrics, file.graph.arc_count()), "");
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::metrics_file_test
