// Files of an index whose checksums are right and whose content is not: what no search could rely
// on is refused, and what is merely wrong is found by verify().
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "error_of.h"
#include "index/core_distances.h"
#include "index/file/file.h"
#include "index/labels/labels.h"
#include "index/units.h"
#include "road.h"
#include "scratch_folder.h"

namespace lodestar::index_file_test {
namespace {

using testing::error_of;
using testing::road;

// An index as the bytes of its file, to be changed by the tests.
class Image {
 public:
  Image(const Graph& graph, const IndexOptions& options) : graph_(graph) {
    const ScratchFolder folder;
    Index::build(graph, options).save(folder / "x.lsi");
    bytes_ = folder.read("x.lsi");
    data_ = index::parse(bytes_, nullptr, "x.lsi");
  }

  const index::Data& data() const { return *data_; }
  const std::string& bytes() const { return bytes_; }
  // The position of an array's entry in the file.
  template <class T>
  std::size_t at(std::span<const T> array, std::size_t i) const {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(array.data() + i) -
                                    bytes_.data());
  }
  std::size_t at(const index::Ids& ids, std::size_t i) const {
    return at(std::span(ids.data(), ids.size() * ids.width()), i * ids.width());
  }
  std::size_t at(const index::PathRanges& ranges, std::size_t i) const {
    return at(std::span(ranges.data(), ranges.size() * ranges.width()), i * ranges.width());
  }
  std::size_t weight_at(int side, std::size_t arc) const {
    return data_->wide ? at(data_->arcs[side], 16 * arc + 8) : at(data_->arcs[side], 8 * arc + 4);
  }
  // The bytes with another arc, in the format of this index.
  std::string with_arc(int side, std::size_t arc, NodeId head, std::uint32_t weight) const {
    const index::ArcFormat format = data_->arc_format;
    EXPECT_LE(head, format.most_head());
    EXPECT_LE(weight, format.most_weight());
    const std::uint64_t both = std::uint64_t{weight} << format.head_bits | head;
    std::string changed = bytes_;
    std::memcpy(changed.data() + at(data_->arcs[side], arc * format.bytes), &both, format.bytes);
    index::seal(changed);
    return changed;
  }
  std::string with_range(int side, std::size_t i, index::PathRange range) const {
    const std::uint64_t bits = index::PathRanges::packed(range);
    std::string changed = bytes_;
    std::memcpy(changed.data() + at(data_->ranges[side], i), &bits, data_->ranges[side].width());
    index::seal(changed);
    return changed;
  }

  // The bytes with one number changed and the checksums right again.
  template <class T>
  std::string with(std::size_t place, T value) const {
    std::string changed = bytes_;
    EXPECT_LE(place + sizeof value, changed.size());
    std::memcpy(changed.data() + place, &value, sizeof value);
    index::seal(changed);
    return changed;
  }
  template <class T>
  std::string refusal(std::size_t place, T value) const {
    return refusal(with(place, value));
  }
  static std::string refusal(const std::string& changed) {
    return error_of([&] { index::parse(changed, nullptr, "x.lsi"); });
  }
  // What verify() counts.
  template <class T>
  std::size_t wrong(std::size_t place, T value) const {
    return wrong(with(place, value));
  }
  std::size_t wrong(const std::string& changed) const {
    const auto data = index::parse(changed, nullptr, "x.lsi");
    index::set_graph(*data, graph_);
    return index::Access::index(data).verify();
  }

