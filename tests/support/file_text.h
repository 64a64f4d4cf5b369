// All of a text file, which must be there.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lodestar::testing {

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  EXPECT_TRUE(in) << path;
  return out.str();
}

}  // namespace lodestar::testing
