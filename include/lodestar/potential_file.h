// Potentials from a plain text file, so that anyone can have their own checked, and to files, so
// that anyone can check or use ours.
//
//   const std::vector<double> y = read_potentials("mine.txt", graph_file);
//
// One value per line, in the order of the graph's nodes; or a node and its value, the node as the
// graph's file calls it, in any order. Separated by blanks, tabs or commas; empty lines and lines
// that begin with # do not count. Every node needs exactly one finite value.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph_io.h"

namespace lodestar {

// Throw Error with file and line on anything else.
std::vector<double> read_potentials(const std::string& path, const GraphFile& graph);
std::vector<double> parse_potentials(std::string_view text, const std::string& name,
                                     const GraphFile& graph);

// y: [queries × n]. Text: a line for each node, its name and its potentials, separated by tabs; of
// one query, read_potentials reads it back to the same bits. Numpy: an .npy file, doubles
// [queries × n].
std::string potentials_text(std::span<const double> y, const GraphFile& graph);
std::string potentials_npy(std::span<const double> y, const GraphFile& graph);

}  // namespace lodestar
