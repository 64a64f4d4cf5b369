// MovingAI grid maps: `type octile`, `height H`, `width W`, `map`, then H rows of W cells.
// The cells `.`, `G` and `S` are passable and have up to eight neighbours.
#include <numbers>

#include "formats/format.h"

namespace lodestar::formats {
namespace {

bool is_passable(char cell) {
  return cell == '.' || cell == 'G' || cell == 'S';
}
bool is_terrain(char cell) {
  return is_passable(cell) || std::string_view("@OTW").find(cell) < 4;
}

// Reads a line such as `height 512`.
std::uint32_t dimension(Lines& lines, std::string_view word) {
  if (!lines.next()) lines.fail("the file ends where `" + std::string(word) + " N` is expected");
  Fields fields(lines);
  if (fields.next() != word) lines.fail("`" + std::string(word) + " N` expected");
  const std::uint64_t value = fields.integer(word == "width" ? "the width" : "the height");
  fields.finish();
  check_announced(value, 1, word == "width" ? "columns" : "rows", lines);
  if (value >= kNoNode) lines.fail("the grid is too large");
  return static_cast<std::uint32_t>(value);
}

}  // namespace

GraphFile grid_graph(std::uint32_t width, std::uint32_t height, const std::vector<bool>& passable,
                     const ReadOptions& options) {
  const std::size_t size = std::size_t{width} * height;
  std::vector<NodeId> node(size, kNoNode);
  std::vector<std::uint32_t> cells;
  std::vector<Point> points;
  for (std::size_t c = 0; c < size; ++c) {
    if (!passable[c]) continue;
    node[c] = static_cast<NodeId>(cells.size());
    cells.push_back(static_cast<std::uint32_t>(c));
    points.push_back({static_cast<double>(c % width), static_cast<double>(c / width)});
  }

  constexpr Weight kExactDiagonal = 92682.0 / 65536;
  const Weight diagonal = options.unit_diagonals    ? 1
                          : options.exact_diagonals ? kExactDiagonal
                                                    : std::numbers::sqrt2;
  GraphBuilder builder(static_cast<NodeId>(cells.size()));
  builder.reserve(cells.size() * 8);
  for (const std::uint32_t c : cells) {
    const std::uint32_t x = c % width;
    const bool right = x + 1 < width;
    const bool below = c + std::size_t{width} < size;
    // Each edge once: to the right, below, and the two diagonals downward.
    if (right && passable[c + 1]) builder.add_edge(node[c], node[c + 1], 1);
    if (!below) continue;
    const std::size_t down = c + std::size_t{width};
    if (passable[down]) builder.add_edge(node[c], node[down], 1);
    const auto try_diagonal = [&](std::size_t to, std::size_t beside) {
      if (!passable[to]) return;
      if (!options.corner_cutting && !(passable[beside] && passable[down])) return;
      builder.add_edge(node[c], node[to], diagonal);
    };
    if (right) try_diagonal(down + 1, c + 1);
    if (x > 0) try_diagonal(down - 1, c - 1);
  }
  builder.set_points(CoordinateKind::kGrid, std::move(points));
  return {builder.build(), NodeNames::cells(width, std::move(cells), height), "MovingAI", {}};
}

GraphFile read_movingai(const Input& input) {
  Lines lines(input.text(), input.name, kMaxRow);
  if (!lines.next()) lines.fail("the file is empty; `type octile` expected");
  Fields type(lines);
  if (type.next() != "type" || type.next() != "octile" || !type.at_end()) {
    lines.fail("`type octile` expected, found " + quoted(lines.line()));
  }
  const std::uint32_t height = dimension(lines, "height");
  const std::uint32_t width = dimension(lines, "width");
  if (!lines.next() || Fields(lines).next() != "map") lines.fail("`map` expected");
  // Both are at most the file's size, so the product does not overflow.
  const std::uint64_t size = std::uint64_t{height} * width;
  check_announced(size, 1, "cells", lines);
  if (size >= kNoNode) lines.fail("the grid is too large");

  std::vector<bool> passable(size);
  for (std::uint32_t y = 0; y < height; ++y) {
    if (!lines.next()) {
      lines.fail("the file ends after " + std::to_string(y) + " rows; " + std::to_string(height) +
                 " are announced");
    }
    const std::string_view row = lines.line();
    if (row.size() != width) {
      lines.fail("the row has " + std::to_string(row.size()) + " cells; the width is " +
                 std::to_string(width));
    }
    for (std::uint32_t x = 0; x < width; ++x) {
      if (!is_terrain(row[x])) {
        lines.fail("cell " + quoted(row.substr(x, 1)) + " is not a terrain; use one of .GS@OTW");
      }
      passable[std::size_t{y} * width + x] = is_passable(row[x]);
    }
  }
  if (lines.next_content("")) lines.fail("more rows than the announced height");
  return grid_graph(width, height, passable, input.options);
}

Omissions write_movingai(const GraphFile& file, const Destination& to) {
  const NodeNames& names = file.names;
  if (names.kind() != NodeNames::Kind::kCells) {
    throw Error(to.path +
                ": only a grid can be written as .map, but the nodes of this graph are not cells");
  }
  std::vector<bool> passable(std::size_t{names.width()} * names.height());
  for (const std::uint32_t c : names.cells()) passable[c] = true;
  const Graph expected = grid_graph(names.width(), names.height(), passable, {}).graph;
  bool same = expected.arc_count() == file.graph.arc_count();
  for (NodeId u = 0; same && u < expected.node_count(); ++u) {
    const ArcRange want = expected.arcs(u);
    const ArcRange have = file.graph.arcs(u);
    same = want.size() == have.size();
    for (std::size_t i = 0; same && i < want.size(); ++i) same = want[i] == have[i];
  }
  if (!same) {
    throw Error(to.path +
                ": .map stores octile moves without corner cutting, but this graph has other arcs");
  }

  TextWriter out(to.path, to.kind);
  out.put("type octile\nheight ").put(names.height()).put("\nwidth ").put(names.width());
  out.put("\nmap\n");
  std::string row(names.width() + std::size_t{1}, '\n');
  for (std::size_t y = 0; y < names.height(); ++y) {
    for (std::size_t x = 0; x < names.width(); ++x) {
      row[x] = passable[y * names.width() + x] ? '.' : '@';
    }
    out.put(row);
  }
  out.commit();
  return {};
}

}  // namespace lodestar::formats
