// Ranks over MPI.
#include "learn/cluster/ranks.h"

#include <mpi.h>

#include <cstdlib>
#include <exception>

#include "learn/cluster/mpi/crew.h"

namespace lodestar::cluster {
namespace {

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    MPI_Init(nullptr, nullptr);
    // A lost rank is noticed by its silence; an error about it must not end this one.
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override {
    // After an error the others may be waiting for this rank in a sum: it leaves without them, and
    // mpirun ends them. After a rank was lost, MPI_Finalize of Open MPI 4.1 may wait for it without
    // end; under --enable-recovery leaving without it is no error.
    if (std::uncaught_exceptions() == 0 && complete_) MPI_Finalize();
  }

  std::uint32_t rank() const override { return static_cast<std::uint32_t>(rank_); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(size_); }
  void sum(std::span<float> values) override { sum_all(values, MPI_FLOAT); }
  void sum(std::span<double> values) override { sum_all(values, MPI_DOUBLE); }
  std::unique_ptr<tune::Crew> lead(double patience) override {
    return std::make_unique<MpiCrew>(size_, patience, &complete_);
  }
  void serve(double patience) override { complete_ = serve_trials(patience); }

 private:
  // Not MPI_Allreduce: it may add in another order on each rank, and parameters that differ in the
  // last bit diverge. Added once and sent to all, they are identical.
  template <class T>
  void sum_all(std::span<T> values, MPI_Datatype type) {
    const int count = static_cast<int>(values.size());
    MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : values.data(), values.data(), count, type, MPI_SUM, 0,
               MPI_COMM_WORLD);
    MPI_Bcast(values.data(), count, type, 0, MPI_COMM_WORLD);
  }

  int rank_ = 0, size_ = 1;
  bool complete_ = true;  // no rank was lost
};

bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* size = std::getenv(name);
    if (size != nullptr && std::atoi(size) > 1) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Ranks> join_ranks() {
  if (!started_by_mpirun()) return nullptr;
  return std::make_unique<MpiRanks>();
}

}  // namespace lodestar::cluster
