// What `certify` examines: something that gives every node a number for a query.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lodestar/graph_io.h"

namespace lodestar::cli {

// h(v) = at_target - y(v). A potential has at_target = y(t); a heuristic has y = -h and 0.
struct Sample {
  std::vector<double> y;  // [n]
  double at_target = 0;
};

class Subject {
 public:
  virtual ~Subject() = default;
  virtual void evaluate(Query query, Sample& sample) = 0;
  // False for one potential that serves all queries: its arcs are then checked once.
  virtual bool depends_on_query() const { return true; }
};

struct SubjectOptions {
  std::string
      potentials;  // a file: K potentials (.lsp) or one (text, .npz); one of these three is given
  std::string heuristic;
  std::string model;
  std::uint32_t steps = 0;
  double scale = 0;
  bool exact = false;   // model: apply the closure first
  double constant = 1;  // of the constant heuristic
  std::uint64_t seed = 0;

  std::string name() const;  // "model deep, closed"
};

// Throws Error unless exactly one kind is chosen, and when it does not fit the graph. `file` must
// outlive the subject.
std::unique_ptr<Subject> make_subject(const SubjectOptions& options, const GraphFile& file);

}  // namespace lodestar::cli
