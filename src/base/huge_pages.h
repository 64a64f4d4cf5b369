// Memory for large arrays with random access, on huge pages if the system provides them. They avoid
// most TLB misses: labels of a million nodes take 300 MB, which is 75,000 small pages, and a
// processor caches the addresses of about two thousand.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace lodestar {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
// Smaller arrays mostly fit into caches, and rounding up to whole pages would waste memory.
inline constexpr std::size_t kLargeArray = 2 * kHugePage;

// Returns null if there is no memory. Free it with std::free.
inline void* allocate_large(std::size_t bytes) {
  if (bytes < kLargeArray) return std::malloc(bytes);
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  if (whole < bytes) return nullptr;
  void* const at = std::aligned_alloc(kHugePage, whole);
#ifdef MADV_HUGEPAGE
  // If the system ignores this advice, the memory has normal pages.
  if (at != nullptr) static_cast<void>(::madvise(at, whole, MADV_HUGEPAGE));
#endif
  return at;
}

template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) noexcept {}
  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    void* const at = allocate_large(count * sizeof(T));
    if (at == nullptr && count > 0) throw std::bad_alloc();
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t) noexcept { std::free(at); }
  template <class U>
  bool operator==(const LargeAllocator<U>&) const noexcept {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace lodestar
