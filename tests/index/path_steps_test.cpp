// Paths of an index: ids in few bytes, their copies in either direction, and ranges.
#include "index/path_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "index/file/file.h"
#include "index/runner.h"
#include "lodestar/index.h"
#include "lodestar/rng.h"

namespace lodestar::path_steps_test {
namespace {

// The piece of `count` ids from position `at` on.
index::PathPiece piece_of(const index::Ids& ids, std::size_t at, std::uint32_t count, bool back) {
  const auto width = static_cast<std::int32_t>(ids.width());
  return {ids.at(at) - (back ? 7 * width : 0), count, back ? -8 * width : 8 * width};
}

TEST(PathPieces, AreCopiedInEitherDirection) {
  Rng rng(3);
  for (const NodeId nodes : {1000u, 1u << 16, (1u << 16) + 1, 1u << 24, (1u << 24) + 1}) {
    std::vector<NodeId> all(500);
    for (NodeId& id : all) id = nodes - 1 - rng.below(1000);
    const index::OwnedIds owned(all, nodes);
    const index::Ids ids = owned.view();
    ASSERT_EQ(ids.width(), nodes <= 1u << 16 ? 2u : nodes <= 1u << 24 ? 3u : 4u);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(ids[i], all[i]);
    for (int round = 0; round < 20; ++round) {
      std::vector<index::PathPiece> pieces;
      std::vector<NodeId> expected;
      for (int k = 0; k < 9; ++k) {
        const bool back = rng.below(2) == 1;
        const std::uint32_t count = 1 + rng.below(k % 3 == 0 ? 100 : 10);
        // Also from and to both ends of the array.
        const std::uint32_t room = 500 - count;
        const std::size_t low = k == 1 ? 0 : k == 2 ? room : rng.below(room);
        pieces.push_back(piece_of(ids, back ? low + count - 1 : low, count, back));
        std::vector<NodeId> part(all.begin() + static_cast<long>(low),
                                 all.begin() + static_cast<long>(low + count));
        if (back) std::reverse(part.begin(), part.end());
        expected.insert(expected.end(), part.begin(), part.end());
      }
      for (const auto copy : {index::copy_pieces, index::copy_pieces_one_by_one}) {
        std::vector<NodeId> copied(expected.size() + index::kSlack);
        copy(ids.width(), pieces.data(), pieces.data() + pieces.size(), copied.data());
        copied.resize(expected.size());
        EXPECT_EQ(copied, expected);
      }
    }
  }
}

TEST(PathRanges, KeepLargePositions) {
  for (const unsigned size : {15, 23, 31}) {
    const std::size_t words = std::size_t{1} << size;
    const unsigned width = index::PathRanges::width_for(words);
    EXPECT_EQ(8 * width, size + 9);
    EXPECT_GT(index::PathRanges::width_for(words + 1) + (size == 31 ? 1 : 0), width);
    std::vector<std::byte> bytes(3 * width + index::PathRanges::kRangeSlack);
    const auto last = static_cast<std::uint32_t>(words - 1);
    const index::PathRange given[] = {{last, true, 255}, {0, false, 1}, {last - 1, false, 254}};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t bits = index::PathRanges::packed(given[i]);
      std::memcpy(bytes.data() + i * width, &bits, width);
    }
    const index::PathRanges ranges(bytes.data(), 3, width);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(ranges[i].at, given[i].at);
      EXPECT_EQ(ranges[i].backward, given[i].backward);
      EXPECT_EQ(ranges[i].length, given[i].length);
    }
  }
}

// Ids of three bytes, and ranges longer than a byte can say.
TEST(PathPieces, MakeLongPathsOfManyNodes) {
  constexpr NodeId kNodes = (1 << 16) + 1000;
  for (const bool directed : {false, true}) {
    GraphBuilder builder(kNodes);
    for (NodeId v = 0; v < kNodes; ++v) {
      builder.add_arc(v, (v + 1) % kNodes, 1 + v % 5);
      if (!directed) builder.add_arc((v + 1) % kNodes, v, 1 + v % 5);
    }
    const Graph graph = builder.build();
    IndexOptions options;
    options.core = 20;
    options.crossing = Crossing::kStoredDistances;
    const Index index = Index::build(graph, options);
    EXPECT_EQ(index::Access::data(index).original.width(), 3u);
    EXPECT_EQ(index::Access::data(index).arc_format.narrow(), directed);
    EXPECT_EQ(index.verify(), 0u);
    IndexSearcher searcher(index);
    for (const Query query : {Query{5, 30'000}, Query{60'000, 20}, Query{17, 40'000}}) {
      const SearchResult found = searcher.run(query);
      const std::vector<NodeId> path = searcher.path();
      EXPECT_EQ(path.front(), query.source);
      EXPECT_EQ(path.back(), query.target);
      EXPECT_EQ(path_cost(graph, path), found.cost);
    }
  }
}

// Directed indexes of format 4, with ids of 32 bits and arcs of 8 bytes.
TEST(OldIndexFiles, AreConverted) {
  const auto folder = std::filesystem::path(LODESTAR_SOURCE_DIR) / "tests/fuzz/corpus/index_file";
  for (const char* name : {"directed_4.lsi", "labels_4.lsi", "labels_decimals.lsi"}) {
    std::ifstream in(folder / name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    // Aligned, as a file in memory is.
    std::vector<std::uint64_t> image(bytes.size() / 8);
    std::memcpy(image.data(), bytes.data(), bytes.size());
    const auto data =
        index::parse({reinterpret_cast<const char*>(image.data()), bytes.size()}, nullptr, name);
    EXPECT_FALSE(data->symmetric);
    EXPECT_EQ(data->original.width(), 2u);
    EXPECT_EQ(data->arc_format.bytes, 8);
    EXPECT_TRUE(data->next.empty());
    const auto runner = index::make_runner(*data);
    for (NodeId s = 0; s < data->nodes; ++s) {
      for (NodeId t = 0; t < data->nodes; ++t) {
        const SearchResult found = runner->run({s, t});
        std::vector<NodeId> path;
        runner->path(path);
        ASSERT_EQ(path.empty(), !found.reached());
        if (path.empty()) continue;
        EXPECT_EQ(path.front(), s);
        EXPECT_EQ(path.back(), t);
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::path_steps_test
