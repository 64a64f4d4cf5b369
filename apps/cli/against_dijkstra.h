// An answer beside Dijkstra's: what the heuristic saved, and whether it was worth its time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lodestar/search.h"

namespace lodestar::cli {

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
