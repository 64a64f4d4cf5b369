// What `info` and `index` say about a graph, an index, potentials or a model: as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/index_estimate.h"

namespace lodestar::cli {

// An index (.lsi).
nlohmann::ordered_json index_facts(const IndexFacts& facts);
std::string describe_index(const IndexFacts& facts);

// Estimates of memory and build time: one line per kind of index, each after `indent`.
nlohmann::ordered_json estimate_facts(const IndexCosts& estimate);
std::string describe_estimate(const IndexCosts& estimate, NodeId nodes, const std::string& indent);

// Sample queries with an index and without.
nlohmann::ordered_json query_times_facts(const QueryTimes& times);
std::string describe_query_times(const QueryTimes& times);
// What a user should know of an index that does not help.
std::vector<std::string> index_notes(const IndexFacts& facts, const QueryTimes& times);

// Metrics, classes and limits of a graph: label and text of each line; nothing without metrics.
std::vector<std::pair<const char*, std::string>> metric_lines(const GraphFile& file);
// Adds "metrics", "classes" and "limits" to the facts of a graph.
void add_metric_facts(const GraphFile& file, nlohmann::ordered_json& facts);

// Potentials (.lsp). Throws Error if the file is not valid.
nlohmann::ordered_json potentials_facts(const std::string& path);
std::string describe_potentials(const std::string& path);

// True for what load_model takes and no graph reader does: .safetensors, or an embedded name.
bool names_model(const std::string& name_or_path);
// A trained model, a file or an embedded one. Throws Error if the file is not a valid model.
nlohmann::ordered_json model_facts(const std::string& name_or_path);
std::string describe_model(const std::string& name_or_path);

}  // namespace lodestar::cli
