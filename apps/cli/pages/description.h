// What --help knows of a program, as plain data: manual pages and completions are made of it, so
// they cannot say anything else.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;  // its header costs seconds; two of four sources here can do without
}

namespace lodestar::cli {

struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; for a positional its name alone
  std::string text;
  std::string value;  // "text", "number" or empty: it takes none
  std::vector<std::string> choices;
  std::string limits;  // "between 1 and 4096"
  std::string initial;
  std::vector<std::string> rules;  // of option_rules.h: "only with --heuristic constant"
  bool required = false;
  bool repeated = false;
};

struct VerbText {
  std::string name;  // "solve", "bench static"; empty for the program itself
  std::string text;
  std::string footer;
  std::vector<OptionText> positionals, options;
  std::vector<VerbText> verbs;
  bool handed_over = false;  // to another program, which alone knows its options
};

// Hidden verbs are left out.
VerbText describe(const CLI::App& program);

}  // namespace lodestar::cli
