#include "bench/harness/requests.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "bench/competitors/ch_potentials.h"
#include "bench/harness/request_kinds.h"
#include "bench/harness/stopwatch.h"
#include "bench/harness/workshop.h"
#include "lodestar/bidirectional.h"
#include "lodestar/cch.h"
#include "lodestar/detail/clock.h"
#include "lodestar/index.h"
#include "lodestar/landmarks.h"
#include "requests/engine.h"
#include "requests/knots.h"

namespace lodestar::bench {
namespace {

using requests::RequestData;
using requests::RequestEngine;

// A* with blended exact distances of the knots, from hierarchies or from backward searches.
struct SummedDistances {
  std::vector<std::pair<double, std::function<Cost(NodeId)>>> terms;
  Cost operator()(NodeId v) const {
    Cost sum = 0;
    for (const auto& [coefficient, distance] : terms) sum += coefficient * distance(v);
    // A node from which there is no way is as good as one very far.
    return sum < kInfinity ? sum * (1 - 0x1p-40) : 1e300;
  }
  static constexpr Guarantee guarantee() { return Guarantee::kAdmissible; }
};

class Bench {
 public:
  Bench(const Graph& graph, const Metrics& metrics, const Shape& shape,
        const RequestBenchOptions& options,
        const std::function<void(double, const std::string&)>& progress)
      : graph_(graph),
        options_(options),
        progress_(progress),
        data_(std::make_shared<const RequestData>(graph, metrics, shape)),
        times_(metrics.empty() || metrics.metrics[0].unit != "s"
                   ? nullptr
                   : std::make_shared<const TravelTimes>(TravelTimes::parse(
                         rush_hours(metrics), "rush hours", graph, metrics, shape))),
        plain_(data_, nullptr, times_),
        searcher_(graph) {
    for (const Metric& metric : data_->metrics().metrics) names_.push_back(metric.name);
    prepare();
  }

  RequestBenchResult run() {
    const std::vector<RequestKind> kinds = draw_requests(
        plain_, times_ != nullptr, learned_->metrics(), options_.count, options_.seed);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      progress_(static_cast<double>(k) / static_cast<double>(kinds.size()), kinds[k].name);
      measure(kinds[k]);
    }
    return std::move(result_);
  }

 private:
  void note(const std::string& method, double seconds, std::size_t bytes) {
    char line[200];
    std::snprintf(line, sizeof line, "%s: %.1f s, %.0f bytes a node", method.c_str(), seconds,
                  static_cast<double>(bytes) / graph_.node_count());
    result_.preparation.emplace_back(line);
  }

  void prepare() {
    progress_(0, "fitting potentials");
    Stopwatch start;
    if (options_.family_file.empty()) {
      learned_ = std::make_shared<const PotentialFamily>(
          fit_family(graph_, data_->metrics(), options_.family).family);
    } else {
      learned_ = requests::verified(
          std::make_shared<const PotentialFamily>(PotentialFamily::load(options_.family_file)),
          *data_);
    }
    note("learned, " + std::to_string(learned_->knots().size()) + " knots", start.seconds(),
         learned_->bytes());
    progress_(0, "choosing landmarks");
    start = {};
    std::vector<Knot> knots;
    std::vector<Graph> graphs;
    for (const Knot& knot : learned_->knots()) {
      graphs.push_back(graph_.with_weights(
          requests::knot_weights(graph_, data_->metrics(), learned_->metrics(), knot.blend)));
      knots.push_back({knot.blend, std::make_shared<const Potentials>(
                                       prepare_landmarks(graphs.back(), LandmarkMethod::kFarthest,
                                                         knot.potentials->count(), options_.seed)
                                           .potentials)});
    }
    alt_ = std::make_shared<const PotentialFamily>(
        std::vector<std::string>(learned_->metrics().begin(), learned_->metrics().end()),
        std::move(knots));
    note("ALT, the same knots", start.seconds(), alt_->bytes());
    progress_(0, "contracting");
    start = {};
    std::size_t bytes = 0;
    for (const Graph& graph : graphs) {
      hierarchies_.push_back(std::make_unique<ChPotentials>(graph));
      distances_.push_back(std::make_unique<ChDistances>(*hierarchies_.back()));
      bytes += hierarchies_.back()->bytes();
    }
    note("CH-Potentials, the same knots", start.seconds(), bytes);
    knot_graphs_ = std::move(graphs);
    if (options_.labels) prepare_labels();
    for (const TrafficMethod& method : options_.customisers) {
      if (React react = method.prepare(graph_, {})) customisers_.push_back({method.name, react});
    }
    start = {};
    try {
      cch_ = std::make_unique<Cch>(graph_, most_shortcuts_allowed());
      metric_ = std::make_unique<CchMetric>(*cch_, graph_);
      note("customisable hierarchy", start.seconds(), cch_->bytes() + metric_->bytes());
    } catch (const TooManyShortcuts&) {
      result_.preparation.emplace_back("customisable hierarchy: too many shortcuts on this graph");
    }
  }

