// The formats that can hold a graph.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lodestar/graph_formats.h"
#include "scratch_folder.h"

namespace lodestar::testing {

// Their first extensions. Some formats hold grids or trees only.
inline std::vector<std::string> written_formats(const GraphFile& file) {
  const ScratchFolder folder;
  std::vector<std::string> found;
  for (const GraphFormat& format : graph_formats()) {
    if (format.write == nullptr) continue;
    const std::string extension(format.extensions.substr(0, format.extensions.find(' ')));
    try {
      write_graph(file, folder / ("g" + extension));
      found.push_back(extension);
    } catch (const Error&) {
    }
  }
  return found;
}

}  // namespace lodestar::testing
