#include "network/kernels.h"

#include "base/simd.h"

// Helpers are inlined into each clone, so that they use the vector width of the clone.
#define LODESTAR_INLINE [[gnu::always_inline]] inline
#define LODESTAR_INLINE_LAMBDA __attribute__((always_inline))

namespace lodestar::kernels {
namespace {

using Lanes = float __attribute__((vector_size(64)));
// A typedef, because clang ignores the alignment in an alias and unaligned stores would crash.
typedef float LanesInMemory __attribute__((vector_size(64), aligned(4), may_alias));
static_assert(alignof(LanesInMemory) == 4);

template <int kCount>
struct Block {
  Lanes lane[kCount];
};

template <int kCount>
LODESTAR_INLINE void load(Block<kCount>& block, const float* from) {
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) {
    block.lane[i] = *reinterpret_cast<const LanesInMemory*>(from + i * kLanes);
  }
}

template <int kCount>
LODESTAR_INLINE void store(const Block<kCount>& block, float* to) {
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) {
    *reinterpret_cast<LanesInMemory*>(to + i * kLanes) = block.lane[i];
  }
}

template <int kCount>
LODESTAR_INLINE void relu(Block<kCount>& block) {
  const Lanes zero = {};
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) {
    block.lane[i] = block.lane[i] > zero ? block.lane[i] : zero;
  }
}

// block += x · row
template <int kCount>
LODESTAR_INLINE void add_scaled(Block<kCount>& block, float x, const float* row) {
  Block<kCount> other;
  load(other, row);
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) block.lane[i] += x * other.lane[i];
}

// block = max(block, send + w · edge)
template <int kCount>
LODESTAR_INLINE void take(Block<kCount>& block, const float* send, float w,
                          const Block<kCount>& edge) {
  Block<kCount> message;
  load(message, send);
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) {
    message.lane[i] += w * edge.lane[i];
    block.lane[i] = block.lane[i] > message.lane[i] ? block.lane[i] : message.lane[i];
  }
}

// Six rows by sixteen outputs stay in registers: enough sums under way to hide an addition's
// latency on AVX-512, and twelve of AVX2's sixteen registers.
constexpr std::size_t kRowBlock = 6;

template <std::size_t kRows>
LODESTAR_INLINE void multiply_rows(std::size_t row, std::size_t inner, std::size_t outputs,
                                   const View& a, const View& b, const View& init,
                                   const Target& out, Then then) {
  for (std::size_t j = 0; j < outputs; j += kLanes) {
    Block<1> sum[kRows];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) load(sum[r], init.data + (row + r) * init.stride + j);
    for (std::size_t k = 0; k < inner; ++k) {
      Block<1> column;
      load(column, b.data + k * b.stride + j);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < kRows; ++r) {
        sum[r].lane[0] += a.data[(row + r) * a.stride + k] * column.lane[0];
      }
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) {
      if (then == Then::kRelu) relu(sum[r]);
      store(sum[r], out.data + (row + r) * out.stride + j);
    }
  }
}

template <int kCount>
LODESTAR_INLINE void multiply_sparse_part(std::size_t j, const float* a, const View& b,
                                          const float* init, const std::uint32_t* used,
                                          std::size_t count, float* out, Then then) {
  Block<kCount> sum;
  load(sum, init + j);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = used[i];
    add_scaled(sum, a[k], b.data + k * b.stride + j);
  }
  if (then == Then::kRelu) relu(sum);
  store(sum, out + j);
}

// out = relu(receive + max(own + self, what `each` takes)); `each` takes the other messages.
template <int kCount, class Each>
LODESTAR_INLINE void max_of_node(std::size_t j, const float* own, const float* self,
                                 const float* receive, float* out, const Each& each) {
  Block<kCount> best, extra, sum;
  load(best, own + j);
  load(extra, self + j);
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) best.lane[i] += extra.lane[i];
  each(best);
  load(sum, receive + j);
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) sum.lane[i] += best.lane[i];
  relu(sum);
  store(sum, out + j);
}

template <int kCount>
LODESTAR_INLINE void max_messages_part(std::size_t begin, std::size_t end, std::size_t j,
                                       const Rows& rows, const View& receive, const View& send,
                                       const float* edge_row, const float* self, Target out) {
  Block<kCount> edge;
  load(edge, edge_row + j);
  for (std::size_t v = begin; v < end; ++v) {
    max_of_node<kCount>(
        j, send.data + v * send.stride, self, receive.data + v * receive.stride,
        out.data + (v - begin) * out.stride, [&](Block<kCount>& best) LODESTAR_INLINE_LAMBDA {
          for (std::uint32_t arc = rows.first[v] + 1; arc < rows.first[v + 1]; ++arc) {
            take(best, send.data + rows.sender[arc] * send.stride + j, rows.weight[arc], edge);
          }
        });
  }
}

