#include "bench/harness/requests.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "bench/competitors/ch_potentials.h"
#include "bench/harness/queries.h"
#include "bench/harness/workshop.h"
#include "lodestar/bidirectional.h"
#include "lodestar/cch.h"
#include "lodestar/detail/clock.h"
#include "lodestar/landmarks.h"
#include "requests/engine.h"
#include "requests/knots.h"

namespace lodestar::bench {
namespace {

using requests::RequestData;
using requests::RequestEngine;

constexpr double kPi = 3.14159265358979323846;

struct Request {
  Query query;
  Preferences wish;
  Cost cost = 0;  // by the search without potentials
};

struct Kind {
  std::string name;
  std::vector<Request> requests;
};

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
        plain_(data_, nullptr, nullptr),
        searcher_(graph) {
    for (const Metric& metric : data_->metrics().metrics) names_.push_back(metric.name);
    prepare();
  }

  RequestBenchResult run() {
    const std::vector<Kind> kinds = draw_kinds();
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
    auto start = Clock::now();
    if (options_.family_file.empty()) {
      learned_ = std::make_shared<const PotentialFamily>(
          fit_family(graph_, data_->metrics(), options_.family).family);
    } else {
      learned_ = requests::verified(
          std::make_shared<const PotentialFamily>(PotentialFamily::load(options_.family_file)),
          *data_);
    }
    note("learned, " + std::to_string(learned_->knots().size()) + " knots", seconds_since(start),
         learned_->bytes());
    progress_(0, "choosing landmarks");
    start = Clock::now();
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
    note("ALT, the same knots", seconds_since(start), alt_->bytes());
    progress_(0, "contracting");
    start = Clock::now();
    std::size_t bytes = 0;
    for (const Graph& graph : graphs) {
      hierarchies_.push_back(std::make_unique<ChPotentials>(graph));
      distances_.push_back(std::make_unique<ChDistances>(*hierarchies_.back()));
      bytes += hierarchies_.back()->bytes();
    }
    note("CH-Potentials, the same knots", seconds_since(start), bytes);
    knot_graphs_ = std::move(graphs);
    start = Clock::now();
    try {
      cch_ = std::make_unique<Cch>(graph_, most_shortcuts_allowed());
      metric_ = std::make_unique<CchMetric>(*cch_, graph_, CchCustomizing{1, false});
      note("customisable hierarchy", seconds_since(start), cch_->bytes() + metric_->bytes());
    } catch (const TooManyShortcuts&) {
      result_.preparation.emplace_back("customisable hierarchy: too many shortcuts on this graph");
    }
  }

  std::size_t most_shortcuts_allowed() const {
    return 1'000'000 + std::size_t{200} * graph_.node_count();
  }

  double width() const {
    double low = kInfinity, high = -kInfinity;
    for (const Point& p : graph_.points()) {
      low = std::min(low, p.x);
      high = std::max(high, p.x);
    }
    const double degrees = 6371008.8 * kPi / 180 * std::cos(graph_.points()[0].y * kPi / 180);
    return (high - low) * (graph_.coordinate_kind() == CoordinateKind::kDegrees ? degrees : 1);
  }

  // The middle of the best path by the own weights, where an area hurts most.
  Point middle(Query query) {
    plain_.set({});
    plain_.run(query);
    const std::vector<NodeId> path = plain_.path();
    return graph_.points()[path[path.size() / 2]];
  }

  Preferences blend(double alpha) const {
    Preferences wish;
    const auto& metrics = data_->metrics().metrics;
    const double ratio = data_->mean(0) * metrics[0].scale / (data_->mean(1) * metrics[1].scale);
    wish.blend = {{metrics[0].name, 1 - alpha}, {metrics[1].name, alpha * ratio}};
    return wish;
  }

