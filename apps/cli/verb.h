// A verb and its options. An option is declared once, next to the verb that uses it; --help, manual
// pages, completions and the checks before the verb runs are made from that declaration.
//
//   auto [verb, options] =
//       program.verb<SolveOptions>("solve", "Find shortest paths", run_solve, kQueryVerbs);
//   verb.option("--constant", options.constant, "Value of the constant heuristic")
//       .needs("--heuristic=constant");
//   verb.flag("--exact", options.exact, "Make the heuristic consistent").excludes("--bound");
//
// The default is the value that the variable has when the option is declared.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lodestar::cli {

class Verb;

// An option that needs one of others, or excludes all of them. "--heuristic=constant" is an option
// with a value; a name without dashes is a positional or a subcommand.
struct Rule {
  enum Kind { kNeeds, kExcludes } kind = kNeeds;
  std::string option;
  std::vector<std::string> others;

  std::string text() const;  // "Requires --heuristic constant."
};

class Option {
 public:
  Option(Verb& verb, CLI::Option& option) : verb_(verb), option_(option) {}

  Option& required();
  Option& check(const CLI::Validator& validator);
  Option& comma_separated();
  // What happens without the option, where its variable does not say it.
  Option& default_text(const std::string& text);
  template <class... Names>
  Option& needs(Names... others) {
    return add({Rule::kNeeds, name(), {others...}});
  }
  template <class... Names>
  Option& excludes(Names... others) {
    return add({Rule::kExcludes, name(), {others...}});
  }
  // The same without a sentence in --help, if the verb's footer says it for several options.
  template <class... Names>
  Option& excludes_as_noted(Names... others) {
    return add({Rule::kExcludes, name(), {others...}}, false);
  }
  bool given() const { return option_.count() > 0; }
  CLI::Option& cli() { return option_; }

 private:
  std::string name() const;
  Option& add(Rule rule, bool in_help = true);

  Verb& verb_;
  CLI::Option& option_;
};

// Writes values in --help as "N", "1..4096", "{uniform,rank}" or "TEXT".
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

// Rejects "nan" and "inf", which the parser takes for numbers, and "", which it takes for 0.
CLI::Validator finite();
CLI::Validator not_empty();
// As CLI::PositiveNumber and CLI::NonNegativeNumber, whose messages print the largest double.
CLI::Validator above_zero();
CLI::Validator zero_or_more();

class Verb {
 public:
  // The program itself; `status` receives the exit code of the verb that ran.
  Verb(CLI::App& program, int* status) : app_(program), status_(status) {}
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;

  // Adds a verb below this one. Those of one group stand together in --help.
  Verb& verb(const std::string& name, const std::string& text,
             const std::string& group = "Subcommands");
  // The same with the variables of its options, which body receives when the verb runs. It returns
  // 1 for a negative result, 0 or nothing otherwise.
  template <class Options, class Body>
  std::pair<Verb&, Options&> verb(const std::string& name, const std::string& text, Body body,
                                  const std::string& group = "Subcommands") {
    Verb& made = verb(name, text, group);
    auto options = std::make_shared<Options>();
    made.run([options, body]() -> int {
      if constexpr (std::is_void_v<decltype(body(*options))>) {
        body(*options);
        return 0;
      } else {
        return body(*options);
      }
    });
    return {made, *options};
  }

  template <class T>
  Option option(const std::string& names, T& value, const std::string& help) {
    CLI::Option* made = app_.add_option(names, value, help);
    constexpr bool kOptional = std::is_same_v<T, std::optional<double>>;
    if constexpr (std::is_floating_point_v<T> || kOptional) made->check(finite());
    if constexpr (std::is_integral_v<T>) made->check(not_empty());
    if constexpr (CLI::detail::is_mutable_container<T>::value && !std::is_same_v<T, std::string>) {
      if constexpr (std::is_arithmetic_v<typename T::value_type>) made->check(not_empty());
      if (!value.empty()) made->default_str(CLI::detail::join(value, ","));
    } else if constexpr (!kOptional) {
      made->capture_default_str();
    }
    return {*this, *made};
  }
  Option flag(const std::string& names, bool& value, const std::string& help) {
    return {*this, *app_.add_flag(names, value, help)};
  }
  Option find(const std::string& name) { return {*this, *app_.get_option(name)}; }
  // 0 becomes the number of cores.
  Option threads(unsigned& threads, const std::string& help = "Worker threads");

  // Notes and examples below the options.
  void footer(const std::string& text) { app_.footer(text); }
  // What the verb does; returns 0 success, 1 a negative result. Errors are thrown.
  void run(std::function<int()> body);

  int status() const { return *status_; }

  // To be called once on the program when every verb is there: completes the help texts, arms the
  // checks.
  void finish();

  CLI::App& app() { return app_; }
  const CLI::App& app() const { return app_; }
  const std::string& name() const { return name_; }  // "bench static"; empty: the program
  const std::vector<Rule>& rules() const { return rules_; }
  const std::vector<std::unique_ptr<Verb>>& verbs() const { return verbs_; }

 private:
  friend class Option;
  void check() const;  // throws Error where a rule is broken

  CLI::App& app_;
  int* status_;
  std::string name_;
  std::vector<Rule> rules_;
  std::vector<std::unique_ptr<Verb>> verbs_;
};

}  // namespace lodestar::cli
