// A graph file, or a folder of them: what a verb that takes either reads.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/types.h"

namespace lodestar::cli {

// The path itself when it is a file; otherwise every graph in the folder, by name. Text files
// whose name does not tell (.txt, .tsv: queries, notes) are left out there.
inline std::vector<std::string> graph_files(const std::string& path) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) throw Error(path + ": no such file or folder");
  if (!fs::is_directory(path)) return {path};
  constexpr std::array<std::string_view, 10> kExtensions{
      ".gr", ".stp", ".tw", ".graph", ".mtx", ".csv", ".cedge", ".graphml", ".map", ".lsg"};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    fs::path name = entry.path().filename();
    if (name.extension() == ".gz" || name.extension() == ".xz") name.replace_extension();
    const bool known =
        std::ranges::find(kExtensions, name.extension().string()) != kExtensions.end();
    if (entry.is_regular_file() && known) files.push_back(entry.path().string());
  }
  if (files.empty()) throw Error(path + ": no graphs in this folder");
  std::ranges::sort(files);
  return files;
}

}  // namespace lodestar::cli
