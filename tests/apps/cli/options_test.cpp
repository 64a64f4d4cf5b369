// Every option of every verb means what it says or is refused: walks the table of option_rules.h,
// and --help, so that an option without a row is found.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "../cli/help_texts.h"
#include "../cli/option_rules.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar {
namespace {

using cli::kOptionRules;
using cli::OptionRule;
using cli::Rule;
using testing::Outcome;
using testing::run_program;

const std::set<std::string> kVerbs = {"generate", "convert",       "info",      "fit",
                                      "solve",    "certify",       "bench",     "bench static",
                                      "matrix",   "bench traffic", "reproduce", "potentials",
                                      "train",    "tune",          "serve",     "view"};

// They depend on the format: graph_formats_test.cpp walks them.
const std::set<std::string> kReading = {
    "--format",          "--undirected",     "--weight",  "--coordinates", "--unit-diagonals",
    "--exact-diagonals", "--corner-cutting", "--profile", "--turns",       "--all"};

// A verb that needs a library is there where the library was.
bool is_built(std::string_view verb) {
#ifndef LODESTAR_HAS_SERVE
  if (verb == "serve" || verb == "view") return false;
#endif
  static const bool trains = run_program("train --help").status == 0;
  return trains || (verb != "train" && verb != "tune");
}

TEST(Options, EachHasARow) {
  for (const std::string& verb : kVerbs) {
    if (!is_built(verb)) continue;
    std::istringstream help(run_program(verb + " --help").out);
    const std::regex option("^  (?:-\\w,)?(--[a-z0-9-]+).*");
    std::set<std::string> listed;
    for (std::string line; std::getline(help, line);) {
      std::smatch match;
      if (std::regex_match(line, match, option)) listed.insert(match[1]);
    }
    EXPECT_FALSE(listed.empty()) << verb;
    for (const std::string& name : listed) {
      if (name == "--help" || name == "--quiet" || name == "--version") continue;
      if (kReading.contains(name) && verb != "bench") continue;
      bool found = false;
      for (const OptionRule& rule : kOptionRules) {
        found = found || (rule.verb == verb && rule.option == name);
      }
      EXPECT_TRUE(found) << verb << ' ' << name << " has no row in apps/cli/option_rules.h";
    }
    for (const OptionRule& rule : kOptionRules) {
      EXPECT_TRUE(kVerbs.contains(std::string(rule.verb))) << rule.verb;
      if (rule.verb == verb) {
        EXPECT_TRUE(listed.contains(std::string(rule.option))) << verb << ' ' << rule.option;
      }
    }
  }
}

bool has_row(const std::string& verb, const std::string& option) {
  for (const OptionRule& rule : kOptionRules) {
    if (rule.verb == verb && rule.option == option) return true;
  }
  return kReading.contains(option);
}

TEST(Options, ExamplesInHelpNameOptionsThatExist) {
  std::set<std::string> with_text;
  for (const cli::HelpText& row : cli::kHelpTexts) {
    with_text.emplace(row.verb);
    std::istringstream lines{std::string(row.text)};
    for (std::string line; std::getline(lines, line);) {
      const std::size_t call = line.find("lodestar ");
      if (call == std::string::npos) continue;
      std::istringstream words(line.substr(call + 9));
      std::string verb, second, option;
      words >> verb >> second;
      if (kVerbs.contains(verb + " " + second)) verb += " " + second;
      EXPECT_TRUE(kVerbs.contains(verb)) << line;
      for (option = second; !option.empty(); option.clear(), words >> option) {
        const bool known = !option.starts_with("--") || has_row(verb, option);
        EXPECT_TRUE(known) << line << ": " << option;
      }
    }
  }
  EXPECT_EQ(with_text, kVerbs) << "a verb without examples in apps/cli/help_texts.h";
}

class Walk : public ::testing::Test {
 protected:
  Walk() {
    graph_ = folder_.write("g.gr", "p sp 3 3\na 1 2 5\na 2 3 7\na 3 1 1\n");
    values_ = {{"--nodes", "9"},
               {"--seed", "3"},
               {"--density", "0.5"},
               {"--draw", "exact"},
               {"--obstacles", "0.1"},
               {"--degree", "4"},
               {"--trajectories", "2"},
               {"--time", "1"},
               {"--rounds", "1"},
               {"--distribution", "rank"},
               {"--per-node", "4"},
               {"--threads", "1"},
               {"--from", "1"},
               {"--to", "2"},
               {"--model", "swift"},
               {"--steps", "2"},
               {"--scale", "1"},
               {"--bound", "0.1"},
               {"--h-weight", "2"},
               {"--constant", "1"},
               {"--samples", "3"},
               {"--heuristic", "zero"},
               {"--row", "name"},
               {"--output-format", "csv"},
               {"--format", "gr"},
               {"--profile", "car"},
               {"--weight", "none"},
               {"--algorithm", "astar"},
               {"--max-expansions", "9"},
               {"--bits", "32"},
               {"--index", folder_ / "g.lsi"},
               {"--trace", folder_ / "g.trace.json"},
               {"--coordinates", folder_ / "g.co"},
               {"--output", folder_ / "run"},
               {"--stop-after", "1"},
               {"--train", "a:1:8:0.5:or:1"},
               {"--validation", "a:1:8:0.5:or:2"},
               {"--scale-graphs", "a:1:8:0.5:or:3"},
               {"--graphs", folder_ / "graphs"},
               {"--space", "paper"},
               {"--space2", "paper"},
               {"--preset", "deep"},
               {"--set", "epochs=1"},
               {"--levels", "1"},
               {"--metric", "loss"},
               {"--halving", "3"},
               {"--jobs", "1"},
               {"--patience", "3"},
               {"--top", "3"}};
    values_["--queries"] = folder_.write("q.tsv", "1\t2\n");
    values_["--graph"] = graph_;
    base_ = {{"generate", "generate FAMILY -n 9 -o " + folder_ / "x.gr"},
             {"fit", "fit " + graph_ + " -o " + folder_ / "g.lsp"},
             {"solve", "solve " + graph_},
             {"certify", "certify " + graph_ + " --heuristic zero"},
             {"serve", "serve " + graph_},
             {"view", "view " + graph_ + " -o " + folder_ / "g.html"},
             {"bench", "bench"},
             {"bench static", "bench static " + graph_},
             {"reproduce", "reproduce -o " + folder_ / "paper"},
             {"train", "train"},
             {"tune", "tune"}};
  }

