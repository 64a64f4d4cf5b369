// The k nearest facilities of many nodes.
#include <algorithm>
#include <atomic>

#include "lodestar/detail/parallel.h"
#include "router/state.h"

namespace lodestar {
namespace {

struct Candidate {
  Cost cost;
  NodeId facility;
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.cost < b.cost || (a.cost == b.cost && a.facility < b.facility);
  }
};

// Inserts a candidate into the k best of a source, which are in order.
void insert(NearestFacilities& best, std::size_t source, std::size_t k, Candidate one) {
  if (!(one.cost < kInfinity)) return;
  const std::size_t begin = source * k;
  std::size_t at = begin + k;
  const auto before = [&](std::size_t i) {
    return best.facilities[i] == kNoNode || one < Candidate{best.costs[i], best.facilities[i]};
  };
  if (!before(at - 1)) return;
  for (--at; at > begin && before(at - 1); --at) {
    best.costs[at] = best.costs[at - 1];
    best.facilities[at] = best.facilities[at - 1];
  }
  best.costs[at] = one.cost;
  best.facilities[at] = one.facility;
}

}  // namespace

NearestFacilities Router::nearest(std::span<const NodeId> sources,
                                  std::span<const NodeId> facilities, std::size_t k,
                                  const BatchOptions& batch) const {
  k = std::min(k, facilities.size());
  NearestFacilities best;
  best.facilities.assign(sources.size() * k, kNoNode);
  best.costs.assign(sources.size() * k, kInfinity);
  for (const NodeId v : sources) state_->check(v);
  for (const NodeId v : facilities) state_->check(v);
  if (k == 0) return best;
  if (state_->many_to_many() != nullptr || sources.size() > facilities.size()) {
    matrix(
        sources, facilities,
        [&, by_source = sources.size() <= facilities.size()](std::size_t index,
                                                             std::span<const Cost> line) {
          for (std::size_t i = 0; i < line.size(); ++i) {
            const std::size_t source = by_source ? index : i, facility = by_source ? i : index;
            insert(best, source, k, {line[i], static_cast<NodeId>(facility)});
          }
        },
        MatrixBy::kFewer, batch);
    return best;
  }
  // A search per source that stops at the k-th facility.
  std::vector<std::vector<NodeId>> at(graph().node_count());
  for (std::size_t i = 0; i < facilities.size(); ++i) {
    at[facilities[i]].push_back(static_cast<NodeId>(i));
  }
  std::atomic<std::size_t> done{0};
  parallel_for(sources.size(), batch.threads, [&](std::size_t i, std::size_t worker) {
    const auto search = state_->borrow_reach();
    std::size_t found = 0;
    Cost last = kInfinity;  // of the k-th; facilities as near as it may have smaller numbers
    search->run(sources.subspan(i, 1), {}, Direction::kForward, kInfinity,
                [&](NodeId v, const detail::ReachLabel& label) {
                  if (label.cost > last) return false;
                  for (const NodeId facility : at[v]) {
                    insert(best, i, k, {label.cost, facility});
                    if (++found == k) last = label.cost;
                  }
                  return true;
                });
    ++done;
    if (worker == 0 && batch.progress) batch.progress(done);
  });
  if (batch.progress) batch.progress(sources.size());
  return best;
}

}  // namespace lodestar
