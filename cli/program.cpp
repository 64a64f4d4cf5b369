#include "program.h"

#include <fmt/core.h>

#include <exception>
#include <new>

#include "lodestar/types.h"
#include "lodestar/version.h"

namespace lodestar::cli {

int run_program(int argc, char** argv, std::span<const AddVerb> verbs) {
  CLI::App program{
      "Lodestar: shortest paths with learned heuristics, and the proof of each answer."};
  program.name("lodestar");
  program.require_subcommand(0, 1);
  program.set_version_flag("--version",
                           fmt::format("lodestar {} ({}, {})", kVersion, kCommit, kCompiler));
  int status = 0;
  for (const AddVerb add : verbs) add(program, &status);
  try {
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

}  // namespace lodestar::cli
