// A sequence of operations decoded from the bytes: build a graph and indexes, change weights,
// customize, save, open, stop, query. Every answer is compared with Bellman and Ford's algorithm on
// a plain list of arcs.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "lodestar/cch.h"
#include "lodestar/detail/stop.h"
#include "lodestar/index.h"
#include "lodestar/landmarks.h"
#include "lodestar/router.h"
#include "target.h"

namespace {

using namespace lodestar;

struct PlainArc {
  NodeId tail, head;
  Weight weight;
};

class Machine {
 public:
  explicit Machine(std::string_view bytes) : bytes_(bytes) {
    nodes_ = 1 + next() % 12;
    for (std::size_t i = next() % 32; i > 0; --i) {
      const NodeId tail = next() % nodes_;
      arcs_.push_back({tail, next() % nodes_, weight()});
    }
    make_graph();
  }

  void run() {
    for (int steps = 0; steps < 24 && !bytes_.empty(); ++steps) step();
    ask_index();
  }

 private:
  NodeId next() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }
  Weight weight() {
    const NodeId byte = next();
    // Whole numbers, halves, some of them large; sums stay exact.
    return byte < 200 ? byte % 16 : byte < 230 ? byte / 2.0 : 1e6 * byte;
  }

  void make_graph() {
    std::stable_sort(arcs_.begin(), arcs_.end(), [](const PlainArc& a, const PlainArc& b) {
      return std::tie(a.tail, a.head, a.weight) < std::tie(b.tail, b.head, b.weight);
    });
    GraphBuilder builder(nodes_);
    for (const PlainArc& arc : arcs_) builder.add_arc(arc.tail, arc.head, arc.weight);
    graph_ = builder.build();
  }

