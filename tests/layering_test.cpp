// Dependencies point one way: this reads every #include and says which one does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// What a folder may include of the project, its own files aside. "src/x" is a room of src. Public
// headers (lodestar/…) are for all; lodestar/detail/… for all but examples. A new folder with
// sources needs a line here.
const std::map<std::string, Names> kMayUse = {
    {"include", {}},
    {"eval", {"src/index", "src/fit"}},
    {"paper", {"eval", "src/base"}},
    {"learn", {"paper", "src/net"}},
    {"tune", {}},
    {"cluster", {"tune"}},
    {"osm", {"src/base"}},
    {"serve", {}},
    {"python", {"src/base"}},
    {"cli", {"eval", "paper", "learn", "tune", "cluster", "osm", "serve"}},
    {"bench", {"eval", "paper", "learn", "tests"}},
    {"examples", {}},
    {"fuzz",
     {"tune", "learn", "osm", "serve", "src/formats", "src/base", "src/net", "src/fit",
      "src/index"}},
    {"tests",
     {"eval", "paper", "src/base", "src/graph", "src/formats", "src/search", "src/fit", "src/index",
      "src/net"}},
};

// The rooms of src, each above those it may use.
const std::map<std::string, Names> kRoomMayUse = {
    {"base", {}},
    {"graph", {"base"}},
    {"formats", {"base", "graph"}},
    {"search", {"base", "graph"}},
    {"places", {"base", "graph", "search"}},
    {"fit", {"base", "graph", "search"}},
    {"index", {"base", "graph", "formats", "search", "fit"}},
    {"net", {"base", "graph", "search", "fit"}},
    {"router", {"base", "graph", "search", "fit", "index", "net"}},
};

// Libraries of others, by how their headers begin, and the folders that may include them.
const std::map<std::string, Names> kOthers = {
    {"torch/", {"learn", "bench"}}, {"ATen/", {"learn", "bench"}},
    {"c10/", {"learn", "bench"}},   {"mpi.h", {"cluster", "cli"}},
    {"CLI/", {"cli", "bench"}},     {"fmt/", {"cli", "eval", "paper", "tune", "serve", "osm"}},
    {"osmium/", {"osm"}},           {"protozero/", {"osm"}},
    {"boost/", {"bench", "serve"}}, {"lemon/", {"bench"}},
    {"igraph", {"bench"}},          {"pybind11/", {"python"}},
    {"nanobind/", {"python"}},      {"gtest/", {"tests"}},
};

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Include {
  fs::path file;  // from the root
  std::string target;
  bool quoted = false;
  std::string folder() const { return file.begin()->string(); }
  std::string room() const { return std::next(file.begin())->string(); }
  bool in_tests() const {
    return std::any_of(file.begin(), file.end(), [](const fs::path& p) { return p == "tests"; });
  }
};

bool is_source(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp";
}

const fs::path kRoot = LODESTAR_SOURCE_DIR;

std::vector<std::string> folders_below(const fs::path& root) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || name.starts_with(".") || name.starts_with("build")) continue;
    for (const auto& file : fs::recursive_directory_iterator(entry)) {
      if (!is_source(file.path())) continue;
      names.push_back(name);
      break;
    }
  }
  return names;
}

std::vector<Include> includes_below(const std::string& folder) {
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    if (!is_source(entry.path())) continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (!line.starts_with("#include ")) continue;
      const std::size_t open = line.find_first_of("\"<"),
                        close = line.find_first_of("\">", open + 1);
      if (close == std::string::npos) continue;
      found.push_back({entry.path().lexically_relative(kRoot),
                       line.substr(open + 1, close - open - 1), line[open] == '"'});
    }
  }
  return found;
}

// The part of the project a quoted include names: "eval", "src/fit"; empty for a public header or a
// file found beside the one that includes it.
std::string part_of(const Include& include) {
  const std::string first = fs::path(include.target).begin()->string();
  if (first == "lodestar" || first == include.target || first == "..") return "";
  if (fs::exists((kRoot / include.file).parent_path() / include.target)) return "";
  return kRoomMayUse.contains(first) ? "src/" + first : first;
}

TEST(Layering, EveryFolderHasARuleAndKeepsIt) {
  const auto folders = folders_below(kRoot);
  ASSERT_GE(folders.size(), 10u);
  for (const std::string& folder : folders) {
    if (folder == "src") continue;
    ASSERT_TRUE(kMayUse.contains(folder)) << folder << "/ is new: give it a line in kMayUse";
    for (const Include& include : includes_below(folder)) {
      if (!include.quoted) continue;
      const std::string part = part_of(include);
      const bool allowed = part.empty() || part == folder || has(kMayUse.at(folder), part) ||
                           (include.in_tests() && has(kMayUse.at("tests"), part));
      EXPECT_TRUE(allowed) << include.file << " includes " << include.target;
    }
  }
}

TEST(Layering, RoomsOfTheCorePointOneWay) {
  // A public header belongs to the room that has the source of its name.
  std::map<std::string, std::string> home;
  for (const std::string& room : folders_below(kRoot / "src")) {
    ASSERT_TRUE(kRoomMayUse.contains(room))
        << "src/" << room << " is new: give it a line in kRoomMayUse";
    for (const auto& entry : fs::directory_iterator(kRoot / "src" / room)) {
      if (fs::exists(kRoot / "include/lodestar" / (entry.path().stem().string() + ".h"))) {
        home["lodestar/" + entry.path().stem().string() + ".h"] = room;
      }
    }
  }
  ASSERT_GE(home.size(), 15u);
  for (const Include& include : includes_below("src")) {
    if (!include.quoted) continue;
    const std::string part = part_of(include);
    const std::string room = part.empty() ? home[include.target] : part.substr(4);
    if (room.empty() || room == include.room()) continue;
    EXPECT_TRUE(has(kRoomMayUse.at(include.room()), room))
        << include.file << " includes " << include.target << " of the room " << room;
  }
}

TEST(Layering, LibrariesOfOthersStayWhereTheyBelong) {
  for (const std::string& folder : folders_below(kRoot)) {
    for (const Include& include : includes_below(folder)) {
      for (const auto& [prefix, allowed] : kOthers) {
        if (!include.target.starts_with(prefix)) continue;
        EXPECT_TRUE(has(allowed, folder) || (include.in_tests() && has(allowed, "tests")))
            << include.file << " includes " << include.target;
      }
    }
  }
}

TEST(Layering, PublicHeadersNeedTheStandardLibraryOnly) {
  const auto includes = includes_below("include");
  ASSERT_FALSE(includes.empty());
  for (const Include& include : includes) {
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
  for (const Include& include : includes_below("examples")) {
    EXPECT_FALSE(include.target.starts_with("lodestar/detail/"))
        << include.file << " includes " << include.target;
  }
}

// A cycle among public headers would mean that two things are one.
TEST(Layering, PublicHeadersFormNoCycle) {
  std::map<std::string, std::set<std::string>> needs;
  for (const Include& include : includes_below("include")) {
    if (include.quoted) {
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
