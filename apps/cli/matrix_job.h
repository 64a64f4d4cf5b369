// `lodestar matrix`, in one process or in several that share the lines.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "lodestar/graph_io.h"
#include "lodestar/types.h"
#include "verb.h"

namespace lodestar::cli {

struct MatrixJob {
  std::string graph;
  std::string sources;  // file of node names, or "all"
  std::string targets;  // file of node names, or "all"; empty: the sources
  std::string index;    // file; empty: one search per line
  std::string output = "-";
  std::string format;            // csv or npy; empty: by the output's ending
  std::string type = "float64";  // of the cells of npy
  std::string lengths;           // file of a second matrix; empty: none
  std::size_t nearest = 0;       // only this many targets per source; 0: all
  unsigned threads = 1;
  ReadOptions read;
};

// Processes that compute a matrix together; rank 0 writes it.
class MatrixCrew {
 public:
  virtual ~MatrixCrew() = default;
  virtual unsigned rank() const { return 0; }
  virtual unsigned size() const { return 1; }
  virtual void send(std::span<const Cost>) {}                  // to rank 0
  virtual void receive(unsigned /*rank*/, std::span<Cost>) {}  // from another rank
};

inline constexpr const char* kMatrixText = "Compute exact distances between two sets of nodes";
void add_matrix_verb(Verb& program, std::function<void(const MatrixJob&)> run);

void run_matrix(const MatrixJob& job, MatrixCrew& crew);

// Whether mpirun started this process as one of several.
bool started_by_mpirun();

}  // namespace lodestar::cli
