#include "description.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "../verb.h"

namespace lodestar::cli {

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

namespace {

OptionText describe_option(const CLI::Option& from, const Verb& verb) {
  OptionText option;
  for (const std::string& name : from.get_snames()) option.names.push_back("-" + name);
  for (const std::string& name : from.get_lnames()) option.names.push_back("--" + name);
  if (option.names.empty()) option.names.push_back(from.get_name(true));
  option.text = from.get_description();
  std::replace(option.text.begin(), option.text.end(), '\n', ' ');  // broken for --help
  if (from.get_items_expected_max() > 0) take_type(from.get_type_name(), option);
  option.initial = from.get_default_str();
  option.required = from.get_required();
  option.repeated = from.get_items_expected_max() > 1;
  for (const Rule& rule : verb.rules()) {
    if (std::find(option.names.begin(), option.names.end(), rule.option) == option.names.end()) {
      continue;
    }
    auto& others = rule.kind == Rule::kNeeds ? option.needs : option.excludes;
    others.insert(others.end(), rule.others.begin(), rule.others.end());
  }
  return option;
}

nlohmann::ordered_json options_json(const std::vector<OptionText>& options) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const OptionText& option : options) {
    out.push_back({{"names", option.names},
                   {"text", option.text},
                   {"value", option.value},
                   {"choices", option.choices},
                   {"limits", option.limits},
                   {"default", option.initial},
                   {"needs", option.needs},
                   {"excludes", option.excludes},
                   {"required", option.required},
                   {"repeated", option.repeated}});
  }
  return out;
}

nlohmann::ordered_json verb_json(const VerbText& verb) {
  nlohmann::ordered_json out = {{"name", verb.name},
                                {"text", verb.text},
                                {"footer", verb.footer},
                                {"handed_over", verb.handed_over},
                                {"positionals", options_json(verb.positionals)},
                                {"options", options_json(verb.options)},
                                {"verbs", nlohmann::ordered_json::array()}};
  for (const VerbText& inner : verb.verbs) out["verbs"].push_back(verb_json(inner));
  return out;
}

}  // namespace

std::string spaced(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

VerbText describe(const Verb& from) {
  VerbText verb;
  verb.name = from.name();
  verb.text = from.app().get_description();
  verb.footer = from.app().get_footer();
  verb.handed_over = from.app().get_prefix_command();
  for (const CLI::Option* option : from.app().get_options()) {
    if (option->get_group().empty()) continue;
    (option->nonpositional() ? verb.options : verb.positionals)
        .push_back(describe_option(*option, from));
  }
  for (const auto& inner : from.verbs()) {
    if (!inner->app().get_group().empty()) verb.verbs.push_back(describe(*inner));
  }
  return verb;
}

std::string to_json(const VerbText& verb) {
  return verb_json(verb).dump();
}

}  // namespace lodestar::cli