 private:
  Graph graph_;
  std::string bytes_;
  std::shared_ptr<index::Data> data_;
};

IndexOptions with_core(NodeId core, Crossing crossing = Crossing::kSearch) {
  IndexOptions options;
  options.core = core;
  options.crossing = crossing;
  options.rounds = 1;
  options.potential_count = 3;
  return options;
}

Graph one_way_streets() {
  const Graph both = road(300);
  GraphBuilder builder(both.node_count());
  for (NodeId u = 0; u < both.node_count(); ++u) {
    for (const Arc arc : both.arcs(u)) {
      if ((u + 3 * arc.head) % 5 != 0) builder.add_arc(u, arc.head, arc.weight);
    }
  }
  return builder.build();
}

Graph in_sevenths() {
  const Graph whole = road(300);
  GraphBuilder builder(whole.node_count());
  for (NodeId u = 0; u < whole.node_count(); ++u) {
    for (const Arc arc : whole.arcs(u)) builder.add_arc(u, arc.head, arc.weight / 7);
  }
  return builder.build();
}

std::string out_of_range(const std::string& what) {
  return "x.lsi: is damaged: " + what + " is out of range";
}

// Offsets in the header of src/index/file/file.cpp.
enum Field : std::size_t {
  kFormat = 8,
  kHeaderBytes = 12,
  kFileBytes = 16,
  kWords = 40,
  kNodes = 48,
  kCore = 52,
  kArcsOfOtherSide = 60,
  kSymmetric = 64,
  kWide = 65,
  kExact = 66,
  kPaths = 67,
  kBothWays = 68,
  kLabelled = 69,
  kCoreDistances = 70,
  kPlain = 71,
  kPotentialCount = 72,
  kRow = 76,
  kUnit = 80,
  kPotentialUnit = 88,
  kParts = 200,
  kLabels = 208,
  kHeadBits = 232,
  kArcBytes = 233,
  kHasNext = 234,
};

TEST(IndexFileChecks, RefuseEveryImpossibleHeader) {
  const Image image(road(300), with_core(40));
  const NodeId n = image.data().nodes;
  ASSERT_EQ(image.refusal<std::uint32_t>(kNodes, n), "") << "the sample is sound";
  const std::string invalid = "x.lsi: is damaged: its header is invalid";
  EXPECT_EQ(image.refusal<std::uint32_t>(kHeaderBytes, 255), invalid);
  EXPECT_EQ(image.refusal<std::uint32_t>(kNodes, kNoNode), invalid);
  EXPECT_EQ(image.refusal<std::uint32_t>(kCore, n + 1), invalid);
  EXPECT_EQ(image.refusal<std::uint64_t>(kWords, 1u << 31), invalid);
  EXPECT_EQ(image.refusal<std::uint32_t>(kArcsOfOtherSide, 1), invalid) << "symmetric";
  for (const Field flag :
       {kSymmetric, kWide, kExact, kPaths, kBothWays, kLabelled, kCoreDistances, kPlain}) {
    EXPECT_EQ(image.refusal<std::uint8_t>(flag, 2), invalid) << flag;
  }
  EXPECT_EQ(image.refusal<std::uint8_t>(kPaths, 0), invalid) << "words without paths";
  EXPECT_EQ(image.refusal<std::uint8_t>(kPlain, 1), invalid) << "contracted";
  EXPECT_EQ(image.refusal<std::uint32_t>(kPotentialCount, 4097), invalid);
  EXPECT_EQ(image.refusal<std::uint32_t>(kRow, 16), invalid);
  for (const double unit : {0.0, -1.0, 3.0, kInfinity, std::nan("")}) {
    EXPECT_EQ(image.refusal(kUnit, unit), invalid) << unit;
    EXPECT_EQ(image.refusal(kPotentialUnit, unit), invalid) << unit;
  }
  for (const double parts : {0.0, 3.0, 1e16, kInfinity, std::nan("")}) {
    EXPECT_EQ(image.refusal(kParts, parts), invalid) << parts;
  }
  EXPECT_EQ(image.refusal<std::uint8_t>(kHeadBits, 31), invalid) << "undirected";
  EXPECT_EQ(image.refusal<std::uint8_t>(kArcBytes, 7), invalid) << "undirected";
  EXPECT_EQ(image.refusal<std::uint8_t>(kHasNext, 1), invalid) << "without core distances";
  EXPECT_EQ(image.refusal<std::uint64_t>(kLabels, std::uint64_t{1} << 32), invalid);
  EXPECT_EQ(image.refusal<std::uint64_t>(kLabels + 8, std::uint64_t{1} << 32), invalid);
  // As many as there may be: refused for the size of the file alone.
  for (const auto& [field, most] : {std::pair{kLabels, 0xffffffffu}, {kWords, (1u << 31) - 1}}) {
    EXPECT_EQ(image.refusal<std::uint64_t>(field, most).find(invalid), std::string::npos) << field;
  }
  std::string many = image.with<std::uint32_t>(kPotentialCount, 4096);
  const std::uint32_t row = 4096;
  std::memcpy(many.data() + kRow, &row, sizeof row);
  index::seal(many);
  EXPECT_NE(error_of([&] { index::parse(many, nullptr, "x.lsi"); }).find("is it truncated?"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              index::parse(image.bytes().substr(0, 256), nullptr, "x.lsi");
            }).find("has 256 bytes, but its header requires"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              index::parse(image.bytes().substr(0, 255), nullptr, "x.lsi");
            }).find("is not an index"),
            std::string::npos);
  // Sizes that do not belong together.
  for (const Field size : {kNodes, kCore}) {
    EXPECT_NE(image.refusal<std::uint32_t>(size, 8), "") << size;
  }
  EXPECT_NE(image.refusal<std::uint64_t>(kFileBytes, 999).find("; is it truncated?"),
            std::string::npos);
  EXPECT_NE(image.refusal<std::uint32_t>(kFormat, 9).find("has format 9 of a newer version"),
            std::string::npos);

  const Image distances(road(300), with_core(20, Crossing::kStoredDistances));
  ASSERT_TRUE(distances.data().has_core_distances);
  EXPECT_EQ(distances.refusal<std::uint8_t>(kLabelled, 1), invalid) << "both";
  EXPECT_EQ(distances.refusal<std::uint8_t>(kWide, 1), invalid);
  EXPECT_EQ(distances.refusal<std::uint8_t>(kHasNext, 2), invalid);
  const Image directed(one_way_streets(), with_core(40));
  ASSERT_TRUE(directed.data().arc_format.narrow());
  for (const unsigned bytes : {0, 9}) {
    EXPECT_EQ(directed.refusal(kArcBytes, static_cast<std::uint8_t>(bytes)), invalid) << bytes;
  }
  EXPECT_EQ(directed.refusal<std::uint8_t>(kHeadBits, 33), invalid);
  EXPECT_EQ(directed.refusal(kHeadBits,
                             static_cast<std::uint8_t>(8 * directed.data().arc_format.bytes + 1)),
            invalid);
  const Image wide(in_sevenths(), with_core(0));
  ASSERT_TRUE(wide.data().wide);
  EXPECT_EQ(wide.refusal<std::uint8_t>(kCoreDistances, 1), invalid);
  EXPECT_NE(wide.refusal<std::uint8_t>(kLabelled, 1), "");
  const Image halves(
      [] {
        GraphBuilder builder(2);
        builder.add_edge(0, 1, 0.5);
        return builder.build();
      }(),
      with_core(0));
  ASSERT_EQ(halves.data().unit, 0.5);
  EXPECT_EQ(halves.refusal(kParts, 10.0), invalid) << "a unit and parts";
  EXPECT_EQ(halves.refusal(kPotentialUnit, 0x1p1023), invalid) << "an infinite quotient";
}

