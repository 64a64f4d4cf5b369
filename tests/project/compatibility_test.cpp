// Today's program reads yesterday's files and refuses tomorrow's. tests/golden/make wrote the
// files; each has the number of its format in its name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "lodestar/version.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::compatibility_test {
namespace {

namespace fs = std::filesystem;
using testing::Outcome;
using testing::run_program;

const fs::path kFiles = fs::path(LODESTAR_SOURCE_DIR) / "tests/golden/files";
const std::string kModel = LODESTAR_SOURCE_DIR "/learn/models/swift-0da4aaa4.safetensors";

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

// What a file is read with: {} stands for its path.
struct Format {
  std::string ending;
  std::string reads;   // must succeed, on the answers that Dijkstra gave when it was written
  std::string number;  // the bytes of the format's number, or where they are
  std::size_t at = 0;
};

const std::string kQueries = " --check --queries " + (kFiles / "queries.tsv").string();
const std::vector<Format> kFormats = {
    {".lsg", "solve {}" + kQueries, "", 8},
    {".lsp", "solve " + (kFiles / "graph.gr").string() + " --potentials {}" + kQueries, "", 8},
    {".lsi", "solve " + (kFiles / "graph.gr").string() + " --index {}" + kQueries, "", 8},
};

std::string with(const std::string& command, const fs::path& file) {
  std::string text = command;
  return text.replace(text.find("{}"), 2, file.string());
}

const Format& format_of(const fs::path& file) {
  for (const Format& format : kFormats) {
    if (file.extension() == format.ending) return format;
  }
  throw std::runtime_error("no format of " + file.string());
}

bool is_graph_of_roads(const fs::path& file) {
  return file.filename().string().starts_with("roads");
}

std::vector<fs::path> golden_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kFiles)) {
    for (const Format& format : kFormats) {
      if (entry.path().extension() == format.ending) files.push_back(entry.path());
    }
  }
  return files;
}

TEST(Compatibility, YesterdaysFilesAreRead) {
  std::set<std::string> endings;
  for (const fs::path& file : golden_files()) {
    endings.insert(file.extension());
    if (is_graph_of_roads(file)) {
      const Outcome run =
          run_program("solve " + file.string() +
                          " --from 9.5,47.1 --to 9.503,47.101 --json --geojson /dev/null",
                      true);
      EXPECT_EQ(run.status, 0) << file << '\n' << run.out;
      EXPECT_NE(run.out.find("Short Street"), std::string::npos) << run.out;
      continue;
    }
    const Outcome run = run_program(with(format_of(file).reads, file), true);
    EXPECT_EQ(run.status, 0) << file << '\n' << run.out;
    EXPECT_EQ(run.out.find("customiz"), std::string::npos) << "not taken as it is: " << run.out;
  }
  EXPECT_EQ(endings.size(), kFormats.size());
}

TEST(Compatibility, TheNewestFormatHasItsFile) {
  const ScratchFolder folder;
  const std::string graph = (kFiles / "graph.gr").string();
  ASSERT_EQ(run_program("convert " + graph + " " + (folder / "a.lsg")).status, 0);
  ASSERT_EQ(run_program("fit " + graph + " --rounds 1 -k 4 -o " + (folder / "a.lsp")).status, 0);
  ASSERT_EQ(run_program("index " + graph + " --rounds 1 -k 4 -o " + (folder / "a.lsi")).status, 0);
  for (const Format& format : kFormats) {
    const std::string written = folder.read("a" + format.ending);
    const int number = written.at(format.at);
    bool found = false;
    for (const fs::path& file : golden_files()) {
      found = found || (file.extension() == format.ending &&
                        file.stem().string().ends_with("-" + std::to_string(number)));
    }
    EXPECT_TRUE(found) << format.ending << " is written in format " << number
                       << " and has no golden file: run tests/golden/make";
  }
}

// "| `.lsi` index | 5 | 3, 4, 5 | `index` |", or "| 1; 2 with lines and streets |"
TEST(Compatibility, TheManualNamesTheNewestFormats) {
  const std::string manual = bytes_of(fs::path(LODESTAR_SOURCE_DIR) / "docs/guide/install.md");
  for (const Format& format : kFormats) {
    int newest = 0;
    for (const fs::path& file : golden_files()) {
      if (file.extension() == format.ending) newest = std::max<int>(newest, bytes_of(file)[8]);
    }
    const std::regex row("\\| `\\" + format.ending + "` [a-z]+ \\| ([^|]*) \\|");
    std::smatch match;
    ASSERT_TRUE(std::regex_search(manual, match, row)) << format.ending;
    EXPECT_NE(match[1].str().find(std::to_string(newest)), std::string::npos)
        << format.ending << " is of format " << newest << ", install.md says " << match[1];
  }
}

