// Graphs and queries from files and to files, format by extension, .gz and .xz transparent.
//
//   GraphFile file = read_graph("roads.gr.xz");
//   const NodeId s = file.names.find("17");           // ids as the file writes them
//   write_graph(file, "roads.lsg");                   // own binary format, opens at once
//
// graph_formats.h has the table of formats: DIMACS, PACE, SteinLib, METIS, Matrix Market, edge
// lists, .cedge, GraphML, MovingAI maps and .lsg, Lodestar's binary format.
//
// Every reader throws Error with file and line for: negative, NaN or infinite weights, ids out
// of range, truncated or lying headers, overlong lines, wrong counts. docs/design/FORMATS.md says
// what each format keeps and where the limits are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/shape.h"

namespace lodestar {

// What the file calls its nodes. Three ways: consecutive numbers from a base; cells of a grid,
// written "x,y"; anything else, kept as text.
class NodeNames {
 public:
  NodeNames() = default;  // 0 … without end
  static NodeNames numbered(std::uint64_t base, NodeId count);
  // cells: y * width + x, ascending. Rows below the last cell count when height says so.
  static NodeNames cells(std::uint32_t width, std::vector<std::uint32_t> cells,
                         std::uint32_t height = 0);
  // By NodeId. Throws Error when two are equal.
  static NodeNames table(const std::vector<std::string>& names);

  enum class Kind : std::uint8_t { kNumbered, kCells, kTable };
  Kind kind() const { return kind_; }
  std::uint64_t base() const { return base_; }
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  const std::vector<std::uint32_t>& cells() const { return cells_; }

  std::string name(NodeId v) const;
  NodeId find(std::string_view name) const;  // kNoNode when there is none
  NodeId find_cell(std::uint64_t x, std::uint64_t y) const;

  // A table as stored: all names in one text, where each begins, and the nodes by name.
  struct Table {
    std::string text;
    std::vector<std::uint64_t> first;  // [n + 1]
    std::vector<NodeId> by_name;       // [n]
    std::string_view name(NodeId v) const {
      return std::string_view(text).substr(first[v], first[v + 1] - first[v]);
    }
  };
  const Table& table() const { return table_; }
  // The caller has checked that `first` ascends within text and by_name is strictly ascending.
  static NodeNames adopt(Table table);

 private:
  Kind kind_ = Kind::kNumbered;
  std::uint64_t base_ = 0;
  NodeId count_ = kNoNode;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  std::vector<std::uint32_t> cells_;
  Table table_;
};

struct GraphFile {
  Graph graph;
  NodeNames names;
  std::string format;              // "DIMACS", "METIS", …
  std::vector<std::string> notes;  // what reading decided: "no weights; each is 1"
  Shape shape = {};                // lines, streets and ids of roads; empty for most graphs
};

// What a format cannot obey is refused, never passed over.
struct ReadOptions {
  // The extension to read the file by ("csv", "gr.xz"); empty: its own.
  std::string format = {};
  // MovingAI maps.
  bool unit_diagonals = false;  // diagonal moves cost 1 instead of √2
  bool corner_cutting = false;  // diagonals are free to pass blocked cells; otherwise both
                                // orthogonal cells must be passable
  // Diagonal moves cost 92682/65536, a millionth more than √2: sums are exact, so paths that cost
  // the same are equal to the last bit and a search can break ties (docs/design/FORMATS.md).
  bool exact_diagonals = false;
  // Every arc leads both ways: the twin of each arc that has none is added.
  bool undirected = false;
  // The column or key that holds the weight (edge lists with a header, GraphML); empty: the
  // first known name, see docs/design/FORMATS.md. "none": every arc costs 1.
  std::string weight = {};
  // A DIMACS .co or a .cnode file; empty: the one beside the graph, if any.
  std::string coordinates = {};
  // OpenStreetMap extracts (osm.h). There `weight` is "time", the default, or "length".
  std::string profile = {};  // car (the default), bicycle, foot, or a file with rules
  bool turns = false;        // honour turn restrictions: the graph's nodes are road arcs
  bool all = false;          // keep more than the largest strong component
  unsigned threads = 0;      // 0: as many as there are processors; results do not depend on it
  // .lsg files: use the file where it lies, so that processes share one copy. Whoever changes it in
  // place, instead of replacing it as write_graph does, ends this process. Files that others may
  // write are read all the same (docs/design/FORMATS.md).
  bool map = false;
  std::function<void(double share)> progress = {};  // called now and then, on this thread
};

// "-" is standard input; options.format must then name the format.
GraphFile read_graph(const std::string& path, const ReadOptions& options = {});
// From memory, for tests and fuzzers; `name` decides the format and appears in errors.
GraphFile parse_graph(std::string_view text, const std::string& name,
                      const ReadOptions& options = {});

// Written to a temporary file beside it, then renamed: never half a file. Returns what the
// format could not hold ("node names; nodes are numbered from 1"); throws Error when it could
// only write another graph (one-way arcs in a format of undirected edges). "-" is standard output;
// `format` is then the extension to write by.
std::vector<std::string> write_graph(const GraphFile& file, const std::string& path,
                                     const std::string& format = {});

struct QueryLine {
  Query query;
  std::optional<Cost> expected;  // infinite: the file says there is no path
};
struct QueryFile {
  std::vector<QueryLine> lines;
  bool scenario = false;  // MovingAI .scen: expected costs are printed with few digits
  std::vector<std::string> skipped = {};  // "today.tsv:3: the graph has no node 'x'"
};
enum class UnknownNodes {
  kRefuse,  // Error
  kSkip     // the line goes to QueryFile::skipped
};
// TSV (s, t, optional expected cost, further columns ignored, # comments; ids as in the graph's
// file) or .scen, where a length of 0 between two cells says that there is no path.
// "-" is standard input.
QueryFile read_queries(const std::string& path, const GraphFile& graph,
                       UnknownNodes unknown = UnknownNodes::kRefuse);
QueryFile parse_queries(std::string_view text, const std::string& name, const GraphFile& graph,
                        UnknownNodes unknown = UnknownNodes::kRefuse);

}  // namespace lodestar