TEST(IndexFileChecks, RefuseNumbersThatSearchesWouldFollow) {
  for (const Graph& graph : {road(300), one_way_streets()}) {
    const Image image(graph, with_core(40));
    const index::Data& data = image.data();
    const NodeId n = data.nodes;
    const int side = data.sides() - 1;
    EXPECT_EQ(data.symmetric, graph.symmetric());
    ASSERT_EQ(data.place.width(), 2u);
    const auto number = [](std::size_t i) { return static_cast<std::uint16_t>(i); };
    EXPECT_EQ(image.refusal(image.at(data.place, 3), number(n)),
              out_of_range("the number of a node"));
    EXPECT_EQ(image.refusal(image.at(data.place, 3), number(data.place[4])),
              out_of_range("the number of a node"));
    EXPECT_EQ(image.refusal(image.at(data.first[side], 0), 1u), out_of_range("a row"));
    EXPECT_EQ(image.refusal(image.at(data.first[side], n / 2), 0xffffffffu), out_of_range("a row"));
    EXPECT_EQ(image.refusal(image.at(data.first[side], n), data.first[side][n] + 1),
              out_of_range("a row"));
    const std::uint32_t lowest = data.first[side][n] - 1;
    EXPECT_EQ(image.refusal(image.with_arc(side, lowest, n - 1, 1)),
              out_of_range("the head of an arc"));
    if (data.symmetric) {
      EXPECT_EQ(image.refusal(image.weight_at(side, lowest), (1u << 29) + 1),
                out_of_range("the weight of an arc"));
    }
    const auto words = static_cast<std::uint32_t>(data.words.size());
    const auto length = [](std::size_t i) { return static_cast<std::uint8_t>(i); };
    for (const index::PathRange range :
         {index::PathRange{words, false, 1}, index::PathRange{words - 1, false, 1},
          index::PathRange{0, true, 1}, index::PathRange{5, true, 6}, index::PathRange{0, false, 0},
          index::PathRange{words - 5, false, length(6)}}) {
      EXPECT_EQ(image.refusal(image.with_range(side, 0, range)), out_of_range("a path"))
          << range.at << ' ' << range.backward << ' ' << int{range.length};
    }
    const std::size_t block = image.at(data.shortcuts[side], 0);
    EXPECT_EQ(image.refusal(block, data.shortcuts[side][0].bits ^ 1), out_of_range("a path"));
    EXPECT_EQ(image.refusal(block + 8, 1u), out_of_range("a path"));
    EXPECT_EQ(image.refusal(image.at(data.words, 0), number(n)), out_of_range("a node of a path"));
    for (const std::int32_t value : {1 << 29, -(1 << 29)}) {
      EXPECT_EQ(image.refusal(image.at(data.potentials, 0), value), "");
    }
    if (data.symmetric) {
      EXPECT_EQ(image.refusal(image.weight_at(side, lowest), 1u << 29), "");
    }
    // A path has at least one word behind its first, and ends within the words.
    for (std::size_t i = 0; i < data.ranges[side].size(); ++i) {
      index::PathRange range = data.ranges[side][i];
      const std::size_t room = range.backward ? range.at : data.words.size() - 1 - range.at;
      const auto refusal_of = [&](std::size_t steps) {
        range.length = static_cast<std::uint8_t>(steps);
        return image.refusal(image.with_range(side, i, range));
      };
      EXPECT_EQ(refusal_of(0), out_of_range("a path"));
      if (room + 1 >= index::kLong) continue;
      EXPECT_EQ(refusal_of(room), "");
      EXPECT_EQ(refusal_of(room + 1), out_of_range("a path"));
    }
    for (const std::int32_t value : {(1 << 29) + 1, -(1 << 29) - 1}) {
      EXPECT_EQ(image.refusal(image.at(data.potentials, 0), value), out_of_range("a potential"));
    }
    if (data.symmetric) continue;
    std::string changed = image.bytes();
    for (NodeId u = data.core; data.first[1][u] == 0; ++u) {
      const std::uint32_t one = 1;
      std::memcpy(changed.data() + image.at(data.first[1], u), &one, sizeof one);
    }
    index::seal(changed);
    EXPECT_EQ(error_of([&] { index::parse(changed, nullptr, "x.lsi"); }),
              out_of_range("a row of the core"));
  }
  const Image wide(in_sevenths(), with_core(0));
  for (const double weight : {-1.0, 1e-300, kInfinity, std::nan("")}) {
    EXPECT_EQ(wide.refusal(wide.weight_at(0, 0), weight), out_of_range("the weight of an arc"))
        << weight;
  }
  const Image distances(road(300), with_core(20, Crossing::kStoredDistances));
  EXPECT_EQ(distances.refusal(distances.at(distances.data().between, 4),
                              index::kUnreached<std::uint32_t> + 1),
            out_of_range("a distance of the core"));
  ASSERT_FALSE(distances.data().next.empty());
  EXPECT_EQ(distances.refusal(distances.at(distances.data().next, 4), std::uint8_t{254}),
            out_of_range("an arc across the core"));
}

