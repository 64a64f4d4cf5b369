// `lodestar matrix`: distances between two sets of nodes. Under mpirun it is forwarded to
// lodestar-mpi, the program that links MPI.
#include "hand_over.h"
#include "matrix_job.h"
#include "verbs.h"

namespace lodestar::cli {

void add_matrix(Verb& program) {
  if (!started_by_mpirun()) {
    add_matrix_verb(program, [](const MatrixJob& job) {
      MatrixCrew alone;
      run_matrix(job, alone);
    });
    return;
  }
  add_handed_over_verb(program, "matrix", kMatrixText, kQueryVerbs,
                       [](const std::vector<std::string>& arguments) {
                         hand_over("lodestar-mpi", "matrix", arguments,
                                   "this build has no MPI, so mpirun would start the same work "
                                   "several times. Install libopenmpi-dev, then build again");
                       });
}

}  // namespace lodestar::cli
