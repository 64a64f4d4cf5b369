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
// In memory a label is a header and its items, which begin at `label_at`. The header's distance is
// the reach, the largest distance of a hub, and its key is entries | hubs << 16. The key of an
// entry is a node of the core; the key of a hub is its position from the top, and hubs ascend by
// key. label_arcs[i] belongs to item i: the up-arc of the node from whose head the item was taken;
// the head has an item with the same key. kOwnItem marks the node itself.
//
// Sums of doubles may be rounded. An entry or hub that is left out then has a substitute that is
// longer by a rounding error at most. All distances are sums of numbers that are not negative, so
// errors stay relative: each pair's distance is found with an error of about 1e-16 per arc.
#pragma once

#include <bit>
#include <cstdint>

#include "index/data.h"

namespace lodestar::index {

inline constexpr std::uint8_t kOwnItem = 255;

template <class W>
struct LabelItem {
  W distance_ = 0;
  std::uint32_t key = 0;
  LabelItem(std::uint32_t at, W distance) : distance_(distance), key(at) {}
  W distance() const { return distance_; }
};
// In 12 bytes.
template <>
struct LabelItem<double> {
  std::uint32_t key = 0;
  std::uint32_t half[2] = {};
  LabelItem(std::uint32_t at, double distance) : key(at) {
    const auto bits = std::bit_cast<std::uint64_t>(distance);
    half[0] = static_cast<std::uint32_t>(bits);
    half[1] = static_cast<std::uint32_t>(bits >> 32);
  }
  double distance() const { return std::bit_cast<double>(std::uint64_t{half[1]} << 32 | half[0]); }
};
static_assert(sizeof(LabelItem<std::uint32_t>) == 8 && sizeof(LabelItem<double>) == 12);

template <class W>
struct LabelView {
  using Item = LabelItem<W>;
  const Item* header;
  W reach() const { return header->distance(); }
  std::uint32_t entries() const { return header->key & 0xffff; }
  std::uint32_t hubs() const { return header->key >> 16; }
  const Item* entry() const { return header + 1; }
  const Item* hub() const { return entry() + entries(); }
  const Item* end() const { return hub() + hubs(); }
};

// All headers and items of a side.
template <class W>
const LabelItem<W>* label_items(const Data& data, int side) {
  return reinterpret_cast<const LabelItem<W>*>(data.labels[side].data());
}
// `id` is a node of the graph.
template <class W>
LabelView<W> label_of(const Data& data, NodeId id, int side) {
  return {label_items<W>(data, side) + data.label_at[side][id]};
}

// The default size of the core for labels.
NodeId label_core(NodeId nodes);

// Adds core distances and labels to an index. Throws Error if a limit is exceeded: a core below
// 2^16 nodes, rows below 255 arcs, labels below 2^16 items, at most 2^32 items.
void add_labels(Data& data);

// Estimates the size of labels from a sample of nodes; these and all nodes above them are labelled.
// Requires core distances.
struct LabelSample {
  double bytes_per_node = 0;
  double seconds = 0;  // for all nodes
};
LabelSample sample_labels(const Data& data, NodeId samples);

}  // namespace lodestar::index
