// How the nodes of an elimination tree are shared among threads.
//
// Branches are subtrees of a part of the nodes each; they know nothing of each other. What is left
// above them is a tree of chains: nodes one above the other without another chain joining between.
#pragma once

#include <vector>

#include "index/hierarchy/elimination.h"

namespace lodestar::index {

struct TreeWork {
  struct Branch {
    NodeId begin = 0, end = 0;  // ranks
    NodeId root = 0;
  };
  std::vector<Branch> branches;             // the largest first
  std::vector<std::vector<NodeId>> chains;  // ranks, ascending; those below others first
  std::vector<NodeId> top;                  // all of the chains, ascending

  std::size_t bytes() const { return 8 * top.size() + sizeof(Branch) * branches.size(); }
};

// Empty branches when subtrees are no ranges of ranks, as in orders of other origin: then all nodes
// are in the chains.
TreeWork share_tree(const Elimination& elimination);

}  // namespace lodestar::index
