// The frame of a benchmark program: CLI11 reads the arguments; errors go to stderr.
//
//   int main(int argc, char** argv) {
//     CLI::App app("Cost and gain of learned heuristics", "infer");
//     app.add_option("nodes", nodes);
//     return bench::run_program(app, argc, argv, [&] { …; return 0; });
//   }
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace lodestar::bench {

// Returns what `body` returns: 0 if all answers are right, 1 if one is wrong. Returns 2 on invalid
// arguments and on any exception.
template <class Body>
int run_program(CLI::App& app, int argc, char** argv, Body&& body) {
  try {
    app.parse(argc, argv);
    return body();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
    return 2;
  }
}

}  // namespace lodestar::bench
