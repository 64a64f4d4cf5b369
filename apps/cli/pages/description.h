// The verbs and options of a program as plain data. Manual pages, completions and the test of the
// options are made from it, as --help is made from the same declarations.
#pragma once

#include <string>
#include <vector>

namespace lodestar::cli {

class Verb;  // its header takes seconds to compile; two of four sources here do without

struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; for a positional its name alone
  std::string text;                // with its rules and its default
  std::string value;               // "text", "number" or empty: it takes none
  std::vector<std::string> choices;
  std::string limits;  // "between 1 and 4096"
  std::string initial;
  std::vector<std::string> needs;     // one of these: "--heuristic=constant"
  std::vector<std::string> excludes;  // none of these
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

// Kind, choices and limits from the parser's "UINT:INT in [1 - 4096]" or "TEXT:{race,cuts}".
void take_type(const std::string& type, OptionText& option);

// Hidden verbs are left out.
VerbText describe(const Verb& program);

// The words with blanks, or something else, between them.
std::string spaced(const std::vector<std::string>& words, const char* between = " ");

// {"name", "text", "footer", "positionals", "options", "verbs"}
std::string to_json(const VerbText& verb);

}  // namespace lodestar::cli
