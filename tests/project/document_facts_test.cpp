// Facts in the documents that a program can check: options, defaults, limits, format numbers, names
// of files and JSON keys are those of the code.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "documents.h"
#include "scratch_folder.h"

namespace lodestar::document_facts_test {
namespace {

namespace fs = std::filesystem;
using testing::file_text;
using testing::kRoot;
using testing::lines_of;

std::vector<std::string> matches(const std::string& text, const std::string& pattern,
                                 std::size_t group = 1) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end;
       ++match) {
    found.push_back((*match)[group]);
  }
  return found;
}

// `lodestar VERB --help`; empty for a verb that this build does not have.
const std::string& help(const std::string& verb) {
  static std::map<std::string, std::string> texts;
  const auto [entry, added] = texts.try_emplace(verb);
  if (added) {
    const testing::Outcome run = testing::run_program(verb + " --help");
    if (run.status == 0) entry->second = run.out;
  }
  return entry->second;
}

std::set<std::string> options_of(const std::string& verb) {
  const auto found = matches(help(verb), "(--[a-z0-9][a-z0-9-]*)");
  return {found.begin(), found.end()};
}

// Verbs that the first lines of `lodestar --help` list.
std::set<std::string> verbs() {
  std::set<std::string> found;
  for (const std::string& name : matches(help(""), "\n  ([a-z]+)  +[A-Z]")) found.insert(name);
  return found;
}

// Part of a build without torch or MPI, or without the server.
bool may_be_missing(const std::string& verb) {
  return verb == "train" || verb == "tune" || verb == "serve" || verb == "view";
}

struct Command {
  std::string document, verb, rest;
};

// Every `lodestar VERB …` in code, in blocks and between backquotes.
std::vector<Command> documented_commands() {
  static const std::regex command(
      "lodestar(?: --quiet)? ([a-z]+(?: static| traffic| requests| matrix)?)((?: .*)?)$");
  std::vector<Command> found;
  for (const fs::path& document : testing::all_documents()) {
    bool fenced = false, shell = false;
    std::string joined;
    for (const std::string& line : lines_of(file_text(document))) {
      if (line.starts_with("```")) {
        fenced = !fenced;
        shell = line == "```";  // other blocks name their language
      }
      if (fenced && !shell) continue;
      std::vector<std::string> pieces;
      if (fenced) {
        joined += line.substr(0, line.find(" #"));
        if (joined.ends_with("\\")) {
          joined.pop_back();
          continue;
        }
        pieces = {joined};
        joined.clear();
      } else {
        pieces = matches(line, "`([^`]+)`");
      }
      for (const std::string& piece : pieces) {
        std::smatch match;
        const std::string text = piece.substr(0, piece.find(" | "));
        const std::string last = piece.find(" | ") == std::string::npos ? "" : piece;
        for (const std::string& part : {text, last}) {
          // Not where the program is an argument of another one.
          if (part.find(".py ") == std::string::npos && std::regex_search(part, match, command)) {
            found.push_back({document.filename(), match[1], match[2]});
          }
        }
      }
    }
  }
  return found;
}

TEST(DocumentFacts, CommandsHaveVerbsAndOptionsOfTheProgram) {
  const std::set<std::string> known = verbs();
  ASSERT_TRUE(known.contains("solve")) << help("");
  std::size_t checked = 0;
  for (const Command& command : documented_commands()) {
    const std::string first = command.verb.substr(0, command.verb.find(' '));
    if (first == "pages") continue;  // installs manual pages; not listed
    EXPECT_TRUE(known.contains(first) || may_be_missing(first))
        << command.document << ": lodestar " << command.verb << command.rest;
    if (help(command.verb).empty() || !known.contains(first)) continue;
    const std::set<std::string> options = options_of(command.verb);
    for (const std::string& option : matches(command.rest, " (--[a-z0-9][a-z0-9-]*)")) {
      ++checked;
      EXPECT_TRUE(options.contains(option) || option == "--help" || option == "--quiet")
          << command.document << ": lodestar " << command.verb << " has no " << option;
    }
  }
  EXPECT_GT(checked, 60u);
}

