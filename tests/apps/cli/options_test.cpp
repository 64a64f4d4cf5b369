// Every option of every verb does what its declaration says: walks the declarations that the
// program prints with `pages --json`, and tries every rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "../../../apps/cli/old_names.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::options_test {
namespace {

using nlohmann::json;
using testing::Outcome;
using testing::run_program;
using Words = std::vector<std::string>;

// They depend on the format: graph_formats_test.cpp walks them.
const std::set<std::string> kReading = {"--format",
                                        "--undirected",
                                        "--weight",
                                        "--metrics",
                                        "--coordinates",
                                        "--unit-diagonals",
                                        "--exact-diagonals",
                                        "--corner-cutting",
                                        "--profile",
                                        "--turns",
                                        "--all"};

struct Declared {
  std::string verb;
  std::string name;  // "--output"
  json facts;
};

// What every program that was built declares, by verb.
struct Declarations {
  std::map<std::string, json> verbs;
  std::vector<Declared> options;

  const json* option(const std::string& verb, const std::string& name) const {
    for (const Declared& one : options) {
      if (one.verb == verb && one.name == name) return &one.facts;
    }
    return nullptr;
  }
};

void add(const json& verb, Declarations& all) {
  if (verb["handed_over"]) return;
  const std::string name = verb["name"];
  if (!name.empty()) all.verbs[name] = verb;
  for (const json& option : verb["options"]) {
    for (const std::string long_name : option["names"]) {
      if (long_name.starts_with("--") && long_name != "--help" && !name.empty()) {
        all.options.push_back({name, long_name, option});
      }
    }
  }
  for (const json& inner : verb["verbs"]) add(inner, all);
}

const Declarations& declarations() {
  static const Declarations all = [] {
    Declarations made;
    add(json::parse(run_program("pages --json").out), made);
    const auto learn = std::filesystem::path(LODESTAR_BINARY).parent_path() / "lodestar-learn";
    if (std::filesystem::exists(learn)) {
      add(json::parse(testing::run_command(learn.string() + " pages --json").out), made);
    }
    return made;
  }();
  return all;
}

TEST(Options, DeclarationsAreWhatHelpLists) {
  std::size_t options = 0;
  for (const auto& [verb, facts] : declarations().verbs) {
    std::istringstream help(run_program(verb + " --help").out);
    const std::regex option("^  (?:-\\w,)?(--[a-z0-9-]+).*");
    std::set<std::string> listed, declared;
    for (std::string line; std::getline(help, line);) {
      std::smatch match;
      if (std::regex_match(line, match, option)) listed.insert(match[1]);
    }
    for (const json& one : facts["options"]) {
      for (const std::string name : one["names"]) {
        if (name.starts_with("--") && !name.starts_with("--no-")) declared.insert(name);
      }
    }
    std::erase_if(listed, [](const std::string& name) { return name.starts_with("--no-"); });
    EXPECT_EQ(listed, declared) << verb;
    options += declared.size();
  }
  EXPECT_GT(options, 180u);
}

// STYLE: a sentence that begins with a capital, without the words that the vocabulary avoids.
TEST(Options, HelpTextsKeepTheVocabulary) {
  const std::regex avoided(
      "\\b(table of potentials|not given|means nothing|whoever|nobody|rungs?|ladder|foretold|"
      "deciseconds|decimetres|passed over|question)\\b");
  for (const auto& [verb, facts] : declarations().verbs) {
    for (const char* list : {"positionals", "options"}) {
      for (const json& option : facts[list]) {
        const std::string text = option["text"];
        SCOPED_TRACE(verb + " " + option["names"][0].get<std::string>() + ": " + text);
        EXPECT_FALSE(text.empty());
        EXPECT_FALSE(std::regex_search(text, avoided));
      }
    }
    EXPECT_FALSE(std::regex_search(facts["footer"].get<std::string>(), avoided)) << verb;
  }
}

// The same flag takes the same kind of value everywhere: a number, a text or nothing.
TEST(Options, AFlagHasOneTypeInAllVerbs) {
  std::map<std::string, std::pair<std::string, std::string>> seen;
  for (const Declared& option : declarations().options) {
    const std::string value = option.facts["value"];
    const auto [first, is_new] = seen.try_emplace(option.name, option.verb, value);
    EXPECT_EQ(first->second.second, value)
        << option.name << " in " << option.verb << " and in " << first->second.first;
  }
  EXPECT_GT(seen.size(), 100u);
}

TEST(Options, ThreadsZeroMeansAllCoresInEveryVerb) {
  std::size_t verbs = 0;
  for (const Declared& option : declarations().options) {
    if (option.name != "--threads") continue;
    ++verbs;
    EXPECT_NE(option.facts["text"].get<std::string>().find("0: all cores"), std::string::npos)
        << option.verb;
  }
  EXPECT_GE(verbs, 6u);
}

TEST(Options, RulesAndExamplesNameWhatExists) {
  const Declarations& all = declarations();
  for (const Declared& option : all.options) {
    for (const char* kind : {"needs", "excludes"}) {
      for (const std::string other : option.facts[kind]) {
        const std::string name = other.substr(0, other.find('='));
        const json& verb = all.verbs.at(option.verb);
        const bool positional =
            std::any_of(verb["positionals"].begin(), verb["positionals"].end(),
                        [&](const json& one) { return one["names"][0] == name; });
        EXPECT_TRUE(positional || all.option(option.verb, name) != nullptr ||
                    all.verbs.contains(option.verb + " " + name))
            << option.verb << ' ' << option.name << ' ' << kind << ' ' << other;
      }
    }
  }
  for (const auto& [verb, facts] : all.verbs) {
    std::istringstream lines(facts["footer"].get<std::string>());
    std::size_t examples = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t call = line.find("lodestar ");
      if (!line.starts_with("  ") || call == std::string::npos) continue;
      ++examples;
      std::istringstream words(line.substr(call + 9));
      std::string named, second, option;
      words >> named >> second;
      if (all.verbs.contains(named + " " + second)) named += " " + second;
      ASSERT_TRUE(all.verbs.contains(named)) << line;
      for (option = second; !option.empty(); option.clear(), words >> option) {
        EXPECT_TRUE(!option.starts_with("--") || all.option(named, option)) << line << option;
      }
    }
    EXPECT_GT(examples, 0u) << verb << " has no example";
  }
}

