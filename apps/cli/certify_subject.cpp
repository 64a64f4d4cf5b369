#include "certify_subject.h"

#include "lodestar/certificate.h"
#include "lodestar/heuristic.h"
#include "lodestar/infer.h"
#include "lodestar/potential_file.h"
#include "lodestar/potentials.h"

namespace lodestar::cli {
namespace {

class FileSubject : public Subject {
 public:
  explicit FileSubject(std::vector<double> y) : y_(std::move(y)) {}
  void evaluate(Query query, Sample& sample) override {
    sample.y = y_;
    sample.at_target = y_[query.target];
  }
  bool depends_on_query() const override { return false; }

 private:
  std::vector<double> y_;
};

// H to(Query): the heuristic of a query.
template <class MakeHeuristic>
class HeuristicSubject : public Subject {
 public:
  explicit HeuristicSubject(MakeHeuristic make) : make_(std::move(make)) {}
  void evaluate(Query query, Sample& sample) override {
    auto h = make_(query);
    for (NodeId v = 0; v < sample.y.size(); ++v) sample.y[v] = -static_cast<double>(h(v));
    sample.at_target = 0;
  }

 private:
  MakeHeuristic make_;
};

template <class MakeHeuristic>
std::unique_ptr<Subject> heuristic_subject(MakeHeuristic make) {
  return std::make_unique<HeuristicSubject<MakeHeuristic>>(std::move(make));
}

// Potentials from `fit` or landmarks.
class PotentialsSubject : public Subject {
 public:
  PotentialsSubject(const std::string& path, const Graph& graph)
      : potentials_(Potentials::load(path)) {
    potentials_.require_fit(graph);
  }
  void evaluate(Query query, Sample& sample) override {
    const PotentialsHeuristic h = potentials_.to(query.target);
    for (NodeId v = 0; v < sample.y.size(); ++v) sample.y[v] = -h(v);
    sample.at_target = 0;
  }

 private:
  Potentials potentials_;
};

class ModelSubject : public Subject {
 public:
  ModelSubject(const SubjectOptions& options, const Graph& graph)
      : net_(load_model(options.model), graph, {.steps = options.steps, .scale = options.scale}),
        work_(net_) {
    if (options.exact) closure_.emplace(graph);
  }
  void evaluate(Query query, Sample& sample) override {
    net_.potentials(query, work_, sample.y);
    if (closure_) closure_->apply(sample.y, query.target);
    sample.at_target = sample.y[query.target];
  }

 private:
  PotentialNet net_;
  PotentialNet::Workspace work_;
  std::optional<ExactClosure> closure_;
};

}  // namespace

std::string SubjectOptions::name() const {
  if (!potentials.empty()) return "potentials " + potentials;
  if (!heuristic.empty()) return "heuristic " + heuristic;
  return "model " + model + (exact ? ", closed" : "");
}

std::unique_ptr<Subject> make_subject(const SubjectOptions& options, const GraphFile& file) {
  const int given =
      !options.potentials.empty() + !options.heuristic.empty() + !options.model.empty();
  if (given != 1) {
    throw Error("give one of --potentials FILE, --heuristic NAME, --model NAME, --index FILE");
  }
  if (options.potentials.ends_with(".lsp")) {
    return std::make_unique<PotentialsSubject>(options.potentials, file.graph);
  }
  if (!options.potentials.empty()) {
    return std::make_unique<FileSubject>(read_potentials(options.potentials, file));
  }
  if (!options.model.empty()) return std::make_unique<ModelSubject>(options, file.graph);
  if (options.heuristic == "zero") return heuristic_subject([](Query) { return Zero{}; });
  if (options.heuristic == "geometric") {
    return heuristic_subject(
        [geometry = Geometry(file.graph)](Query query) { return geometry.to(query.target); });
  }
  if (options.heuristic == "constant") {
    return heuristic_subject([c = options.constant](Query query) {
      return Constant{query.target, c};
    });
  }
  if (options.heuristic == "random") {
    return heuristic_subject([seed = options.seed](Query query) {
      return Random{query.target, seed};
    });
  }
  throw Error("unknown heuristic '" + options.heuristic +
              "'; choose zero, geometric, constant or random");
}

}  // namespace lodestar::cli