// `--option` between backquotes in a guide, which is one of some verb.
TEST(DocumentFacts, OptionsInTheGuidesExist) {
  std::set<std::string> options = options_of("");
  bool whole = true;  // every verb is in this build
  for (const std::string& verb : verbs()) {
    options.merge(options_of(verb));
    whole = whole && !help(verb).empty();
  }
  for (const char* verb : {"bench static", "bench traffic"}) options.merge(options_of(verb));
  for (const char* verb : {"train", "tune", "serve", "view"}) whole = whole && !help(verb).empty();
  // Options of mpirun, and of programs other than lodestar.
  const std::set<std::string> others = {"--enable-recovery"};
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/guide")) {
    const std::string text = file_text(entry.path());
    const bool needs_torch = entry.path().filename() == "train-and-reproduce.md";
    if (needs_torch && !whole) continue;
    for (const std::string& option : matches(text, "`(--[a-z0-9][a-z0-9-]*)[^`]*`")) {
      EXPECT_TRUE(options.contains(option) || others.contains(option) || option == "--version")
          << entry.path().filename() << " names " << option;
    }
  }
}

std::string section(const std::string& document, const std::string& heading) {
  const std::string text = file_text(kRoot / document);
  const std::size_t begin = text.find("\n## " + heading + "\n");
  EXPECT_NE(begin, std::string::npos) << document << " has no section " << heading;
  if (begin == std::string::npos) return "";
  return text.substr(begin + 1, text.find("\n## ", begin + 1) - begin);
}

// The help of one option: its line and those that follow up to the next option.
std::string help_of(const std::string& verb, const std::string& option) {
  std::string text;
  bool inside = false;
  const std::regex itself("(^|[ ,])" + option + "([ ,:={]|$)");
  for (const std::string& line : lines_of(help(verb))) {
    const std::size_t start = line.find_first_not_of(' ');
    const bool begins = start != std::string::npos && start < 8 && line[start] == '-';
    if (begins) inside = std::regex_search(line.substr(0, line.find("  ", start)), itself);
    if (inside && start != std::string::npos) text += line.substr(start) + " ";
  }
  return text;
}

// "Default: 3." or "Default: 3, with --quick 1."
bool has_default(const std::string& described, const std::string& value) {
  return described.find("Default: " + value + ".") != std::string::npos ||
         described.find("Default: " + value + ",") != std::string::npos;
}

// "`--draws` independent sets of graphs (default: 3)"
TEST(DocumentFacts, DefaultsInRunningTextAreThoseOfTheProgram) {
  const std::regex stated("`(--[a-z-]+)`[^`|.(]{0,60}\\(default: ([0-9][0-9.e-]*)[);,]");
  std::size_t checked = 0;
  for (const fs::path& document : testing::all_documents()) {
    const std::string text = file_text(document);
    for (std::sregex_iterator match(text.begin(), text.end(), stated), end; match != end; ++match) {
      std::string described;
      for (const std::string& verb : verbs()) described += help_of(verb, (*match)[1]);
      if (described.empty() && help("tune").empty()) continue;  // may be an option of tune
      ++checked;
      EXPECT_TRUE(has_default(described, (*match)[2]))
          << document.filename() << ": " << (*match)[0] << "\n"
          << described;
    }
  }
  EXPECT_GE(checked, 2u);
}

struct Manual {
  const char* document;
  const char* heading;
  const char* verb;
};
const Manual kManuals[] = {
    {"docs/guide/build-an-index.md", "Options", "index"},
    {"docs/guide/set-weights-per-request.md", "Options of fit", "fit"},
    {"docs/guide/openstreetmap.md", "Import options", "convert"},
    {"docs/guide/set-weights-per-request.md", "Options of solve", "solve"},
};

// "| `-k K` | potentials per node. Default: 16 |"
TEST(DocumentFacts, TablesOfOptionsAreThoseOfTheVerb) {
  for (const Manual& manual : kManuals) {
    std::size_t rows = 0;
    for (const std::string& row : lines_of(section(manual.document, manual.heading))) {
      if (!row.starts_with("| `-")) continue;
      ++rows;
      const std::string cell = row.substr(2, row.find(" |", 2) - 2);
      for (const std::string& option : matches(cell, "`(-[a-z]|--[a-z0-9-]+)")) {
        const std::string described = help_of(manual.verb, option);
        EXPECT_FALSE(described.empty())
            << manual.document << ": " << manual.verb << " has no " << option;
        for (const std::string& value : matches(row, "Default: ([0-9.]*[0-9])")) {
          EXPECT_TRUE(has_default(described, value))
              << manual.document << ": the default of " << option << " is not " << value << "\n"
              << described;
        }
      }
    }
    EXPECT_GE(rows, 4u) << manual.document;
  }
}