TEST(IndexFileChecks, RefuseLabelsBeyondTheirTables) {
  for (const Graph& graph : {road(300), one_way_streets()}) {
    IndexOptions options = with_core(20);
    options.labels = true;
    const Image image(graph, options);
    const index::Data& data = image.data();
    const int side = data.sides() - 1;
    const std::size_t size = data.labels[side].size() / sizeof(index::LabelItem<std::uint32_t>);
    EXPECT_EQ(image.refusal(image.at(data.label_at[side], 5), static_cast<std::uint32_t>(size)),
              out_of_range("a label"));
    const NodeId id = data.original[data.nodes - 1];
    const std::size_t header =
        image.at(data.labels[side], 8 * std::size_t{data.label_at[side][id]});
    EXPECT_EQ(image.refusal(header + 4, std::uint16_t{0xffff}), out_of_range("a label"));
    EXPECT_EQ(image.refusal(header + 6, std::uint16_t{0xffff}), out_of_range("a label"));
    EXPECT_EQ(image.refusal(header, (1u << 29) + 1), out_of_range("a label"));
    const auto view = index::label_of<std::uint32_t>(data, id, side);
    ASSERT_GT(view.entries(), 0u);
    ASSERT_GT(view.hubs(), 0u);
    EXPECT_EQ(image.refusal(header + 8, (1u << 29) + 1), out_of_range("a label")) << "a distance";
    EXPECT_EQ(image.refusal(header + 12, data.core), out_of_range("a label")) << "an entry's key";
    const std::size_t hub = header + 8 * (1 + std::size_t{view.entries()});
    EXPECT_EQ(image.refusal(hub + 4, data.core), "") << "hubs lie outside of the core";
    EXPECT_EQ(image.refusal(hub + 4, data.nodes), out_of_range("a label")) << "a hub's key";
  }
}

