// What clients are told when memory runs out. This program has an operator new that can be told to
// fail.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <new>

#include "sample_service.h"

namespace {

// Allocations of this thread above this size fail.
thread_local std::size_t largest = std::numeric_limits<std::size_t>::max();

}  // namespace

// Not inlined: the compiler would find new and free() to be no pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const made = size <= largest ? std::malloc(size) : nullptr;
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
[[gnu::noinline]] void operator delete(void* made) noexcept {
  std::free(made);
}
[[gnu::noinline]] void operator delete(void* made, std::size_t) noexcept {
  std::free(made);
}

namespace lodestar::server {
namespace {

TEST(OutOfMemory, IsNotTheClientsFault) {
  Service service(sample_roads(2000), quiet_options());
  std::string table = "/table/v1/nodes/1";
  for (int i = 2; i < 100; ++i) table += ";" + std::to_string(i);
  for (const std::string& target : {std::string("/viewer/graph"), table}) {
    for (const std::size_t limit : {std::size_t{4000}, std::size_t{64}, std::size_t{0}}) {
      largest = limit;
      const Reply reply = get(service, target);
      largest = std::numeric_limits<std::size_t>::max();
      EXPECT_EQ(reply.status, 503) << target << " " << limit;
      EXPECT_EQ(reply.code, "Overloaded");
      EXPECT_EQ(json_of(reply)["code"], "Overloaded");
    }
    EXPECT_EQ(get(service, target).status, 200) << target;
  }
}

}  // namespace
}  // namespace lodestar::server
