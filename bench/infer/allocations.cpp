// Replaces operator new to count its calls. A file of its own, so that nothing is inlined.
#include "allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::uint64_t> count{0};
}  // namespace

std::uint64_t lodestar::bench::allocations() {
  return count;
}

void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t align) {
  ++count;
  const auto to = static_cast<std::size_t>(align);
  if (void* memory = std::aligned_alloc(to, (size + to - 1) / to * to)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