  void prepare_labels() {
    const Stopwatch start;
    std::size_t bytes = 0;
    try {
      for (const Graph& graph : knot_graphs_) {
        std::vector<Weight> weights;
        for (NodeId u = 0; u < graph.node_count(); ++u) {
          // In 32 bits labels are smaller; rounded down, distances stay lower bounds.
          for (const Arc arc : graph.arcs(u)) weights.push_back(std::floor(arc.weight));
        }
        IndexOptions options;
        options.labels = true;
        options.paths = false;
        labels_.push_back(
            std::make_unique<IndexSearcher>(Index::build(graph.with_weights(weights), options)));
        bytes += labels_.back()->index().facts().bytes;
      }
      note("labels, the same knots", start.seconds(), bytes);
    } catch (const Error& error) {
      labels_.clear();
      result_.preparation.push_back(std::string("labels: ") + error.what());
    }
  }

  std::size_t most_shortcuts_allowed() const {
    return 1'000'000 + std::size_t{200} * graph_.node_count();
  }

  template <class Answer>
  void time(const RequestKind& kind, const std::string& method, std::size_t count,
            const Answer& answer, double tolerance = 1e-9) {
    RequestRow row{kind.name, method, kInfinity, 0, 0};
    count = std::min(count, kind.requests.size());
    for (std::size_t pass = 0; pass < options_.passes; ++pass) {
      double seconds = 0;
      row.expansions = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const Request& request = kind.requests[i];
        const SearchResult found = answer(request, seconds);
        row.expansions += static_cast<double>(found.expansions);
        if (pass > 0) continue;
        ++result_.checked;
        if (std::abs(found.cost - request.cost) > tolerance * request.cost) ++row.wrong;
      }
      row.microseconds = std::min(row.microseconds, 1e6 * seconds / static_cast<double>(count));
    }
    row.expansions /= static_cast<double>(count);
    result_.wrong += row.wrong;
    result_.rows.push_back(std::move(row));
  }

  // Everything that a request costs, from its preferences to the answer.
  void time_engine(const RequestKind& kind, const std::string& method, RequestEngine& engine) {
    time(kind, method, kind.requests.size(), [&](const Request& request, double& seconds) {
      const Stopwatch start;
      engine.set(request.wish);
      const SearchResult found = engine.run(request.query);
      seconds += start.seconds();
      return found;
    });
  }

  std::vector<Weight> weights_of(const Preferences& wish) {
    plain_.set(wish);
    std::vector<Weight> weights;
    graph_.visit(Direction::kForward, [&]<class W>(Adjacency<W>) {
      const auto rows = plain_.weights().template rows<W>(Direction::kForward);
      for (NodeId u = 0; u < graph_.node_count(); ++u) {
        for (const requests::RequestArc arc : rows.of(u)) weights.push_back(arc.weight);
      }
    });
    return weights;
  }

