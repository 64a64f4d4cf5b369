// DIMACS-9: `p sp NODES ARCS`, `a TAIL HEAD WEIGHT`, ids from 1, comments `c`; coordinates in a
// separate file: `p aux sp co NODES`, `v NODE X Y`.
#include <algorithm>
#include <cmath>

#include "formats/format.h"

namespace lodestar::formats {
namespace {

// Comments in .co files that declare the kind of coordinates; the writer adds one.
constexpr std::string_view kDegreesComment = "lon*1e7";
constexpr std::string_view kGridComment = "grid cells";
constexpr std::string_view kPlaneComment = "plane coordinates";
constexpr double kDegreeScale = 1e7;

enum class Units { kUnknown, kDegrees, kGrid, kPlane };

Units units_named_in(std::string_view comment) {
  const auto has = [&](std::string_view text) {
    return comment.find(text) != std::string_view::npos;
  };
  if (has(kDegreesComment)) return Units::kDegrees;
  if (has(kGridComment)) return Units::kGrid;
  if (has(kPlaneComment)) return Units::kPlane;
  return Units::kUnknown;
}

// The scale of integers that look like longitude and latitude, otherwise 0. Files of the challenge
// have micro-degrees, those of OpenStreetMap tools tenths of them. Values within ten degrees of (0,
// 0) are ambiguous and taken as metres of a plane.
double degree_scale(const std::vector<Point>& points) {
  double x = 0;
  double y = 0;
  for (const Point& p : points) {
    if (p.x != std::floor(p.x) || p.y != std::floor(p.y)) return 0;
    x = std::max(x, std::abs(p.x));
    y = std::max(y, std::abs(p.y));
  }
  if (std::max(x, y) < 1e7) return 0;
  for (const double scale : {1e6, 1e7}) {
    if (x <= 180 * scale && y <= 90 * scale) return scale;
  }
  return 0;
}

void divide(std::vector<Point>& points, double scale) {
  for (Point& p : points) p = {p.x / scale, p.y / scale};
}

// Checks the words of `p <words…> N [M]` and returns the remaining fields.
Fields problem_line(Lines& lines, std::initializer_list<std::string_view> words) {
  Fields fields(lines);
  std::string expected = "p";
  fields.next();
  for (const std::string_view word : words) {
    expected += " " + std::string(word);
    if (fields.next() != word) lines.fail("`" + expected + " …` expected");
  }
  return fields;
}

void write_co(const GraphFile& file, const Destination& to, Omissions& omissions) {
  const Graph& graph = file.graph;
  TextWriter out(to.path, to.kind);
  const bool degrees = graph.coordinate_kind() == CoordinateKind::kDegrees;
  out.put("c ").put(degrees                                            ? "lon*1e7 lat*1e7"
                    : graph.coordinate_kind() == CoordinateKind::kGrid ? kGridComment
                                                                       : kPlaneComment);
  out.put("\np aux sp co ").put(graph.node_count()).put('\n');
  bool rounded = false;
  const auto put_degrees = [&](double value) {
    const auto whole = static_cast<std::int64_t>(std::llround(value * kDegreeScale));
    rounded = rounded || static_cast<double>(whole) / kDegreeScale != value;
    out.put(' ').put(whole);
  };
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const Point p = graph.points()[v];
    out.put("v ").put(std::uint64_t{v} + 1);
    if (degrees) {
      put_degrees(p.x);
      put_degrees(p.y);
    } else {
      out.put(' ').put(p.x).put(' ').put(p.y);
    }
    out.put('\n');
  }
  out.commit();
  if (rounded) omissions.push_back("coordinates beyond 1e-7 degrees");
}

}  // namespace

