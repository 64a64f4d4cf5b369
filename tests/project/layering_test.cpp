// Dependencies point one way: this reads every #include of the tracked files and names each one
// that does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lodestar::layering_test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const fs::path kRoot = LODESTAR_SOURCE_DIR;

// What a part of the tree may include of the project, its own files aside. Public headers
// (lodestar/…) are open to all parts; lodestar/detail/… to all but examples. A new folder with
// sources needs a line here.
const std::map<std::string, Names> kMayUse = {
    {"include", {}},
    {"src/base", {}},
    {"src/graph", {"src/base"}},
    {"src/formats", {"src/base", "src/graph"}},
    {"src/search", {"src/base", "src/graph"}},
    {"src/places", {"src/base", "src/graph", "src/search"}},
    {"src/potentials", {"src/base", "src/graph", "src/search"}},
    {"src/index", {"src/base", "src/graph", "src/formats", "src/search", "src/potentials"}},
    {"src/network", {"src/base", "src/graph", "src/search", "src/potentials"}},
    {"src/requests", {"src/base", "src/graph", "src/formats", "src/search", "src/potentials"}},
    {"src/router",
     {"src/base", "src/graph", "src/search", "src/places", "src/potentials", "src/requests",
      "src/index", "src/network"}},
    {"src/isochrone", {"src/base", "src/graph", "src/places", "src/router", "src/search"}},
    {"src/osm", {"src/base", "src/graph", "src/formats", "src/places", "src/search"}},
    {"bench/harness", {"src/base", "src/index", "src/potentials", "src/requests"}},
    {"learn/evaluate", {"bench/harness", "src/base", "src/formats"}},
    {"learn/train", {"bench/harness", "learn/evaluate", "src/network"}},
    {"learn/tune", {"bench/harness"}},
    {"learn/cluster", {"learn/tune"}},
    {"apps/server", {}},
    {"apps/python", {"src/base"}},
    {"apps/cli",
     {"bench/harness", "learn/evaluate", "learn/train", "learn/tune", "learn/cluster", "src/osm",
      "apps/server"}},
    {"bench", {"bench/harness", "tests"}},
    {"examples", {}},
};

// Libraries of others, by how their headers begin, and the parts that may include them.
const std::map<std::string, Names> kOthers = {
    {"torch/", {"learn/train"}},
    {"ATen/", {"learn/train"}},
    {"c10/", {"learn/train"}},
    {"mpi.h", {"learn/cluster", "apps/cli"}},
    {"CLI/", {"apps/cli", "bench", "bench/harness"}},
    {"fmt/",
     {"apps/cli", "bench/harness", "learn/evaluate", "learn/tune", "apps/server", "src/osm"}},
    {"osmium/", {"src/osm"}},
    {"protozero/", {"src/osm"}},
    {"geos_c.h", {"src/isochrone"}},
    {"boost/", {"bench", "apps/server"}},
    {"lemon/", {"bench"}},
    {"igraph", {"bench"}},
    {"pybind11/", {"apps/python"}},
    {"gtest/", {}},
};

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The part of the tree a file belongs to: "include", "src/index", "learn/train", "apps/cli",
// "bench", "tests".
std::string part_of(const fs::path& file) {
  const std::string first = file.begin()->string();
  const std::string second = std::next(file.begin())->string();
  if (first == "src" || first == "learn" || first == "apps") return first + "/" + second;
  if (first == "bench" && (second == "harness" || second == "competitors")) return "bench/harness";
  return first;
}

// The sources that git tracks: folders of builds are no part of the project, whatever their names.
std::vector<fs::path> tracked_sources() {
  std::vector<fs::path> files;
  FILE* pipe = popen(("git -C '" + kRoot.string() + "' ls-files '*.h' '*.cpp'").c_str(), "r");
  char line[1024];
  while (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr) {
    std::string name(line);
    name.erase(name.find_last_not_of("\r\n") + 1);
    if (fs::exists(kRoot / name)) files.emplace_back(name);
  }
  if (pipe != nullptr) pclose(pipe);
  return files;
}

struct Include {
  fs::path file;  // from the root
  std::string target;
  bool quoted = false;
};