  std::vector<double> truth(NodeId source) const {
    std::vector<double> distance(nodes_, kInfinity);
    distance[source] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const PlainArc& arc : arcs_) {
        const double through = distance[arc.tail] + arc.weight;
        if (through < distance[arc.head]) distance[arc.head] = through, changed = true;
      }
    }
    return distance;
  }
  double cost_of(const std::vector<NodeId>& path) const {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      double least = kInfinity;
      for (const PlainArc& arc : arcs_) {
        if (arc.tail == path[i] && arc.head == path[i + 1]) least = std::min(least, arc.weight);
      }
      sum += least;
    }
    return sum;
  }
  void judge(Query query, const SearchResult& found, const std::vector<NodeId>& path) const {
    const double expected = truth(query.source)[query.target];
    fuzz::require(found.cost == expected && found.optimal());
    if (expected == kInfinity) return fuzz::require(path.empty());
    fuzz::require(path.front() == query.source && path.back() == query.target);
    fuzz::require(cost_of(path) == expected);
  }
  Query query() {
    const NodeId source = next() % nodes_;
    return {source, next() % nodes_};
  }

  IndexOptions options() {
    IndexOptions made;
    const NodeId byte = next();
    made.rounds = 1;
    made.potential_count = 1 + byte % 3;
    made.labels = byte % 5 == 0;
    made.crossing = static_cast<Crossing>(byte % 3);
    made.guide = static_cast<CorePotentials>(byte / 3 % 3);
    if (byte % 2 == 0) made.core = next() % (nodes_ + 1);
    return made;
  }

  void step() {
    switch (next() % 10) {
      case 0:  // a new index
        index_.emplace(Index::build(graph_, options()));
        break;
      case 1: {  // stopped somewhere: an exception and the old index, or one that is right
        int asks = 1 + static_cast<int>(next() % 8);
        try {
          index_.emplace(Index::build(graph_, options(), [&] { return --asks <= 0; }));
        } catch (const Stopped&) {
        }
        break;
      }
      case 2: {  // some weights change
        std::vector<Weight> weights(arcs_.size());
        for (std::size_t i = 0; i < arcs_.size(); ++i) weights[i] = arcs_[i].weight;
        for (std::size_t i = 1 + next() % 4; i > 0 && !arcs_.empty(); --i) {
          weights[next() % arcs_.size()] = weight();
        }
        const Graph before = graph_;
        graph_ = graph_.with_weights(weights);
        for (std::size_t i = 0; i < arcs_.size(); ++i) arcs_[i].weight = weights[i];
        std::stable_sort(arcs_.begin(), arcs_.end(), [](const PlainArc& a, const PlainArc& b) {
          return std::tie(a.tail, a.head, a.weight) < std::tie(b.tail, b.head, b.weight);
        });
        if (metric_) metric_.emplace(metric_->changed(before, graph_));
        break;
      }
      case 3:
        customize(next() % 2 == 0);
        break;
      case 4:
        if (index_) reopen();
        break;
      case 5:
        ask_index();
        break;
      case 6: {
        if (!metric_) metric_.emplace(Cch(graph_), graph_);
        CchSearcher searcher(*metric_);
        const Query asked = query();
        const SearchResult found = searcher.run(asked);
        judge(asked, found, searcher.path());
        break;
      }
      case 7:
        ask_router();
        break;
      case 8:
        ask_matrix();
        break;
      default: {  // one arc is closed for a request
        Preferences wish;
        if (arcs_.empty()) break;
        const auto closed = static_cast<ArcIndex>(next() % arcs_.size());
        wish.arcs.push_back({closed, kInfinity, 0});
        const Query asked = query();
        const RequestRoute route = Router(graph_).request(asked, wish);
        const PlainArc kept = arcs_[closed];
        arcs_.erase(arcs_.begin() + closed);
        judge(asked, route.result, route.nodes);
        arcs_.insert(arcs_.begin() + closed, kept);
      }
    }
  }

  void customize(bool quick) {
    if (!index_ || index_->fits(graph_)) return;
    IndexOptions how;
    how.rounds = 1;
    how.quick = quick;
    index_.emplace(index_->customized(graph_, how));
    fuzz::require(index_->verify() == 0);
  }
  void reopen() {
    customize(false);
    if (index_->facts().quick) index_.emplace(index_->customized(graph_, {.rounds = 1}));
    const std::string path = (std::filesystem::temp_directory_path() /
                              ("operations-" + std::to_string(::getpid()) + ".lsi"))
                                 .string();
    index_->save(path);
    index_.emplace(Index::open(path, graph_, next() % 2 == 0));
    std::filesystem::remove(path);
  }
  void ask_index() {
    if (!index_) return;
    customize(next() % 2 == 0);
    IndexSearcher searcher(*index_);
    for (int i = 0; i < 3; ++i) {
      const Query asked = query();
      const SearchResult found = searcher.run(asked);
      judge(asked, found, searcher.path());
    }
  }
  void ask_router() {
    static constexpr const char* kNames[] = {"dijkstra", "astar", "bidirectional",
                                             "bidirectional-astar"};
    RouterOptions with;
    with.algorithm = kNames[next() % 4];
    if (next() % 2 == 0 && with.algorithm.ends_with("astar")) {
      LandmarkOptions landmarks;
      landmarks.potential_count = 2;
      with.potentials = std::make_shared<const Potentials>(landmark_potentials(graph_, landmarks));
    }
    const Query asked = query();
    const Route route = Router(graph_, with).path(asked);
    judge(asked, route.result, route.nodes);
  }
  void ask_matrix() {
    RouterOptions with;
    if (index_) {
      customize(false);
      with.index = std::make_shared<const Index>(*index_);
    }
    std::vector<NodeId> ends[2];
    for (auto& list : ends) {
      for (NodeId i = 1 + next() % 4; i > 0; --i) list.push_back(next() % nodes_);
    }
    const auto costs = Router(graph_, with).matrix(ends[0], ends[1]);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const NodeId source = ends[0][i / ends[1].size()], target = ends[1][i % ends[1].size()];
      fuzz::require(costs[i] == truth(source)[target]);
    }
  }

  std::string_view bytes_;
  NodeId nodes_ = 1;
  std::vector<PlainArc> arcs_;  // in the order of the graph
  Graph graph_;
  std::optional<Index> index_;
  std::optional<CchMetric> metric_;
};

}  // namespace

FUZZ_TARGET(operations) {
  try {
    Machine(bytes).run();
  } catch (const TooManyShortcuts&) {
  } catch (const Error& error) {
    // Labels have limits; nothing else is rejected here.
    fuzz::require(std::string_view(error.what()).find("labels") != std::string_view::npos);
  }
}
