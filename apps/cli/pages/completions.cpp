// Completions for bash, zsh and fish. Each is one function over a table of verbs; the program is
// not run for a completion.
#include <algorithm>
#include <functional>

#include "pages.h"

namespace lodestar::cli {
namespace {

// The program that verbs are forwarded to: its own file of completions lies beside this one's.
constexpr const char* kReceiver = "lodestar-learn";

using VerbVisitor = std::function<void(const VerbText&)>;

void each_verb(const VerbText& verb, const VerbVisitor& visit) {
  visit(verb);
  for (const VerbText& inner : verb.verbs) each_verb(inner, visit);
}

std::string last_word(const std::string& name) {
  return name.substr(name.rfind(' ') + 1);
}

std::vector<std::string> names_of_verbs(const VerbText& verb) {
  std::vector<std::string> names;
  for (const VerbText& inner : verb.verbs) names.push_back(last_word(inner.name));
  return names;
}

std::string identifier(std::string name) {
  for (char& c : name) c = c == '-' ? '_' : c;
  return "_" + name;
}

// The first sentence of a text, which is all there is room for.
std::string one_line(const std::string& text) {
  return text.substr(0, std::min({text.find('\n'), text.find(". "), text.size()}));
}

std::string bash_completion(const std::string& program, const VerbText& root) {
  std::string verbs, table;
  each_verb(root, [&](const VerbText& verb) {
    const std::size_t blank = verb.name.rfind(' ');
    if (!verb.name.empty()) {
      const std::string outer = blank == std::string::npos ? "" : verb.name.substr(0, blank);
      verbs += "      '" + outer + ":" + last_word(verb.name) + "') verb='" + verb.name + "' ;;\n";
    }
    if (verb.handed_over) {
      table += "    '" + verb.name + "')\n      [ -r \"${BASH_SOURCE[0]%/*}/" + kReceiver +
               "\" ] || return\n      . \"${BASH_SOURCE[0]%/*}/" + kReceiver + "\"\n      " +
               identifier(kReceiver) + "\n      return ;;\n";
      return;
    }
    std::vector<std::string> words = names_of_verbs(verb);
    std::string values;
    for (const OptionText& option : verb.options) {
      words.insert(words.end(), option.names.begin(), option.names.end());
      if (option.value.empty()) continue;
      values += "        " + spaced(option.names, "|") + ") ";
      if (!option.choices.empty()) {
        values += "values='" + spaced(option.choices) + "' ;;\n";
      } else {
        values += option.value == "number" ? "return ;;\n" : "files=1 ;;\n";
      }
    }
    table += "    '" + verb.name + "')\n      words='" + spaced(words) + "'\n";
    if (!values.empty()) table += "      case $before in\n" + values + "      esac\n";
    table += "      ;;\n";
  });
  return "# bash completion for " + program + ", written by `" + program +
         " pages` from its declarations.\n" + identifier(program) +
         "() {\n"
         "  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local verb='' words='' values='' files='' i\n"
         "  COMPREPLY=()\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$verb:${COMP_WORDS[i]}\" in\n" +
         verbs +
         "    esac\n"
         "  done\n"
         "  case $verb in\n" +
         table +
         "  esac\n"
         "  if [ -n \"$values\" ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$now\")\n"
         "  elif [ -z \"$files\" ] && { [ -z \"$verb\" ] || [[ $now == -* ]]; }; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$now\")\n"
         "  else\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$now\")\n"
         "    [ -n \"$files\" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "
         "\"${words%% -*}\" -- \"$now\")\n"
         "  fi\n"
         "}\n"
         "complete -F " +
         identifier(program) + " " + program + "\n";
}

std::string zsh_quoted(const std::string& text, bool in_brackets) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (in_brackets && (c == '[' || c == ']' || c == ':' || c == '\\')) {
      out += std::string("\\") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string zsh_option(const OptionText& option) {
  const std::string rest =
      "'[" + zsh_quoted(one_line(option.text), true) + "]" +
      (option.value.empty()       ? ""
       : !option.choices.empty()  ? ":" + option.value + ":(" + spaced(option.choices) + ")"
       : option.value == "number" ? ":number: "
                                  : ":text:_files") +
      "'";
  const std::string all = spaced(option.names);
  std::string out;
  for (const std::string& name : option.names) {
    out += " \\\n        ";
    out += option.repeated ? "'*'" : "'(" + all + ")'";
    out += "'" + name + "'" + rest;
  }
  return out;
}

std::string zsh_completion(const std::string& program, const VerbText& root) {
  std::string functions;
  const std::string prefix = identifier(program);
  const auto name_of = [&](const VerbText& verb) {
    std::string name = prefix + "_in";
    for (const char c : verb.name.empty() ? std::string() : " " + verb.name) {
      name += c == ' ' || c == '-' ? '_' : c;
    }
    return name;
  };
  each_verb(root, [&](const VerbText& verb) {
    functions += name_of(verb) + "() {\n";
    if (verb.handed_over) {
      functions += "  (( $+functions[_" + std::string(kReceiver) + "] )) || autoload -Uz _" +
                   kReceiver + "\n  words=(" + kReceiver + " " + verb.name +
                   " $words[2,-1])\n  (( CURRENT++ ))\n  _" + kReceiver + "\n}\n";
      return;
    }
    const bool inner = !verb.verbs.empty();
    if (inner) functions += "  local context state state_descr line\n  typeset -A opt_args\n";
    functions += inner ? "  _arguments -C" : "  _arguments";
    for (const OptionText& option : verb.options) functions += zsh_option(option);
    if (inner) {
      functions += " \\\n        '1: :->verb' '*:: :->rest'\n  case $state in\n    verb)\n";
      functions += "      local -a verbs=(";
      for (const VerbText& one : verb.verbs) {
        functions +=
            "\n        '" + last_word(one.name) + ":" + zsh_quoted(one_line(one.text), false) + "'";
      }
      functions += ")\n      _describe verb verbs ;;\n    rest)\n      case $words[1] in\n";
      for (const VerbText& one : verb.verbs) {
        functions += "        " + last_word(one.name) + ") " + name_of(one) + " ;;\n";
      }
      functions += "      esac ;;\n  esac\n}\n";
    } else {
      functions += " \\\n        '*:file:_files'\n}\n";
    }
  });
  return "#compdef " + program + "\n# Written by `" + program + " pages` from its declarations.\n" +
         functions + name_of(root) + " \"$@\"\n";
}

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_completion(const std::string& program, const VerbText& root) {
  std::string out =
      "# fish completion, written by `" + program + " pages` from its declarations.\n";
  const std::string start = "complete -c " + program + (program == kReceiver ? " -c lodestar" : "");
  bool receiver = false;
  each_verb(root, [&](const VerbText& verb) {
    receiver = receiver || verb.handed_over;
    std::string when = verb.name.empty() ? "__fish_use_subcommand" : "";
    for (std::size_t begin = 0; begin < verb.name.size();) {
      const std::size_t end = std::min(verb.name.find(' ', begin), verb.name.size());
      when += (when.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") +
              verb.name.substr(begin, end - begin);
      begin = end + 1;
    }
    const std::string inner_names = spaced(names_of_verbs(verb));
    if (!inner_names.empty() && !verb.name.empty()) {
      when += "; and not __fish_seen_subcommand_from " + inner_names;
    }
    for (const VerbText& inner : verb.verbs) {
      if (verb.name.empty() && program == kReceiver) {
        out += "complete -c " + program;  // `lodestar` lists its verbs itself
      } else {
        out += start;
      }
      out += " -n '" + when + "' -a " + last_word(inner.name) + " -d " +
             fish_quoted(one_line(inner.text)) + "\n";
    }
    if (verb.name.empty() && program == kReceiver) return;
    for (const OptionText& option : verb.options) {
      out += start + " -n '" + when + "'";
      for (const std::string& name : option.names) {
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.choices.empty()) {
        out += " -x -a " + fish_quoted(spaced(option.choices));
      } else if (!option.value.empty()) {
        out += option.value == "number" ? " -x" : " -r -F";
      }
      out += " -d " + fish_quoted(one_line(option.text)) + "\n";
    }
  });
  if (receiver) {
    out += "set -l rest (status dirname)/" + std::string(kReceiver) +
           ".fish\ntest -r $rest; and source $rest\n";
  }
  return out;
}

}  // namespace

std::vector<Page> completions(const std::string& program, const VerbText& text) {
  return {{"bash-completion/completions/" + program, bash_completion(program, text)},
          {"zsh/vendor-completions/_" + program, zsh_completion(program, text)},
          {"fish/vendor_completions.d/" + program + ".fish", fish_completion(program, text)}};
}

}  // namespace lodestar::cli