  void measure(RequestKind kind) {
    for (Request& request : kind.requests) {
      plain_.set(request.wish);
      request.cost = plain_.run(request.query).cost;
    }
    RequestEngine learned(data_, learned_, times_), alt(data_, alt_, times_);
    time_engine(kind, "learned potentials", learned);
    time_engine(kind, "ALT", alt);
    if (kind.departs) return time_engine(kind, "Dijkstra by the time of day", plain_);
    if (kind.blend && options_.own_seconds > 0) time_own(kind);
    time_ch_potentials(kind);
    if (!labels_.empty()) time_labels(kind);
    time_engine(kind, "bidirectional search", plain_);
    time_copy(kind);
    if (metric_) time_customising(kind);
    for (const auto& [name, react] : customisers_) time_customiser(kind, name, react);
  }

  // Potentials that were trained for this blend alone.
  void time_own(const RequestKind& kind) {
    plain_.set(kind.requests.front().wish);
    std::vector<double> blend;
    for (const std::string& metric : learned_->metrics()) {
      const auto at = std::find(names_.begin(), names_.end(), metric) - names_.begin();
      blend.push_back(plain_.weights().blend()[static_cast<std::size_t>(at)]);
    }
    const auto metrics = learned_->metrics();
    FitOptions fit_options = options_.family.fit;
    fit_options.seconds = options_.own_seconds;
    fit_options.clock = process_seconds;
    fit_options.potential_count = learned_->knots()[0].potentials->count();
    auto potentials = std::make_shared<const Potentials>(
        fit(graph_.with_weights(requests::knot_weights(graph_, data_->metrics(), metrics, blend)),
            fit_options)
            .potentials);
    auto family =
        std::make_shared<PotentialFamily>(std::vector<std::string>(metrics.begin(), metrics.end()),
                                          std::vector<Knot>{{blend, std::move(potentials)}});
    family->set_from_source(learned_->from_source());
    RequestEngine own(data_, family, nullptr);
    time_engine(kind, "potentials of this blend alone", own);
  }

  // A* with exact distances of the knots; `distances(knot, target)` returns those of one knot.
  template <class Distances>
  void time_exact(const RequestKind& kind, const std::string& name, const Distances& distances) {
    time(kind, name, kind.requests.size(), [&](const Request& request, double& seconds) {
      plain_.set(request.wish);
      const auto mixes = learned_->mixes(names_, plain_.weights().blend());
      const auto& mix = learned_->best(mixes, request.query);
      const Stopwatch start;
      plain_.set(request.wish);
      SummedDistances h;
      for (std::uint32_t i = 0; i < mix.count; ++i) {
        h.terms.push_back(
            {mix.terms[i].coefficient, distances(mix.terms[i].knot, request.query.target)});
      }
      const SearchResult found = search(request.query, h);
      seconds += start.seconds();
      return found;
    });
  }

  // One look into labels per node and knot.
  void time_labels(const RequestKind& kind) {
    time_exact(kind, "label potentials", [&](std::size_t knot, NodeId target) {
      return [&searcher = *labels_[knot], target](NodeId v) {
        return searcher.run({v, target}).cost;
      };
    });
  }

  // Customises weights in whole numbers, with 1000 for the mean.
  void time_customiser(const RequestKind& kind, const std::string& name, const React& react) {
    double asking = 0, asked = 0;
    time(
        kind, name, options_.customised,
        [&](const Request& request, double& seconds) {
          std::vector<Weight> weights = weights_of(request.wish);
          double mean = 0;
          for (const Weight weight : weights_of({})) mean += weight;
          mean /= static_cast<double>(weights.size());
          for (Weight& weight : weights) weight = std::round(std::min(weight / mean * 1000, 1e9));
          std::vector<Reaction> reactions = react(graph_.with_weights(weights));
          const Stopwatch start;
          SearchResult found = reactions.front().ready.run(request.query);
          asking += start.seconds();
          ++asked;
          seconds += reactions.front().seconds + start.seconds();
          found.cost *= mean / 1000;
          return found;
        },
        2e-2);
    result_.rows.push_back({kind.name, name + ": the question alone", 1e6 * asking / asked, 0, 0});
  }

