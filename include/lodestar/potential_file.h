// Reads potentials from text files, for example to certify them, and writes them as text or .npy.
//
//   const std::vector<double> y = read_potentials("mine.txt", graph_file);
//
// A line holds either one value, in the order of the graph's nodes, or a node and its value, in any
// order; nodes have the names of the graph's file. Fields are separated by blanks, tabs or commas.
// Empty lines and lines that begin with # are ignored. Every node needs exactly one finite value.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph_io.h"

namespace lodestar {

// Both throw Error with file and line if the text is malformed.
std::vector<double> read_potentials(const std::string& path, const GraphFile& graph);
std::vector<double> parse_potentials(std::string_view text, const std::string& name,
                                     const GraphFile& graph);

// y: [queries × n]. The text has one line per node with its name and its potentials, separated by
// tabs; for one query, read_potentials restores the same bits. The .npy file holds doubles
// [queries × n].
std::string potentials_text(std::span<const double> y, const GraphFile& graph);
std::string potentials_npy(std::span<const double> y, const GraphFile& graph);

}  // namespace lodestar
