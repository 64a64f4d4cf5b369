#include "index/build/choose_core.h"

#include <algorithm>

#include "index/build/stop_rule.h"
#include "index/core_distances.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {
namespace {

// Candidates for the core start at the size that allows core distances. Without core distances they
// start at this share of the nodes; larger cores are never best on roads.
constexpr NodeId kFirstLook = 16;
// Candidates also start if, while the number of nodes was halved, the mean degree grew by this
// factor, as it does on grids.
constexpr double kTrouble = 1.2;
// Around the best core size the cost of a search changes little. Core distances that cost at most
// this share of a search of the same core are therefore better than a search of any core.
constexpr double kDecisive = 0.8;
// The cost curve is flat near its minimum, so the search ends after two steps that are worse, or
// one that is much worse.
constexpr int kWorseSteps = 2;
constexpr double kMuchWorse = 1.15;
constexpr NodeId kSmallestCore = 24;

// Arcs are counted whenever this share of the nodes has been contracted. If their number has grown
// although the nodes are fewer, contraction does not help: searches of the rest take more work.
constexpr NodeId kCheckpoint = 8;
constexpr NodeId kAlwaysContracts = 256;  // a rest of this size is cheap
// Work of witness searches (2 to 8 ns each) that is allowed at first, and for every node. The most
// expensive of the graphs that contract, some grids, take nearly as much.
constexpr std::uint64_t kFreeWork = 100'000'000, kWorkPerNode = 20'000;
// Without an index a graph is searched only if hardly anything could be contracted.
constexpr NodeId kLargeCore = 16;
// Shares of the time that is left.
constexpr double kContractionShare = 0.85, kComparison = 0.3;
constexpr NodeId kWorthTraining = 3;

template <class W>
class CoreChooser {
 public:
  CoreChooser(const Graph& graph, const IndexOptions& options, const Report& report,
              Contraction<W>& contraction)
      : graph_(graph),
        options_(options),
        report_(report),
        contraction_(contraction),
        distances_core_(may_store_distances(options, contraction.units().wide)
                            ? largest_distances_core(graph.node_count())
                            : 0),
        arcs_(contraction.remaining_arcs()),
        counted_at_(graph.node_count()) {
    contraction.allow(allowed_work(graph.node_count()));
  }

  CoreChoice<W> run(const TimeLimit& limit) {
    // A large core is of use only with potentials, so some time is left for them.
    const TimeLimit first = limit.share(kContractionShare);
    const auto late = [&] {
      return limit.over() || (first.over() && is_large(contraction_.remaining()));
    };
    if (!in_time(limit.stop() ? late : std::function<bool()>(), [&] { explore(); }) && !best_) {
      in_time(limit.share(kComparison).stop(), [&] { consider(take_snapshot(contraction_)); });
    }
    if (!best_) {
      CoreChoice<W> choice{take_snapshot(contraction_)};
      // There was no time to compare. Potentials of a much smaller core are worth the rest of it.
      choice.plain =
          contraction_.remaining() > graph_.node_count() / kWorthTraining && may_be_plain();
      return choice;
    }
    if (with_distances_ && (decisive_ || distances_cost_ < least_)) {
      return {std::move(*with_distances_), true};
    }
    CoreChoice<W> choice{std::move(*best_)};
    if (!is_large(choice.core.nodes.size()) || !may_be_plain()) return choice;
    in_time(limit.share(kComparison).stop(),
            [&] { choice.plain = plain_is_cheaper(graph_, options_.seed, least_); });
    return choice;
  }

 private:
  struct Grows {};  // contraction adds arcs instead of removing them

  bool is_large(std::size_t core) const { return core > graph_.node_count() / kLargeCore; }
  // Decimals are added exactly only in the units of an index.
  bool may_be_plain() const { return contraction_.units().parts == 1; }

  // Whether the work was done before `stop` ended it.
  template <class Work>
  static bool in_time(const std::function<bool()>& stop, Work&& work) {
    try {
      const StopScope scope(stop);
      work();
      return true;
    } catch (const Stopped&) {
      if (StopScope::pressed()) throw;
      return false;
    }
  }

  // Considers smaller and smaller cores, then larger ones as long as they are better.
  void explore() {
    larger_.push_back(take_snapshot(contraction_));
    bool contracts = true;
    try {
      if (contraction_.remaining() > kAlwaysContracts && !contraction_.is_promising()) {
        throw Grows();
      }
      shrink();
    } catch (const TooMuchWork&) {
      contracts = false;
    } catch (const Grows&) {
      contracts = false;
    }
    if (decisive_) return;
    if (contraction_.contracted().empty()) larger_.clear();  // the same as what is left
    bool better = true;
    if (!best_ || !contracts) better = consider(take_snapshot(contraction_));
    for (; better && first_is_best_ && !larger_.empty(); larger_.pop_back()) {
      better = consider(std::move(larger_.back()));
    }
  }

