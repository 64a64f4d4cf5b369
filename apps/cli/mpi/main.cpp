// lodestar-mpi: verbs whose work several processes share. `lodestar` starts it under mpirun. Only
// this file and learn/cluster use MPI.
#include <mpi.h>

#include <algorithm>
#include <exception>

#include "../matrix_job.h"
#include "../verbs.h"

namespace lodestar::cli {
namespace {

class MpiMatrixCrew : public MatrixCrew {
 public:
  MpiMatrixCrew() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiMatrixCrew() override {
    // After an error the others may wait for this rank: it leaves without them, mpirun ends them.
    if (std::uncaught_exceptions() == 0) MPI_Finalize();
  }
  unsigned rank() const override { return static_cast<unsigned>(rank_); }
  unsigned size() const override { return static_cast<unsigned>(size_); }
  void send(std::span<const Cost> line) override {
    for (; !line.empty(); line = line.subspan(std::min(kMost, line.size()))) {
      MPI_Send(line.data(), static_cast<int>(std::min(kMost, line.size())), MPI_DOUBLE, 0, 0,
               MPI_COMM_WORLD);
    }
  }
  void receive(unsigned rank, std::span<Cost> line) override {
    for (; !line.empty(); line = line.subspan(std::min(kMost, line.size()))) {
      MPI_Recv(line.data(), static_cast<int>(std::min(kMost, line.size())), MPI_DOUBLE,
               static_cast<int>(rank), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 27;  // a message's length is an int

  int rank_ = 0, size_ = 1;
};

void add_shared_matrix(Verb& program) {
  add_matrix_verb(program, [](const MatrixJob& job) {
    MpiMatrixCrew crew;
    run_matrix(job, crew);
  });
}

constexpr AddVerb kVerbs[] = {add_shared_matrix};

}  // namespace
}  // namespace lodestar::cli

int main(int argc, char** argv) {
  return lodestar::cli::run_program(argc, argv, lodestar::cli::kVerbs);
}
