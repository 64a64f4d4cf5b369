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

#include "lodestar/types.h"
#include "lodestar/version.h"
#include "old_names.h"
#include "pages/pages.h"
#include "progress.h"
#include "signals.h"
#include "verbs.h"

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

// "lodestar fit --seconds" for the names of version 0.1; throws Error.
void reject_old_names(const std::string& verb, std::span<char*> words) {
  for (const OldName& old : kOldNames) {
    if (old.verb != verb) continue;
    const std::string option(old.option);
    const bool used = option.empty() || std::any_of(words.begin(), words.end(), [&](auto* word) {
                        return word == option || std::string_view(word).starts_with(option + "=");
                      });
    if (!used) continue;
    throw Error(verb + (option.empty() ? "" : " " + option) + " is now `lodestar " +
                std::string(old.now) + "`");
  }
}

// Throws Error for a first word that is no verb, with the one that may be meant, and for names of
// version 0.1.
void check_words(const Verb& program, int argc, char** argv) {
  int at = 1;
  while (at < argc && std::string_view(argv[at]) == "--quiet") ++at;
  if (at >= argc || argv[at][0] == '-') return;
  const std::string word = argv[at];
  const std::span<char*> rest(argv + at + 1, argv + argc);
  reject_old_names(word, rest);
  std::string nearest;
  std::size_t fewest = 3;
  for (const auto& verb : program.verbs()) {
    if (verb->name() == word) {
      for (const auto& inner : verb->verbs()) {
        if (!rest.empty() && inner->name() == word + " " + rest[0]) {
          reject_old_names(inner->name(), rest.subspan(1));
        }
      }
      return;
    }
    if (verb->app().get_group().empty()) continue;  // not listed, not suggested
    const std::size_t edits = edits_between(word, verb->name());
    if (edits < fewest && edits < word.size()) {
      fewest = edits;
      nearest = verb->name();
    }
  }
  throw Error("there is no verb '" + word + "'; " +
              (nearest.empty() ? "" : "did you mean " + nearest + "? ") +
              "`lodestar --help` lists them");
}

constexpr const char* kFooter =
    "Example:\n"
    "  lodestar convert town.osm.pbf town.lsg\n"
    "  lodestar index town.lsg -o town.lsi\n"
    "  lodestar solve town.lsg --index town.lsi --from 1.521,42.507 --to 1.536,42.509\n"
    "`lodestar VERB --help` describes a verb.";

int run(int argc, char** argv, std::span<const AddVerb> verbs) {
  CLI::App app{
      "Lodestar: exact shortest paths, with an index, learned potentials or a trained model."};
  app.name("lodestar");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(0, 1);
  app.set_version_flag("--version",
                       fmt::format("lodestar {} ({}, {})", kVersion, kCommit, kCompiler),
                       "Print the version and exit");
  app.add_flag_function(
      "--quiet", [](std::int64_t) { set_quiet(true); },
      "Print no progress and no summaries on stderr; notes and errors stay");
  app.footer(kFooter);
  int status = 0;
  Verb program(app, &status);
  for (const AddVerb add : verbs) add(program);
  add_pages(program, std::filesystem::path(argc > 0 ? argv[0] : "").filename().string());
  program.finish();
  try {
    check_words(program, argc, argv);
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      fmt::print(stderr, "{}", app.help());
      return 2;
    }
    return status;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const Error& error) {
    fmt::print(stderr, "lodestar: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "lodestar: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "lodestar: {}\n", error.what());
  }
  return 2;
}

// A full disk shows when the buffer is flushed, on some file systems only when the file is closed.
bool output_arrived() {
  errno = 0;
  bool good = std::cout.flush().good();
  const int early = errno;
  good = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && good;
  const int reason = early != 0 ? early : errno;
  const bool closed = std::fclose(stdout) == 0 || errno == EBADF;  // `>&-`: closed by the caller
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
