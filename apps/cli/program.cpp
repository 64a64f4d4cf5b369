#include "program.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <numeric>

#include "help_texts.h"
#include "lodestar/types.h"
#include "lodestar/version.h"
#include "option_check.h"
#include "pages/pages.h"
#include "progress.h"
#include "signals.h"

namespace lodestar::cli {
namespace {

// Letters to insert, drop, exchange or swap with their neighbour.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  std::iota(d[0].begin(), d[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// Throws Error for a first word that is no verb, with the one that may be meant.
void check_verb(const CLI::App& program, int argc, char** argv) {
  int at = 1;
  while (at < argc && std::string_view(argv[at]) == "--quiet") ++at;
  if (at >= argc || argv[at][0] == '-') return;
  const std::string word = argv[at];
  std::string nearest;
  std::size_t fewest = 3;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    if (verb->get_name() == word) return;
    if (verb->get_group().empty()) continue;  // not listed, not suggested
    const std::size_t edits = edits_between(word, verb->get_name());
    if (edits < fewest && edits < word.size()) {
      fewest = edits;
      nearest = verb->get_name();
    }
  }
  throw Error("there is no verb '" + word + "'; " +
              (nearest.empty() ? "" : "did you mean " + nearest + "? ") +
              "`lodestar --help` lists them");
}

void add_help_texts(CLI::App& verb, const std::string& name) {
  for (const HelpText& row : kHelpTexts) {
    if (row.verb == name) verb.footer(verb.get_footer() + std::string(row.text));
  }
  for (CLI::App* sub : verb.get_subcommands(nullptr)) {
    add_help_texts(*sub, name + " " + sub->get_name());
  }
}

int run(int argc, char** argv, std::span<const AddVerb> verbs) {
  CLI::App program{
      "Lodestar: shortest paths with learned heuristics, and the proof of each answer."};
  program.name("lodestar");
  program.require_subcommand(0, 1);
  program.set_version_flag("--version",
                           fmt::format("lodestar {} ({}, {})", kVersion, kCommit, kCompiler));
  program.add_flag_function(
      "--quiet", [](std::int64_t) { set_quiet(true); },
      "No progress and no summaries on stderr; notes and errors stay");
  int status = 0;
  for (const AddVerb add : verbs) add(program, &status);
  add_pages(program, std::filesystem::path(argc > 0 ? argv[0] : "").filename().string());
  for (CLI::App* verb : program.get_subcommands(nullptr)) {
    if (!verb->get_prefix_command()) verb->fallthrough();
    check_options(*verb, verb->get_name());
    add_help_texts(*verb, verb->get_name());
  }
  try {
    check_verb(program, argc, argv);
    program.parse(argc, argv);
    if (program.get_subcommands().empty()) {
      fmt::print(stderr, "{}", program.help());
      return 2;
    }
    return status;
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : 2;
  } catch (const Error& error) {
    fmt::print(stderr, "lodestar: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "lodestar: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "lodestar: {}\n", error.what());
  }
  return 2;
}

// An answer that did not arrive is no answer: a full disk shows when the buffer goes out, on some
// file systems only when the file is closed.
bool output_arrived() {
  errno = 0;
  bool good = std::cout.flush().good();
  const int early = errno;
  good = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && good;
  const int reason = early != 0 ? early : errno;
  const bool closed = std::fclose(stdout) == 0 || errno == EBADF;  // `>&-`: nobody listens
  if (good && closed) return true;
  const int why = good ? errno : reason;
  fmt::print(stderr, "lodestar: the output could not be written{}{}\n", why != 0 ? ": " : "",
             why != 0 ? std::strerror(why) : "");
  return false;
}

}  // namespace

int run_program(int argc, char** argv, std::span<const AddVerb> verbs) {
  install_signal_handlers();
  const int status = run(argc, argv, verbs);
  return output_arrived() ? status : 2;
}

}  // namespace lodestar::cli