  std::vector<Kind> draw_kinds() {
    const auto queries = reachable_pairs(graph_, options_.count, Rng(mix64(options_.seed + 77)));
    std::vector<Kind> kinds;
    const auto add = [&](const std::string& name, const auto& make) {
      Kind kind{name, {}};
      for (const Query& query : queries) kind.requests.push_back({query, make(query), 0});
      kinds.push_back(std::move(kind));
    };
    add("no preferences", [](Query) { return Preferences{}; });
    if (names_.size() > 1) {
      for (const double alpha : {0.1, 0.37, 0.5, 0.63, 0.9}) {
        char name[40];
        std::snprintf(name, sizeof name, "blend, α = %.2f", alpha);
        add(name, [&](Query) { return blend(alpha); });
      }
    }
    if (graph_.has_coordinates()) {
      const double across = width();
      for (const double share : {0.005, 0.02, 0.05, 0.1}) {
        char name[60];
        std::snprintf(name, sizeof name, "avoid a disc of %.1f %% of the width", 100 * share);
        add(name, [&](Query query) {
          Preferences wish;
          wish.circles = {{middle(query), share * across / 2, 1000}};
          return wish;
        });
      }
      const bool degrees = graph_.coordinate_kind() == CoordinateKind::kDegrees;
      add("avoid a polygon of 2 % of the width", [&](Query query) {
        const Point centre = middle(query);
        const double y = 0.01 * across / (degrees ? 6371008.8 * kPi / 180 : 1);
        const double x = y / (degrees ? std::cos(centre.y * kPi / 180) : 1);
        std::vector<Point> star;
        for (int i = 0; i < 10; ++i) {
          const double radius = i % 2 == 0 ? 1 : 0.6, angle = i * kPi / 5;
          star.push_back(
              {centre.x + x * radius * std::cos(angle), centre.y + y * radius * std::sin(angle)});
        }
        Preferences wish;
        wish.polygons = {{{star}, 1000}};
        return wish;
      });
    }
    for (const std::string& name : data_->metrics().classes) {
      if (name != "motorway" && name != "primary" && name != "toll") continue;
      add("avoid class " + name, [&](Query) {
        Preferences wish;
        wish.classes = {{name, 5}};
        return wish;
      });
    }
    return kinds;
  }

