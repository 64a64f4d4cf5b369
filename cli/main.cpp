// lodestar: one program that generates, learns, certifies and answers.
#include <fmt/core.h>

#include <exception>
#include <new>

#include "lodestar/types.h"
#include "lodestar/version.h"
#include "verbs.h"

namespace {

constexpr lodestar::cli::AddVerb kVerbs[] = {
    lodestar::cli::add_generate,  // make graphs
    lodestar::cli::add_fit,       // learn one graph
    lodestar::cli::add_solve,     // answer queries
    lodestar::cli::add_certify,   // check a heuristic
    lodestar::cli::add_convert,   // between formats
    lodestar::cli::add_info,      // describe a file
    lodestar::cli::add_bench,     // speeds as ratios
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App program{
      "Lodestar: shortest paths with learned heuristics, and the proof of each answer."};
  program.name("lodestar");
  program.require_subcommand(0, 1);
  program.set_version_flag("--version", fmt::format("lodestar {} ({}, {})", lodestar::kVersion,
                                                    lodestar::kCommit, lodestar::kCompiler));
  int status = 0;
  for (const auto add : kVerbs) add(program, &status);
  try {
    program.parse(argc, argv);
    if (program.get_subcommands().empty()) {
      fmt::print(stderr, "{}", program.help());
      return 2;
    }
    return status;
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : 2;
  } catch (const lodestar::Error& error) {
    fmt::print(stderr, "lodestar: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "lodestar: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "lodestar: {}\n", error.what());
  }
  return 2;
}
