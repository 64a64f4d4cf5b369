// What clients are told when memory runs out. This program has an operator new that can be told to
// fail.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "sample_service.h"

namespace {

// Allocations of this thread above this size fail.
thread_local std::size_t largest = std::numeric_limits<std::size_t>::max();
// The allocation of this thread that fails, counted down; negative: none.
thread_local std::int64_t allocations_left = -1;

}  // namespace

// Not inlined: the compiler would find new and free() to be no pair. std::stable_sort takes the one
// that does not throw.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  const bool fails = allocations_left >= 0 && allocations_left-- == 0;
  return size <= largest && !fails ? std::malloc(size) : nullptr;
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const made = operator new(size, std::nothrow);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
[[gnu::noinline]] void operator delete(void* made) noexcept {
  std::free(made);
}
[[gnu::noinline]] void operator delete(void* made, std::size_t) noexcept {
  std::free(made);
}

namespace lodestar::server::out_of_memory_test {
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

// One allocation of a request fails, each in turn: the answer is the usual one or "overloaded", and
// the next request is answered as always. By default a sample of the allocations fails, all of them
// with LODESTAR_EVERY_FAILURE in the environment.
TEST(OutOfMemory, OfAnyAllocationHarmsOneRequestOnly) {
  ServiceOptions options = quiet_options();
  Service service(sample_roads(200), options);
  const bool every = std::getenv("LODESTAR_EVERY_FAILURE") != nullptr;
  const std::string ends = "9.52,47.12;9.58,47.18";
  std::int64_t tried = 0, refused = 0;
  const std::vector<std::string> targets = {
      "/route/v1/driving/" + ends + "?overview=full&steps=true",
      "/route/v1/driving/" + ends + "?alternatives=3",
      "/table/v1/driving/" + ends,
      "/nearest/v1/driving/9.52,47.12?number=3",
      "/route/v1/nodes/1;100",
      "/table/v1/nodes/1;2;x",
      "/viewer/graph",
      "/none"};
  for (const std::string& target : targets) {
    const Reply usual = get(service, target);
    get(service, target);
    allocations_left = std::numeric_limits<std::int64_t>::max();
    get(service, target);
    const std::int64_t all = std::numeric_limits<std::int64_t>::max() - allocations_left;
    for (std::int64_t n = 0; n < all; n += every ? 1 : (all + 49) / 50) {
      allocations_left = n;
      const Reply reply = get(service, target);
      allocations_left = -1;
      ++tried;
      if (reply.status == usual.status) continue;
      ++refused;
      ASSERT_EQ(reply.status, 503) << target << " at allocation " << n;
      ASSERT_EQ(json_of(reply)["code"], "Overloaded");
      ASSERT_EQ(get(service, target).status, usual.status) << target << " after allocation " << n;
    }
    allocations_left = -1;
  }
  EXPECT_GT(refused, tried / 2);
  if (every) std::printf("%lld allocations of requests failed\n", static_cast<long long>(tried));
}

}  // namespace
}  // namespace lodestar::server::out_of_memory_test
