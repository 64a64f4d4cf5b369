// Hub labels: the fastest and largest kind of index. Queries do not search.
//
// The core has some hundred nodes, and D are the core distances. The label of a node s has
//   entries (u, d): nodes of the core with d = d(s, u), without redundant ones: there is no other
//                   entry (u', d') with d' + D[u'][u] <= d;
//   hubs (y, d):    nodes below the core with d = d(s, y), such that neither the core nor a higher
//                   hub is on a shortest path from s to y.
// A shortest path from s to t that meets the core costs min d + D[u][v] + d' over entries of both;
// one that does not has its highest node as a hub at both ends. On directed graphs side 1 has the
// labels of t: d(u, t), d(y, t).
//
// The method combines transit nodes (Bast et al. 2007) and hub labels (Abraham et al. 2011). Proof:
// docs/design/INDEX.md.
//
// In memory a label is a header and its items, 64 bits each, which begin at `label_at`. Header:
// reach | entries << 32 | hubs << 48, where reach is the largest distance of a hub. Item:
// distance | key << 32. The key of an entry is a node of the core; the key of a hub is its position
// from the top, and hubs ascend by key. label_arcs[i] belongs to labels[i]: the up-arc of the node
// from whose head the item was taken; the head has an item with the same key. kOwnItem marks the
// node itself.
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

// The default size of the core for labels.
NodeId label_core(NodeId nodes);

// Adds core distances and labels to an index. Throws Error if a limit is exceeded: integer weights
// only, a core below 2^16 nodes, rows below 255 arcs, labels below 2^16 items, at most 2^32 items.
void add_labels(Data& data);

// Estimates the size of labels from a sample of nodes; these and all nodes above them are labelled.
// Requires core distances.
struct LabelSample {
  double bytes_per_node = 0;
  double seconds = 0;  // for all nodes
};
LabelSample sample_labels(const Data& data, NodeId samples);

}  // namespace lodestar::index
