#include "lodestar/fit.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "graph/locality.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/rng.h"
#include "lodestar/version.h"
#include "potentials/cone.h"
#include "potentials/fit_start.h"
#include "potentials/integer_graph.h"
#include "potentials/pair_source.h"
#include "potentials/training.h"

namespace lodestar {
namespace {

// Blocks of 2^10 nodes in training order are processed together; they and their arcs fit the cache.
constexpr int kBlockBits = 10;
constexpr std::uint64_t kMoveStream = 4, kHeatStream = 5;
// Moves stay short even if few improve the objective. Longer moves overfit: they improve the
// sampled pairs, but not other queries.
constexpr std::uint32_t kReach = 16;
// In the first rounds a pair goes to a potential that is nearly the best for it, chosen with some
// chance; the share of chance falls to 0 (simulated annealing). Without it the assignment stays in
// the first local optimum it meets on small graphs. Large graphs are trained for few rounds, which
// are better spent without chance.
constexpr double kFirstHeat = 0.3;
constexpr std::uint64_t kCoolingRounds = 12;
constexpr NodeId kHeatUpTo = 200'000;
// Shares of the time limit: after these the first landmarks, the first evaluation and the race of
// starts end. On a busy machine, too, the rest is left for training. Whatever the limit, the first
// landmarks and their evaluation have some time. If they took more than the last share, a race
// could not end in its time.
constexpr double kStartShare = 0.4, kEvaluatedShare = 0.5, kRaceShare = 0.6, kNoRaceShare = 0.25;
constexpr double kLeastSeconds = 0.2;
// The searches of the first round end at this share of the time left, so that moves have some, too.
constexpr double kFirstSearches = 0.4;
// New pairs help more than further moves on old ones.
constexpr std::uint32_t kPairsPerMove = 2;

// A potential with the pairs assigned to it.
struct Trainee {
  struct Pair {
    NodeId high;
    NodeId low;
  };
  std::vector<ConeNode> nodes;  // [n], in training order
  std::vector<Pair> pairs;
};

// A centre of a move; sorts by block, within it at random.
struct Centre {
  std::uint64_t rank;
  NodeId node;
  bool raise;
  friend bool operator<(const Centre& a, const Centre& b) { return a.rank < b.rank; }
};

// Centres of moves: the high or the low end of pairs drawn at random.
std::vector<Centre> draw_centres(const Trainee& trainee, Rng& rng) {
  const auto size = static_cast<std::uint32_t>(trainee.pairs.size());
  const std::uint32_t moves = (size + kPairsPerMove - 1) / kPairsPerMove;
  std::vector<Centre> centres;
  centres.reserve(moves);
  for (std::uint32_t i = 0; i < moves; ++i) {
    const Trainee::Pair& pair = trainee.pairs[rng.below(size)];
    const std::uint64_t draw = rng.next();
    const bool raise = (draw & 1) != 0;
    const NodeId node = raise ? pair.high : pair.low;
    centres.push_back({std::uint64_t{node >> kBlockBits} << 32 | draw >> 32, node, raise});
  }
  std::sort(centres.begin(), centres.end());
  return centres;
}

FitOptions completed(FitOptions options, const Graph& graph) {
  constexpr std::size_t kLeastPairs = 500'000, kMostPairs = 24'000'000, kPairsPerNode = 6;
  options.threads = thread_count(options.threads);
  options.held_back = std::max(options.held_back, 1u);
  if (options.pairs == 0) {
    options.pairs = std::clamp(kPairsPerNode * graph.node_count(), kLeastPairs, kMostPairs);
  }
  return options;
}

// When the parts of the start must end, and when it is too late for a race.
struct Times {
  TimeLimit start, evaluation, race, no_race, all;

  explicit Times(const FitOptions& options) {
    if (options.rounds > 0) return;
    const auto seconds = stopwatch(options);
    const auto at = [&](double share, double least) {
      return TimeLimit(std::max(share * options.seconds, least), seconds);
    };
    start = at(kStartShare, kLeastSeconds);
    evaluation = at(kEvaluatedShare, kLeastSeconds);
    race = at(kRaceShare, 0);
    no_race = at(kNoRaceShare, 0);
    all = at(1, 0);
  }
};

}  // namespace

class Fitter::Impl {
 public:
  // `cold`: the initial potentials are good, so the assignment is not randomised.
  Impl(const Graph& graph, const Potentials& start, const FitOptions& options, bool cold,
       Clock::time_point begin, const Times& times)
      : options_(completed(options, graph)),
        order_(locality_order(graph)),
        place_(graph.node_count()),
        integer_(graph, start.unit(), order_),
        source_(graph, options_, times.evaluation),
        potentials_(start),
        trainees_(start.count()),
        cold_(cold || graph.node_count() > kHeatUpTo),
        earlier_(start.origin()),
        begin_(begin),
        all_(times.all) {
    const auto spent = stopwatch(options_);
    for (NodeId p = 0; p < order_.size(); ++p) place_[order_[p]] = p;
    for (Trainee& trainee : trainees_) trainee.nodes.resize(order_.size());
    for (NodeId p = 0; p < order_.size(); ++p) {
      const auto row = potentials_.row(order_[p]);
      for (std::size_t i = 0; i < row.size(); ++i) trainees_[i].nodes[p] = {row[i], 0};
    }
    for (std::uint32_t i = 0; i < options_.threads; ++i) {
      movers_.push_back(std::make_unique<ConeMover>(integer_));
    }
    keep_if_best(source_.search_held_back(potentials_, times.evaluation));
    evaluation_seconds_ = spent();
  }

