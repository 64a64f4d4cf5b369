#include "index/path_steps.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>
#include <span>

#include "base/simd.h"

#ifdef LODESTAR_AVX2
#include <immintrin.h>
#endif

namespace lodestar::index {
namespace {

constexpr std::size_t kRun = 32;  // ids copied at a time
static_assert((kRun + 8) * sizeof(NodeId) <= kSlack);

#ifdef LODESTAR_AVX2

// Bytes of ids for one half of a vector each, forward and backward. 0x80 makes a zero.
alignas(32) constexpr std::int8_t kOfTwo[2][32] = {
    {0, 1, -128, -128, 2,  3,  -128, -128, 4,  5,  -128, -128, 6,  7,  -128, -128,
     8, 9, -128, -128, 10, 11, -128, -128, 12, 13, -128, -128, 14, 15, -128, -128},
    {14, 15, -128, -128, 12, 13, -128, -128, 10, 11, -128, -128, 8, 9, -128, -128,
     6,  7,  -128, -128, 4,  5,  -128, -128, 2,  3,  -128, -128, 0, 1, -128, -128}};
alignas(32) constexpr std::int8_t kOfThree[2][32] = {
    {0, 1, 2, -128, 3, 4, 5, -128, 6, 7, 8, -128, 9, 10, 11, -128,
     0, 1, 2, -128, 3, 4, 5, -128, 6, 7, 8, -128, 9, 10, 11, -128},
    {9, 10, 11, -128, 6, 7, 8, -128, 3, 4, 5, -128, 0, 1, 2, -128,
     9, 10, 11, -128, 6, 7, 8, -128, 3, 4, 5, -128, 0, 1, 2, -128}};
alignas(32) constexpr std::int32_t kOfFour[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                                    {7, 6, 5, 4, 3, 2, 1, 0}};

// Reads and writes whole runs; what lies behind a piece is overwritten by the next one. Directions
// and lengths follow no pattern: there is no branch on a direction, and most pieces are one run.
template <unsigned kWidth>
[[gnu::target("avx2")]] void copy_wide(const PathPiece* piece, const PathPiece* end, NodeId* to) {
  for (; piece != end; ++piece) {
    const std::byte* from = piece->from;
    const std::ptrdiff_t step = piece->step;
    const std::size_t back = step < 0 ? 1 : 0;
    NodeId* const next = to + piece->count;
    do {
      for (std::size_t k = 0; k < kRun; k += 8, from += step) {
        __m256i ids;
        if constexpr (kWidth == 2) {
          const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
          ids = _mm256_shuffle_epi8(
              _mm256_broadcastsi128_si256(eight),
              _mm256_load_si256(reinterpret_cast<const __m256i*>(kOfTwo[back])));
        } else if constexpr (kWidth == 3) {
          const auto* const low = reinterpret_cast<const __m128i*>(from + 12 * back);
          const auto* const high = reinterpret_cast<const __m128i*>(from + 12 - 12 * back);
          ids = _mm256_shuffle_epi8(
              _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)),
                                      _mm_loadu_si128(high), 1),
              _mm256_load_si256(reinterpret_cast<const __m256i*>(kOfThree[back])));
        } else {
          ids = _mm256_permutevar8x32_epi32(
              _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)),
              _mm256_load_si256(reinterpret_cast<const __m256i*>(kOfFour[back])));
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + k), ids);
      }
      to += kRun;
    } while (to < next);
    to = next;
  }
}

#endif

// The number of words behind the first one, up to the end of the arc.
std::size_t search_end(const Data& data, PathRange range, NodeId end) {
  // A damaged file may not have it: the path will not add up.
  const std::size_t most = range.backward ? range.at : data.words.size() - 1 - range.at;
  std::size_t count = 1;
  while (count < most && data.words[range.backward ? range.at - count : range.at + count] != end) {
    ++count;
  }
  return std::min(count, most);
}