// "| cells of a table | 10,000 | `--max-cells` | 400 |"
TEST(DocumentFacts, LimitsOfTheServerAreItsDefaults) {
  if (help("serve").empty()) GTEST_SKIP() << "built without the server";
  const std::regex row("\\| ([0-9,]+)( kB| million| s)? \\| `(--[a-z-]+)` \\|");
  const std::string text = section("docs/guide/serve.md", "Limits");
  std::size_t checked = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), row), end; match != end; ++match) {
    std::string digits = (*match)[1];
    std::erase(digits, ',');
    const std::string unit = (*match)[2];
    const std::uint64_t value = std::stoull(digits) * (unit == " kB"        ? 1024
                                                       : unit == " million" ? 1'000'000
                                                                            : 1);
    const std::string described = help_of("serve", (*match)[3]);
    EXPECT_TRUE(has_default(described, std::to_string(value))) << (*match)[0] << "\n" << described;
    ++checked;
  }
  EXPECT_GE(checked, 6u);
}

std::string constant(const std::string& file, const std::string& name) {
  const auto found = matches(file_text(kRoot / file), "\\b" + name + "\\b[^=;\n]*= ([^;]+);");
  EXPECT_EQ(found.size(), 1u) << file << ": " << name;
  return found.empty() ? "" : found[0];
}

// "| `.lsi` index | 5 | 3, 4, 5 | `index` |"
TEST(DocumentFacts, FormatNumbersAreThoseOfTheSources) {
  const std::string manual = file_text(kRoot / "docs/guide/install.md");
  const auto row = [&](const std::string& ending) {
    const auto found = matches(manual, "\\| `\\" + ending + "` [^|]*\\| [^|]* \\| ([^|]*) \\|");
    return found.empty() ? "" : found[0];
  };
  EXPECT_EQ(row(".lsg"), constant("src/formats/binary.h", "kBinaryVersion") + ", " +
                             constant("src/formats/binary.h", "kBinaryVersionWithShape") + ", " +
                             constant("src/formats/binary.h", "kBinaryVersionWithMetrics"));
  EXPECT_EQ(row(".lsp"), constant("src/potentials/potentials_io.cpp", "kFormat"));
  EXPECT_EQ(row(".lsi"), constant("src/index/file/file.cpp", "kOldestFormat") + ", " +
                             constant("src/index/file/file.cpp", "kFormatOfWholeIds") + ", " +
                             constant("src/index/file/file.cpp", "kFormat"));
  EXPECT_EQ(row(".safetensors"), constant("src/network/model_file.cpp", "kFormatNumber"));
}

TEST(DocumentFacts, LimitsOfReadersAreThoseOfTheSources) {
  const std::string limits = section("docs/design/FORMATS.md", "Limits");
  EXPECT_EQ(constant("src/formats/scanner.cpp", "kFreeNodes"), "1'000'000");
  EXPECT_NE(limits.find("1,000,000 plus the bytes that follow"), std::string::npos);
  EXPECT_NE(limits.find(constant("src/formats/bytes.cpp", "kMaxRatio") + " times the packed size"),
            std::string::npos);
}

TEST(DocumentFacts, DefaultTrainingTimesAreThoseOfTheLibrary) {
  EXPECT_NE(section("docs/guide/build-an-index.md", "Options")
                .find("Default: " + constant("include/lodestar/index.h", "kDefaultIndexSeconds")),
            std::string::npos);
  EXPECT_NE(section("docs/guide/set-weights-per-request.md", "Options of fit")
                .find("Default: " + constant("include/lodestar/fit.h", "kDefaultFitSeconds")),
            std::string::npos);
}

// All C++ sources under some folders, as one text.
std::string sources(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) {
    for (const char* const ending : {"/*.cpp", "/*.h"}) {
      for (const std::string& file : testing::tracked_files(folder + ending)) {
        if (fs::exists(kRoot / file)) text += file_text(kRoot / file);
      }
    }
  }
  return text;
}

