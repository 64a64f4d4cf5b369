// What an import keeps and says: shapes and components; the same bytes whatever the file's
// order and the number of threads; clear errors on everything else.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "error_of.h"
#include "extract.h"
#include "graph_equality.h"
#include "lodestar/graph_formats.h"
#include "lodestar/osm.h"
#include "lodestar/rng.h"
#include "scratch_folder.h"

namespace lodestar::osm_import_test {
namespace {

using osm::Extract;
using osm::Tags;

// A lattice of streets whose blocks bend, as one file would have it.
Extract bent_town(int size, std::uint64_t seed) {
  Extract town;
  Rng rng(seed);
  const auto id = [&](int c, int r) { return 1000 + 2 * (c + size * r); };
  const auto noise = [&] { return (rng.below(1000) - 500.0) / 1e7; };
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < size; ++c) {
      town.node(id(c, r), 9.5 + c / 500.0 + noise(), 47.1 + r / 500.0 + noise());
    }
  }
  std::int64_t bend = 100'000, way = 1;
  const auto add = [&](int c, int r, int dc, int dr) {
    town.node(++bend, 9.5 + (c + dc * 0.5) / 500.0 + noise(),
              47.1 + (r + dr * 0.5) / 500.0 + 0.0001);
    Tags tags = {{"highway", rng.below(3) == 0 ? "primary" : "residential"},
                 {"name", "Street " + std::to_string(way % 7)}};
    if (rng.below(5) == 0) tags.push_back({"oneway", "yes"});
    town.way(way++, {id(c, r), bend, id(c + dc, r + dr)}, tags);
  };
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < size; ++c) {
      if (c + 1 < size) add(c, r, 1, 0);
      if (r + 1 < size) add(c, r, 0, 1);
    }
  }
  return town;
}

std::string bytes_of(const GraphFile& file) {
  const ScratchFolder folder;
  write_graph(file, folder / "town.lsg");
  return folder.read("town.lsg");
}

TEST(OsmImport, BendsAreKeptBesideTheGraph) {
  Extract town;
  town.node(1, 0, 0).node(2, 0.001, 0.0005).node(3, 0.002, 0).node(4, 0.003, 0);
  town.way(7, {1, 2, 3, 4}, {{"highway", "residential"}, {"name", "Bow"}})
      .way(8, {3, 1}, {{"highway", "service"}, {"ref", "S 1"}});
  const ScratchFolder folder;
  town.write(folder / "town.osm.pbf");
  const GraphFile file = read_osm(folder / "town.osm.pbf");
  ASSERT_EQ(file.graph.node_count(), 3u);  // 2 is no junction
  EXPECT_EQ(file.graph.arc_count(), 6u);
  EXPECT_TRUE(file.graph.narrow());
  ASSERT_EQ(file.shape.segment_count(), 3u);
  EXPECT_EQ(what_is_wrong(file.shape, 3, 6), "");
  EXPECT_EQ(file.shape.street(0), "Bow");
  EXPECT_EQ(file.shape.street(2), "S 1");
  EXPECT_EQ(file.shape.segment_way[2], 8);
  ASSERT_EQ(file.shape.between(0).size(), 1u);
  EXPECT_EQ(file.shape.between(0)[0], (FixedPoint{10'000, 5'000}));
  const double half = distance_between(CoordinateKind::kDegrees, {0, 0}, {0.001, 0.0005});
  EXPECT_NEAR(file.shape.segment_length[0], 20 * half, 1);
}

TEST(OsmImport, TheLargestStrongComponentAndWhatWasCutOff) {
  Extract town;
  for (int i = 1; i <= 6; ++i) town.node(i, i / 1000.0, (i % 2) / 1000.0);
  town.way(1, {1, 2, 3, 1}, {{"highway", "residential"}});
  town.way(2, {4, 3}, {{"highway", "residential"}, {"oneway", "yes"}});  // no way back
  town.way(3, {5, 6}, {{"highway", "residential"}});                     // an island
  const ScratchFolder folder;
  town.write(folder / "town.osm.gz");
  const GraphFile largest = read_osm(folder / "town.osm.gz");
  // Ends of ways are junctions: 1 and 3 of the ring; 4; 5 and 6.
  EXPECT_EQ(largest.graph.node_count(), 2u);
  ASSERT_EQ(largest.notes.size(), 2u);
  EXPECT_EQ(largest.notes[1],
            "largest strong component: 3 of 5 nodes and 3 of 7 arcs cut off; --all keeps them");
  const GraphFile all = read_osm(folder / "town.osm.gz", {.all = true});
  EXPECT_EQ(all.graph.node_count(), 5u);
  EXPECT_EQ(all.graph.arc_count(), 7u);
}

