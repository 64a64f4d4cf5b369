// Labels: the far end of the ladder of memory against time. No search is left to a query.
//
// The core is small, some hundred nodes, and all distances within it are in a table D. The label of
// a node s has
//   entries (u, d): nodes of the core with d = d(s, u), none of which lies behind another: there is
//                   no kept u' with d' + D[u'][u] <= d;
//   hubs (y, d):    nodes below the core with d = d(s, y), such that neither the core nor a higher
//                   hub is on a shortest path from s to y.
// A shortest path from s to t that meets the core costs min d + D[u][v] + d' over entries of both;
// one that does not has its highest node as a hub at both ends. On directed graphs side 1 has the
// labels of t: d(u, t), d(y, t).
//
// Transit nodes (Bast et al. 2007) and hub labels (Abraham et al. 2011) are known; nothing is
// learned here. Proof: docs/design/INDEX.md.
//
// In memory: a label is a header and its items, 64 bits each, `label_at` says where it begins.
// Header: reach | entries << 32 | hubs << 48; reach is the largest distance of a hub. Item:
// distance | key << 32; the key of an entry is a node of the core, that of a hub its place from the
// top, and hubs ascend by it. label_arcs[i] belongs to labels[i]: the arc of the node's row over
// which the item came up; its head has an item of the same key. kOwnItem: the node itself.
#pragma once

#include <cstdint>

#include "index/data.h"

namespace lodestar::index {

inline constexpr std::uint8_t kOwnItem = 255;

struct LabelView {
  const std::uint64_t* header;
  std::uint32_t reach() const { return static_cast<std::uint32_t>(*header); }
  std::uint32_t entries() const { return *header >> 32 & 0xffff; }
  std::uint32_t hubs() const { return static_cast<std::uint32_t>(*header >> 48); }
  const std::uint64_t* entry() const { return header + 1; }
  const std::uint64_t* hub() const { return entry() + entries(); }
  const std::uint64_t* end() const { return hub() + hubs(); }
};
inline std::uint32_t key_of(std::uint64_t item) {
  return static_cast<std::uint32_t>(item >> 32);
}
inline std::uint32_t distance_of(std::uint64_t item) {
  return static_cast<std::uint32_t>(item);
}

// Nodes of a core that suits labels.
NodeId label_core(NodeId nodes);

// Adds the core distances and labels to an index. Throws Error where they do not fit: weights that
// are no whole numbers, a core of 2^16 nodes, rows of 255 arcs, labels of 2^16 items, more than
// 2^32 items.
void add_labels(Data& data);

// What labels would take, by those of some nodes: these and all above them are labelled. For an
// index whose core has its table.
struct LabelSample {
  double bytes_per_node = 0;
  double seconds = 0;  // for all nodes
};
LabelSample sample_labels(const Data& data, NodeId samples);

}  // namespace lodestar::index
