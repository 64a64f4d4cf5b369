// Metrics, classes and limits of a graph, for `info`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lodestar/graph_io.h"

namespace lodestar::cli {

// Label and text of each line; none if the graph has no metrics.
std::vector<std::pair<const char*, std::string>> metric_lines(const GraphFile& file);
// Adds "metrics", "classes" and "limits" to the facts of a graph; nothing if it has no metrics.
void add_metric_facts(const GraphFile& file, nlohmann::ordered_json& facts);

}  // namespace lodestar::cli
