// Memory for large arrays with random access, on huge pages if the system provides them. They avoid
// most TLB misses: labels of a million nodes take 300 MB, which is 75,000 small pages, and a
// processor caches the addresses of about two thousand.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

namespace lodestar {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
// Smaller arrays mostly fit into caches, and rounding up to whole pages would waste memory.
inline constexpr std::size_t kLargeArray = 2 * kHugePage;

// Aligned to cache lines. Returns null if there is no memory. Free it with std::free.
inline void* allocate_large(std::size_t bytes) {
  if (bytes < kLargeArray) return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  if (whole < bytes) return nullptr;
  void* const at = std::aligned_alloc(kHugePage, whole);
#ifdef MADV_HUGEPAGE
  // If the system ignores this advice, the memory has normal pages.
  if (at != nullptr) static_cast<void>(::madvise(at, whole, MADV_HUGEPAGE));
#endif
  return at;
}

// Asks for huge pages within memory that was allocated otherwise and not yet written to.
inline void prefer_huge_pages(void* begin, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t last = (address + bytes) / kHugePage * kHugePage;
  if (last <= first) return;
  static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#else
  static_cast<void>(begin), static_cast<void>(bytes);
#endif
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
