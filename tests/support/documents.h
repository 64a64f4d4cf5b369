// The documents of the project, and pieces of them.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "file_text.h"
#include "run_program.h"

namespace lodestar::testing {

inline const std::filesystem::path kRoot = LODESTAR_SOURCE_DIR;

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Paths from the root, tracked by git: folders of builds are no part of the project.
inline std::vector<std::string> tracked_files(const std::string& pattern = "") {
  const std::string where = pattern.empty() ? "" : " -- '" + pattern + "'";
  return lines_of(run_command("git -C '" + kRoot.string() + "' ls-files" + where).out);
}

// Everything written for users of this version; CHANGELOG.md also speaks of earlier ones.
inline std::vector<std::filesystem::path> all_documents() {
  std::vector<std::filesystem::path> documents = {kRoot / "README.md", kRoot / "CONTRIBUTING.md",
                                                  kRoot / "SECURITY.md",
                                                  kRoot / "tools/packaging/README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  }
  return documents;
}

// The lines of the first fenced block after `mark`; none if there is no such block.
inline std::vector<std::string> block_after(const std::string& text, const std::string& mark) {
  const std::size_t from = text.find(mark);
  const std::size_t open = from == std::string::npos ? from : text.find("```", from);
  if (open == std::string::npos) return {};
  const std::size_t begin = text.find('\n', open) + 1;
  return lines_of(text.substr(begin, text.find("```", begin) - begin));
}

}  // namespace lodestar::testing
