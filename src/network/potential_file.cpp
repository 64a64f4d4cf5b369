#include "lodestar/potential_file.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include "base/npz.h"

namespace lodestar {
namespace {

constexpr std::string_view kSeparators = " \t\r,";

// Removes the next field from the line and returns it; empty at the end.
std::string_view next_field(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(kSeparators), line.size());
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find_first_of(kSeparators), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(end);
  return field;
}

double parse_value(std::string_view field, const std::string& name, std::uint64_t line) {
  double value = 0;
  if (field.starts_with('+')) field.remove_prefix(1);
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (code != std::errc{} || end != field.data() + field.size() || !std::isfinite(value)) {
    throw Error::at(name, line, "'" + std::string(field) + "' is not a finite number");
  }
  return value;
}

}  // namespace

std::vector<double> parse_potentials(std::string_view text, const std::string& name,
                                     const GraphFile& graph) {
  const NodeId n = graph.graph.node_count();
  std::vector<double> y(n, std::nan(""));
  bool named = false;
  NodeId count = 0;
  std::uint64_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.starts_with('#')) continue;
    const std::string_view first = next_field(line);
    if (first.empty()) continue;
    const std::string_view second = next_field(line);
    if (!next_field(line).empty()) {
      throw Error::at(name, number,
                      "more than two fields; expected a value, or a node and its value");
    }
    if (count == 0) named = !second.empty();
    if (named != !second.empty()) {
      throw Error::at(name, number,
                      named ? "the value is missing; previous lines have a node and a value"
                            : "two fields; previous lines have only a value");
    }
    if (count == n) {
      throw Error::at(name, number,
                      "more values than the graph has nodes (" + std::to_string(n) + ")");
    }
    NodeId v = count;
    if (named) {
      v = graph.names.find(first);
      if (v >= n) {
        throw Error::at(name, number, "the graph has no node '" + std::string(first) + "'");
      }
      if (!std::isnan(y[v])) {
        throw Error::at(name, number, "a second value for node '" + std::string(first) + "'");
      }
    }
    y[v] = parse_value(named ? second : first, name, number);
    ++count;
  }
  if (count < n) {
    throw Error(name + ": " + std::to_string(count) + " values for " + std::to_string(n) +
                " nodes; every node needs one");
  }
  return y;
}

std::string potentials_text(std::span<const double> y, const GraphFile& graph) {
  const NodeId n = graph.graph.node_count();
  std::string out;
  for (NodeId v = 0; v < n; ++v) {
    out += graph.names.name(v);
    for (std::size_t at = v; at < y.size(); at += n) {
      char digits[32];
      const auto [end, code] = std::to_chars(digits, digits + sizeof digits, y[at]);
      out += '\t';
      out.append(digits, end);
    }
    out += '\n';
  }
  return out;
}

std::string potentials_npy(std::span<const double> y, const GraphFile& graph) {
  const std::size_t n = graph.graph.node_count();
  return npy_bytes({n == 0 ? 0 : y.size() / n, n}, y);
}

std::vector<double> read_potentials(const std::string& path, const GraphFile& graph) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path + ": cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw Error(path + ": cannot be read");
  return parse_potentials(text, path, graph);
}

}  // namespace lodestar
