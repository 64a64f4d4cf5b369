// Files used where they lie: shared by processes, left alone when replaced, copied when unsafe.
#include <gtest/gtest.h>

#include <fstream>

#include "graph_equality.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "road.h"
#include "scratch_folder.h"

namespace lodestar::mapped_file_test {
namespace {

GraphFile road(NodeId nodes, std::uint64_t seed) {
  return testing::road_file(nodes, 0, seed);
}

bool mapped(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(path)) return true;
  }
  return false;
}

TEST(MappedFile, IsTheSameGraphAndIsSharedOnlyWhenAskedFor) {
  const ScratchFolder folder;
  const GraphFile made = road(2000, 1);
  const std::string path = folder / "road.lsg";
  write_graph(made, path);
  {
    const GraphFile copy = read_graph(path);
    EXPECT_FALSE(mapped(path));
    const GraphFile shared = read_graph(path, {.map = true});
    EXPECT_TRUE(mapped(path));
    expect_same(shared.graph, made.graph);
    expect_same(copy.graph, made.graph);
  }
  EXPECT_FALSE(mapped(path));  // gone with the graph
}

TEST(MappedFile, SurvivesItsReplacement) {
  const ScratchFolder folder;
  const GraphFile made = road(2000, 1);
  const std::string path = folder / "road.lsg";
  write_graph(made, path);
  const GraphFile shared = read_graph(path, {.map = true});
  write_graph(road(50, 2), path);
  expect_same(shared.graph, made.graph);
  std::filesystem::remove(path);
  expect_same(shared.graph, made.graph);
}

TEST(MappedFile, WhatOthersMayWriteIsCopied) {
  const ScratchFolder folder;
  const GraphFile made = road(2000, 1);
  const std::string path = folder / "road.lsg";
  write_graph(made, path);
  using std::filesystem::perms;
  for (const perms who : {perms::group_write, perms::others_write}) {
    std::filesystem::permissions(path, perms::owner_all | who);
    const GraphFile copy = read_graph(path, {.map = true});
    EXPECT_FALSE(mapped(path));
    expect_same(copy.graph, made.graph);
  }
}

TEST(MappedFile, IsCheckedLikeAnyOther) {
  const ScratchFolder folder;
  const std::string path = folder / "road.lsg";
  write_graph(road(500, 1), path);
  const std::string image = folder.read("road.lsg");
  const auto refused = [&](const std::string& bytes) {
    std::filesystem::remove(path);
    folder.write("road.lsg", bytes);
    EXPECT_THROW(read_graph(path, {.map = true}), Error);
  };
  refused("");
  refused(image.substr(0, image.size() / 2));
  std::string damaged = image;
  damaged[image.size() / 2] = static_cast<char>(damaged[image.size() / 2] ^ 1);
  refused(damaged);
  folder.write("a.gr", "p sp 2 1\na 1 2 3\n");
  EXPECT_THROW(read_graph(folder / "a.gr", {.map = true}), Error);
  EXPECT_THROW(read_graph(folder / "none.lsg", {.map = true}), Error);
}

TEST(MappedFile, AnIndexToo) {
  const ScratchFolder folder;
  const GraphFile made = road(2000, 1);
  IndexOptions options;
  options.rounds = 1;
  const Index built = Index::build(made.graph, options);
  const std::string path = folder / "road.lsi";
  built.save(path);
  {
    const Index shared = Index::open(path, made.graph, true);
    EXPECT_TRUE(mapped(path));
    EXPECT_EQ(shared.verify(), 0u);
    IndexSearcher a(built), b(shared);
    for (NodeId v = 0; v < 50; ++v) {
      EXPECT_EQ(a.run({v, made.graph.node_count() - 1 - v}).cost,
                b.run({v, made.graph.node_count() - 1 - v}).cost);
      EXPECT_EQ(a.path(), b.path());
    }
    std::filesystem::remove(path);
    EXPECT_EQ(shared.verify(), 0u);
  }
  built.save(path);
  EXPECT_TRUE(Index::open_or_customize(path, made.graph, true).note.empty());
  EXPECT_THROW(Index::open(path, road(1000, 2).graph, true), Error);
}

}  // namespace
}  // namespace lodestar::mapped_file_test
