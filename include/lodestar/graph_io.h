// Reads and writes graphs and queries. The extension selects the format; .gz and .xz are unpacked.
//
//   GraphFile file = read_graph("roads.gr.xz");
//   const NodeId s = file.names.find("17");           // ids as in the file
//   write_graph(file, "roads.lsg");                   // binary format that opens at once
//
// graph_formats.h has the table of formats: DIMACS, PACE, SteinLib, METIS, Matrix Market, edge
// lists, .cedge, GraphML, MovingAI maps and .lsg, Lodestar's binary format.
//
// All readers throw Error with file and line for negative, NaN or infinite weights, ids out of
// range, truncated files, wrong counts and overlong lines. docs/design/FORMATS.md says what each
// format stores and lists the limits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/metrics.h"
#include "lodestar/shape.h"

namespace lodestar {

// The names of nodes in the file: consecutive numbers from a base, cells of a grid written "x,y",
// or any text.
class NodeNames {
 public:
  NodeNames() = default;  // all numbers from 0
  static NodeNames numbered(std::uint64_t base, NodeId count);
  // cells: y * width + x, ascending. A height of 0 means that the last cell is in the last row.
  static NodeNames cells(std::uint32_t width, std::vector<std::uint32_t> cells,
                         std::uint32_t height = 0);
  // names[v] is the name of node v. Throws Error if two names are equal.
  static NodeNames table(const std::vector<std::string>& names);

  enum class Kind : std::uint8_t { kNumbered, kCells, kTable };
  Kind kind() const { return kind_; }
  std::uint64_t base() const { return base_; }
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  const std::vector<std::uint32_t>& cells() const { return cells_; }

  std::string name(NodeId v) const;
  NodeId find(std::string_view name) const;  // kNoNode if there is none
  NodeId find_cell(std::uint64_t x, std::uint64_t y) const;

  // The stored form of a table: all names in one text, their offsets, and the nodes sorted by name.
  struct Table {
    std::string text;
    std::vector<std::uint64_t> first;  // [n + 1]
    std::vector<NodeId> by_name;       // [n]
    std::string_view name(NodeId v) const {
      return std::string_view(text).substr(first[v], first[v + 1] - first[v]);
    }
  };
  const Table& table() const { return table_; }
  // The caller must have checked that `first` ascends within text and names ascend along by_name.
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
  std::vector<std::string> notes;  // remarks of the reader: "no weights; each is 1"
  Shape shape = {};                // lines, streets and ids of roads; empty for most graphs
  Metrics metrics = {};            // further weights, classes and limits of arcs; often empty
};

// An option that a format does not support is an Error.
struct ReadOptions {
  // The extension that selects the format ("csv", "gr.xz"). Default: that of the file.
  std::string format = {};
  // MovingAI maps.
  bool unit_diagonals = false;  // diagonal moves cost 1 instead of √2
  bool corner_cutting = false;  // diagonal moves may pass blocked cells; otherwise both orthogonal
                                // cells must be free
  // Diagonal moves cost 92682/65536, a millionth more than √2. Sums are then exact, so paths of
  // equal cost compare equal and a search can break ties (docs/design/FORMATS.md).
  bool exact_diagonals = false;
  // Adds the reverse of each arc that has none.
  bool undirected = false;
  // The column or key of the weight (edge lists with a header, GraphML). Default: the first known
  // name, see docs/design/FORMATS.md. "none": every arc costs 1.
  std::string weight = {};
  // The metrics to keep beside the weight: columns or keys (edge lists with a header, GraphML; by
  // default none), or stored metrics (.lsg, OpenStreetMap; by default all). A column or key named
  // "class" becomes the classes of arcs without being listed.
  std::vector<std::string> metrics = {};
  // A DIMACS .co or a .cnode file. Default: the one beside the graph, if any.
  std::string coordinates = {};
  // OpenStreetMap extracts (osm.h), where `weight` is "time" (the default) or "length".
  std::string profile = {};  // car (the default), bicycle, foot, or a file with rules
  bool turns = false;        // respect turn restrictions: nodes of the graph are road arcs
  bool all = false;          // keep more than the largest strong component
  unsigned threads = 0;      // 0: all cores; results do not depend on it
  // Memory-maps .lsg files, so that processes share one copy. Changing such a file in place crashes
  // this process; write_graph replaces files and is safe. Files that other users may write are read
  // instead (docs/design/FORMATS.md).
  bool map = false;
  std::function<void(double share)> progress = {};  // called repeatedly on this thread
};

// "-" is standard input and requires options.format.
GraphFile read_graph(const std::string& path, const ReadOptions& options = {});
// Reads from memory; `name` selects the format and appears in errors.
GraphFile parse_graph(std::string_view text, const std::string& name,
                      const ReadOptions& options = {});

// Writes atomically (atomic_file.h). Returns what the format could not store ("node names; nodes
// are numbered from 1"). Throws Error if the format cannot store the graph itself, for example
// one-way arcs in a format for undirected edges. "-" is standard output and requires `format`, an
// extension.
std::vector<std::string> write_graph(const GraphFile& file, const std::string& path,
                                     const std::string& format = {});

struct QueryLine {
  Query query;
  std::optional<Cost> expected;  // infinite if the file says that there is no path
};
struct QueryFile {
  std::vector<QueryLine> lines;
  bool scenario = false;                  // MovingAI .scen: expected costs are rounded
  std::vector<std::string> skipped = {};  // "today.tsv:3: the graph has no node 'x'"
};
enum class UnknownNodes {
  kRefuse,  // Error
  kSkip     // the line goes to QueryFile::skipped
};
// Reads TSV or .scen files. TSV lines hold source, target and optionally the expected cost; further
// columns and # comments are ignored, and ids are those of the graph's file. In .scen files a
// length of 0 between two cells means that there is no path. "-" is standard input.
QueryFile read_queries(const std::string& path, const GraphFile& graph,
                       UnknownNodes unknown = UnknownNodes::kRefuse);
QueryFile parse_queries(std::string_view text, const std::string& name, const GraphFile& graph,
                        UnknownNodes unknown = UnknownNodes::kRefuse);

}  // namespace lodestar