template <int kCount>
LODESTAR_INLINE void max_listed_part(std::size_t j, std::size_t count, const float* const* send,
                                     const float* weight, const float* edge_row, const float* own,
                                     const float* self, const float* receive, float* out) {
  Block<kCount> edge;
  load(edge, edge_row + j);
  max_of_node<kCount>(j, own, self, receive, out, [&](Block<kCount>& best) LODESTAR_INLINE_LAMBDA {
    for (std::size_t i = 0; i < count; ++i) take(best, send[i] + j, weight[i], edge);
  });
}

}  // namespace

LODESTAR_AVX512_CLONE
void multiply(std::size_t rows, std::size_t inner, std::size_t outputs, View a, View b, View init,
              Target out, Then then) {
  std::size_t row = 0;
  for (; row + kRowBlock <= rows; row += kRowBlock) {
    multiply_rows<kRowBlock>(row, inner, outputs, a, b, init, out, then);
  }
  for (; row + 2 <= rows; row += 2) multiply_rows<2>(row, inner, outputs, a, b, init, out, then);
  if (row < rows) multiply_rows<1>(row, inner, outputs, a, b, init, out, then);
}

LODESTAR_AVX512_CLONE
void multiply_sparse(std::size_t inner, std::size_t outputs, const float* a, View b,
                     const float* init, std::uint32_t* used, float* out, Then then) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < inner; ++k) {
    used[count] = static_cast<std::uint32_t>(k);
    count += a[k] != 0 ? 1 : 0;
  }
  std::size_t j = 0;
  for (; j + 6 * kLanes <= outputs; j += 6 * kLanes) {
    multiply_sparse_part<6>(j, a, b, init, used, count, out, then);
  }
  for (; j + 2 * kLanes <= outputs; j += 2 * kLanes) {
    multiply_sparse_part<2>(j, a, b, init, used, count, out, then);
  }
  if (j < outputs) multiply_sparse_part<1>(j, a, b, init, used, count, out, then);
}

LODESTAR_AVX512_CLONE
void max_messages(std::size_t begin, std::size_t end, std::size_t outputs, const Rows& rows,
                  View receive, View send, const float* edge, const float* self, Target out) {
  std::size_t j = 0;
  for (; j + 2 * kLanes <= outputs; j += 2 * kLanes) {
    max_messages_part<2>(begin, end, j, rows, receive, send, edge, self, out);
  }
  if (j < outputs) max_messages_part<1>(begin, end, j, rows, receive, send, edge, self, out);
}

LODESTAR_AVX512_CLONE
void max_listed(std::size_t outputs, std::size_t count, const float* const* send,
                const float* weight, const float* edge, const float* own, const float* self,
                const float* receive, float* out) {
  std::size_t j = 0;
  for (; j + 2 * kLanes <= outputs; j += 2 * kLanes) {
    max_listed_part<2>(j, count, send, weight, edge, own, self, receive, out);
  }
  if (j < outputs) max_listed_part<1>(j, count, send, weight, edge, own, self, receive, out);
}

LODESTAR_AVX512_CLONE
void take_message(std::size_t outputs, const float* send, float w, const float* edge, float* best) {
  for (std::size_t j = 0; j < outputs; j += kLanes) {
    Block<1> block, along;
    load(block, best + j);
    load(along, edge + j);
    take(block, send + j, w, along);
    store(block, best + j);
  }
}

LODESTAR_AVX512_CLONE
void add_relu(std::size_t outputs, const float* a, const float* b, float* out) {
  for (std::size_t j = 0; j < outputs; j += kLanes) {
    Block<1> sum, other;
    load(sum, a + j);
    load(other, b + j);
    sum.lane[0] += other.lane[0];
    relu(sum);
    store(sum, out + j);
  }
}

LODESTAR_AVX512_CLONE
float dot(std::size_t outputs, const float* a, const float* b) {
  Lanes sum = {};
  for (std::size_t j = 0; j < outputs; j += kLanes) {
    Block<1> left, right;
    load(left, a + j);
    load(right, b + j);
    sum += left.lane[0] * right.lane[0];
  }
  float total = sum[0];
  for (std::size_t i = 1; i < kLanes; ++i) total += sum[i];
  return total;
}

}  // namespace lodestar::kernels
