// The journal: what was acknowledged comes back, whatever the file's end looks like.
#include "apps/server/journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "full_disk.h"
#include "lodestar/graph_io.h"
#include "sample_service.h"
#include "scratch_folder.h"

namespace lodestar::server::journal_test {
namespace {

class JournalTest : public ::testing::Test {
 protected:
  std::vector<JournalEntry> entries() const { return Journal(path_, graph_).take_entries(); }
  static JournalEntry entry(std::uint64_t version) {
    return {version, version % 3 == 0, {{static_cast<ArcIndex>(version), 1.5 * version}, {2, 7}}};
  }
  void write(std::uint64_t count) {
    Journal journal(path_, graph_);
    for (std::uint64_t version = 1; version <= count; ++version) {
      const JournalEntry one = entry(version);
      journal.append({&one, 1});
    }
  }
  ScratchFolder folder_;
  Graph graph_ = sample_roads(60).graph;
  std::string path_ = folder_ / "w.lsj";
};

TEST_F(JournalTest, GivesBackWhatItTook) {
  write(5);
  const auto all = entries();
  ASSERT_EQ(all.size(), 5u);
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(all[i].version, i + 1);
    EXPECT_EQ(all[i].reset, (i + 1) % 3 == 0);
    EXPECT_EQ(all[i].changes, entry(i + 1).changes);
  }
}

// One of format 1, by tests/golden/make; and one of a format that is not there yet.
TEST_F(JournalTest, ReadsYesterdaysAndRefusesTomorrows) {
  const std::string golden = LODESTAR_SOURCE_DIR "/tests/golden/files/";
  const Graph graph = read_graph(golden + "graph-1.lsg").graph;
  std::ifstream in(golden + "journal-1.lsj", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  folder_.write("w.lsj", bytes);
  const auto all = Journal(path_, graph).take_entries();
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].changes.size(), 1u);
  EXPECT_EQ(all[0].changes[0], (WeightChange{3, 777}));
  bytes[3] = '2';
  folder_.write("w.lsj", bytes);
  try {
    Journal(path_, graph);
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has format 2 of a newer version"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(folder_.read("w.lsj"), bytes);  // and left alone
}

// Cut anywhere, all records before the cut come back, and the next one can be written.
TEST_F(JournalTest, SurvivesBeingCutAnywhere) {
  write(3);
  const std::string whole = folder_.read("w.lsj");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    folder_.write("w.lsj", whole.substr(0, size));
    const std::size_t before = entries().size();
    EXPECT_LE(before, 3u);
    const JournalEntry next = entry(9);
    Journal(path_, graph_).append({&next, 1});
    const auto after = entries();
    ASSERT_EQ(after.size(), before + 1) << size;
    EXPECT_EQ(after.back().version, 9u);
  }
}

TEST_F(JournalTest, BlocksThatNeverReachedTheDiskAreDropped) {
  write(3);
  const std::string whole = folder_.read("w.lsj");
  folder_.write("w.lsj", whole + std::string(500, '\0'));
  EXPECT_EQ(entries().size(), 3u);
  std::string torn = whole;
  torn.back() ^= 1;  // the last record is not what its sum says
  folder_.write("w.lsj", torn);
  EXPECT_EQ(entries().size(), 2u);
}

// A change in the middle is damage, and is said; nothing is dropped in silence.
TEST_F(JournalTest, DamageIsAnError) {
  write(3);
  const std::string whole = folder_.read("w.lsj");
  const std::size_t last = (whole.size() - 20) / 3 * 2 + 20;  // where the last record begins
  for (std::size_t i = 0; i < last; ++i) {
    std::string damaged = whole;
    damaged[i] ^= 4;
    folder_.write("w.lsj", damaged);
    EXPECT_THROW(entries(), Error) << i;
  }
}