  void shrink() {
    const NodeId first_look =
        distances_core_ > 0 ? distances_core_ : graph_.node_count() / kFirstLook;
    const auto mean = [](std::size_t sum, NodeId count) {
      return static_cast<double>(sum) / std::max(count, NodeId{1});
    };
    std::size_t arcs = arcs_;
    bool looking = false;
    int worse = 0;
    while (contraction_.remaining() > kSmallestCore && worse < kWorseSteps) {
      const NodeId before = contraction_.remaining();
      const bool passes = before / 2 < distances_core_ && distances_core_ < before;
      contract_to(passes ? distances_core_ : before / 2);
      if (!looking) {
        const std::size_t now = contraction_.remaining_arcs();
        const bool trouble = mean(now, contraction_.remaining()) > kTrouble * mean(arcs, before);
        arcs = now;
        looking = trouble || contraction_.remaining() <= first_look;
      }
      const CoreSnapshot<W> snapshot = take_snapshot(contraction_);
      if (!looking) {
        larger_.push_back(snapshot);
        continue;
      }
      worse = consider(snapshot) ? 0 : latest_ > kMuchWorse * least_ ? kWorseSteps : worse + 1;
      if (contraction_.remaining() != distances_core_) continue;
      distances_cost_ = distances_cost(snapshot);
      with_distances_ = snapshot;
      decisive_ = distances_cost_ < kDecisive * latest_;
      if (decisive_) return;
    }
  }

  void contract_to(NodeId core) {
    contraction_.run(core, [&] {
      if (report_) report_({contraction_.remaining(), 0, 0, "contracting"});
      check_growth();
    });
  }

  void check_growth() {
    const NodeId remaining = contraction_.remaining();
    if (remaining > counted_at_ - counted_at_ / kCheckpoint) return;
    const std::size_t arcs = contraction_.remaining_arcs();
    if (arcs > arcs_ && remaining > kAlwaysContracts) throw Grows();
    arcs_ = arcs;
    counted_at_ = remaining;
  }

  bool consider(CoreSnapshot<W> snapshot) {
    const double cost = latest_ =
        estimated_cost(assemble(graph_, contraction_, snapshot, Assembly::kSample), options_.seed);
    if (report_) {
      report_({static_cast<NodeId>(snapshot.nodes.size()), cost, 0, "choosing the core"});
    }
    if (best_ && cost >= least_) return false;
    first_is_best_ = !best_ || snapshot.nodes.size() > best_->nodes.size();
    least_ = cost;
    best_ = std::move(snapshot);
    return true;
  }

  double distances_cost(const CoreSnapshot<W>& snapshot) {
    const double cost = estimated_sweep_cost(
        assemble(graph_, contraction_, snapshot, Assembly::kSample), options_.seed);
    if (report_) report_({contraction_.remaining(), cost, 0, "choosing the core"});
    return cost;
  }

  const Graph& graph_;
  const IndexOptions& options_;
  const Report& report_;
  Contraction<W>& contraction_;
  const NodeId distances_core_;          // size to try with core distances; 0: none
  std::vector<CoreSnapshot<W>> larger_;  // candidates not tried yet
  std::size_t arcs_;                     // when they were counted last
  NodeId counted_at_;
  bool decisive_ = false;  // core distances are much cheaper than a search
  std::optional<CoreSnapshot<W>> with_distances_;
  double distances_cost_ = 0;
  std::optional<CoreSnapshot<W>> best_;
  bool first_is_best_ = false;  // nothing smaller is better
  double least_ = 0;
  double latest_ = 0;  // cost of the core considered last
};

}  // namespace

std::uint64_t allowed_work(NodeId nodes) {
  return kFreeWork + kWorkPerNode * nodes;
}

bool may_store_distances(const IndexOptions& options, bool wide) {
  if (wide) return false;
  // With a query log, prefer potentials that are trained for it.
  return options.crossing == Crossing::kStoredDistances ||
         (options.crossing == Crossing::kChosen && options.log.empty());
}

template <class W>
CoreChoice<W> choose_core(const Graph& graph, const IndexOptions& options, const Report& report,
                          Contraction<W>& contraction, const TimeLimit& limit) {
  return CoreChooser<W>(graph, options, report, contraction).run(limit);
}

template CoreChoice<std::uint32_t> choose_core(const Graph&, const IndexOptions&, const Report&,
                                               Contraction<std::uint32_t>&, const TimeLimit&);
template CoreChoice<double> choose_core(const Graph&, const IndexOptions&, const Report&,
                                        Contraction<double>&, const TimeLimit&);

}  // namespace lodestar::index
