// Memory of large arrays.
#include "base/huge_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace lodestar::huge_pages_test {
namespace {

TEST(HugePages, AllocatesAnySize) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{65}, kLargeArray - 1, kLargeArray,
                                  kLargeArray + 1, 3 * kHugePage}) {
    auto* const at = static_cast<char*>(allocate_large(bytes));
    ASSERT_NE(at, nullptr) << bytes;
    const std::size_t align = bytes < kLargeArray ? 64 : kHugePage;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % align, 0u) << bytes;
    at[0] = at[bytes - 1] = 1;
    prefer_huge_pages(at, bytes);
    EXPECT_EQ(at[0] + at[bytes - 1], 2) << bytes;
    std::free(at);
  }
#if !defined(__SANITIZE_ADDRESS__)       // it ends the program instead
  volatile std::size_t most = SIZE_MAX;  // the compiler would warn of a constant
  EXPECT_EQ(allocate_large(most), nullptr);
  EXPECT_EQ(allocate_large(most - kHugePage), nullptr);
#endif
}

}  // namespace
}  // namespace lodestar::huge_pages_test
