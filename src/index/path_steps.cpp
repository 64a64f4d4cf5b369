#include "index/path_steps.h"

#include <algorithm>

namespace lodestar::index {
namespace {

constexpr std::size_t kRun = 8;  // words copied at a time

}  // namespace

// An arc's range lies behind two look-ups, its words behind a third. Each is done for all steps
// before the next, so that a path waits three times for memory and not three times an arc. Leaves
// in `arc` the range.
void PathWriter::fetch(const Data& data, std::vector<PathStep>& steps) const {
  for (const PathStep& step : steps) {
    __builtin_prefetch(&data.shortcuts[step.side][step.arc / 64]);
    __builtin_prefetch(&data.original[step.head]);
    __builtin_prefetch(&data.original[step.tail]);
  }
  for (PathStep& step : steps) {
    step.arc = data.range_at(step.side, step.arc);
    if (step.arc != kDirect) __builtin_prefetch(&data.range[step.side][step.arc]);
  }
  for (PathStep& step : steps) {
    if (step.arc == kDirect) continue;
    step.arc = data.range[step.side][step.arc];
    __builtin_prefetch(&data.words[step.arc & ~kBackward]);
  }
}

void PathWriter::make_room(std::size_t count) {
  if (size_ + count > room_.size()) room_.resize(2 * (size_ + count));
}

void PathWriter::put(NodeId node) {
  make_room(1);
  room_[size_++] = node;
}

// The words from `at` on, up to the one that is `end`.
template <int kWay>
void PathWriter::copy_run(const Data& data, std::uint32_t at, NodeId end) {
  const NodeId* from = data.words.data() + at;
  std::size_t left = kWay > 0 ? data.words.size() - at : std::size_t{at} + 1;
  for (; left >= kRun; left -= kRun, from += kWay * static_cast<std::ptrdiff_t>(kRun)) {
    make_room(kRun);
    NodeId* to = room_.data() + size_;
    bool ends = false;
    for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(kRun); ++k) {
      to[k] = from[kWay * k];
      ends |= to[k] == end;
    }
    if (ends) {
      size_ += static_cast<std::size_t>(std::find(to, to + kRun, end) - to);
      return;
    }
    size_ += kRun;
  }
  // The words' very end. A damaged file may pass it: the path will not add up.
  for (; left > 0 && *from != end; --left, from += kWay) put(*from);
}

// What lies behind the first node of a step, its last node included; steps are taken as they stand.
void PathWriter::append(const Data& data, const PathStep& step) {
  const NodeId end = data.original[step.side == 0 ? step.head : step.tail];
  if (step.arc != kDirect) {
    const std::uint32_t at = step.arc & ~kBackward;
    if ((step.arc & kBackward) == 0) {
      if (at + std::size_t{1} < data.words.size()) copy_run<1>(data, at + 1, end);
    } else if (at > 0) {
      copy_run<-1>(data, at - 1, end);
    }
  }
  put(end);
}

void PathWriter::write(const Data& data, NodeId source, std::vector<PathStep>& steps,
                       std::vector<NodeId>& nodes) {
  fetch(data, steps);
  const auto down =
      std::find_if(steps.begin(), steps.end(), [](const PathStep& step) { return step.reversed; });
  size_ = 0;
  put(data.original[source]);
  for (auto step = steps.begin(); step != down; ++step) append(data, *step);
  const std::size_t front = size_;
  if (down != steps.end()) {
    // From the target up, and then the other way round. The node at which both parts meet comes
    // last, and is there already.
    put(data.original[steps.back().tail]);
    for (auto step = steps.end(); step != down;) append(data, *--step);
    --size_;
  }
  nodes.resize(size_);
  std::copy_n(room_.begin(), front, nodes.begin());
  std::reverse_copy(room_.begin() + static_cast<std::ptrdiff_t>(front),
                    room_.begin() + static_cast<std::ptrdiff_t>(size_),
                    nodes.begin() + static_cast<std::ptrdiff_t>(front));
}

}  // namespace lodestar::index