  FitRound round(const std::function<bool()>& stop) {
    FitRound report;
    source_.harvest(potentials_, rounds_,
                    rounds_ == 0 && !all_.over() ? all_.share(kFirstSearches) : TimeLimit());
    report.objective = assign();
    const ConeStats stats = ascend(stop);
    const auto spent = stopwatch(options_);
    store();
    report.expansions = source_.search_held_back(potentials_);
    report.round = ++rounds_;  // not if it was stopped before
    evaluation_seconds_ = spent();
    report.seconds = seconds();
    keep_if_best(report.expansions);
    report.moves = stats.moves;
    report.accepted = stats.accepted;
    report.settled = stats.settled;
    return report;
  }

  void add_pairs(std::span<const Query> pairs) { source_.add(pairs); }
  const Potentials& best() const { return *best_; }
  double fewest() const { return fewest_; }
  std::uint64_t rounds() const { return rounds_; }
  double seconds() const { return seconds_since(begin_); }
  double evaluation_seconds() const { return evaluation_seconds_; }

 private:
  // A round may make the potentials worse: while the assignment is randomised, when the round is
  // cut short, or because of an unlucky sample of pairs.
  void keep_if_best(double expansions) {
    if (best_ && expansions >= fewest_) return;
    fewest_ = expansions;
    best_ = potentials_;
    best_->origin() = {"fit",
                       kVersion,
                       kCommit,
                       options_.seed,
                       earlier_.rounds + rounds_,
                       earlier_.seconds + seconds()};
  }

  // 0 if cold.
  double heat() const {
    if (cold_ || rounds_ >= kCoolingRounds) return 0;
    return kFirstHeat * static_cast<double>(kCoolingRounds - rounds_) /
           static_cast<double>(kCoolingRounds);
  }

  // The potential with the largest bound on the pair, each bound first lowered by a random share
  // of up to `heat`.
  Potentials::Best best_when_blurred(Query pair, double heat, Rng& rng) {
    const auto s = potentials_.row(pair.source), t = potentials_.row(pair.target);
    Potentials::Best best{0, true, -1};
    std::uint64_t draw = 0;
    for (std::uint32_t i = 0; i < s.size(); ++i, draw >>= 16) {
      if (i % 4 == 0) draw = rng.next();
      const std::int32_t rise = t[i] - s[i];
      const double loss = heat / 65536 * static_cast<double>(draw & 0xffff);
      const double worth = (potentials_.symmetric() ? std::abs(rise) : rise) * (1 - loss);
      if (worth > best.bound) best = {i, !potentials_.symmetric() || rise >= 0, worth};
    }
    return best;
  }

  // Assigns each pair to the potential with the largest bound. Returns the mean bound.
  double assign() {
    const double heat = this->heat();
    Rng rng = Rng(options_.seed).fork(mix64(kHeatStream) + rounds_);
    for (Trainee& trainee : trainees_) {
      trainee.pairs.clear();
      for (ConeNode& node : trainee.nodes) node.b = 0;
    }
    double sum = 0;
    for (const auto pairs : {source_.plain(), source_.searched()}) {
      std::size_t step = 0;
      for (const Query& pair : pairs) {
        check_stop(step++);
        Potentials::Best best = potentials_.best(pair);
        sum += best.bound;
        if (heat > 0) best = best_when_blurred(pair, heat, rng);
        const NodeId s = place_[pair.source], t = place_[pair.target];
        Trainee& trainee = trainees_[best.potential];
        trainee.pairs.push_back(best.rises ? Trainee::Pair{t, s} : Trainee::Pair{s, t});
        ++trainee.nodes[trainee.pairs.back().high].b;
        --trainee.nodes[trainee.pairs.back().low].b;
      }
    }
    const std::size_t count = source_.plain().size() + source_.searched().size();
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }

