#include "lodestar/trace.h"

#include <numeric>

namespace lodestar {
namespace {

// Keeps the state as CLRS does and copies it whenever the next node is about to be taken.
class TrajectoryObserver {
 public:
  TrajectoryObserver(NodeId nodes, NodeId source)
      : pi_(nodes), d_(nodes, 0), mark_(nodes, 0), in_queue_(nodes, 0), u_(source) {
    std::iota(pi_.begin(), pi_.end(), NodeId{0});
    out_.nodes = nodes;
    out_.source = source;
  }

  void on_label(NodeId v, Cost g, NodeId parent) {
    if (parent != kNoNode) pi_[v] = parent;
    d_[v] = g;
    in_queue_[v] = 1;
  }

  void on_settle(NodeId v, Cost, NodeId) {
    copy_frame();
    u_ = v;
    mark_[v] = 1;
    in_queue_[v] = 0;
  }

  Trajectory finish() {
    copy_frame();
    return std::move(out_);
  }

 private:
  void copy_frame() {
    out_.u.push_back(u_);
    out_.pi.insert(out_.pi.end(), pi_.begin(), pi_.end());
    out_.d.insert(out_.d.end(), d_.begin(), d_.end());
    out_.mark.insert(out_.mark.end(), mark_.begin(), mark_.end());
    out_.in_queue.insert(out_.in_queue.end(), in_queue_.begin(), in_queue_.end());
  }

  std::vector<NodeId> pi_;
  std::vector<double> d_;
  std::vector<std::uint8_t> mark_;
  std::vector<std::uint8_t> in_queue_;
  NodeId u_;
  Trajectory out_;
};

}  // namespace

HintView Trajectory::frame(std::size_t k) const {
  const std::size_t begin = k * nodes, size = nodes;
  return {std::span(pi).subspan(begin, size), std::span(d).subspan(begin, size),
          std::span(mark).subspan(begin, size), std::span(in_queue).subspan(begin, size), u[k]};
}

Trajectory dijkstra_trajectory(Searcher& searcher, NodeId source, NodeId max_steps) {
  TrajectoryObserver observer(searcher.graph().node_count(), source);
  SearchOptions options;
  options.max_expansions = max_steps;
  searcher.run({source, kNoNode}, Zero{}, options, observer);
  return observer.finish();
}

}  // namespace lodestar
