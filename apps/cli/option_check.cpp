#include "option_check.h"

#include "lodestar/types.h"
#include "option_rules.h"

namespace lodestar::cli {
namespace {

// "--heuristic=constant", "--queries", "family=er" or a subcommand's name.
bool is_given(CLI::App& verb, const std::string& what) {
  const std::size_t equals = what.find('=');
  const std::string name = what.substr(0, equals);
  const CLI::Option* option = verb.get_option_no_throw(name);
  if (option == nullptr) {
    for (const CLI::App* inner : verb.get_subcommands()) {  // those that were named
      if (inner->get_name() == name) return true;
    }
    return false;
  }
  if (option->count() == 0) return false;
  return equals == std::string::npos || option->results().back() == what.substr(equals + 1);
}

bool any_given(CLI::App& verb, std::string_view others) {
  while (!others.empty()) {
    const std::size_t size = std::min(others.find('|'), others.size());
    if (is_given(verb, std::string(others.substr(0, size)))) return true;
    others.remove_prefix(std::min(size + 1, others.size()));
  }
  return false;
}

// "--a=x|--b" -> "--a x or --b"
std::string in_words(std::string_view others, const char* between = " or ") {
  std::string text;
  for (const char c : others) {
    if (c == '|') {
      text += between;
    } else {
      text += c == '=' ? ' ' : c;
    }
  }
  return text;
}

void check(CLI::App& verb, const std::string& name) {
  for (const OptionRule& rule : kOptionRules) {
    if (rule.verb != name || rule.rule == Rule::kAlways) continue;
    const std::string option(rule.option);
    if (!is_given(verb, option)) continue;
    const bool others = any_given(verb, rule.others);
    if (rule.rule == Rule::kNeeds && !others) {
      throw Error(name + ": " + option + " means nothing without " + in_words(rule.others));
    }
    if (rule.rule == Rule::kNotWith && others) {
      throw Error(name + ": " + option + " means nothing together with " + in_words(rule.others));
    }
  }
}

}  // namespace

std::vector<std::string> rules_in_words(const std::string& verb, const std::string& option) {
  std::vector<std::string> texts;
  for (const OptionRule& rule : kOptionRules) {
    if (rule.verb != verb || rule.option != option || rule.rule == Rule::kAlways) continue;
    texts.push_back((rule.rule == Rule::kNeeds ? "only with " : "not with ") +
                    in_words(rule.others, rule.rule == Rule::kNeeds ? " or " : ", "));
  }
  return texts;
}

void check_options(CLI::App& verb, const std::string& name) {
  verb.parse_complete_callback([&verb, name] { check(verb, name); });
  for (CLI::App* inner : verb.get_subcommands({})) {
    check_options(*inner, name + " " + inner->get_name());
  }
}

}  // namespace lodestar::cli