const std::vector<Include>& all_includes() {
  static const std::vector<Include> found = [] {
    std::vector<Include> includes;
    for (const fs::path& file : tracked_sources()) {
      std::ifstream stream(kRoot / file);
      for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with("#include ")) continue;
        const std::size_t open = line.find_first_of("\"<"),
                          close = line.find_first_of("\">", open + 1);
        if (close == std::string::npos) continue;
        includes.push_back({file, line.substr(open + 1, close - open - 1), line[open] == '"'});
      }
    }
    return includes;
  }();
  return found;
}

// The public headers by the part that has the source of their name.
const std::map<std::string, std::string>& homes() {
  static const std::map<std::string, std::string> found = [] {
    std::map<std::string, std::string> home;
    for (const fs::path& file : tracked_sources()) {
      if (file.begin()->string() != "src") continue;
      const std::string header = "lodestar/" + file.stem().string() + ".h";
      if (fs::exists(kRoot / "include" / header)) home.emplace(header, part_of(file));
    }
    return home;
  }();
  return found;
}

// The part that a quoted include leads to; empty where it is not a file of the project's parts.
std::string target_part(const Include& include) {
  if (include.target.starts_with("lodestar/")) {
    // Above the library every public header is open; within it a header belongs to a room.
    if (include.file.begin()->string() != "src") return "";
    const auto home = homes().find(include.target);
    return home == homes().end() ? "" : home->second;
  }
  for (const fs::path& folder : {include.file.parent_path(), fs::path(), fs::path("src")}) {
    const fs::path file = (folder / include.target).lexically_normal();
    if (fs::exists(kRoot / file) && std::next(file.begin()) != file.end()) return part_of(file);
  }
  return "";
}

TEST(Layering, EveryPartHasARuleAndKeepsIt) {
  ASSERT_GE(homes().size(), 15u);
  ASSERT_GE(all_includes().size(), 1000u) << "the sources are read from git";
  for (const Include& include : all_includes()) {
    const std::string part = part_of(include.file);
    if (part == "tests") continue;
    ASSERT_TRUE(kMayUse.contains(part)) << part << " is new: give it a line in kMayUse";
    if (!include.quoted) continue;
    const std::string target = target_part(include);
    EXPECT_TRUE(target.empty() || target == part || has(kMayUse.at(part), target))
        << include.file << " includes " << include.target << " of " << target;
  }
}

// A model must not be trained against the results it is compared with, unless the caller asks.
TEST(Layering, TrainingSharesOnlySplitsWithTheEvaluation) {
  for (const Include& include : all_includes()) {
    if (part_of(include.file) != "learn/train" || target_part(include) != "learn/evaluate")
      continue;
    EXPECT_EQ(include.target, "learn/evaluate/splits.h") << include.file;
  }
}

TEST(Layering, LibrariesOfOthersStayWhereTheyBelong) {
  for (const Include& include : all_includes()) {
    const std::string part = part_of(include.file);
    if (part == "tests") continue;
    for (const auto& [prefix, allowed] : kOthers) {
      if (!include.target.starts_with(prefix)) continue;
      EXPECT_TRUE(has(allowed, part)) << include.file << " includes " << include.target;
    }
  }
}

TEST(Layering, PublicHeadersNeedTheStandardLibraryOnly) {
  for (const Include& include : all_includes()) {
    if (part_of(include.file) != "include") continue;
    if (include.quoted) {
      EXPECT_TRUE(include.target.starts_with("lodestar/"))
          << include.file << " includes \"" << include.target << '"';
    } else {
      // Headers of the standard library have neither a folder nor an ending.
      EXPECT_EQ(include.target.find_first_of("./"), std::string::npos)
          << include.file << " includes <" << include.target << '>';
    }
  }
}

TEST(Layering, ExamplesUseThePublicHeadersOnly) {
  for (const Include& include : all_includes()) {
    if (part_of(include.file) != "examples") continue;
    EXPECT_FALSE(include.target.starts_with("lodestar/detail/"))
        << include.file << " includes " << include.target;
  }
}

// A cycle among public headers would mean that two things are one.
TEST(Layering, PublicHeadersFormNoCycle) {
  std::map<std::string, std::set<std::string>> needs;
  for (const Include& include : all_includes()) {
    if (include.quoted && part_of(include.file) == "include") {
      needs[include.file.lexically_relative("include").string()].insert(include.target);
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
}  // namespace lodestar::layering_test
