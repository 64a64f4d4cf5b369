// What the documents say of the tree can be checked: headers named, files linked, commands that
// run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "file_text.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = LODESTAR_SOURCE_DIR;

// The lines of the tree below "include/lodestar/", up to the next folder: names, then two blanks
// and what they are.
std::set<std::string> headers_of_the_tree() {
  std::istringstream tree(testing::file_text(kRoot / "docs/design/ARCHITECTURE.md"));
  std::set<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(tree, line);) {
    if (line.starts_with("include/lodestar/")) {
      inside = true;
    } else if (inside && !line.starts_with("  ")) {
      break;
    } else if (inside) {
      std::istringstream words(line.substr(2, line.find("  ", 2) - 2));
      for (std::string word; words >> word;) {
        if (word != "detail/") names.insert(word);
      }
    }
  }
  return names;
}

TEST(Documents, ArchitectureNamesEveryPublicHeaderAndNoOther) {
  std::set<std::string> there;
  for (const auto& entry : fs::directory_iterator(kRoot / "include/lodestar")) {
    if (entry.is_regular_file()) there.insert(entry.path().stem().string());
  }
  EXPECT_EQ(headers_of_the_tree(), there);
}

TEST(Documents, ArchitectureNamesEveryFolderOfTheSources) {
  const std::string text = testing::file_text(kRoot / "docs/design/ARCHITECTURE.md");
  const std::size_t begin = text.find("\nsrc/ "), end = text.find("\nosm/ ", begin);
  ASSERT_NE(end, std::string::npos);
  std::set<std::string> named, there;
  std::istringstream tree(text.substr(begin + 1, end - begin));
  std::string line;
  std::getline(tree, line);  // src/ itself
  while (std::getline(tree, line)) {
    std::istringstream words(line.substr(0, line.find("  ", 2)));
    for (std::string word; words >> word;) named.insert(word);
  }
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    if (entry.is_directory()) there.insert(entry.path().filename().string());
  }
  EXPECT_EQ(named, there);
}

std::vector<fs::path> all_documents() {
  std::vector<fs::path> documents = {kRoot / "README.md", kRoot / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  }
  return documents;
}

// Manuals lie in docs/, tables that commands printed in docs/results/, experiments in
// docs/design/notebook/. A link leads somewhere, and so does a bare X.md.
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
      EXPECT_TRUE(fs::exists(document.parent_path() / name) || fs::exists(kRoot / "docs" / name) ||
                  fs::exists(kRoot / name))
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
    const std::string text = testing::file_text(document);
    for (std::sregex_iterator match(text.begin(), text.end(), path), end; match != end; ++match) {
      ++checked;
      const fs::path named = kRoot / (*match)[1].str();  // tests by the name of their program
      EXPECT_TRUE(fs::exists(named) || fs::exists(named.string() + ".cpp"))
          << document.filename() << " names " << (*match)[1];
    }
  }
  EXPECT_GT(checked, 10u);
}

// The commands under "## Ask" work as they stand, on a smaller graph of the same kind.
TEST(Documents, ReadmeCommandsRun) {
  const ScratchFolder folder;
  const std::string readme = testing::file_text(kRoot / "README.md");
  const std::size_t ask = readme.find("## Ask");
  ASSERT_NE(ask, std::string::npos);
  const std::size_t begin = readme.find("```\n", ask) + 4, end = readme.find("```", begin);
  const std::string inside = "cd " + (folder / "") + " && ";
  const auto run = [&](std::string line) {  // as a user would, in a folder of its own
    line = std::regex_replace(line, std::regex("build/lodestar"), LODESTAR_BINARY);
    return std::system((inside + "( " + line + " ) >/dev/null 2>&1 </dev/null").c_str());
  };
  ASSERT_EQ(run("build/lodestar generate road -n 5000 --seed 1 -o road.lsg"), 0);
  ASSERT_EQ(run("build/lodestar fit road.lsg --rounds 1 -k 4 --start farthest -o road.lsp"), 0);
  std::istringstream commands(readme.substr(begin, end - begin));
  std::size_t ran = 0;
  for (std::string line; std::getline(commands, line); ++ran) EXPECT_EQ(run(line), 0) << line;
  EXPECT_GE(ran, 5u);
}

}  // namespace
}  // namespace lodestar
