// An answered query as JSON and as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/search.h"

namespace lodestar::cli {

struct Answer {
  SearchResult found;
  SearchResult dijkstra;  // when asked to compare
  std::vector<NodeId> path;
};

struct AnswerOptions {
  bool paths = false;
  bool times = false;
  bool check = false;
  bool compare = false;
};

// Costs in seconds or metres; see cost_unit in itinerary.h.
inline void use_units(SearchResult& found, double divisor) {
  found.cost /= divisor;
  found.lower_bound /= divisor;
}

// Whole numbers without a point; infinity as null, and as "∞".
nlohmann::json number(double value);
std::string text(double value);

// Whole numbers must agree exactly. A scenario file prints few digits.
bool matches(Cost cost, Cost expected, bool scenario);

// What every answer says of its search; with times when asked for.
void add_found(nlohmann::ordered_json& out, const SearchResult& found, bool times);
nlohmann::ordered_json to_json(const GraphFile& file, const QueryLine& line, const Answer& answer,
                               const AnswerOptions& options, bool scenario);
void print_one(const GraphFile& file, const QueryLine& line, const Answer& answer,
               const AnswerOptions& options);
// Tab-separated, with a header.
void print_batch(const GraphFile& file, const QueryFile& queries,
                 const std::vector<Answer>& answers, const AnswerOptions& options);

}  // namespace lodestar::cli
