// The table of search algorithms: the name of each, the options it accepts and what it proves.
//
//   for (const AlgorithmRow& row : algorithms()) show(row.name, row.summary);
//   const AlgorithmRow* row = find_algorithm("focal");
//
// The program's --help, the language bindings, the server and the tests iterate over this table.
// src/router/algorithms.cpp defines it; a new algorithm is an engine and a row there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lodestar {

enum class HeuristicUse : std::uint8_t {
  kNone,        // does not use a heuristic
  kAny,         // accepts any heuristic, with or without guarantees
  kConsistent,  // accepts only consistent heuristics
};

// What is known about the cost of a path if the search was not cut short. Every result carries a
// lower bound as well.
enum class Proof : std::uint8_t {
  kOptimal,            // always optimal
  kWithinBound,        // at most (1 + bound) times the optimum
  kOptimalIfPromised,  // optimal if the heuristic is admissible
  kGap,                // known only up to the gap between cost and lower bound
};

struct AlgorithmRow {
  std::string_view name;
  std::string_view summary;  // a few words for help texts
  HeuristicUse heuristic;
  Proof proof;
  bool takes_bound;           // RouterOptions::bound
  bool takes_max_expansions;  // RouterOptions::max_expansions
  bool takes_model;           // accepts the heuristic "learned"
};

// Every algorithm, in a fixed order.
std::span<const AlgorithmRow> algorithms();

// Returns null if no algorithm has that name.
const AlgorithmRow* find_algorithm(std::string_view name);

// "dijkstra, astar, …", for help texts and errors.
std::string algorithm_names();

}  // namespace lodestar