  // From hierarchies: no heuristic that knows only the knots settles fewer nodes.
  void time_ch_potentials(const RequestKind& kind) {
    time_exact(kind, "CH-Potentials", [&](std::size_t knot, NodeId target) {
      ChDistances& distances = *distances_[knot];
      distances.aim(target);
      return [&distances](NodeId v) { return distances.to_target(v); };
    });
  }

  SearchResult search(Query query, const SummedDistances& h) {
    return graph_.visit(Direction::kForward, [&]<class W>(Adjacency<W>) {
      return searcher_.run_on(plain_.weights().template rows<W>(Direction::kForward), query, h);
    });
  }

  // On a copy with the weights of the request, which is not timed: what bidirectional search could
  // do at best.
  void time_copy(const RequestKind& kind) {
    const std::size_t count = std::min<std::size_t>(kind.requests.size(), 10);
    time(kind, "bidirectional search on a copy, copying not counted", count,
         [&](const Request& request, double& seconds) {
           std::vector<Weight> weights = weights_of(request.wish);
           for (Weight& weight : weights) weight = std::min(weight, 1e280);
           BidirectionalSearcher searcher(graph_.with_weights(weights));
           searcher.run({0, 0});  // makes what it needs
           const Stopwatch start;
           const SearchResult found = searcher.run(request.query);
           seconds += start.seconds();
           return found;
         });
  }

  void time_customising(const RequestKind& kind) {
    double query_seconds = 0, queries = 0;
    for (const bool only_changed : {false, true}) {
      const std::string method =
          only_changed ? "customise what changed, then ask" : "customise, then ask";
      time(kind, method, options_.customised, [&](const Request& request, double& seconds) {
        std::vector<Weight> weights = weights_of(request.wish);
        for (Weight& weight : weights) weight = std::min(weight, 1e280);
        const Graph after = graph_.with_weights(weights);
        const Stopwatch start;
        const CchMetric metric =
            only_changed ? metric_->changed(graph_, after) : CchMetric(*cch_, after);
        CchSearcher searcher(metric);
        const Stopwatch asked;
        const SearchResult found = searcher.run(request.query);
        seconds += start.seconds();
        query_seconds += asked.seconds();
        ++queries;
        return found;
      });
    }
    RequestRow row{kind.name, "the question alone, once customised", 1e6 * query_seconds / queries,
                   0, 0};
    result_.rows.push_back(std::move(row));
  }

  const Graph& graph_;
  RequestBenchOptions options_;
  std::function<void(double, const std::string&)> progress_;
  std::shared_ptr<const RequestData> data_;
  std::shared_ptr<const TravelTimes> times_;  // null if weights are no times
  std::vector<std::string> names_;
  RequestEngine plain_;  // without potentials
  Searcher searcher_;
  std::shared_ptr<const PotentialFamily> learned_, alt_;
  std::vector<std::unique_ptr<ChPotentials>> hierarchies_;
  std::vector<std::unique_ptr<ChDistances>> distances_;
  std::vector<Graph> knot_graphs_;
  std::vector<std::unique_ptr<IndexSearcher>> labels_;
  std::vector<std::pair<std::string, React>> customisers_;
  std::unique_ptr<Cch> cch_;
  std::unique_ptr<CchMetric> metric_;
  RequestBenchResult result_;
};

}  // namespace

RequestBenchResult bench_requests(const Graph& graph, const Metrics& metrics, const Shape& shape,
                                  const RequestBenchOptions& options,
                                  const std::function<void(double, const std::string&)>& progress) {
  return Bench(graph, metrics, shape, options, progress).run();
}

}  // namespace lodestar::bench