TEST(IndexVerify, FindsWrongNumbers) {
  for (const Graph& graph : {road(300), one_way_streets(), in_sevenths()}) {
    const Image image(graph, with_core(40));
    const index::Data& data = image.data();
    const auto word = static_cast<std::uint16_t>(data.words[0]);
    EXPECT_EQ(image.wrong(image.at(data.words, 0), word), 0u) << "nothing changed";
    for (int side = 0; side < data.sides(); ++side) {
      for (const std::uint32_t arc :
           {data.first[side][data.core], data.first[side][data.nodes] - 1}) {
        std::size_t found = 0;
        if (data.wide) {
          found = image.wrong(image.weight_at(side, arc), 1e6);
        } else {
          const auto old = data.arcs_as<index::NarrowArcs>(side)[arc];
          const std::uint32_t most = std::min(data.arc_format.most_weight(), 1u << 28);
          ASSERT_NE(old.weight, most);
          found = image.wrong(image.with_arc(side, arc, old.head, most));
        }
        EXPECT_EQ(found, 1u) << side << ' ' << arc;
      }
      // A path that begins elsewhere, and one that leads out of the words.
      const index::PathRange range = data.ranges[side][0];
      EXPECT_EQ(image.wrong(image.with_range(side, 0, range)), 0u);
      EXPECT_GT(image.wrong(image.with_range(side, 0, {range.at + 1, range.backward, 1})), 0u);
      EXPECT_GT(image.wrong(image.with_range(side, 0, {range.at, range.backward, index::kLong})),
                0u);
      EXPECT_GT(image.wrong(image.with_range(
                    side, 0, {std::max(range.at, 1u), !range.backward, index::kLong})),
                0u);
      EXPECT_GT(image.wrong(image.at(data.words, data.words.size() - 1), word), 0u);
    }
    ASSERT_GT(data.potential_count, 0u);
    EXPECT_GT(image.wrong(image.at(data.potentials, 0), 1 << 29), 0u);
    EXPECT_GT(image.wrong(image.at(data.potentials, 0), -(1 << 29)), 0u);
  }
}

