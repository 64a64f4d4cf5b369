// The numeric loops of the network.
//
// Results are bit for bit the same on every processor: vectors run across outputs, a sum over
// inputs runs in order, and nothing is fused or reassociated. Rows are padded with zeros to kLanes
// outputs. relu(x) is x > 0 ? x : 0, max(a, b) is a > b ? a : b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace lodestar::kernels {

inline constexpr std::size_t kLanes = 16;  // floats in 64 bytes, the widest vector

constexpr std::size_t padded(std::size_t outputs) {
  return (outputs + kLanes - 1) / kLanes * kLanes;
}

// A vector of floats that starts on a cache line.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};
using Floats = std::vector<float, CacheLineAllocator<float>>;

// A view of a matrix: row r starts at data + r · stride.
struct View {
  const float* data;
  std::size_t stride;
};
struct Target {
  float* data;
  std::size_t stride;
};

enum class Then { kNothing, kRelu };

// out[r] = then(init[r] + a[r] · b) for r < rows; a: [rows × inner], b: [inner × outputs], outputs
// padded. init.stride may be 0 to use the same row for all.
void multiply(std::size_t rows, std::size_t inner, std::size_t outputs, View a, View b, View init,
              Target out, Then then);

// The same for one row, skipping inputs that are 0, which are frequent after relu. The other inputs
// are first listed in `used` [inner], which avoids unpredictable branches in the inner loop.
void multiply_sparse(std::size_t inner, std::size_t outputs, const float* a, View b,
                     const float* init, std::uint32_t* used, float* out, Then then);

// Compressed rows by receiver; the first entry of each row is the receiver itself (features.h).
struct Rows {
  const std::uint32_t* first;
  const std::uint32_t* sender;
  const float* weight;
};

// out[v - begin] = relu(receive[v] + max(send[v] + self, max over the other arcs of v of
//               send[u] + w · edge)) for v in [begin, end).
void max_messages(std::size_t begin, std::size_t end, std::size_t outputs, const Rows& rows,
                  View receive, View send, const float* edge, const float* self, Target out);

// The same for one node with its messages given as a list:
// out = relu(receive + max(own + self, max over i < count of send[i] + weight[i] · edge)).
void max_listed(std::size_t outputs, std::size_t count, const float* const* send,
                const float* weight, const float* edge, const float* own, const float* self,
                const float* receive, float* out);

// Adds one message: best[j] = max(best[j], send[j] + w · edge[j]).
void take_message(std::size_t outputs, const float* send, float w, const float* edge, float* best);

// out[j] = relu(a[j] + b[j]).
void add_relu(std::size_t outputs, const float* a, const float* b, float* out);

// Σ a[j] · b[j] over padded outputs: kLanes partial sums, then ((0+1)+2)+… over the lanes.
float dot(std::size_t outputs, const float* a, const float* b);

}  // namespace lodestar::kernels