TEST(Options, AnOldNameIsAnErrorThatNamesTheNewOne) {
  const Declarations& all = declarations();
  for (const cli::OldName& old : cli::kOldNames) {
    const std::string verb(old.verb), option(old.option), now(old.now);
    SCOPED_TRACE(verb + " " + option);
    const Outcome run = run_program(verb + " graph.gr " + option + "=3", true);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.out, "lodestar: " + verb + (option.empty() ? "" : " " + option) +
                           " is now `lodestar " + now + "`\n");
    EXPECT_EQ(all.option(verb, option), nullptr);
    const std::size_t dashes = now.find(" --");
    const std::string new_verb = now.substr(0, dashes);
    if (!all.verbs.contains(new_verb)) continue;  // not built here
    if (dashes != std::string::npos) {
      EXPECT_NE(all.option(new_verb, now.substr(dashes + 1)), nullptr);
    }
  }
}

TEST(Options, AnIndexIsNotPotentials) {
  const ScratchFolder folder;
  const std::string graph = folder.write("g.gr", "p sp 3 3\na 1 2 5\na 2 3 7\na 3 1 1\n");
  const Outcome fit = run_program("fit " + graph + " -o " + folder / "g.lsi", true);
  EXPECT_EQ(fit.status, 2);
  EXPECT_NE(fit.out.find("`lodestar index` builds an index"), std::string::npos) << fit.out;
  const Outcome index = run_program("index " + graph + " -o " + folder / "g.lsp", true);
  EXPECT_EQ(index.status, 2);
  EXPECT_NE(index.out.find("`lodestar fit` learns potentials"), std::string::npos) << index.out;
}

class Walk : public ::testing::Test {
 protected:
  Walk() {
    graph_ = folder_.write("g.gr", "p sp 3 3\na 1 2 5\na 2 3 7\na 3 1 1\n");
    // What an option takes where its declaration does not tell: anything of that type will do,
    // because rules are checked before the verb runs.
    values_ = {{"--queries", folder_.write("q.tsv", "1\t2\n")},
               {"--graph", graph_},
               {"--model", "swift"},
               {"--output-format", "csv"},
               {"--format", "gr"},
               {"--profile", "car"},
               {"--heuristic", "zero"},
               {"--algorithm", "astar"},
               {"--weight", "none"},
               {"--metrics", "none"},
               {"--from", "1"},
               {"--to", "2"},
               {"--draw", "exact"},
               {"--density", "0.5"},
               {"--train", "a:1:8:0.5:or:1"},
               {"--validation", "a:1:8:0.5:or:2"},
               {"--scale-graphs", "a:1:8:0.5:or:3"},
               {"--space", "paper"},
               {"--space2", "paper"},
               {"--preset", "deep"},
               {"--set", "epochs=1"},
               {"--metric", "loss"},
               {"--methods", "dijkstra"},
               {"--patience", "3"},
               {"--bytes", "32"},
               {"--rank-timeout", "3"}};
  }