  // "--heuristic=constant" -> " --heuristic constant"; "--queries" -> " --queries q.tsv".
  std::string words(const std::string& verb, const std::string& given) const {
    if (const std::size_t equals = given.find('='); equals != std::string::npos) {
      return " " + given.substr(0, equals) + " " + given.substr(equals + 1);
    }
    if ((verb == "bench" || verb == "train") && given == "--queries") return " --queries 5";
    if (verb == "reproduce" && given == "--weight") return " --weight 2";
    if (verb == "fit" && given == "--memory") return " --memory 300";
    if (verb == "fit" && given == "--core") return " --core 2";
    if (given == "--potentials") return " --potentials " + folder_ / "g.lsp";
    const auto value = values_.find(given);
    return " " + given + (value == values_.end() ? "" : " " + value->second);
  }

  std::string command(const OptionRule& rule, const std::string& other) const {
    const std::string verb(rule.verb);
    std::string line = base_.at(verb) + words(verb, std::string(rule.option));
    std::string family = "road";
    if (other.starts_with("family=")) {
      family = other.substr(7);
    } else if (other == "static" || other == "traffic") {
      line += " " + other + " " + graph_;
    } else if (!other.empty()) {
      line += words(verb, other);
    }
    if (const std::size_t at = line.find("FAMILY"); at != std::string::npos) {
      line.replace(at, 6, family);
    }
    return line;
  }

  static std::vector<std::string> split(std::string_view others) {
    std::vector<std::string> all;
    std::istringstream stream{std::string(others)};
    for (std::string one; std::getline(stream, one, '|');) all.push_back(one);
    return all;
  }

  ScratchFolder folder_;
  std::string graph_;
  std::map<std::string, std::string> values_;
  std::map<std::string, std::string> base_;
};

TEST_F(Walk, WhatMeansNothingIsRefused) {
  std::size_t walked = 0;
  for (const OptionRule& rule : kOptionRules) {
    if (rule.rule == Rule::kAlways || !is_built(rule.verb)) continue;
    if (rule.rule == Rule::kNeeds) {
      const std::string line = command(rule, "");
      const Outcome run = run_program(line, true);
      EXPECT_EQ(run.status, 2) << line;
      EXPECT_NE(run.out.find(std::string(rule.option) + " means nothing without"),
                std::string::npos)
          << line << '\n'
          << run.out;
      ++walked;
    }
    for (const std::string& other : split(rule.others)) {
      const std::string line = command(rule, other);
      if (rule.rule == Rule::kNeeds && rule.verb != "solve" && rule.verb != "generate") continue;
      const Outcome run = run_program(line, true);
      const bool refused = run.out.find("means nothing") != std::string::npos;
      EXPECT_EQ(refused, rule.rule == Rule::kNotWith) << line << '\n' << run.out;
      EXPECT_TRUE(!refused || run.status == 2) << line;
      ++walked;
    }
  }
  EXPECT_GT(walked, 50u);
}

TEST_F(Walk, NumbersMustBeFinite) {
  for (const char* number : {"nan", "inf", "-inf"}) {
    for (const std::string& verb : {"solve " + graph_ + " --from 1 --to 2", "certify " + graph_}) {
      const Outcome run = run_program(verb + " --heuristic constant --constant " + number, true);
      EXPECT_EQ(run.status, 2) << verb;
      EXPECT_NE(run.out.find("finite number"), std::string::npos) << run.out;
    }
  }
}

}  // namespace
}  // namespace lodestar
