// An answered query as JSON and as text.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
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
const char* no_path_text(const SearchResult& found);
// The line of expansions, and with times that of seconds.
void print_effort(const SearchResult& found, bool times);
// The summary of --check; returns the exit code.
int print_check(std::size_t checked, std::size_t wrong);
void print_one(const GraphFile& file, const QueryLine& line, const Answer& answer,
               const AnswerOptions& options);
// Tab-separated, with a header.
void print_batch(const GraphFile& file, const QueryFile& queries,
                 const std::vector<Answer>& answers, const AnswerOptions& options);

// An answer beside Dijkstra's: what the heuristic saved, and whether it was worth its time.
// Dijkstra on the same queries, timed, on one thread.
std::vector<SearchResult> run_dijkstra(const Graph& graph, std::span<const Query> queries);

// What one expansion would have to cost for the heuristic to pay: its time (closure included)
// divided by the expansions it saved against Dijkstra. Dearer expansions make it pay, cheaper ones
// do not. Infinite when it saved none, 0 when it took no time.
double break_even_seconds(std::span<const SearchResult> found,
                          std::span<const SearchResult> dijkstra);

// A few human-readable lines: expansions, time in parts, speed-up, break-even.
std::string comparison_text(std::span<const SearchResult> found,
                            std::span<const SearchResult> dijkstra);

}  // namespace lodestar::cli