// Pieces of steps, with kReversed from the end of the range to its beginning. Adds up their ids.
// `onward` is 1, or -1 if the pieces are in the opposite order of the steps.
// Without branches on whether a step is a shortcut, and on its direction: neither follows a
// pattern, and so the processor waits for the memory of several steps at a time.
template <bool kReversed>
[[gnu::always_inline]] inline std::size_t set_as(const Data& data, int side,
                                                 std::span<const PathStep> steps, PathPiece* pieces,
                                                 std::ptrdiff_t onward) {
  static constexpr std::byte kNone[8] = {};
  const ShortcutBlock* const blocks = data.shortcuts[side].data();
  const PathRanges& all = data.ranges[side];
  const std::byte* const ranges = all.size() == 0 ? kNone : all.data();
  const std::size_t range_width = all.width();
  const std::uint64_t mask = all.mask();
  const std::byte* const original = data.original.data();
  const std::byte* const words = data.words.data();
  const auto width = static_cast<std::ptrdiff_t>(data.original.width());
  std::size_t sum = 0;
  std::ptrdiff_t next = onward < 0 ? std::ssize(steps) - 1 : 0;
  for (const PathStep& step : steps) {
    const ShortcutBlock& block = blocks[step.arc / 64];
    const std::uint64_t bit = std::uint64_t{1} << step.arc % 64;
    const bool direct = (block.bits & bit) == 0;
    // Behind the last range there are readable bytes.
    const std::size_t place =
        block.before + static_cast<std::size_t>(std::popcount(block.bits & (bit - 1)));
    const std::uint64_t bits = load_as<std::uint64_t>(ranges + place * range_width) & mask;
    const PathRange range{static_cast<std::uint32_t>(bits >> 9), (bits >> 8 & 1) != 0,
                          static_cast<std::uint8_t>(bits)};
    std::size_t count = direct ? 1 : range.length;
    if (count == kLong) [[unlikely]] {
      // On side 0 an arc ends above, on side 1 below; paths go down on side 1, or reversed.
      count = search_end(data, range, data.original[kReversed ? step.from : step.to]);
    }
    // Behind the first word; reversed, from the last but one back to the first.
    const std::ptrdiff_t far = kReversed ? static_cast<std::ptrdiff_t>(count) - 1 : 1;
    const std::ptrdiff_t at = range.at + (range.backward ? -far : far);
    const bool backward = !direct & (range.backward != kReversed);
    const std::byte* const from =
        (direct ? original : words) + width * (direct ? std::ptrdiff_t{step.to} : at);
    PathPiece& piece = pieces[next];
    piece.from = from - (backward ? 7 * width : 0);
    piece.count = static_cast<std::uint32_t>(count);
    piece.step = static_cast<std::int32_t>(backward ? -8 * width : 8 * width);
    next += onward;
    sum += count;
    __builtin_prefetch(from);
  }
  return sum;
}
LODESTAR_AVX2_CLONE
std::size_t set_pieces(const Data& data, int side, std::span<const PathStep> steps,
                       PathPiece* pieces, std::ptrdiff_t onward) {
  return set_as<false>(data, side, steps, pieces, onward);
}
LODESTAR_AVX2_CLONE
std::size_t set_reversed_pieces(const Data& data, int side, std::span<const PathStep> steps,
                                PathPiece* pieces, std::ptrdiff_t onward) {
  return set_as<true>(data, side, steps, pieces, onward);
}

}  // namespace

void copy_pieces_one_by_one(unsigned width, const PathPiece* piece, const PathPiece* end,
                            NodeId* to) {
  const std::uint32_t mask = 0xffffffffu >> (32 - 8 * width);
  const auto one = static_cast<std::ptrdiff_t>(width);
  for (; piece != end; ++piece) {
    const bool back = piece->step < 0;
    const std::byte* from = piece->from + (back ? 7 * one : 0);
    for (std::uint32_t k = 0; k < piece->count; ++k, from += back ? -one : one) {
      *to++ = load_as<std::uint32_t>(from) & mask;
    }
  }
}

void copy_pieces(unsigned width, const PathPiece* piece, const PathPiece* end, NodeId* to) {
#ifdef LODESTAR_AVX2
  static const bool wide = __builtin_cpu_supports("avx2");
  if (wide) {
    width == 2   ? copy_wide<2>(piece, end, to)
    : width == 3 ? copy_wide<3>(piece, end, to)
                 : copy_wide<4>(piece, end, to);
    return;
  }
#endif
  copy_pieces_one_by_one(width, piece, end, to);
}

void add_core_pieces(Data& data) {
  if (data.next.empty()) return;
  std::vector<PathStep> steps;
  for (NodeId u = 0; u < data.core; ++u) {
    for (std::uint32_t a = data.first[0][u]; a < data.first[0][u + 1]; ++a) {
      const NodeId head = data.wide ? data.arcs_as<AnyArcs<double>>(0)[a].head
                                    : data.arcs_as<AnyArcs<std::uint32_t>>(0)[a].head;
      steps.push_back({u, head, a});
    }
  }
  std::vector<PathPiece> pieces(steps.size());
  set_pieces(data, 0, steps, pieces.data(), 1);
  const auto made = std::make_shared<std::vector<CorePiece>>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) (*made)[i] = {pieces[i], steps[i].to};
  data.core_pieces = *made;
  data.pieces_keeper = made;
}

void PathWriter::write(const Data& data, const PathSteps& steps, std::vector<NodeId>& nodes) {
  const std::size_t up = steps.up.size(), core = steps.core.size() + steps.crossed;
  pieces_.resize(up + core + steps.down.size());
  PathPiece* const first = pieces_.data();
  PathPiece* const down = first + up + core;
  std::size_t size = 1 + steps.crossed_ids + set_pieces(data, 0, steps.up, first, -1);
  size += data.symmetric ? set_reversed_pieces(data, 0, steps.down, down, 1)
                         : set_pieces(data, 1, steps.down, down, 1);
  if (!steps.core.empty()) size += set_pieces(data, 0, steps.core, first + up, 1);
  std::copy_n(steps.crossing.data(), steps.crossed, first + up + steps.core.size());
  nodes.resize(size + kRun);
  nodes[0] = data.original[steps.source];
  copy_pieces(data.original.width(), first, first + pieces_.size(), nodes.data() + 1);
  nodes.resize(size);
}

}  // namespace lodestar::index
