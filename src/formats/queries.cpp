// Reads queries from TSV and MovingAI .scen files.

#include "formats/bytes.h"
#include "formats/scanner.h"
#include "lodestar/graph_io.h"

namespace lodestar {
namespace {

using formats::Fields;
using formats::Lines;
using formats::quoted;

// Fields between tabs if there is a tab (names may hold blanks), otherwise between blanks.
std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  const bool tabs = line.find('\t') != std::string_view::npos;
  const std::string_view separators = tabs ? "\t" : " ";
  std::size_t at = 0;
  while (at <= line.size()) {
    const std::size_t stop = std::min(line.find_first_of(separators, at), line.size());
    if (tabs || stop > at) fields.push_back(line.substr(at, stop - at));
    at = stop + 1;
  }
  return fields;
}

bool is_header(const std::vector<std::string_view>& fields) {
  const std::string_view s = fields[0];
  const std::string_view t = fields[1];
  return (s == "s" && t == "t") || (s == "source" && t == "target") || (s == "from" && t == "to");
}

Cost parse_cost(std::string_view field, const Lines& lines) {
  for (const std::string_view none : {"inf", "infinity", "-", "none", "unreachable"}) {
    if (field == none) return kInfinity;
  }
  const double cost = formats::parse_number(field, lines, "a cost");
  if (cost < 0) lines.fail("cost " + std::string(field) + " is negative");
  return cost;
}

struct UnknownNode : Error {
  UnknownNode(const Lines& lines, const std::string& message)
      : Error(Error::at(lines.file(), lines.number(), message)) {}
};

// Adds the result of `read_line`; skips lines with unknown nodes if that is allowed.
template <class ReadLine>
void add_line(QueryFile& out, UnknownNodes unknown, ReadLine&& read_line) {
  try {
    out.lines.push_back(read_line());
  } catch (const UnknownNode& error) {
    if (unknown == UnknownNodes::kRefuse) throw;
    out.skipped.push_back(error.what());
  }
}

NodeId find_node(std::string_view name, const GraphFile& graph, const Lines& lines) {
  const NodeId v = graph.names.find(name);
  if (v >= graph.graph.node_count()) {
    throw UnknownNode(lines, "the graph has no node " + quoted(name));
  }
  return v;
}

QueryFile parse_tsv(std::string_view text, const std::string& name, const GraphFile& graph,
                    UnknownNodes unknown) {
  QueryFile out;
  Lines lines(text, name);
  bool first = true;
  while (lines.next_content("#")) {
    const auto fields = split(lines.line());
    if (fields.size() < 2) lines.fail("`SOURCE TARGET [COST]` expected");
    // A node may be called "s"; the line is then not a header.
    const bool header = first && is_header(fields) && graph.names.find(fields[0]) == kNoNode;
    first = false;
    if (header) continue;
    add_line(out, unknown, [&] {
      QueryLine line;
      if (fields.size() > 2 && !fields[2].empty()) line.expected = parse_cost(fields[2], lines);
      line.query = {find_node(fields[0], graph, lines), find_node(fields[1], graph, lines)};
      return line;
    });
  }
  return out;
}

NodeId find_cell(std::string_view column, std::string_view row, const GraphFile& graph,
                 const Lines& lines) {
  const std::uint64_t x = Fields(lines, column).integer("a column");
  const std::uint64_t y = Fields(lines, row).integer("a row");
  const NodeId v = graph.names.find_cell(x, y);
  if (v >= graph.graph.node_count()) {
    throw UnknownNode(lines, "cell " + std::to_string(x) + "," + std::to_string(y) +
                                 " is blocked or outside the map");
  }
  return v;
}

// bucket, map, width, height, start x, y, goal x, y, length. The map's name may contain blanks,
// so fields are counted from the end of the line.
QueryFile parse_scenario(std::string_view text, const std::string& name, const GraphFile& graph,
                         UnknownNodes unknown) {
  QueryFile out;
  out.scenario = true;
  Lines lines(text, name);
  if (graph.names.kind() != NodeNames::Kind::kCells) {
    throw Error(name + ": scenarios require a grid; give the .map file they belong to");
  }
  if (!lines.next() || Fields(lines).next() != "version") lines.fail("`version 1` expected");
  while (lines.next_content("")) {
    std::string_view line = lines.line();
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    const auto fields = split(line);
    const std::size_t n = fields.size();
    if (n < 9) lines.fail("nine fields expected, found " + std::to_string(n));
    const std::uint64_t width = Fields(lines, fields[n - 7]).integer("the map's width");
    const std::uint64_t height = Fields(lines, fields[n - 6]).integer("the map's height");
    if (width != graph.names.width() || height != graph.names.height()) {
      lines.fail("the scenario is for a map of " + std::to_string(width) + " × " +
                 std::to_string(height) + " cells, but this map has " +
                 std::to_string(graph.names.width()) + " × " +
                 std::to_string(graph.names.height()));
    }
    add_line(out, unknown, [&] {
      QueryLine entry;
      const Cost length = parse_cost(fields[n - 1], lines);
      entry.query.source = find_cell(fields[n - 5], fields[n - 4], graph, lines);
      entry.query.target = find_cell(fields[n - 3], fields[n - 2], graph, lines);
      const bool apart = entry.query.source != entry.query.target;
      entry.expected = apart && length == 0 ? kInfinity : length;
      return entry;
    });
  }
  return out;
}

}  // namespace

QueryFile parse_queries(std::string_view text, const std::string& name, const GraphFile& graph,
                        UnknownNodes unknown) {
  const bool scenario = formats::without_compression(name).ends_with(".scen");
  return scenario ? parse_scenario(text, name, graph, unknown)
                  : parse_tsv(text, name, graph, unknown);
}

QueryFile read_queries(const std::string& path, const GraphFile& graph, UnknownNodes unknown) {
  const formats::Bytes bytes = formats::load_bytes(path);
  return parse_queries(bytes.text(), path == "-" ? "stdin" : path, graph, unknown);
}

}  // namespace lodestar
