#include "description.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "../option_check.h"

namespace lodestar::cli {
namespace {

// "UINT:INT in [1 - 4096]", "TEXT:{race,cuts}", "FLOAT:POSITIVE" as kind, choices and limits.
void take_type(const std::string& type, OptionText& option) {
  if (type.empty()) return;
  const bool number =
      type.starts_with("UINT") || type.starts_with("INT") || type.starts_with("FLOAT");
  option.value = number ? "number" : "text";
  const std::size_t brace = type.find('{'), end = type.find('}');
  if (brace != std::string::npos && end != std::string::npos) {
    std::string_view list(type.data() + brace + 1, end - brace - 1);
    while (!list.empty()) {
      const std::size_t size = std::min(list.find(','), list.size());
      option.choices.emplace_back(list.substr(0, size));
      list.remove_prefix(std::min(size + 1, list.size()));
    }
  }
  const std::size_t bracket = type.find('['), dash = type.find(" - ", bracket);
  if (bracket != std::string::npos && dash != std::string::npos) {
    option.limits = "between " + type.substr(bracket + 1, dash - bracket - 1) + " and " +
                    type.substr(dash + 3, type.find(']', dash) - dash - 3);
  } else if (type.ends_with(":POSITIVE")) {
    option.limits = "above 0";
  } else if (type.ends_with(":NONNEGATIVE")) {
    option.limits = "0 or more";
  }
}

OptionText describe_option(const CLI::Option& from, const std::string& verb) {
  OptionText option;
  for (const std::string& name : from.get_snames()) option.names.push_back("-" + name);
  for (const std::string& name : from.get_lnames()) option.names.push_back("--" + name);
  if (option.names.empty()) option.names.push_back(from.get_name(true));
  option.text = from.get_description();
  if (from.get_items_expected_max() > 0) take_type(from.get_type_name(), option);
  option.initial = from.get_default_str();
  option.required = from.get_required();
  option.repeated = from.get_items_expected_max() > 1;
  for (const std::string& name : option.names) {
    for (std::string& rule : rules_in_words(verb, name)) option.rules.push_back(std::move(rule));
  }
  return option;
}

VerbText describe_verb(const CLI::App& from, const std::string& name) {
  VerbText verb;
  verb.name = name;
  verb.text = from.get_description();
  verb.footer = from.get_footer();
  verb.handed_over = from.get_prefix_command();
  for (const CLI::Option* option : from.get_options()) {
    if (option->get_group().empty()) continue;
    (option->nonpositional() ? verb.options : verb.positionals)
        .push_back(describe_option(*option, name));
  }
  for (const CLI::App* inner : from.get_subcommands(nullptr)) {
    if (inner->get_group().empty()) continue;
    verb.verbs.push_back(
        describe_verb(*inner, (name.empty() ? "" : name + " ") + inner->get_name()));
  }
  return verb;
}

}  // namespace

VerbText describe(const CLI::App& program) {
  return describe_verb(program, "");
}

}  // namespace lodestar::cli
