// The verbs of the program; each adds itself with its options. Exit codes: 0 success, 1 a negative
// result, 2 bad usage or bad input (thrown as Error).
#pragma once

#include <span>

#include "verb.h"

namespace lodestar::cli {

using AddVerb = void (*)(Verb& program);

// Groups in `lodestar --help`: the three situations, then what serves all of them.
inline constexpr const char* kIndexVerbs = "Index: one graph with fixed weights";
inline constexpr const char* kPotentialsVerbs =
    "Potentials: one graph, weights that belong to the request";
inline constexpr const char* kModelVerbs = "Model: a new graph each time, and research";
inline constexpr const char* kQueryVerbs = "Queries";
inline constexpr const char* kFileVerbs = "Files";
inline constexpr const char* kCheckVerbs = "Checks and benchmarks";

void add_bench(Verb& program);
void add_certify(Verb& program);
void add_convert(Verb& program);
void add_fit(Verb& program);
void add_generate(Verb& program);
void add_index(Verb& program);
void add_info(Verb& program);
void add_isochrone(Verb& program);
void add_matrix(Verb& program);
void add_predict(Verb& program);
void add_reproduce(Verb& program);
void add_serve(Verb& program);  // with LODESTAR_SERVE
void add_solve(Verb& program);
void add_train(Verb& program);
void add_tune(Verb& program);
void add_view(Verb& program);  // with LODESTAR_SERVE

// Subcommands of `bench`.
void add_bench_static(Verb& bench);
void add_bench_traffic(Verb& bench);
void add_bench_requests(Verb& bench);
void add_bench_matrix(Verb& bench);

// The main function of every program here: parses the command line, runs the verb, and turns
// exceptions into a line on stderr and an exit code.
int run_program(int argc, char** argv, std::span<const AddVerb> verbs);

}  // namespace lodestar::cli
