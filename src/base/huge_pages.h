// Memory for large arrays that are read at random places: on huge pages where the system gives
// them to those who ask. An address then costs one look-up less deep, and often none: labels of a
// million nodes are 300 MB, 75,000 small pages, of which a processor remembers two thousand.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace lodestar {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
// Below this the caches hold most of it anyway, and half a page lost at the end would show.
inline constexpr std::size_t kLargeArray = 2 * kHugePage;

// To be freed with std::free; null when there is none.
inline void* allocate_large(std::size_t bytes) {
  if (bytes < kLargeArray) return std::malloc(bytes);
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  if (whole < bytes) return nullptr;
  void* const at = std::aligned_alloc(kHugePage, whole);
#ifdef MADV_HUGEPAGE
  // Advice only: where it is refused the memory is as good as any.
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
