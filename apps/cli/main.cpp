// lodestar: the program.
#include "lodestar/osm.h"
#include "verbs.h"

namespace {

// In the order of --help.
constexpr lodestar::cli::AddVerb kVerbs[] = {
    lodestar::cli::add_index,    lodestar::cli::add_fit,     lodestar::cli::add_train,
    lodestar::cli::add_tune,     lodestar::cli::add_predict, lodestar::cli::add_reproduce,
    lodestar::cli::add_solve,    lodestar::cli::add_matrix,  lodestar::cli::add_isochrone,
#ifdef LODESTAR_HAS_SERVE
    lodestar::cli::add_serve,    lodestar::cli::add_view,
#endif
    lodestar::cli::add_generate, lodestar::cli::add_convert, lodestar::cli::add_info,
    lodestar::cli::add_certify,  lodestar::cli::add_bench,
};

}  // namespace

int main(int argc, char** argv) {
#ifdef LODESTAR_HAS_OSM
  lodestar::add_osm_format();
#endif
  return lodestar::cli::run_program(argc, argv, kVerbs);
}
