// Graphs and queries from files and to files, format by extension, .gz and .xz transparent.
//
//   GraphFile file = read_graph("roads.gr.xz");
//   const NodeId s = file.names.find("17");           // ids as the file writes them
//   write_graph(file, "roads.lsg");                    // own binary format, opens by mmap
//
// | extension            | format                                                      |
// | .gr                  | DIMACS-9 (`p sp`), PACE (`p tw`), SteinLib (`SECTION Graph`), by content
// | | .co beside a .gr     | DIMACS coordinates, taken along when the file is there      | | .graph
// | METIS                                                       | | .mtx                 | Matrix
// Market coordinate                                    | | .csv .tsv            | edge list, with
// or without a header line                    | | .cedge (+ .cnode)    | edge id, u, v, length;
// node id, x, y                        | | .graphml             | as OSMnx writes it | | .map |
// MovingAI grid                                               | | .lsg                 | Lodestar's
// binary format, loaded by mmap                    |
//
// Every reader throws Error with file and line for: negative, NaN or infinite weights, ids out
// of range, truncated or lying headers, overlong lines, wrong counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lodestar/graph.h"

namespace lodestar {

// What the file calls its nodes. Three ways: consecutive numbers from a base; cells of a grid,
// written "x,y"; anything else, kept as text.
class NodeNames {
 public:
  NodeNames() = default;  // 0 … n-1
  static NodeNames numbered(std::uint64_t base, NodeId count);
  static NodeNames cells(std::uint32_t width, std::vector<std::uint32_t> cells);  // ascending
  static NodeNames table(std::vector<std::string> names);

  enum class Kind : std::uint8_t { kNumbered, kCells, kTable };
  Kind kind() const { return kind_; }
  std::uint64_t base() const { return base_; }
  std::uint32_t width() const { return width_; }
  const std::vector<std::uint32_t>& cells() const { return cells_; }

  std::string name(NodeId v) const;
  NodeId find(std::string_view name) const;  // kNoNode when there is none

 private:
  Kind kind_ = Kind::kNumbered;
  std::uint64_t base_ = 0;
  NodeId count_ = kNoNode;
  std::uint32_t width_ = 0;
  std::vector<std::uint32_t> cells_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, NodeId> index_;
};

struct GraphFile {
  Graph graph;
  NodeNames names;
  std::string format;              // "DIMACS", "METIS", …
  std::vector<std::string> notes;  // what was odd: "448 self-loops", "weights missing, 1 taken"
};

struct ReadOptions {
  // MovingAI maps.
  bool unit_diagonals = false;  // diagonal moves cost 1 instead of √2
  bool corner_cutting = false;  // a diagonal needs one free orthogonal cell at least… none checked
  // Edge lists: are they undirected? METIS, PACE, SteinLib, .cedge, .map always are.
  bool undirected = false;
};

GraphFile read_graph(const std::string& path, const ReadOptions& options = {});
// From memory, for tests and fuzzers; `name` decides the format and appears in errors.
GraphFile parse_graph(std::string_view text, const std::string& name,
                      const ReadOptions& options = {});

// Written to a temporary file beside it, then renamed: never half a file.
void write_graph(const GraphFile& file, const std::string& path);

struct QueryLine {
  Query query;
  std::optional<Cost> expected;  // infinite: the file says there is no path
};
struct QueryFile {
  std::vector<QueryLine> lines;
  bool scenario = false;  // MovingAI .scen: expected costs are printed with few digits
};
// TSV (s, t, optional expected cost, # comments; ids as in the graph's file) or .scen.
QueryFile read_queries(const std::string& path, const GraphFile& graph);
QueryFile parse_queries(std::string_view text, const std::string& name, const GraphFile& graph);

}  // namespace lodestar
