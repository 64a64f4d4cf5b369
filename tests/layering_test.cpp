// Dependencies point one way: this reads every #include and says which one does not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Include {
  fs::path file;
  std::string target;
  bool quoted = false;
};

std::vector<Include> includes_below(const std::string& folder) {
  std::vector<Include> found;
  const fs::path root = fs::path(LODESTAR_SOURCE_DIR) / folder;
  if (!fs::exists(root)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (!line.starts_with("#include ")) continue;
      const std::size_t open = line.find_first_of("\"<"),
                        close = line.find_first_of("\">", open + 1);
      if (close == std::string::npos) continue;
      found.push_back({entry.path(), line.substr(open + 1, close - open - 1), line[open] == '"'});
    }
  }
  return found;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
  for (const std::string& prefix : prefixes) {
    if (text.rfind(prefix, 0) == 0) return true;
  }
  return false;
}

const std::vector<std::string> kTorch = {"torch/", "ATen/", "c10/"};

TEST(Layering, PublicHeadersNeedTheStandardLibraryOnly) {
  const auto includes = includes_below("include");
  ASSERT_FALSE(includes.empty());
  for (const Include& include : includes) {
    if (include.quoted) {
      EXPECT_TRUE(include.target.rfind("lodestar/", 0) == 0)
          << include.file << " includes \"" << include.target << '"';
    } else {
      // Headers of the standard library have neither a folder nor an ending; intrinsics aside.
      EXPECT_EQ(include.target.find_first_of("./"), std::string::npos)
          << include.file << " includes <" << include.target << '>';
    }
  }
}

TEST(Layering, TheCoreKnowsNothingOfTorchOrTheProgram) {
  const std::vector<std::string> forbidden = {"torch/", "ATen/",  "c10/", "CLI/",
                                              "fmt/",   "learn/", "cli/", "eval/"};
  for (const Include& include : includes_below("src")) {
    EXPECT_FALSE(starts_with_any(include.target, forbidden))
        << include.file << " includes " << include.target;
  }
}

TEST(Layering, OnlyLearnSeesTorch) {
  for (const char* folder : {"cli", "eval", "tests", "examples", "fuzz"}) {
    for (const Include& include : includes_below(folder)) {
      EXPECT_FALSE(starts_with_any(include.target, kTorch))
          << include.file << " includes " << include.target;
    }
  }
  for (const Include& include : includes_below("learn")) {
    EXPECT_FALSE(starts_with_any(include.target, {"CLI/", "cli/"}))
        << include.file << " includes " << include.target;
  }
}

// A cycle among public headers would mean that two things are one.
TEST(Layering, PublicHeadersFormNoCycle) {
  std::map<std::string, std::set<std::string>> needs;
  for (const Include& include : includes_below("include")) {
    if (include.quoted) {
      needs["lodestar/" + include.file.filename().string()].insert(include.target);
    }
  }
  std::set<std::string> done, open;
  const auto visit = [&](const auto& self, const std::string& header) -> void {
    if (done.contains(header)) return;
    ASSERT_TRUE(open.insert(header).second) << "a cycle through " << header;
    for (const std::string& next : needs[header]) self(self, next);
    open.erase(header);
    done.insert(header);
  };
  for (const auto& [header, unused] : std::map(needs)) visit(visit, header);
}

}  // namespace