  template <class Answer>
  void time(const Kind& kind, const std::string& method, std::size_t count, const Answer& answer) {
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
        if (std::abs(found.cost - request.cost) > 1e-9 * request.cost) ++row.wrong;
      }
      row.microseconds = std::min(row.microseconds, 1e6 * seconds / static_cast<double>(count));
    }
    row.expansions /= static_cast<double>(count);
    result_.wrong += row.wrong;
    result_.rows.push_back(std::move(row));
  }

  // Everything that a request costs, from its preferences to the answer.
  void time_engine(const Kind& kind, const std::string& method, RequestEngine& engine) {
    time(kind, method, kind.requests.size(), [&](const Request& request, double& seconds) {
      const auto start = Clock::now();
      engine.set(request.wish);
      const SearchResult found = engine.run(request.query);
      seconds += seconds_since(start);
      return found;
    });
  }

  std::vector<Weight> weights_of(const Preferences& wish) {
    plain_.set(wish);
    std::vector<Weight> weights(graph_.arc_count());
    for (ArcIndex arc = 0; arc < weights.size(); ++arc) weights[arc] = plain_.weights().weight(arc);
    return weights;
  }

  void measure(Kind kind) {
    for (Request& request : kind.requests) {
      plain_.set(request.wish);
      request.cost = plain_.run(request.query).cost;
    }
    RequestEngine learned(data_, learned_, nullptr), alt(data_, alt_, nullptr);
    time_engine(kind, "learned potentials", learned);
    time_engine(kind, "ALT", alt);
    time_exact(kind, "CH-Potentials", true);
    time_exact(kind, "exact distances of the knots (limit)", false);
    time_engine(kind, "bidirectional search", plain_);
    time_copy(kind);
    if (metric_) time_customising(kind);
  }

  // A* with exact distances: by hierarchies on demand, or by backward searches that are not timed.
  void time_exact(const Kind& kind, const std::string& method, bool by_hierarchy) {
    const std::size_t count =
        by_hierarchy ? kind.requests.size() : std::min<std::size_t>(kind.requests.size(), 40);
    std::vector<std::vector<Cost>> tables(knot_graphs_.size());
    time(kind, method, count, [&](const Request& request, double& seconds) {
      plain_.set(request.wish);
      const auto mixes = learned_->mixes(names_, plain_.weights().blend());
      const auto& mix = learned_->best(mixes, request.query);
      SummedDistances h;
      if (!by_hierarchy) {
        for (std::uint32_t i = 0; i < mix.count; ++i) {
          Searcher backward(knot_graphs_[mix.terms[i].knot]);
          backward.set_direction(Direction::kBackward);
          backward.run_all(request.query.target);
          auto& table = tables[i];
          table.resize(graph_.node_count());
          for (NodeId v = 0; v < graph_.node_count(); ++v) table[v] = backward.distance(v);
          h.terms.push_back({mix.terms[i].coefficient, [&table](NodeId v) { return table[v]; }});
        }
      }
      const auto start = Clock::now();
      if (by_hierarchy) {
        plain_.set(request.wish);
        for (std::uint32_t i = 0; i < mix.count; ++i) {
          ChDistances& distances = *distances_[mix.terms[i].knot];
          distances.aim(request.query.target);
          h.terms.push_back({mix.terms[i].coefficient,
                             [&distances](NodeId v) { return distances.to_target(v); }});
        }
      }
      const SearchResult found = graph_.visit(Direction::kForward, [&]<class W>(Adjacency<W>) {
        return searcher_.run_on(plain_.weights().template rows<W>(Direction::kForward),
                                request.query, h);
      });
      seconds += seconds_since(start);
      return found;
    });
  }

  // On a copy with the weights of the request, which is not timed: what bidirectional search could
  // do at best.
  void time_copy(const Kind& kind) {
    const std::size_t count = std::min<std::size_t>(kind.requests.size(), 20);
    time(kind, "bidirectional search on a copy, copying not counted", count,
         [&](const Request& request, double& seconds) {
           std::vector<Weight> weights = weights_of(request.wish);
           for (Weight& weight : weights) weight = std::min(weight, 1e280);
           BidirectionalSearcher searcher(graph_.with_weights(weights));
           searcher.run({0, 0});  // makes what it needs
           const auto start = Clock::now();
           const SearchResult found = searcher.run(request.query);
           seconds += seconds_since(start);
           return found;
         });
  }

  void time_customising(const Kind& kind) {
    double query_seconds = 0, queries = 0;
    for (const bool only_changed : {false, true}) {
      const std::string method =
          only_changed ? "customise what changed, then ask" : "customise, then ask";
      time(kind, method, options_.customised, [&](const Request& request, double& seconds) {
        std::vector<Weight> weights = weights_of(request.wish);
        for (Weight& weight : weights) weight = std::min(weight, 1e280);
        const Graph after = graph_.with_weights(weights);
        const auto start = Clock::now();
        const CchMetric metric = only_changed
                                     ? metric_->changed(graph_, after, CchCustomizing{1, false})
                                     : CchMetric(*cch_, after, CchCustomizing{1, false});
        CchSearcher searcher(metric);
        const auto asked = Clock::now();
        const SearchResult found = searcher.run(request.query);
        seconds += seconds_since(start);
        query_seconds += seconds_since(asked);
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
  std::vector<std::string> names_;
  RequestEngine plain_;  // without potentials
  Searcher searcher_;
  std::shared_ptr<const PotentialFamily> learned_, alt_;
  std::vector<std::unique_ptr<ChPotentials>> hierarchies_;
  std::vector<std::unique_ptr<ChDistances>> distances_;
  std::vector<Graph> knot_graphs_;
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
