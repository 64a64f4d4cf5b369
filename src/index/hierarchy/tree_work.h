// Distributes the nodes of an elimination tree among threads.
//
// Branches are disjoint subtrees, which are independent of each other. The nodes above them form a
// tree of chains; a chain is a path without side branches.
#pragma once

#include <vector>

#include "index/hierarchy/elimination.h"

namespace lodestar::index {

struct TreeWork {
  struct Branch {
    NodeId begin = 0, end = 0;  // ranks
    NodeId root = 0;
  };
  std::vector<Branch> branches;             // in descending order of size
  std::vector<std::vector<NodeId>> chains;  // ranks, ascending; those below others first

  std::size_t bytes() const;
};

// There are no branches if subtrees are not ranges of ranks, as in orders given by the caller; all
// nodes are then in chains.
TreeWork share_tree(const Elimination& elimination);

}  // namespace lodestar::index
