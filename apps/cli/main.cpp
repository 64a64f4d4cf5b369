// lodestar: one program that generates, learns, certifies and answers.
#include "lodestar/osm.h"
#include "program.h"
#include "serve_verbs.h"
#include "verbs.h"

namespace {

constexpr lodestar::cli::AddVerb kVerbs[] = {
    lodestar::cli::add_generate,   // make graphs
    lodestar::cli::add_train,      // learn a family of graphs
    lodestar::cli::add_tune,       // find how to learn it best
    lodestar::cli::add_reproduce,  // the paper's evaluation
    lodestar::cli::add_fit,        // learn one graph
    lodestar::cli::add_solve,      // answer queries
#ifdef LODESTAR_HAS_SERVE
    lodestar::cli::add_serve,  // answer them over HTTP
    lodestar::cli::add_view,   // show how they are answered
#endif
    lodestar::cli::add_matrix,      // all distances between two sets
    lodestar::cli::add_certify,     // check a heuristic
    lodestar::cli::add_potentials,  // learned values as data
    lodestar::cli::add_convert,     // between formats
    lodestar::cli::add_info,        // describe a file
    lodestar::cli::add_bench,       // speeds as ratios
};

}  // namespace

int main(int argc, char** argv) {
#ifdef LODESTAR_HAS_OSM
  lodestar::add_osm_format();
#endif
  return lodestar::cli::run_program(argc, argv, kVerbs);
}