  // "--heuristic=constant" -> " --heuristic constant"; "--queries" -> " --queries q.tsv".
  std::string words(const std::string& verb, const std::string& given) const {
    if (const std::size_t equals = given.find('='); equals != std::string::npos) {
      return " " + given.substr(0, equals) + " " + given.substr(equals + 1);
    }
    const json* option = declarations().option(verb, given);
    if (option == nullptr) return " " + given + " " + graph_;  // a subcommand
    if ((*option)["value"] == "") return " " + given;
    if (!(*option)["choices"].empty()) {
      return " " + given + " " + (*option)["choices"].back().get<std::string>();
    }
    const auto value = values_.find(given);
    if (value != values_.end()) return " " + given + " " + value->second;
    return " " + given + " " + ((*option)["value"] == "number" ? "1" : folder_ / "file");
  }

  // The verb with its positionals and required options, and these options.
  std::string command(const std::string& verb, const Words& given) const {
    const Declarations& all = declarations();
    std::string line = verb;
    for (const json& positional : all.verbs.at(verb)["positionals"]) {
      const std::string name = positional["names"][0];
      std::string value = name == "family" ? "road" : name == "output" ? folder_ / "x.gr" : graph_;
      for (const std::string& one : given) {
        if (one.starts_with(name + "=")) value = one.substr(name.size() + 1);
      }
      line += " " + value;
    }
    for (const json& one : all.verbs.at(verb)["options"]) {
      const std::string name = one["names"].back();
      const bool there = std::any_of(given.begin(), given.end(), [&](const std::string& other) {
        return other.substr(0, other.find('=')) == name;
      });
      if (!one["required"] || there) continue;
      line += name == "--output" ? " --output " + folder_ / "out.gr" : words(verb, name);
    }
    std::string last;  // a subcommand
    for (const std::string& one : given) {
      if (one.starts_with("-")) line += words(verb, one);
      if (all.verbs.contains(verb + " " + one)) last = words(verb, one);
    }
    return line + last;
  }

  // Adds what the options need.
  static Words with_needs(const std::string& verb, Words given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      const json* option = declarations().option(verb, given[i].substr(0, given[i].find('=')));
      if (option == nullptr || (*option)["needs"].empty()) continue;
      const bool met = std::any_of(given.begin(), given.end(), [&](const std::string& other) {
        const json& needs = (*option)["needs"];
        return std::find(needs.begin(), needs.end(), other) != needs.end();
      });
      if (!met) given.push_back((*option)["needs"].back());
    }
    return given;
  }

  ScratchFolder folder_;
  std::string graph_;
  std::map<std::string, std::string> values_;
};

TEST_F(Walk, EveryRuleIsEnforced) {
  std::size_t walked = 0;
  for (const Declared& option : declarations().options) {
    const auto expect = [&](const Words& given, const std::string& said) {
      const std::string line = command(option.verb, given);
      const Outcome run = run_program(line, true);
      EXPECT_EQ(run.status, 2) << line;
      EXPECT_NE(run.out.find(said), std::string::npos) << line << '\n' << run.out;
      ++walked;
    };
    if (!option.facts["needs"].empty()) expect({option.name}, option.name + " requires ");
    for (const std::string other : option.facts["excludes"]) {
      expect(with_needs(option.verb, {option.name, other}), " cannot be combined with ");
    }
  }
  EXPECT_GT(walked, 100u);
}

// What a rule asks for satisfies it.
TEST_F(Walk, WhatIsNeededIsAccepted) {
  std::size_t walked = 0;
  for (const Declared& option : declarations().options) {
    if (option.verb != "solve" && option.verb != "generate") continue;
    for (const std::string other : option.facts["needs"]) {
      const std::string line = command(option.verb, {option.name, other});
      const Outcome run = run_program(line, true);
      EXPECT_EQ(run.out.find(option.name + " requires "), std::string::npos) << line << '\n'
                                                                             << run.out;
      ++walked;
    }
  }
  EXPECT_GT(walked, 20u);
}

TEST_F(Walk, NumbersMustBeFinite) {
  std::size_t walked = 0;
  for (const char* number : {"nan", "inf", "-inf"}) {
    for (const std::string& verb : {"solve " + graph_ + " --from 1 --to 2", "certify " + graph_}) {
      const Outcome run = run_program(verb + " --heuristic constant --constant " + number, true);
      EXPECT_EQ(run.status, 2) << verb;
      EXPECT_NE(run.out.find("finite number"), std::string::npos) << run.out;
    }
    for (const std::string& rest :
         {"index " + graph_ + " -o " + folder_ / "g.lsi --core ", "solve " + graph_ + " --bound ",
          "index " + graph_ + " -o " + folder_ / "g.lsi --seconds "}) {
      const Outcome run = run_program(rest + number, true);
      EXPECT_EQ(run.status, 2) << rest;
      ++walked;
    }
  }
  EXPECT_EQ(walked, 9u);
}

}  // namespace
}  // namespace lodestar::options_test