TEST(IndexVerify, FindsWrongDistancesAndLabels) {
  for (const Graph& graph : {road(300), one_way_streets()}) {
    const Image distances(graph, with_core(20, Crossing::kStoredDistances));
    const std::span bytes = distances.data().between;
    const auto* between = distances.data().between_of<std::uint32_t>();
    EXPECT_EQ(distances.wrong(distances.at(bytes, 0), 0u), 0u) << "from a node to itself";
    EXPECT_GT(distances.wrong(distances.at(bytes, 0), 1u), 0u);
    EXPECT_GT(distances.wrong(distances.at(bytes, 4), between[1] + 1), 0u);
    EXPECT_GT(distances.wrong(distances.at(bytes, 4), between[1] - 1), 0u);
    const std::span next = distances.data().next;
    ASSERT_EQ(next.size(), std::size_t{20} * 20);
    EXPECT_EQ(distances.wrong(distances.at(next, 0), std::uint8_t{0}), 0u) << "to itself";
    EXPECT_EQ(distances.wrong(distances.at(next, 1), next[1]), 0u);
    EXPECT_GT(distances.wrong(distances.at(next, 1), index::kNoNext), 0u);
    const auto other = static_cast<std::uint8_t>(next[1] == 0 ? 1 : 0);
    EXPECT_GT(distances.wrong(distances.at(next, 1), other), 0u);

    IndexOptions options = with_core(20);
    options.labels = true;
    const Image image(graph, options);
    const index::Data& data = image.data();
    for (int side = 0; side < data.sides(); ++side) {
      const NodeId id = data.original[data.nodes - 1];
      const std::uint32_t label = data.label_at[side][id];
      const auto view = index::label_of<std::uint32_t>(data, id, side);
      for (std::uint32_t i = 1; i <= view.entries() + view.hubs(); ++i) {
        const std::size_t item = image.at(data.labels[side], 8 * (std::size_t{label} + i));
        const std::uint32_t distance = view.header[i].distance();
        EXPECT_EQ(image.wrong(item, distance), 0u);
        EXPECT_GT(image.wrong(item, distance + 1), 0u) << side << ' ' << i;
        const std::size_t arc = image.at(data.label_arcs[side], label + i);
        EXPECT_EQ(image.wrong(arc, data.label_arcs[side][label + i]), 0u);
        const bool own = data.label_arcs[side][label + i] == index::kOwnItem;
        EXPECT_EQ(image.wrong(arc, std::uint8_t{254}), 1u) << "no such arc";
        if (!own) {
          EXPECT_GT(image.wrong(arc, index::kOwnItem), 0u) << "distance 0";
        }
      }
    }
  }
}

// Wide loads and copies must not leave the file.
TEST(IndexFileChecks, PathsOfAFileAreThoseOfTheIndexItIsFrom) {
  for (const Graph& graph : {road(300), one_way_streets(), in_sevenths(), road(1)}) {
    for (const Crossing crossing : {Crossing::kSearch, Crossing::kStoredDistances}) {
      const Index index = Index::build(graph, with_core(graph.node_count() / 15, crossing));
      const ScratchFolder folder;
      index.save(folder / "x.lsi");
      IndexSearcher built(index), read(Index::open(folder / "x.lsi", graph)),
          mapped(Index::open(folder / "x.lsi", graph, true));
      for (NodeId v = 0; v < graph.node_count(); v += 7) {
        const Query query{v, (v * 31 + 5) % graph.node_count()};
        const SearchResult found = built.run(query);
        const std::vector<NodeId> path = built.path();
        if (found.reached()) {
          EXPECT_EQ(path_cost(graph, path), found.cost);
        }
        for (IndexSearcher* searcher : {&read, &mapped}) {
          EXPECT_EQ(searcher->run(query).cost, found.cost);
          EXPECT_EQ(searcher->path(), path);
        }
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::index_file_test
