#include "index/matrix/lane_block.h"

#include <algorithm>
#include <bit>

namespace lodestar::index {

template <class W>
void LaneBlock<W>::fill(const EndList<W>& list, std::size_t begin, std::size_t count, int end) {
  stride_ = padded(count);
  fill_core(list, begin, count, end);
  fill_hubs(list, begin, count);
}

template <class W>
void LaneBlock<W>::fill_core(const EndList<W>& list, std::size_t begin, std::size_t count,
                             int end) {
  const std::size_t core = data_.core;
  rows_.resize(core * stride_);
  columns_.resize(kLaneStep * core);
  for (std::size_t lane = 0; lane < stride_; lane += kLaneStep) {
    for (std::size_t k = 0; k < kLaneStep; ++k) {
      W* column = columns_.data() + k * core;
      if (lane + k < count) {
        core_rows_.fill(list[begin + lane + k].entries, end, column, scratch_);
      } else {
        std::fill(column, column + core, kUnreached<W>);
      }
    }
    for (std::size_t u = 0; u < core; ++u) {
      W* row = rows_.data() + u * stride_ + lane;
      for (std::size_t k = 0; k < kLaneStep; ++k) row[k] = columns_[k * core + u];
    }
  }
}

template <class W>
void LaneBlock<W>::fill_hubs(const EndList<W>& list, std::size_t begin, std::size_t count) {
  std::size_t items = 0;
  for (std::size_t lane = 0; lane < count; ++lane) items += list[begin + lane].hubs.size();
  mask_ = std::bit_ceil(2 * items + 1) - 1;
  slots_.assign(mask_ + 1, Slot{});
  known_.assign(std::bit_ceil(items / 8 + 1), 0);
  for (std::size_t lane = 0; lane < count; ++lane) {
    for (const Item<W>& hub : list[begin + lane].hubs) {
      Slot& slot = slot_of(hub.key);
      slot.key = hub.key;
      known_[word_of(hub.key)] |= bit_of(hub.key);
      ++slot.count;
    }
  }
  std::uint32_t listed = 0, row = data_.core;
  for (Slot& slot : slots_) {
    if (slot.count == 0) continue;
    // A row costs a few lanes per cycle, a list a few cycles per lane.
    slot.row = slot.count >= 8 && 8 * std::size_t{slot.count} >= stride_;
    slot.begin = slot.row ? row++ : listed;
    if (!slot.row) {
      listed += slot.count;
      slot.count = 0;
    }
  }
  rows_.resize(row * stride_, kUnreached<W>);
  near_.resize(listed);
  for (std::size_t lane = 0; lane < count; ++lane) {
    for (const Item<W>& hub : list[begin + lane].hubs) {
      Slot& slot = slot_of(hub.key);
      if (slot.row) {
        rows_[slot.begin * stride_ + lane] = hub.distance;
      } else {
        near_[slot.begin + slot.count++] = {static_cast<std::uint32_t>(lane), hub.distance};
      }
    }
  }
}

template <class W>
void LaneBlock<W>::distances(const EndView<W>& other, W* least) {
  terms_.assign(other.entries.begin(), other.entries.end());
  lists_.clear();
  for (const Item<W>& hub : other.hubs) {
    if ((known_[word_of(hub.key)] & bit_of(hub.key)) == 0) continue;
    const Slot& slot = slot_of(hub.key);
    if (slot.key != hub.key) continue;
    if (slot.row) {
      terms_.push_back({slot.begin, hub.distance});
    } else {
      lists_.push_back({static_cast<std::uint32_t>(&slot - slots_.data()), hub.distance});
    }
  }
  std::fill(least, least + stride_, kUnreached<W>);
  min_plus(rows_.data(), stride_, terms_.data(), terms_.size(), least, stride_);
  for (const Item<W>& list : lists_) {
    const Slot& slot = slots_[list.key];
    for (const Near *near = near_.data() + slot.begin, *end = near + slot.count; near != end;
         ++near) {
      least[near->lane] = std::min(least[near->lane], near->distance + list.distance);
    }
  }
}

template class LaneBlock<std::uint32_t>;
template class LaneBlock<double>;
template class LaneBlock<std::uint64_t>;  // for sum_product.h

}  // namespace lodestar::index
