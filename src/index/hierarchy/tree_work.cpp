#include "index/hierarchy/tree_work.h"

#include <algorithm>

namespace lodestar::index {
namespace {

// A branch has at most this part of the nodes.
constexpr NodeId kParts = 16;

}  // namespace

std::size_t TreeWork::bytes() const {
  std::size_t nodes = 0;
  for (const auto& chain : chains) nodes += chain.size();
  return sizeof(NodeId) * nodes + sizeof(Branch) * branches.size();
}

TreeWork share_tree(const Elimination& e) {
  const NodeId n = e.size();
  std::vector<NodeId> below(n, 1), lowest(n);
  for (NodeId x = 0; x < n; ++x) lowest[x] = x;
  bool ranges = true;
  for (NodeId x = 0; x < n; ++x) {
    ranges &= x - lowest[x] + 1 == below[x];
    const NodeId parent = e.parent[x];
    if (parent == kNoNode) continue;
    below[parent] += below[x];
    lowest[parent] = std::min(lowest[parent], lowest[x]);
  }
  TreeWork work;
  std::vector<NodeId> top;  // all of the chains, ascending
  const NodeId most = ranges ? n / kParts : 0;
  const auto above = [&](NodeId x) { return below[x] > most; };
  std::vector<NodeId> joining(n, 0);  // nodes of the top right below
  for (NodeId x = 0; x < n; ++x) {
    const NodeId parent = e.parent[x];
    if (above(x)) {
      top.push_back(x);
      if (parent != kNoNode) ++joining[parent];
    } else if (parent == kNoNode || above(parent)) {
      work.branches.push_back({lowest[x], x + 1, x});
    }
  }
  std::stable_sort(work.branches.begin(), work.branches.end(),
                   [](const auto& a, const auto& b) { return a.end - a.begin > b.end - b.begin; });
  for (const NodeId first : top) {
    if (joining[first] == 1) continue;  // not the lowest of its chain
    auto& chain = work.chains.emplace_back(1, first);
    for (NodeId x = e.parent[first]; x != kNoNode && joining[x] == 1; x = e.parent[x]) {
      chain.push_back(x);
    }
  }
  return work;
}

}  // namespace lodestar::index