  ConeStats ascend(const std::function<bool()>& stop) {
    std::vector<ConeStats> stats(trainees_.size());
    const Rng base = Rng(options_.seed).fork(mix64(kMoveStream) + rounds_);
    // Only the caller's thread calls `stop`; the other threads read the flag.
    std::atomic<bool> stopped{false};
    const auto ask = [&] {
      if (stop && !stopped && stop()) stopped = true;
    };
    ask();  // at least once: others may have done all the work before the caller gets any
    parallel_for(
        trainees_.size(), options_.threads,
        [&](std::size_t i, std::size_t worker) {
          if (stopped) return;
          Trainee& trainee = trainees_[i];
          ConeMover& mover = *movers_[worker];
          Rng rng = base.fork(i);
          for (const Centre& centre : draw_centres(trainee, rng)) {
            if (stats[i].moves % 256 == 0) {
              if (worker == 0) ask();
              if (stopped) break;
            }
            if (centre.raise) {
              mover.raise(trainee.nodes, centre.node, kReach, stats[i]);
            } else {
              mover.lower(trainee.nodes, centre.node, kReach, stats[i]);
            }
          }
          centre_values(trainee);
        },
        ask);
    ConeStats sum;
    for (const ConeStats& one : stats) sum += one;
    return sum;
  }

  // Moves shift potentials; centring them around zero prevents overflow.
  static void centre_values(Trainee& trainee) {
    std::int32_t least = trainee.nodes.front().f, most = least;
    for (const ConeNode& node : trainee.nodes) {
      least = std::min(least, node.f);
      most = std::max(most, node.f);
    }
    const auto middle = static_cast<std::int32_t>((std::int64_t{least} + most) / 2);
    for (ConeNode& node : trainee.nodes) node.f -= middle;
  }

  void store() {
    for (NodeId p = 0; p < order_.size(); ++p) {
      const auto row = potentials_.row(order_[p]);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = trainees_[i].nodes[p].f;
    }
  }

  FitOptions options_;
  std::vector<NodeId> order_;  // training order: neighbours lie close together
  std::vector<NodeId> place_;  // its inverse
  IntegerGraph integer_;       // in training order
  PairSource source_;
  Potentials potentials_;  // as of the last round, in the graph's own order
  std::vector<Trainee> trainees_;
  std::vector<std::unique_ptr<ConeMover>> movers_;  // one per thread
  std::uint64_t rounds_ = 0;
  bool cold_;
  PotentialsOrigin earlier_;        // rounds and seconds before these, when training continues
  std::optional<Potentials> best_;  // of all rounds, on the held-out queries
  double fewest_ = 0;               // its expansions
  double evaluation_seconds_ = 0;   // of storing and searching the held-out queries
  Clock::time_point begin_;
  TimeLimit all_;
};

Fitter::Fitter(const Graph& graph, const FitOptions& options) {
  const auto begin = Clock::now();
  const FitOptions all = completed(options, graph);
  const Times times(all);
  const auto trained_from = [&](const Potentials& start) {
    return std::make_unique<Impl>(graph, start, all, false, begin, times);
  };
  const Start start = make_start(graph, all, all.start, times.start);
  impl_ = trained_from(start.potentials);
  if (all.start != FitStart::kRace || times.no_race.over()) return;
  try {
    const StopScope scope(times.race.stop());
    check_stop();
    const auto cuts = StartRace::cuts(graph, all, start.worth);
    if (!cuts) return;
    auto from_cuts = trained_from(*cuts);
    const auto verdict = StartRace::untrained(impl_->fewest(), from_cuts->fewest());
    if (verdict == StartRace::Verdict::kLandmarks) return;
    if (verdict == StartRace::Verdict::kTrainBoth) {
      for (int i = 0; i < StartRace::kRounds; ++i) {
        impl_->round({});
        from_cuts->round({});
      }
      if (!StartRace::cuts_lead(impl_->fewest(), from_cuts->fewest())) return;
    }
    impl_ = std::move(from_cuts);
  } catch (const Stopped&) {  // the landmarks are a start already
  }
}

Fitter::Fitter(const Graph& graph, const Potentials& start, const FitOptions& options) {
  start.require_fit(graph);
  if (start.storage() != PotentialsStorage::k32Bit) {
    throw Error(
        "training can continue only from potentials with 32 bits, but these have 16; fit new "
        "potentials without --bits 16");
  }
  impl_ = std::make_unique<Impl>(graph, start, options, true, Clock::now(), Times(options));
}

Fitter::~Fitter() = default;
Fitter::Fitter(Fitter&&) noexcept = default;
Fitter& Fitter::operator=(Fitter&&) noexcept = default;
FitRound Fitter::round(const std::function<bool()>& stop) {
  return impl_->round(stop);
}
void Fitter::add_pairs(std::span<const Query> pairs) {
  impl_->add_pairs(pairs);
}
std::uint64_t Fitter::rounds() const {
  return impl_->rounds();
}
double Fitter::expansions() const {
  return impl_->fewest();
}
double Fitter::evaluation_seconds() const {
  return impl_->evaluation_seconds();
}
double Fitter::seconds() const {
  return impl_->seconds();
}
const Potentials& Fitter::potentials() const {
  return impl_->best();
}

}  // namespace lodestar
