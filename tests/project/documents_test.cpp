// Documents name headers, folders and files that exist, their links work, and the commands of the
// README run. What they say about options, defaults and formats: document_facts_test.cpp.
#include "documents.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "scratch_folder.h"

namespace lodestar::documents_test {
namespace {

namespace fs = std::filesystem;
using testing::all_documents;
using testing::kRoot;

const fs::path kArchitecture = kRoot / "docs/design/ARCHITECTURE.md";

// Names in the tree of ARCHITECTURE.md below the line that begins with `folder`: words up to two
// blanks. Empty: the top of the tree.
std::set<std::string> names_in_tree(const std::string& folder) {
  std::set<std::string> names;
  bool inside = folder.empty();
  for (const std::string& line :
       testing::block_after(testing::file_text(kArchitecture), "## Tree")) {
    const bool indented = line.starts_with("  ");
    if (!folder.empty() && !indented) inside = line.starts_with(folder);
    if (!inside || indented == folder.empty()) continue;
    // At the top names may be two blanks apart, and more end the list.
    const std::size_t end = folder.empty() ? line.find("   ") : line.find("  ", 2);
    std::istringstream words(line.substr(0, end));
    for (std::string word; words >> word;) names.insert(word);
  }
  return names;
}

TEST(Documents, ArchitectureNamesEveryPublicHeaderAndNoOther) {
  std::set<std::string> there = {"detail/"};
  for (const auto& entry : fs::directory_iterator(kRoot / "include/lodestar")) {
    if (entry.is_regular_file()) there.insert(entry.path().stem().string());
  }
  EXPECT_EQ(names_in_tree("include/"), there);
}

TEST(Documents, ArchitectureNamesEveryFolderOfTheSources) {
  std::set<std::string> there;
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    if (entry.is_directory()) there.insert(entry.path().filename().string());
  }
  EXPECT_EQ(names_in_tree("src/"), there);
}

TEST(Documents, ArchitectureNamesEveryTopLevelFolder) {
  std::set<std::string> named;
  for (const std::string& name : names_in_tree("")) named.insert(name.substr(0, name.find('/')));
  std::set<std::string> folders;
  for (const std::string& file : testing::tracked_files()) {
    if (file.find('/') != std::string::npos) folders.insert(file.substr(0, file.find('/')));
  }
  ASSERT_GE(folders.size(), 9u) << "git lists no files";
  for (const std::string& folder : folders) {
    EXPECT_TRUE(named.contains(folder)) << "ARCHITECTURE.md does not name " << folder << "/";
  }
  for (const std::string& name : named) {
    EXPECT_TRUE(fs::exists(kRoot / name)) << "ARCHITECTURE.md names " << name;
  }
}

// "### Solve" and a block of files in the order in which to read them.
TEST(Documents, WalksThroughTheCodeAreShortAndExist) {
  const std::string text = testing::file_text(kArchitecture);
  for (const std::string walk : {"### Solve", "### Index and query", "### Train to reproduce"}) {
    std::size_t files = 0, changes = 0;
    fs::path folder;
    for (const std::string& line : testing::block_after(text, walk)) {
      const fs::path file = line.substr(0, line.find(' '));
      EXPECT_TRUE(fs::is_regular_file(kRoot / file)) << walk << " names " << file;
      changes += files > 0 && file.parent_path() != folder;
      folder = file.parent_path();
      ++files;
    }
    EXPECT_GE(files, 5u) << walk;
    EXPECT_LE(files, 12u) << walk;
    EXPECT_LE(changes, 6u) << walk;
  }
}

TEST(Documents, GuideHasEightPages) {
  std::size_t pages = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/guide")) {
    pages += entry.path().extension() == ".md";
  }
  EXPECT_EQ(pages, 8u);
  EXPECT_LE(testing::lines_of(testing::file_text(kRoot / "README.md")).size(), 130u);
}

// A link leads somewhere, and so does a bare X.md.
TEST(Documents, LinksLeadSomewhere) {
  const std::regex link("\\]\\((?!http|#)([^)#]+)(#[^)]*)?\\)");
  const std::regex bare("(?:^|[^A-Za-z0-9_./-])([A-Z][A-Z_]+\\.md)");
  for (const fs::path& document : all_documents()) {
    const std::string text = testing::file_text(document);
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      EXPECT_TRUE(fs::exists(document.parent_path() / (*match)[1].str()))
          << document << " links to " << (*match)[1];
    }
    for (std::sregex_iterator match(text.begin(), text.end(), bare), end; match != end; ++match) {
      const std::string name = (*match)[1];
      EXPECT_TRUE(fs::exists(document.parent_path() / name) ||
                  fs::exists(kRoot / "docs/design" / name) ||
                  fs::exists(kRoot / "docs/results" / name) || fs::exists(kRoot / name))
          << document << " names " << name;
    }
  }
}

// `docs/X.md`, `tests/y_test.cpp`: a path in backquotes that begins with a folder of the project.
TEST(Documents, FilesTheyNameAreThere) {
  const std::regex path(
      "`((docs|src|tests|learn|apps|bench|examples|include|"
      "tools)/[A-Za-z0-9_./-]+)`");
  std::size_t checked = 0;
  for (const fs::path& document : all_documents()) {
    for (const std::string& line : testing::lines_of(testing::file_text(document))) {
      // A program that was removed after its results had been recorded.
      if (line.find("in the repository up to commit") != std::string::npos) continue;
      for (std::sregex_iterator match(line.begin(), line.end(), path), end; match != end; ++match) {
        ++checked;
        const fs::path named = kRoot / (*match)[1].str();  // tests by the name of their program
        EXPECT_TRUE(fs::exists(named) || fs::exists(named.string() + ".cpp"))
            << document.filename() << " names " << (*match)[1];
      }
    }
  }
  EXPECT_GT(checked, 10u);
}

// The marked block runs as printed, on a smaller graph of the same kind and with less training.
TEST(Documents, ReadmeCommandsRun) {
  const ScratchFolder folder;
  const std::string inside = "cd " + (folder / "") + " && ";
  std::size_t ran = 0;
  for (std::string line : testing::block_after(testing::file_text(kRoot / "README.md"),
                                               "run by tests/project/documents_test.cpp")) {
    line = std::regex_replace(line, std::regex("build/lodestar"), LODESTAR_BINARY);
    line = std::regex_replace(line, std::regex("-n 65536"), "-n 5000");
    line = std::regex_replace(line, std::regex("--seconds [0-9]+"), "--rounds 1 -k 4");
    EXPECT_EQ(std::system((inside + "( " + line + " ) >/dev/null 2>&1 </dev/null").c_str()), 0)
        << line;
    ++ran;
  }
  EXPECT_GE(ran, 5u);
}

}  // namespace
}  // namespace lodestar::documents_test
