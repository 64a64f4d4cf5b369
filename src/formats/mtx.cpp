// Matrix Market: `%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric`, then
// `ROWS COLUMNS ENTRIES` and `ROW COLUMN [VALUE]`. An entry is the arc row -> column.

#include "formats/edges.h"
#include "formats/format.h"

namespace lodestar::formats {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return out;
}

struct Banner {
  bool pattern = false;
  bool symmetric = false;
};

Banner read_banner(Lines& lines) {
  if (!lines.next()) lines.fail("the file is empty; `%%MatrixMarket matrix coordinate …` expected");
  Fields fields(lines);
  if (lower(fields.next()) != "%%matrixmarket" || lower(fields.next()) != "matrix") {
    lines.fail("`%%MatrixMarket matrix coordinate …` expected");
  }
  const std::string layout = lower(fields.next());
  const std::string field = lower(fields.next());
  const std::string symmetry = lower(fields.next());
  fields.finish();
  if (layout != "coordinate") {
    lines.fail("layout " + quoted(layout) + " is not supported; use `coordinate`");
  }
  if (field != "real" && field != "integer" && field != "pattern") {
    lines.fail("field " + quoted(field) + " is not supported; use real, integer or pattern");
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    lines.fail("symmetry " + quoted(symmetry) + " is not supported; use general or symmetric");
  }
  return {field == "pattern", symmetry == "symmetric"};
}

}  // namespace

GraphFile read_matrix_market(const Input& input) {
  Lines lines(input.text(), input.name);
  const Banner banner = read_banner(lines);
  if (!lines.next_content("%")) lines.fail("`ROWS COLUMNS ENTRIES` expected");
  Fields size(lines);
  const std::uint64_t rows = size.integer("the number of rows");
  const std::uint64_t columns = size.integer("the number of columns");
  const std::uint64_t announced = size.integer("the number of entries");
  size.finish();
  if (rows != columns) {
    lines.fail("the matrix is " + std::to_string(rows) + " × " + std::to_string(columns) +
               "; it must be square");
  }
  const NodeId nodes = checked_node_count(rows, lines);
  check_announced(announced, banner.pattern ? 4 : 6, "entries", lines);  // "1 1 0\n"

  GraphBuilder builder(nodes);
  builder.reserve(announced * (banner.symmetric ? 2 : 1));
  std::uint64_t entries = 0;
  while (lines.next_content("%")) {
    Fields fields(lines);
    const NodeId row = fields.node(1, nodes);
    const NodeId column = fields.node(1, nodes);
    const Weight weight = banner.pattern ? 1 : fields.weight();
    fields.finish();
    if (banner.symmetric && row < column) {
      lines.fail("the entry is above the diagonal; a symmetric matrix lists only entries below it");
    }
    if (++entries > announced) {
      lines.fail("more entries than the " + std::to_string(announced) + " announced");
    }
    builder.add(row, column, weight, banner.symmetric);
  }
  if (entries != announced) {
    lines.fail("the file ends after " + std::to_string(entries) + " entries; " +
               std::to_string(announced) + " are announced");
  }
  GraphFile file{builder.build(), NodeNames::numbered(1, nodes), "Matrix Market", {}};
  if (banner.pattern) file.notes.push_back("no weights; each is 1");
  return file;
}

Omissions write_matrix_market(const GraphFile& file, const Destination& to) {
  const Graph& graph = file.graph;
  const bool symmetric = graph.symmetric();
  TextWriter out(to.path, to.kind);
  out.put("%%MatrixMarket matrix coordinate real ").put(symmetric ? "symmetric\n" : "general\n");
  out.put(graph.node_count()).put(' ').put(graph.node_count()).put(' ');
  out.put(symmetric ? edge_count(graph) : graph.arc_count()).put('\n');
  const auto put_entry = [&](NodeId row, NodeId column, Weight weight) {
    out.put(std::uint64_t{row} + 1).put(' ').put(std::uint64_t{column} + 1).put(' ').put(weight);
    out.put('\n');
  };
  if (symmetric) {
    for_each_edge(graph, [&](NodeId u, NodeId v, Weight weight) { put_entry(v, u, weight); });
  } else {
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) put_entry(u, arc.head, arc.weight);
    }
  }
  out.commit();
  return losses_of_plain_numbers(file, 1);
}

}  // namespace lodestar::formats
