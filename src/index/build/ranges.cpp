#include "index/build/ranges.h"

#include <algorithm>

#include "lodestar/detail/stop.h"

namespace lodestar::index {
namespace {

constexpr std::uint32_t kBackward = 0x80000000u;

template <class W>
class Layout {
 public:
  Layout(const Data& data, const ArcMiddles& middles)
      : data_(data), middles_(middles), first_seen_(data.nodes, kNowhere) {
    for (int side = 0; side < data.sides(); ++side) {
      range_[side].assign(middles.middle[side].size(), kDirect);
    }
  }

  Ranges run() {
    // Longest first, so that parts of other arcs are already placed.
    std::size_t step = 0;
    for (const Named& arc : by_hops()) {
      check_stop(step++);
      if (range_[arc.side][arc.index] != kDirect) continue;
      const auto begin = static_cast<std::uint32_t>(words_.size());
      words_.push_back(data_.original[tail_of(arc)]);
      stack_.assign(1, {arc, false});
      placed_.clear();
      while (!stack_.empty()) emit();
      if (!share(begin)) remember(begin);
      if (words_.size() >= kBackward) {
        throw Error(
            "the paths of this graph need more than 2^31 words; build the index without paths");
      }
    }
    result_.width = PathRanges::width_for(words_.size());
    for (int side = 0; side < data_.sides(); ++side) drop_direct(side);
    result_.words = OwnedIds(words_, data_.nodes);
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  struct Named {
    int side;
    std::uint32_t index;
    NodeId row;
  };
  struct Step {
    Named arc;
    bool flipped;  // walked from its head to its tail
  };

  // An arc goes row → head on side 0, head → row on side 1.
  NodeId head_of(const Named& arc) const {
    return data_.template arcs_as<AnyArcs<W>>(arc.side)[arc.index].head;
  }
  NodeId tail_of(const Named& arc) const { return arc.side == 0 ? arc.row : head_of(arc); }
  NodeId end_of(const Named& arc) const { return arc.side == 0 ? head_of(arc) : arc.row; }

  std::vector<Named> by_hops() const {
    std::uint32_t most = 0;
    std::size_t shortcuts = 0;
    for (int side = 0; side < data_.sides(); ++side) {
      for (std::size_t a = 0; a < middles_.hops[side].size(); ++a) {
        if (middles_.middle[side][a] == kNoNode) continue;
        most = std::max(most, middles_.hops[side][a]);
        ++shortcuts;
      }
    }
    std::vector<std::size_t> at(std::size_t{most} + 2, 0);  // at[most - hops + 1]
    for (int side = 0; side < data_.sides(); ++side) {
      for (std::size_t a = 0; a < middles_.hops[side].size(); ++a) {
        if (middles_.middle[side][a] != kNoNode) ++at[most - middles_.hops[side][a] + 1];
      }
    }
    for (std::size_t i = 1; i < at.size(); ++i) at[i] += at[i - 1];
    std::vector<Named> sorted(shortcuts);
    for (int side = 0; side < data_.sides(); ++side) {
      for (NodeId u = 0; u < data_.nodes; ++u) {
        for (std::uint32_t a = data_.first[side][u]; a < data_.first[side][u + 1]; ++a) {
          if (middles_.middle[side][a] == kNoNode) continue;
          sorted[at[most - middles_.hops[side][a]]++] = {side, a, u};
        }
      }
    }
    return sorted;
  }

  // x → v, where v is above x.
  Step up(NodeId x, NodeId v) const { return {find(x, v, 0), false}; }
  // v → x: the arc down, or on a symmetric graph the arc up from its other end.
  Step down(NodeId v, NodeId x) const {
    return data_.symmetric ? Step{find(x, v, 0), true} : Step{find(x, v, 1), false};
  }
  Named find(NodeId x, NodeId v, int side) const {
    const auto row = data_.row_of<W>(x, side);
    std::uint32_t i = 0;
    while (row[i].head != v) ++i;
    return {side, data_.first[side][x] + i, x};
  }

  // The tail of the step is the last word; appends the rest of its path.
  void emit() {
    const auto [arc, flipped] = stack_.back();
    stack_.pop_back();
    const NodeId from = flipped ? end_of(arc) : tail_of(arc);
    const NodeId to = flipped ? tail_of(arc) : end_of(arc);
    const NodeId middle = middles_.middle[arc.side][arc.index];
    if (middle == kNoNode) {
      words_.push_back(data_.original[to]);
      return;
    }
    std::uint32_t& range = range_[arc.side][arc.index];
    const std::uint32_t hops = middles_.hops[arc.side][arc.index];
    if (range != kDirect) {
      copy(range, hops, flipped);
      return;
    }
    const auto at = static_cast<std::uint32_t>(words_.size() - 1);
    range = flipped ? (at + hops) | kBackward : at;
    placed_.push_back(&range);
    stack_.push_back(up(middle, to));
    stack_.push_back(down(from, middle));
  }

  // Whether the sequence from `begin` on occurs earlier, in either direction, as it does for the
  // way back along a road or a part of another shortcut. The sequence is then dropped, and the
  // parts it placed move there.
  bool share(std::uint32_t begin) {
    const std::size_t size = words_.size() - begin;
    const NodeId* const run = words_.data() + begin;
    // The second node is low, so it occurs in few places; the first one is on the longest path.
    const std::uint32_t second = first_seen_[run[1]];
    if (second == kNowhere) return false;
    for (const std::int64_t way : {-1, 1}) {
      const std::int64_t from = std::int64_t{second} - way;
      const std::int64_t last = from + way * static_cast<std::int64_t>(size - 1);
      if (std::min(from, last) < 0 || std::max(from, last) >= begin) continue;
      std::size_t same = 0;
      while (same < size &&
             words_[static_cast<std::size_t>(from + way * static_cast<std::int64_t>(same))] ==
                 run[same]) {
        ++same;
      }
      if (same < size) continue;
      for (std::uint32_t* const range : placed_) {
        const std::int64_t offset = std::int64_t{*range & ~kBackward} - begin;
        *range = static_cast<std::uint32_t>(from + way * offset) |
                 ((*range & kBackward) ^ (way < 0 ? kBackward : 0));
      }
      words_.resize(begin);
      return true;
    }
    return false;
  }

  void remember(std::uint32_t begin) {
    for (std::uint32_t at = begin; at < words_.size(); ++at) {
      std::uint32_t& seen = first_seen_[words_[at]];
      if (seen == kNowhere) seen = at;
    }
  }

  // Only shortcuts keep a range.
  void drop_direct(int side) {
    const std::vector<std::uint32_t>& range = range_[side];
    std::vector<ShortcutBlock>& blocks = result_.shortcuts[side];
    std::vector<std::byte>& kept = result_.ranges[side];
    blocks.resize((range.size() + 63) / 64);
    for (std::size_t a = 0; a < range.size(); ++a) {
      if (a % 64 == 0) blocks[a / 64].before = result_.count[side];
      if (range[a] == kDirect) continue;
      blocks[a / 64].bits |= std::uint64_t{1} << a % 64;
      const std::uint64_t bits = PathRanges::packed(
          {range[a] & ~kBackward, (range[a] & kBackward) != 0,
           static_cast<std::uint8_t>(std::min<std::uint32_t>(middles_.hops[side][a], kLong))});
      const auto* const bytes = reinterpret_cast<const std::byte*>(&bits);
      kept.insert(kept.end(), bytes, bytes + result_.width);
      ++result_.count[side];
    }
    kept.resize(kept.size() + PathRanges::kRangeSlack);
    kept.shrink_to_fit();
  }

  void copy(std::uint32_t range, std::uint32_t hops, bool flipped) {
    const bool backward = (range & kBackward) != 0;
    const std::uint64_t begin = range & ~kBackward;
    for (std::uint64_t i = 1; i <= hops; ++i) {
      const std::uint64_t along = flipped ? hops - i : i;
      words_.push_back(words_[backward ? begin - along : begin + along]);
    }
  }

  const Data& data_;
  const ArcMiddles& middles_;
  Ranges result_;
  std::vector<NodeId> words_;
  std::vector<std::uint32_t> range_[2];  // by arc: the position in words_, with kBackward
  std::vector<Step> stack_;
  std::vector<std::uint32_t*> placed_;     // ranges within the current sequence
  std::vector<std::uint32_t> first_seen_;  // by id of the graph: its first place in the words
};

}  // namespace

template <class W>
Ranges lay_out_ranges(const Data& data, const ArcMiddles& middles) {
  return Layout<W>(data, middles).run();
}

template Ranges lay_out_ranges<std::uint32_t>(const Data&, const ArcMiddles&);
template Ranges lay_out_ranges<double>(const Data&, const ArcMiddles&);

}  // namespace lodestar::index
