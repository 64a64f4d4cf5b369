#include "index/path_steps.h"

#include <algorithm>

#include "base/simd.h"

namespace lodestar::index {
namespace {

constexpr std::size_t kRun = 32;  // ids copied at a time

typedef NodeId Eight __attribute__((vector_size(32)));
typedef NodeId EightInMemory __attribute__((vector_size(32), aligned(sizeof(NodeId)), may_alias));

// Reads and writes whole runs; what lies behind a piece is overwritten by the next one. Directions
// and lengths follow no pattern: there is no branch on a direction, and most pieces are one run.
LODESTAR_AVX2_CLONE
void copy_pieces(const PathPiece* piece, const PathPiece* end, NodeId* to) {
  for (; piece != end; ++piece) {
    if (!piece->roomy) [[unlikely]] {
      const std::ptrdiff_t way = piece->backward ? -1 : 1;
      for (std::size_t k = 0; k < piece->count; ++k) {
        *to++ = piece->from[way * static_cast<std::ptrdiff_t>(k)];
      }
      continue;
    }
    const Eight mask = Eight{} - static_cast<NodeId>(piece->backward ? 1 : 0);
    const std::ptrdiff_t step = piece->backward ? -8 : 8;
    const NodeId* from = piece->from - (piece->backward ? 7 : 0);
    NodeId* const next = to + piece->count;
    do {
      for (std::size_t k = 0; k < kRun; k += 8, from += step) {
        const Eight ids = *reinterpret_cast<const EightInMemory*>(from);
        const Eight turned = __builtin_shufflevector(ids, ids, 7, 6, 5, 4, 3, 2, 1, 0);
        *reinterpret_cast<EightInMemory*>(to + k) = (ids & ~mask) | (turned & mask);
      }
      to += kRun;
    } while (to < next);
    to = next;
  }
}

// Arcs follow no pattern either, and a call would be slower.
std::uint32_t ones(std::uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>(bits * 0x0101010101010101u >> 56);
}

// The last node of a step.
NodeId last_of(const PathStep& step) {
  return step.side == 0 && !step.reversed ? step.head : step.tail;
}

// The number of words behind the first one, up to the end of the arc.
std::size_t search_end(const Data& data, std::uint32_t at, bool backward, NodeId end) {
  // A damaged file may not have it: the path will not add up.
  const std::size_t most = backward ? at : data.words.size() - 1 - at;
  const NodeId* const word = data.words.data() + at;
  const std::ptrdiff_t way = backward ? -1 : 1;
  std::size_t count = 1;
  while (count < most && word[way * static_cast<std::ptrdiff_t>(count)] != end) ++count;
  return std::min(count, most);
}

}  // namespace

// An arc's range lies behind two look-ups, its words behind a third. Each is done for all steps
// before the next, so that a path waits three times for memory and not three times an arc. Leaves
// in `arc` the position of the range, or kDirect.
void PathWriter::fetch(const Data& data, std::vector<PathStep>& steps) {
  for (const PathStep& step : steps) {
    __builtin_prefetch(&data.shortcuts[step.side][step.arc / 64]);
    __builtin_prefetch(&data.original[last_of(step)]);
  }
  for (PathStep& step : steps) {
    const ShortcutBlock& block = data.shortcuts[step.side][step.arc / 64];
    const std::uint64_t bit = std::uint64_t{1} << step.arc % 64;
    const std::uint32_t at = block.before + ones(block.bits & (bit - 1));
    step.arc = (block.bits & bit) == 0 ? kDirect : at;
    __builtin_prefetch(data.range[step.side].data() + at);
    __builtin_prefetch(data.length[step.side].data() + at);
  }
}

// Without branches on whether the step is a shortcut, and on its direction.
void PathWriter::set(const Data& data, const PathStep& step, PathPiece& piece) {
  static constexpr std::uint32_t kNoRange = 0;
  static constexpr std::uint8_t kOne = 1;
  const bool direct = step.arc == kDirect;
  const std::uint32_t range = *(direct ? &kNoRange : data.range[step.side].data() + step.arc);
  std::size_t count = *(direct ? &kOne : data.length[step.side].data() + step.arc);
  const std::uint32_t at = range & ~kBackward;
  const bool backward = (range & kBackward) != 0;
  if (count == kLong) [[unlikely]] {
    count = search_end(data, at, backward, data.original[step.side == 0 ? step.head : step.tail]);
  }
  // Behind the first word; reversed, from the last but one back to the first.
  const std::ptrdiff_t far = step.reversed ? static_cast<std::ptrdiff_t>(count) - 1 : 1;
  const std::ptrdiff_t first =
      direct ? std::ptrdiff_t{last_of(step)} : std::ptrdiff_t{at} + (backward ? -far : far);
  const NodeId* const ids = direct ? data.original.data() : data.words.data();
  const std::size_t size = direct ? data.original.size() : data.words.size();
  piece.from = ids + first;
  piece.count = static_cast<std::uint32_t>(count);
  piece.backward = !direct & (backward != step.reversed);
  const auto place = static_cast<std::size_t>(first);
  piece.roomy = (piece.backward ? place : size - place) >= count + kRun;
  __builtin_prefetch(ids + first);
}

void PathWriter::write(const Data& data, NodeId source, std::vector<PathStep>& steps,
                       std::vector<NodeId>& nodes) {
  fetch(data, steps);
  pieces_.resize(steps.size());
  std::size_t size = 1;
  PathPiece* piece = pieces_.data();
  for (const PathStep& step : steps) {
    set(data, step, *piece);
    size += piece++->count;
  }
  nodes.resize(size + kRun);
  nodes[0] = data.original[source];
  copy_pieces(pieces_.data(), piece, nodes.data() + 1);
  nodes.resize(size);
}

}  // namespace lodestar::index