TEST(OsmImport, RoadsEndWhereTheExtractDoes) {
  Extract town;
  town.node(1, 0, 0).node(2, 0.001, 0).node(3, 0.002, 0).node(6, 0.005, 0).node(7, 0.006, 0);
  town.way(1, {1, 2, 3, 4, 5, 6, 7}, {{"highway", "residential"}});
  const ScratchFolder folder;
  town.write(folder / "town.osm.pbf");
  const GraphFile file = read_osm(folder / "town.osm.pbf", {.all = true});
  EXPECT_EQ(file.graph.node_count(), 4u);  // 1 and 3, 6 and 7
  EXPECT_EQ(file.graph.arc_count(), 4u);
  EXPECT_EQ(file.notes.back(), "2 nodes of roads are not in the extract; roads end there");
}

TEST(OsmImport, TheSameBytesAgainAndWhateverTheFormatTheOrderAndTheThreads) {
  const Extract town = bent_town(12, 3);
  const ScratchFolder folder;
  for (const bool turns : {false, true}) {
    std::string first;
    for (const char* name : {"a.osm.pbf", "a.osm", "a.osm.gz", "a.osm.bz2"}) {
      town.write(folder / name);
      for (const unsigned threads : {1u, 2u, 7u}) {
        const GraphFile file = read_osm(folder / name, {.turns = turns, .threads = threads});
        const std::string bytes = bytes_of(file);
        if (first.empty()) first = bytes;
        EXPECT_TRUE(bytes == first) << name << " " << threads;
      }
    }
    // Nodes after the ways that use them.
    Extract backward;
    town.write(folder / "b.osm.pbf", false);
    EXPECT_TRUE(bytes_of(read_osm(folder / "b.osm.pbf", {.turns = turns})) == first);
  }
}

TEST(OsmImport, AWholeExtractInMemoryGivesTheSameGraph) {
  const ScratchFolder folder;
  const Extract town = bent_town(9, 4);
  for (const char* name : {"a.osm.pbf", "a.osm", "a.osm.gz", "a.osm.bz2"}) {
    town.write(folder / name);
    for (const ReadOptions& options :
         {ReadOptions{}, ReadOptions{.weight = "length", .profile = "foot"},
          ReadOptions{.turns = true, .all = true}}) {
      const GraphFile parsed = parse_osm(folder.read(name), name, options);
      const GraphFile read = read_osm(folder / name, options);
      EXPECT_GT(parsed.graph.arc_count(), 0u);
      EXPECT_EQ(parsed.notes, read.notes) << name;
      EXPECT_TRUE(bytes_of(parsed) == bytes_of(read)) << name;
    }
  }
}

TEST(OsmImport, TheBinaryFormatKeepsTheShape) {
  const ScratchFolder folder;
  bent_town(8, 5).write(folder / "town.osm.pbf");
  add_osm_format();
  const GraphFile file = read_graph(folder / "town.osm.pbf", {.profile = "bicycle"});
  EXPECT_TRUE(write_graph(file, folder / "town.lsg").empty());
  const GraphFile again = read_graph(folder / "town.lsg");
  EXPECT_EQ(again.notes, file.notes);
  ASSERT_EQ(again.shape.segment_count(), file.shape.segment_count());
  EXPECT_TRUE(std::ranges::equal(again.shape.points, file.shape.points));
  EXPECT_TRUE(std::ranges::equal(again.shape.arc_segment, file.shape.arc_segment));
  EXPECT_TRUE(std::ranges::equal(again.shape.arc_duration, file.shape.arc_duration));
  EXPECT_TRUE(std::ranges::equal(again.shape.node_id, file.shape.node_id));
  for (std::uint32_t s = 0; s < file.shape.segment_count(); ++s) {
    EXPECT_EQ(again.shape.street(s), file.shape.street(s));
  }
  // Other formats say what they lose.
  const std::vector<std::string> lost = write_graph(file, folder / "town.gr");
  ASSERT_GE(lost.size(), 2u);
  EXPECT_NE(lost[lost.size() - 2].find("OpenStreetMap ids"), std::string::npos);
  EXPECT_TRUE(lost.back().starts_with("metrics (time, length)")) << lost.back();
  // Every cut and many changed bytes: an Error, never a crash.
  const std::string whole = folder.read("town.lsg");
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    EXPECT_THROW(parse_graph(whole.substr(0, size), "cut.lsg"), Error);
  }
}

TEST(OsmImport, OptionsOfOtherFormatsAreRefused) {
  add_osm_format();
  add_osm_format();  // again does nothing
  const ScratchFolder folder;
  bent_town(3, 1).write(folder / "town.osm.pbf");
  EXPECT_THROW(read_graph(folder / "town.osm.pbf", {.unit_diagonals = true}), Error);
  EXPECT_THROW(read_graph(folder / "town.osm.pbf", {.weight = "price"}), Error);
  folder.write("g.csv", "a,b,1\n");
  EXPECT_THROW(read_graph(folder / "g.csv", {.profile = "car"}), Error);
  EXPECT_THROW(read_graph(folder / "g.csv", {.turns = true}), Error);
}