TEST(Compatibility, TomorrowsFilesAreRefusedWithAReason) {
  const ScratchFolder folder;
  const auto refused = [](const std::string& command, const std::string& number) {
    const Outcome run = run_program(command, true);
    EXPECT_EQ(run.status, 2) << command << '\n' << run.out;
    for (const std::string& word :
         {"has format " + number, std::string("of a newer version"),
          std::string("this program (") + kVersion + ")", std::string("update it, or ")}) {
      EXPECT_NE(run.out.find(word), std::string::npos) << word << " in:\n" << run.out;
    }
  };
  for (const fs::path& file : golden_files()) {
    const Format& format = format_of(file);
    for (const int ahead : {1, 100}) {
      std::string bytes = bytes_of(file);
      const std::string newest = format.ending == ".lsp"   ? "1"
                                 : format.ending == ".lsi" ? "5"
                                                           : "3";
      const int number = std::stoi(newest) + ahead;
      bytes[format.at] = static_cast<char>(number);
      const std::string made = folder.write("tomorrow" + format.ending, bytes);
      refused(with(format.reads, made), std::to_string(number));
    }
  }
  // A model says its number in the file's JSON.
  std::string model = bytes_of(kModel);
  const std::string field = "\"lodestar\":\"1\"";
  ASSERT_NE(model.find(field), std::string::npos);
  model.replace(model.find(field), field.size(), "\"lodestar\":\"7\"");
  refused("info " + folder.write("model.safetensors", model), "7");
  EXPECT_EQ(run_program("info " + kModel).status, 0);
}

TEST(Compatibility, ACheckpointOfYesterdayIsResumedAndOneOfTomorrowRefused) {
  if (run_program("train --help").status != 0) GTEST_SKIP() << "built without torch";
  const ScratchFolder folder;
  fs::create_directory(folder / "run");
  for (const char* name :
       {"checkpoint.safetensors", "config.json", "metrics.jsonl", "model.safetensors"}) {
    fs::copy_file(kFiles / (std::string("run-1.") + name), fs::path(folder / "run") / name);
  }
  std::string bytes = bytes_of(kFiles / "run-1.checkpoint.safetensors");
  const std::string field = "\"lodestar_checkpoint\":\"1\"";
  ASSERT_NE(bytes.find(field), std::string::npos);
  bytes.replace(bytes.find(field), field.size(), "\"lodestar_checkpoint\":\"2\"");
  const std::string resume = "train --resume -o " + (folder / "run");
  folder.write("run/checkpoint.safetensors", bytes);
  const Outcome refused = run_program(resume, true);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.out.find("has format 2 of a newer version"), std::string::npos) << refused.out;
  folder.write("run/checkpoint.safetensors", bytes_of(kFiles / "run-1.checkpoint.safetensors"));
  const Outcome run = run_program(resume, true);
  EXPECT_EQ(run.status, 0) << run.out;
  // Both epochs are in the log: the second was trained here.
  EXPECT_EQ(std::ranges::count(folder.read("run/metrics.jsonl"), '\n'), 2) << run.out;
}

// The version is defined in CMakeLists.txt; every file that repeats it agrees.
TEST(Version, IsTheSameEverywhere) {
  const std::string cmake = bytes_of(LODESTAR_SOURCE_DIR "/CMakeLists.txt");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(cmake, found, std::regex("project\\(lodestar VERSION ([0-9.]+)")));
  const std::string version = found[1];
  EXPECT_TRUE(std::regex_match(version, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+"))) << version;
  EXPECT_EQ(kVersion, version);
  EXPECT_TRUE(run_program("--version").out.starts_with("lodestar " + version + " ("));
  EXPECT_NE(bytes_of(LODESTAR_SOURCE_DIR "/CITATION.cff").find("\nversion: " + version + "\n"),
            std::string::npos);
  const std::string changes = bytes_of(LODESTAR_SOURCE_DIR "/CHANGELOG.md");
  ASSERT_TRUE(std::regex_search(changes, found, std::regex("\n## ([0-9.]+)")));
  EXPECT_EQ(found[1], version) << "the first release of CHANGELOG.md";
  const std::string port = bytes_of(LODESTAR_SOURCE_DIR "/tools/packaging/vcpkg/vcpkg.json");
  EXPECT_NE(port.find("\"version\": \"" + version + "\""), std::string::npos);
  // setup.py reads it; nothing in the package may say another.
  EXPECT_EQ(bytes_of(LODESTAR_SOURCE_DIR "/pyproject.toml").find("\nversion"), std::string::npos);
}

}  // namespace
}  // namespace lodestar::compatibility_test