// `results.csv`, `journal.jsonl`: files that verbs write.
TEST(DocumentFacts, WrittenFilesHaveTheNamesOfTheSources) {
  const std::string text = sources({"learn", "apps/cli"});
  const std::set<std::string> examples = {"name.queries.tsv", "curves.svg"};
  std::size_t checked = 0;
  for (const char* document : {"docs/guide/train-and-reproduce.md", "docs/design/TUNING.md"}) {
    for (const std::string& name :
         matches(file_text(kRoot / document),
                 "`([a-z_.]+\\.(?:json|jsonl|csv|svg|html|log|tsv|md|safetensors))`")) {
      if (examples.contains(name)) continue;
      ++checked;
      // The driver of gnuplot adds the extension of figures.
      const std::string written =
          name.ends_with(".svg") ? "\"" + fs::path(name).stem().string() + "\"" : name;
      EXPECT_NE(text.find(written), std::string::npos) << document << " names " << name;
    }
  }
  EXPECT_GE(checked, 12u);
}

// Every word between backquotes in the first cells of a table.
std::vector<std::string> first_cells(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string& row : lines_of(text)) {
    if (!row.starts_with("| `")) continue;
    for (const std::string& word : matches(row.substr(0, row.find(" |", 2)), "`([a-z_]+)`")) {
      words.push_back(word);
    }
  }
  return words;
}

TEST(DocumentFacts, ParametersAndFieldsOfTheServerAreThoseOfTheSources) {
  const std::string text = sources({"apps/server"});
  const std::vector<std::string> words = first_cells(section("docs/guide/serve.md", "Requests"));
  ASSERT_GE(words.size(), 20u);
  for (const std::string& word : words) {
    EXPECT_NE(text.find("\"" + word + "\""), std::string::npos) << "serve.md names " << word;
  }
}

// Keys between backquotes from `begin` up to `end` in a document.
std::set<std::string> documented_keys(const std::string& document, const std::string& begin,
                                      const std::string& end) {
  const std::string text = file_text(kRoot / document);
  const std::size_t from = text.find(begin);
  EXPECT_NE(from, std::string::npos) << document << ": " << begin;
  if (from == std::string::npos) return {};
  const auto found = matches(
      text.substr(from + begin.size(), text.find(end, from) - from - begin.size()), "`([a-z_]+)`");
  return {found.begin(), found.end()};
}

void collect_keys(const nlohmann::json& json, std::set<std::string>& keys) {
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    keys.insert(key);
    collect_keys(value, keys);
  }
}

TEST(DocumentFacts, JsonKeysAreThoseOfTheOutput) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", "p sp 3 2\na 1 2 1\na 2 3 1\n");
  const testing::Outcome solved =
      testing::run_program("solve " + graph + " --from 1 --to 3 --json");
  ASSERT_EQ(solved.status, 0) << solved.out;
  std::set<std::string> printed;
  collect_keys(nlohmann::json::parse(solved.out), printed);
  const auto solve_keys =
      documented_keys("docs/guide/find-paths.md", "`solve --json` prints", "among others");
  EXPECT_GE(solve_keys.size(), 6u);
  for (const std::string& key : solve_keys) EXPECT_TRUE(printed.contains(key)) << key;

  // Potentials that overestimate, so that violation and counterexample are there.
  const std::string bad = folder.write("bad.txt", "1 0\n2 0\n3 9\n");
  const testing::Outcome checked =
      testing::run_program("certify " + graph + " --potentials " + bad + " --json");
  ASSERT_EQ(checked.status, 1) << checked.out;
  printed.clear();
  collect_keys(nlohmann::json::parse(checked.out), printed);
  const auto certify_keys = documented_keys("docs/design/CERTIFICATES.md",
                                            "`--json` prints one object per graph", "\n\n");
  EXPECT_GE(certify_keys.size(), 12u);
  for (const std::string& key : certify_keys) EXPECT_TRUE(printed.contains(key)) << key;
}

TEST(DocumentFacts, EveryVerbIsInAGuide) {
  std::string guides;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/guide")) {
    guides += file_text(entry.path());
  }
  for (const std::string& verb : verbs()) {
    EXPECT_NE(guides.find("lodestar " + verb), std::string::npos) << "no guide shows " << verb;
  }
}

}  // namespace
}  // namespace lodestar::document_facts_test