TEST(OsmImport, ProgressMayStopItByThrowing) {
  struct Enough : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  const ScratchFolder folder;
  const std::string path = folder / "town.osm.pbf";
  osm::Extract town;
  town.node(1, 0, 0).node(2, 0.001, 0).way(1, {1, 2}, {{"highway", "residential"}}).write(path);
  ReadOptions options;
  options.progress = [](double) { throw Enough("enough"); };
  EXPECT_THROW(read_osm(path, options), Enough);
}

TEST(OsmImport, BrokenFilesAreErrorsWithTheirName) {
  const ScratchFolder folder;
  const auto fails = [&](const std::string& name, const std::string& text) {
    const std::string path = folder.write(name, text);
    for (const bool file : {true, false}) {
      try {
        file ? read_osm(path) : parse_osm(text, path);
        ADD_FAILURE() << name << " was read: " << text.substr(0, 80);
      } catch (const Error& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with(path)) << error.what();
      }
    }
  };
  for (const char* name : {"x.osm.pbf", "x.osm", "x.osm.gz", "x.osm.bz2"}) {
    fails(name, "");
    fails(name, "this is no map\n");
    fails(name, std::string(1000, '\0'));
    fails(name, std::string(5000, '\xff'));
  }
  fails("x.osm", "<osm version=\"0.6\"></osm>");
  fails("x.osm", "<osm version=\"0.6\"><node id=\"1\" lat=\"0\" lon=\"0\"/></osm>");  // no road
  fails("x.osm", "<osm version=\"0.6\"><node id=\"1\" lat=\"0\" lon=\"0\"");
  fails("x.osm", "<osm version=\"9\"></osm>");
  fails("x.osm", "<gpx></gpx>");
  fails("x.osm", "<osm version=\"0.6\"><node id=\"one\" lat=\"0\" lon=\"0\"/></osm>");
  fails("x.osm", "<osm version=\"0.6\"><node id=\"1\" lat=\"0\" lon=\"900\"/></osm>");
  // Every truncation of real files that does not fall between two blocks.
  bent_town(4, 9).write(folder / "town.osm.pbf");
  bent_town(4, 9).write(folder / "town.osm.gz");
  for (const char* name : {"town.osm.pbf", "town.osm.gz"}) {
    const std::string whole = folder.read(name);
    for (std::size_t size = 1; size < whole.size(); size += 1 + whole.size() / 60) {
      fails(std::string("cut-") + name, whole.substr(0, size));
    }
  }
  EXPECT_THROW(read_osm(folder / "missing.osm.pbf"), Error);
  EXPECT_THROW(read_osm("http://localhost/x.osm.pbf"), Error);  // never fetched
  EXPECT_THROW(read_osm(folder / "."), Error);
}

// libosmium would read beyond the tags of the object.
TEST(OsmImport, AZeroByteWithinATagIsRefused) {
  const ScratchFolder folder;
  std::ifstream sample(LODESTAR_SOURCE_DIR "/tests/fuzz/corpus/osm_pbf/crossing.pbf",
                       std::ios::binary);  // not compressed
  std::string text{std::istreambuf_iterator<char>(sample), {}};
  const std::size_t at = text.find("residential");
  ASSERT_NE(at, std::string::npos);
  text[at + 4] = '\0';
  const std::string path = folder.write("town.osm.pbf", text);
  const std::string why = testing::error_of([&] { read_osm(path); });
  EXPECT_TRUE(why.starts_with(path + ": cannot be read: a tag of object ")) << why;
  EXPECT_TRUE(why.ends_with(" has a zero byte within")) << why;
  EXPECT_EQ(testing::error_of([&] { parse_osm(text, path); }), why);
  EXPECT_NE(testing::error_of([&] { read_osm_areas(path); }), "");
}

TEST(OsmImport, SaysWhatAFileLacks) {
  const ScratchFolder folder;
  const auto error = [&](const Extract& town) {
    const std::string path = folder / "town.osm.pbf";
    town.write(path);
    const std::string said = testing::error_of([&] { read_osm(path); });
    EXPECT_TRUE(said.starts_with(path + ": ")) << said;
    return said.substr(std::min(said.size(), path.size() + 2));
  };
  EXPECT_EQ(error({}), "holds neither nodes nor ways; is it an OpenStreetMap extract?");
  Extract nodes;
  nodes.node(1, 0, 0).node(2, 0.001, 0);
  EXPECT_EQ(error(nodes), "holds no road for the profile car (0 ways, 2 nodes)");
  Extract ways;
  ways.way(7, {1, 2}, {{"highway", "residential"}});
  EXPECT_EQ(error(ways), "holds no road for the profile car (1 ways, 0 nodes)");
}

}  // namespace
}  // namespace lodestar::osm_import_test