GraphFile read_dimacs(const Input& input) {
  Lines lines(input.text(), input.name);
  if (!lines.next_content("c")) lines.fail("the file is empty; `p sp NODES ARCS` expected");
  Fields header = problem_line(lines, {"sp"});
  const NodeId nodes = checked_node_count(header.integer("the number of nodes"), lines);
  const std::uint64_t announced = header.integer("the number of arcs");
  header.finish();
  check_announced(announced, 8, "arcs", lines);  // "a 1 1 0\n"

  GraphBuilder builder(nodes);
  builder.reserve(announced);
  std::uint64_t arcs = 0;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty() || line[0] == 'c') continue;
    Fields fields(lines);
    if (line[0] != 'a' || fields.next() != "a") {
      if (fields.at_end()) continue;  // blanks
      lines.fail("`a TAIL HEAD WEIGHT` expected, found " + quoted(line));
    }
    const NodeId tail = fields.node(1, nodes);
    const NodeId head = fields.node(1, nodes);
    const Weight weight = fields.weight();
    fields.finish();
    if (++arcs > announced) {
      lines.fail("more arcs than the " + std::to_string(announced) + " announced");
    }
    builder.add_arc(tail, head, weight);
  }
  if (arcs != announced) {
    lines.fail("the file ends after " + std::to_string(arcs) + " arcs; " +
               std::to_string(announced) + " are announced");
  }
  return {builder.build(), NodeNames::numbered(1, nodes), "DIMACS", {}};
}

Coordinates read_co(const Input& input) {
  Lines lines(input.text(), input.name);
  Units units = Units::kUnknown;
  Coordinates out;
  std::vector<bool> seen;
  bool header = false;
  std::size_t count = 0;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    if (line[0] == 'c') {
      if (units == Units::kUnknown) units = units_named_in(line);
      continue;
    }
    if (!header) {
      Fields fields = problem_line(lines, {"aux", "sp", "co"});
      const std::uint64_t announced = fields.integer("the number of nodes");
      fields.finish();
      check_announced(announced, 8, "nodes", lines);  // "v 1 0 0\n"
      out.points.resize(checked_node_count(announced, lines));
      seen.resize(out.points.size());
      header = true;
      continue;
    }
    Fields fields(lines);
    const std::string_view mark = fields.next();
    if (mark.empty()) continue;
    if (mark != "v") lines.fail("`v NODE X Y` expected, found " + quoted(line));
    const NodeId v = fields.node(1, out.points.size());
    const double x = fields.number("a coordinate");
    out.points[v] = {x, fields.number("a coordinate")};
    fields.finish();
    if (seen[v]) lines.fail("node " + std::to_string(v + 1) + " has coordinates already");
    seen[v] = true;
    ++count;
  }
  if (!header) lines.fail("the file is empty; `p aux sp co NODES` expected");
  if (count != out.points.size()) {
    lines.fail("the file ends after " + std::to_string(count) + " nodes; " +
               std::to_string(out.points.size()) + " are announced");
  }

  out.kind = units == Units::kGrid ? CoordinateKind::kGrid : CoordinateKind::kPlane;
  double scale = 0;
  if (units == Units::kDegrees) scale = kDegreeScale;
  if (units == Units::kUnknown) scale = degree_scale(out.points);
  if (scale > 0) {
    divide(out.points, scale);
    out.kind = CoordinateKind::kDegrees;
  }
  return out;
}

Omissions write_dimacs(const GraphFile& file, const Destination& to) {
  const Graph& graph = file.graph;
  Omissions omissions;
  if (file.names.kind() != NodeNames::Kind::kNumbered || file.names.base() != 1) {
    omissions.push_back("node names; nodes are numbered from 1");
  }
  // Coordinates come first, so that a reader of the new .gr also finds its .co.
  if (graph.has_coordinates()) {
    if (to.has_siblings()) {
      write_co(file, to.sibling(".co"), omissions);
    } else {
      omissions.push_back(kNoSibling);
    }
  }
  TextWriter out(to.path, to.kind);
  out.put("p sp ").put(graph.node_count()).put(' ').put(graph.arc_count()).put('\n');
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      out.put("a ").put(std::uint64_t{u} + 1).put(' ').put(std::uint64_t{arc.head} + 1);
      out.put(' ').put(arc.weight).put('\n');
    }
  }
  out.commit();
  return omissions;
}

}  // namespace lodestar::formats
