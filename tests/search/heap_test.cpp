// Both heaps against a plain sorted set.
#include "lodestar/detail/heap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "lodestar/detail/lazy_heap.h"
#include "lodestar/rng.h"

namespace lodestar::heap_test {
namespace {

// Signs, ties, wide ranges and infinities: what keys of a search can be.
Cost some_key(Rng& rng) {
  switch (rng.below(6)) {
    case 0:
      return 0;
    case 1:
      return -0.0;
    case 2:
      return rng.below(5);
    case 3:
      return -std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(200)) - 100);
    case 4:
      return std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(2000)) - 1000);
    default:
      return rng.below(50) == 0 ? kInfinity : rng.uniform();
  }
}

TEST(NodeHeap, TakesInOrderWhateverIsMovedOrRemoved) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const NodeId nodes = 1 + rng.below(40);
    NodeHeap heap(nodes);
    std::vector<Cost> key(nodes, 0);
    std::set<std::pair<Cost, NodeId>> truth;
    for (int step = 0; step < 300; ++step) {
      const NodeId v = rng.below(nodes);
      const std::uint32_t what = rng.below(4);
      if (what < 2) {
        if (heap.contains(v)) truth.erase({key[v], v});
        key[v] = some_key(rng) + 0.0;
        heap.push_or_update({key[v], 0, v});
        truth.insert({key[v], v});
      } else if (what == 2 && heap.contains(v)) {
        heap.erase(v);
        truth.erase({key[v], v});
      } else if (!heap.empty()) {
        const HeapEntry taken = heap.pop();
        ASSERT_EQ((std::pair{taken.key, taken.node}), *truth.begin());
        truth.erase(truth.begin());
      }
      ASSERT_EQ(heap.size(), truth.size());
      ASSERT_EQ(heap.contains(v), truth.contains({key[v], v}));
    }
  }
}

TEST(LazyHeap, TakesInOrderOfPackedEntries) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const NodeId nodes = 1 + rng.below(seed % 2 == 0 ? 40 : 1u << 30);
    LazyHeap heap(nodes);
    std::multiset<LazyHeap::Entry> truth;
    for (int step = 0; step < 400; ++step) {
      if (rng.below(5) < 3) {
        const LazyHeap::Entry entry = heap.pack(some_key(rng), rng.below(nodes));
        heap.reserve(1);
        heap.push(entry);
        truth.insert(entry);
      } else if (!heap.empty()) {
        ASSERT_EQ(heap.least(), heap.key(*truth.begin()));
        ASSERT_EQ(heap.pop(), *truth.begin());
        truth.erase(truth.begin());
      }
      ASSERT_EQ(heap.size(), truth.size());
      if (step == 200) {
        heap.clear();
        truth.clear();
        ASSERT_EQ(heap.least(), kInfinity);
      }
    }
  }
}

TEST(LazyHeap, RoundsKeysDownAndKeepsTheNode) {
  Rng rng(1);
  for (const NodeId nodes : {1u, 2u, 255u, 256u, 16'384u, 1'000'000u, 4'000'000'000u}) {
    const LazyHeap heap(nodes);
    for (int i = 0; i < 2000; ++i) {
      const Cost key = some_key(rng);
      const NodeId v = rng.below(nodes);
      const LazyHeap::Entry entry = heap.pack(key, v);
      ASSERT_EQ(heap.node(entry), v);
      const Cost kept = heap.key(entry);
      ASSERT_LE(kept, key);
      if (!std::isfinite(key)) continue;
      ASSERT_LE(key - kept, std::abs(key) * 2e-6 + 1e-300) << key;
    }
  }
}

}  // namespace
}  // namespace lodestar::heap_test
