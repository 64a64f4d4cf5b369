#include "verb.h"

#include <algorithm>
#include <cmath>

#include "lodestar/detail/parallel.h"
#include "lodestar/types.h"
#include "pages/description.h"
#include "progress.h"

namespace lodestar::cli {
namespace {

// "--heuristic=constant" -> "--heuristic constant"
std::string in_words(std::string given) {
  std::replace(given.begin(), given.end(), '=', ' ');
  return given;
}

std::string joined(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += in_words(words[i]);
  }
  return text;
}

bool is_given(const CLI::App& app, const std::string& what) {
  const std::size_t equals = what.find('=');
  const std::string name = what.substr(0, equals);
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) {
    const auto named = app.get_subcommands();  // those on the command line
    return std::any_of(named.begin(), named.end(),
                       [&](const CLI::App* inner) { return inner->get_name() == name; });
  }
  if (option->count() == 0) return false;
  return equals == std::string::npos || option->results().back() == what.substr(equals + 1);
}

CLI::Validator number_check(const std::string& what, const char* type, bool (*good)(double)) {
  return CLI::Validator(
      [what, good](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && good(value)) return std::string();
        return what + " is required, not " + text;
      },
      type);
}

// In lines that fit beside the column of names.
std::string broken(const std::string& text) {
  return in_lines(text, 66);
}

}  // namespace

std::string Rule::text() const {
  return kind == kNeeds ? "Requires " + joined(others, " or ") + "."
                        : "Not with " + joined(others, " or ") + ".";
}

CLI::Validator finite() {
  return number_check("a finite number", "", [](double value) { return std::isfinite(value); })
      .name("finite");
}

CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& text) { return text.empty() ? "a number is required" : std::string(); }, "",
      "not empty");
}

CLI::Validator above_zero() {
  return number_check("a number above 0", "POSITIVE", [](double value) { return value > 0; });
}

CLI::Validator zero_or_more() {
  return number_check("a number of at least 0", "NONNEGATIVE",
                      [](double value) { return value >= 0; });
}

// Without the value that the parser notes behind --no-…
std::string HelpFormatter::make_option_name(const CLI::Option* option, bool positional) const {
  const std::string name = CLI::Formatter::make_option_name(option, positional);
  return name.substr(0, name.find('{'));
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_items_expected_max() == 0) return "";  // a flag
  OptionText text;
  take_type(option->get_type_name(), text);
  std::string value = text.value == "number" ? "N" : "TEXT";
  if (!text.choices.empty()) {
    value = "{" + CLI::detail::join(text.choices, ",") + "}";
  } else if (text.limits.starts_with("between ")) {
    const std::size_t middle = text.limits.find(" and ");
    value = text.limits.substr(8, middle - 8) + ".." + text.limits.substr(middle + 5);
  }
  return " " + value + (option->get_items_expected_max() > 1 ? " ..." : "") +
         (option->get_required() ? " REQUIRED" : "");
}

std::string Option::name() const {
  const auto& names = option_.get_lnames();
  return names.empty() ? option_.get_name(true) : "--" + names.front();
}
Option& Option::required() {
  option_.required();
  return *this;
}
Option& Option::check(const CLI::Validator& validator) {
  option_.check(validator);
  return *this;
}
Option& Option::comma_separated() {
  option_.delimiter(',');
  option_.allow_extra_args(false);  // what follows a blank is the next argument
  return *this;
}
Option& Option::default_text(const std::string& text) {
  option_.default_str(text);
  return *this;
}
Option& Option::add(Rule rule, bool in_help) {
  std::string text = option_.get_description();
  if (!text.empty() && text.back() != '.') text += '.';
  if (in_help) option_.description(text + " " + rule.text());
  verb_.rules_.push_back(std::move(rule));
  return *this;
}

Verb& Verb::verb(const std::string& name, const std::string& text, const std::string& group) {
  CLI::App* app = app_.add_subcommand(name, text);
  app->group(group);
  verbs_.push_back(std::make_unique<Verb>(*app, status_));
  verbs_.back()->name_ = name_.empty() ? name : name_ + " " + name;
  return *verbs_.back();
}

Option Verb::threads(unsigned& threads, const std::string& help) {
  Option made = option("--threads", threads, help + "; 0: all cores");
  made.check(CLI::Range(0u, 1024u));
  made.cli().transform(
      [](const std::string& text) { return text == "0" ? std::to_string(thread_count(0)) : text; });
  return made;
}

void Verb::run(std::function<int()> body) {
  app_.callback([this, body = std::move(body)] { *status_ = body(); });
}

void Verb::check() const {
  for (const Rule& rule : rules_) {
    if (!is_given(app_, rule.option)) continue;
    const auto other = std::find_if(rule.others.begin(), rule.others.end(),
                                    [&](const std::string& one) { return is_given(app_, one); });
    const bool found = other != rule.others.end();
    if (rule.kind == Rule::kNeeds && !found) {
      throw Error(name_ + ": " + rule.option + " requires " + joined(rule.others, " or "));
    }
    if (rule.kind == Rule::kExcludes && found) {
      throw Error(name_ + ": " + rule.option + " cannot be combined with " + in_words(*other));
    }
  }
}

void Verb::finish() {
  for (CLI::Option* option : app_.get_options({})) {
    std::string text = option->get_description();
    if (!option->get_default_str().empty() && option->get_items_expected_max() > 0) {
      if (text.back() != '.') text += '.';
      text += " Default: " + option->get_default_str() + ".";
    }
    option->description(broken(text));
  }
  if (!name_.empty()) {
    if (!app_.get_prefix_command() && name_.find(' ') == std::string::npos) app_.fallthrough();
    app_.parse_complete_callback([this] { check(); });
  }
  for (const auto& inner : verbs_) inner->finish();
}

}  // namespace lodestar::cli
