// The verbs of the program. Each adds its subcommand and says what it returns:
// 0 success, 1 the question has a negative answer, 2 bad usage or bad input (thrown as Error).
#pragma once

#include <CLI/CLI.hpp>

namespace lodestar::cli {

// Sets *status when the verb runs; main returns it.
using AddVerb = void (*)(CLI::App& program, int* status);

void add_bench(CLI::App& program, int* status);
void add_certify(CLI::App& program, int* status);
void add_convert(CLI::App& program, int* status);
void add_fit(CLI::App& program, int* status);
void add_generate(CLI::App& program, int* status);
void add_info(CLI::App& program, int* status);
void add_matrix(CLI::App& program, int* status);
void add_potentials(CLI::App& program, int* status);
void add_reproduce(CLI::App& program, int* status);
void add_solve(CLI::App& program, int* status);
void add_train(CLI::App& program, int* status);
void add_tune(CLI::App& program, int* status);

// Subcommands of `bench`.
void add_bench_static(CLI::App& bench, int* status);
void add_bench_traffic(CLI::App& bench, int* status);

}  // namespace lodestar::cli
