// Runs the tests of a program, or those of one source:
//
//   search_tests heap_test
//
// A folder's tests are one program, because that compiles in a third of the time. ctest still runs
// each source by itself.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

// A filter of GoogleTest with all tests of this source; empty if there is none.
std::string tests_of(std::string_view source) {
  const std::string file = "/" + std::string(source) + ".cpp";
  std::string filter;
  const auto& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (!std::string_view(test.file()).ends_with(file)) continue;
      if (!filter.empty()) filter += ':';
      filter += suite.name();
      filter += '.';
      filter += test.name();
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 2) {
    std::fprintf(stderr, "usage: %s [SOURCE] [options of GoogleTest]\n", argv[0]);
    return 2;
  }
  if (argc == 2 && testing::GTEST_FLAG(filter) == "*") {
    testing::GTEST_FLAG(filter) = tests_of(argv[1]);
    if (testing::GTEST_FLAG(filter).empty()) {
      std::fprintf(stderr, "%s: no tests in %s.cpp\n", argv[0], argv[1]);
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