// Cut or flipped, the last record is lost; that is said, and the bytes are kept.
TEST_F(JournalTest, ADamagedTailIsSaidAndKept) {
  write(3);
  const std::string whole = folder_.read("w.lsj");
  const std::size_t last = (whole.size() - 20) / 3 * 2 + 20;
  std::vector<std::string> tails = {whole.substr(last) + "x", std::string(100, '\0')};
  for (std::size_t size = last + 1; size < whole.size(); ++size) {
    tails.push_back(whole.substr(last, size - last));
  }
  for (std::size_t i = last; i < whole.size(); ++i) {
    tails.push_back(whole.substr(last));
    tails.back()[i - last] ^= 16;
  }
  for (const std::string& tail : tails) {
    const bool behind = tail.ends_with("x");  // the last record is whole
    folder_.write("w.lsj", whole.substr(0, last) + tail);
    {
      Journal journal(path_, graph_);
      ASSERT_EQ(journal.take_entries().size(), behind ? 3u : 2u);
      const std::size_t lost = behind ? 1 : tail.size();
      EXPECT_NE(journal.note().find("the last " + std::to_string(lost) + " bytes"),
                std::string::npos)
          << journal.note();
      EXPECT_NE(journal.note().find(behind ? "of version 3;" : "of version 2;"), std::string::npos)
          << journal.note();
      EXPECT_EQ(folder_.read("w.lsj.damaged"), behind ? "x" : tail);
    }
    EXPECT_EQ(Journal(path_, graph_).note(), "");  // once
    std::filesystem::remove(path_ + ".damaged");
  }
}

TEST_F(JournalTest, DamageInTheMiddleCanBeCutOff) {
  write(5);
  const std::string whole = folder_.read("w.lsj");
  const std::size_t record = (whole.size() - 20) / 5;
  for (std::size_t broken = 0; broken < 4; ++broken) {
    std::string damaged = whole;
    damaged[20 + broken * record + 7 * broken] ^= 4;
    folder_.write("w.lsj", damaged);
    EXPECT_THROW(Journal(path_, graph_), Error);
    EXPECT_EQ(folder_.read("w.lsj"), damaged);
    {
      Journal journal(path_, graph_, JournalDamage::kCutOff);
      EXPECT_EQ(journal.take_entries().size(), broken);
      EXPECT_NE(journal.note().find("of version " + std::to_string(broken) + ";"),
                std::string::npos);
      const JournalEntry next = entry(broken + 1);
      journal.append({&next, 1});
    }
    EXPECT_EQ(entries().size(), broken + 1);
    // What earlier starts have kept is still there.
    const std::string name =
        "w.lsj.damaged" + (broken > 0 ? "-" + std::to_string(broken + 1) : std::string());
    EXPECT_EQ(folder_.read(name), damaged.substr(20 + broken * record));
  }
}

TEST_F(JournalTest, ANewJournalIsSaid) {
  EXPECT_NE(Journal(path_, graph_).note().find("new journal"), std::string::npos);
  EXPECT_EQ(Journal(path_, graph_).note(), "");
  folder_.write("w.lsj", folder_.read("w.lsj").substr(0, 11));
  EXPECT_NE(Journal(path_, graph_).note().find("11 bytes"), std::string::npos);
}

// Updates that a full disk refuses leave nothing behind, and the next one is found again.
TEST_F(JournalTest, AFullDiskTearsNothing) {
  write(3);
  {
    Journal journal(path_, graph_);
    const JournalEntry next = entry(4);
    {
      const testing::FullDisk full(journal.bytes() + 20);
      EXPECT_THROW(journal.append({&next, 1}), JournalWriteError);
      EXPECT_THROW(journal.append({&next, 1}), JournalWriteError);
    }
    journal.append({&next, 1});
  }
  Journal again(path_, graph_);
  EXPECT_EQ(again.take_entries().size(), 4u);
  EXPECT_EQ(again.note(), "");
}

TEST_F(JournalTest, CompactsToOneEntry) {
  {
    Journal journal(path_, graph_);
    for (std::uint64_t version = 1; version <= 50; ++version) {
      const JournalEntry one = entry(version);
      journal.append({&one, 1});
    }
    const std::uint64_t before = journal.bytes();
    journal.compact({50, true, {{3, 4.5}}});
    EXPECT_LT(journal.bytes(), before);
    const JournalEntry next = entry(51);
    journal.append({&next, 1});
    EXPECT_THROW(Journal(path_, graph_), Error) << "in use";
  }
  const auto all = entries();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].version, 50u);
  EXPECT_TRUE(all[0].reset);
  EXPECT_EQ(all[1].changes, entry(51).changes);
}

TEST_F(JournalTest, ForeignFilesAreLeftAlone) {
  for (const std::string& text : {std::string("hello, this is a letter to a friend of mine"),
                                  std::string("LSJ1"), std::string("x")}) {
    folder_.write("w.lsj", text);
    if (text == "LSJ1") continue;  // the beginning of one
    EXPECT_THROW(entries(), Error);
    EXPECT_EQ(folder_.read("w.lsj"), text);
  }
}

}  // namespace
}  // namespace lodestar::server::journal_test
