// `lodestar info`: describes a graph, an index, potentials or a model.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "describe.h"
#include "lodestar/graph_io.h"
#include "lodestar/graph_stats.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct InfoOptions {
  std::string input;
  ReadOptions read;
  bool json = false;
};

// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string bytes_text(std::size_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string id_text(const GraphFile& file) {
  const NodeId n = file.graph.node_count();
  if (n == 0) return "none";
  const std::string first = file.names.name(0);
  const std::string last = file.names.name(n - 1);
  switch (file.names.kind()) {
    case NodeNames::Kind::kNumbered:
      return fmt::format("{} … {}", first, last);
    case NodeNames::Kind::kCells:
      return fmt::format("cells x,y of {} × {}", file.names.width(), file.names.height());
    case NodeNames::Kind::kTable:
      return fmt::format("names, {} … {}", first, last);
  }
  return {};
}

std::string components_text(const GraphStats::ComponentCount& components, NodeId nodes) {
  if (components.count <= 1) return std::to_string(components.count);
  return fmt::format("{}, the largest with {} nodes ({:.1f} %)", grouped(components.count),
                     grouped(components.largest), 100.0 * components.largest / nodes);
}

void print_text(const InfoOptions& options, const GraphFile& file, const GraphStats& stats) {
  const Graph& graph = file.graph;
  const auto line = [](const char* label, const std::string& text) {
    fmt::print("  {:<13}{}\n", label, text);
  };
  fmt::print("{}\n", options.input);
  line("format", file.format + (graph.symmetric() ? ", undirected" : ", directed"));
  line("nodes", grouped(graph.node_count()));
  line("arcs", grouped(graph.arc_count()));
  line("ids", id_text(file));
  if (graph.symmetric()) {
    line("components", components_text(stats.weak, graph.node_count()));
  } else {
    line("components", "weak " + components_text(stats.weak, graph.node_count()));
    line("", "strong " + components_text(stats.strong, graph.node_count()));
  }
  const double mean =
      static_cast<double>(graph.arc_count()) / std::max<double>(1, graph.node_count());
  line("degree", fmt::format("{} … {}, mean {:.2f}", stats.min_degree, stats.max_degree, mean));
  line("weight", fmt::format("{} … {}, {}", stats.min_weight, stats.max_weight,
                             stats.whole_weights ? "whole numbers" : "fractions"));
  for (const auto& [label, text] : metric_lines(file)) line(label, text);
  if (graph.has_coordinates()) {
    line("coordinates",
         fmt::format("{}, x {} … {}, y {} … {}", to_string(graph.coordinate_kind()),
                     stats.box_low.x, stats.box_high.x, stats.box_low.y, stats.box_high.y));
  } else {
    line("coordinates", "none");
  }
  line("storage", fmt::format("{}, {} bytes per arc{}", bytes_text(graph.adjacency_bytes()),
                              graph.narrow() ? 8 : 16,
                              graph.symmetric() ? ", one direction serves both" : ""));
  for (const std::string& odd : oddities(stats)) line("odd", odd);
  for (const std::string& note : file.notes) line("note", note);
  fmt::print("  estimates for an index, memory and build time on one thread:\n{}",
             describe_estimate(estimate_index_costs(graph), graph.node_count(), "    "));
}

void print_json(const InfoOptions& options, const GraphFile& file, const GraphStats& stats) {
  const Graph& graph = file.graph;
  const auto components = [](const GraphStats::ComponentCount& of) {
    return nlohmann::ordered_json{{"count", of.count}, {"largest", of.largest}};
  };
  nlohmann::ordered_json out = {
      {"file", options.input},
      {"format", file.format},
      {"nodes", graph.node_count()},
      {"arcs", graph.arc_count()},
      {"undirected", graph.symmetric()},
      {"weak_components", components(stats.weak)},
      {"strong_components", components(stats.strong)},
      {"degree", {stats.min_degree, stats.max_degree}},
      {"weight", {stats.min_weight, stats.max_weight}},
      {"whole_weights", stats.whole_weights},
      {"zero_weights", stats.zero_weights},
      {"self_loops", stats.self_loops},
      {"parallel_arcs", stats.parallel_arcs},
      {"isolated", stats.isolated},
      {"coordinates", to_string(graph.coordinate_kind())},
      {"adjacency_bytes", graph.adjacency_bytes()},
      {"notes", file.notes},
  };
  if (graph.has_coordinates()) {
    out["box"] = {stats.box_low.x, stats.box_low.y, stats.box_high.x, stats.box_high.y};
  }
  add_metric_facts(file, out);
  const IndexCosts estimate = estimate_index_costs(graph);
  out["estimates"] = estimate_facts(estimate);
  out["estimate_piece"] = estimate.piece;
  if (estimate.times) out["query_times"] = query_times_facts(*estimate.times);
  fmt::print("{}\n", out.dump());
}

void run_info(const InfoOptions& options) {
  const ReadOptions& read = options.read;
  const bool reading = read.undirected || read.unit_diagonals || read.exact_diagonals ||
                       read.corner_cutting || !read.format.empty() || !read.weight.empty() ||
                       !read.metrics.empty() || !read.coordinates.empty();
  if (reading && (options.input.ends_with(".lsi") || options.input.ends_with(".lsp") ||
                  names_model(options.input))) {
    throw Error(options.input + ": is not a graph; leave out the options for reading one");
  }
  if (options.input.ends_with(".lsi")) {
    const IndexFacts facts = Index::read_facts(options.input);
    const IndexCosts estimate = index_costs_of(options.input);
    if (options.json) {
      nlohmann::ordered_json out = index_facts(facts);
      out["estimates"] = estimate_facts(estimate);
      fmt::print("{}\n", out.dump());
    } else {
      fmt::print("{}  estimates for other indexes, memory and build time on one thread:\n{}",
                 describe_index(facts), describe_estimate(estimate, facts.nodes, "    "));
    }
    return;
  }
  if (options.input.ends_with(".lsp")) {
    fmt::print("{}", options.json ? potentials_facts(options.input).dump() + "\n"
                                  : describe_potentials(options.input));
    return;
  }
  if (names_model(options.input)) {
    fmt::print("{}", options.json ? model_facts(options.input).dump() + "\n"
                                  : describe_model(options.input));
    return;
  }
  const GraphFile file = read_graph(options.input, options.read);
  const GraphStats stats = graph_stats(file.graph);
  options.json ? print_json(options, file, stats) : print_text(options, file, stats);
}

}  // namespace

void add_info(Verb& program) {
  auto [verb, options] = program.verb<InfoOptions>(
      "info", "Describe a graph, an index, potentials or a model", run_info, kFileVerbs);
  verb.option("file", options.input,
              "Graph file of any format, index (.lsi), potentials (.lsp), model (.safetensors), or "
              "the name of an embedded model")
      .required();
  verb.flag("--json", options.json, "Print one JSON object");
  add_reading_options(verb, options.read);
  verb.footer(R"(Examples:
  lodestar info roads.gr.xz
  lodestar info roads.lsi --json
  lodestar info deep)");
}

}  // namespace lodestar::cli
