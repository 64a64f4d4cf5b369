// Manual pages in man(7).
#include <algorithm>
#include <cctype>
#include <sstream>

#include "pages.h"
#include "progress.h"

namespace lodestar::cli {
namespace {

// Text as roff takes it: backslashes and hyphens are themselves, no line begins a request.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// As roff, in lines of at most 69 bytes: mandoc writes eight for a character beyond ASCII and
// warns beyond 80. A line break of the text is one more blank.
std::string filled(const std::string& text) {
  return in_lines(text, 69, roff);
}

std::string bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}
std::string italic(const std::string& text) {
  return "\\fI" + roff(text) + "\\fR";
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string hyphened(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '-');
  return text;
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

void add_option_text(std::string& page, const OptionText& option, bool positional) {
  page += ".TP\n";
  std::string head;
  for (const std::string& name : option.names) {
    head += (head.empty() ? "" : ", ") + (positional ? italic(name) : bold(name));
  }
  if (!positional && !option.value.empty()) {
    head += " " + italic(option.value) + (option.repeated ? " ..." : "");
  }
  page += head + "\n" + filled(sentence(option.text));
  if (!option.choices.empty())
    page += "\n" + filled("One of " + spaced(option.choices, ", ") + ".");
  if (!option.limits.empty()) page += "\n" + filled(sentence("A number " + option.limits));
  if (option.required && !positional) page += "\nRequired.";
  page += "\n";
}

// The text below --help's options: a line that ends in a colon begins a section, "Exit code" too;
// indented lines stay unchanged.
void add_footer(std::string& page, const std::string& footer) {
  enum class Mode { kText, kLiteral } mode = Mode::kText;
  bool in_section = false, new_paragraph = false;
  const auto literal = [&](bool on) {
    if ((mode == Mode::kLiteral) == on) return;
    page += on ? (new_paragraph ? ".PP\n.nf\n" : ".nf\n") : ".fi\n";
    mode = on ? Mode::kLiteral : Mode::kText;
    new_paragraph = false;
  };
  const auto section = [&](const std::string& title) {
    literal(false);
    page += ".SH " + roff(upper(title)) + "\n";
    in_section = true;
    new_paragraph = false;
  };
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      new_paragraph = true;
      continue;
    }
    if (line.starts_with("Example: ")) {
      section("Examples");
      line = std::string(9, ' ') + line.substr(9);
    } else if (line.starts_with("Exit code")) {
      section("Exit status");
      const std::size_t text = line.find(": ");
      if (line.starts_with("Exit code: ")) line = line.substr(text + 2);
    } else if (line.front() != ' ' && line.back() == ':') {
      section(line == "Example:" ? "Examples" : line.substr(0, line.size() - 1));
      continue;
    } else if (line.front() != ' ' && (mode == Mode::kLiteral || !in_section)) {
      section("Notes");
    }
    literal(line.front() == ' ');
    if (new_paragraph && mode == Mode::kText && !page.ends_with("\n.SH NOTES\n")) page += ".PP\n";
    new_paragraph = false;
    page +=
        (mode == Mode::kLiteral ? roff(line.substr(line.find_first_not_of(' '))) : filled(line)) +
        "\n";
  }
  literal(false);
}

std::string page_name(const std::string& program, const VerbText& verb) {
  return verb.name.empty() ? program : "lodestar-" + hyphened(verb.name);
}

std::string manual_page(const std::string& program, const VerbText& verb,
                        const std::string& version, const std::string& date,
                        const std::vector<std::string>& related) {
  const std::string name = page_name(program, verb);
  std::string page = ".\\\" Written by `" + program + " pages` from its declarations.\n";
  page += ".TH " + roff(upper(name)) + " 1 " + date + " \"lodestar " + version +
          "\" \"Lodestar manual\"\n";
  std::string what = verb.text;
  if (!what.empty() && what.back() == '.') what.pop_back();
  if (what.starts_with("Lodestar: ")) what = what.substr(10);
  page += ".SH NAME\n" + roff(name) + " \\-\n" + filled(what) + "\n";
  page += ".SH SYNOPSIS\n" + bold(verb.name.empty() ? program : "lodestar " + verb.name);
  for (const OptionText& option : verb.options) {
    if (option.required) page += " " + bold(option.names.front()) + " " + italic(option.value);
  }
  page += " [" + italic("option") + " ...]";
  for (const OptionText& option : verb.positionals) {
    page += option.required ? " " + italic(option.names.front())
                            : " [" + italic(option.names.front()) + "]";
    if (option.repeated) page += " ...";
  }
  if (!verb.verbs.empty()) {
    page +=
        (verb.name.empty() ? " " : " [") + italic("verb") + " ..." + (verb.name.empty() ? "" : "]");
  }
  page += "\n.SH DESCRIPTION\n" + filled(sentence(verb.text)) + "\n";
  for (const OptionText& option : verb.positionals) add_option_text(page, option, true);
  if (!verb.verbs.empty()) {
    page += ".SH VERBS\n";
    for (const VerbText& inner : verb.verbs) {
      page += ".TP\n.BR " + roff("lodestar-" + hyphened(inner.name)) + " (1)\n" +
              filled(sentence(inner.text)) + "\n";
    }
  }
  page += ".SH OPTIONS\n";
  for (const OptionText& option : verb.options) add_option_text(page, option, false);
  add_footer(page, verb.footer);
  if (!page.ends_with("\n")) page += "\n";
  page += ".SH SEE ALSO\n";
  for (const std::string& other : related) {
    if (other == name) continue;
    page += ".BR " + roff(other) + " (1)" + (&other == &related.back() ? "" : ",") + "\n";
  }
  if (page.ends_with(",\n")) page.replace(page.size() - 2, 2, "\n");
  return page;
}

void add_manual_pages(std::vector<Page>& pages, const std::string& program, const VerbText& verb,
                      const std::string& version, const std::string& date,
                      const std::vector<std::string>& related) {
  if (verb.handed_over) return;
  pages.push_back({"man/man1/" + page_name(program, verb) + ".1",
                   manual_page(program, verb, version, date, related)});
  for (const VerbText& inner : verb.verbs) {
    add_manual_pages(pages, program, inner, version, date, related);
  }
}

}  // namespace

std::vector<Page> manual_pages(const std::string& program, const VerbText& text,
                               const std::string& version, const std::string& date) {
  std::vector<std::string> related = {"lodestar"};
  for (const VerbText& verb : text.verbs) {
    related.push_back("lodestar-" + verb.name);
    for (const VerbText& inner : verb.verbs) related.push_back("lodestar-" + hyphened(inner.name));
  }
  std::vector<Page> pages;
  add_manual_pages(pages, program, text, version, date, related);
  return pages;
}

}  // namespace lodestar::cli
