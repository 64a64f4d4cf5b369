// Models on the graphs of the paper's experiment, size by size and density by density.
//
//   build/bench/cells deep                          # the test graphs, undirected, as in the paper
//   build/bench/cells deep --draw directed
//   build/bench/cells --mean runs/a1/model.safetensors runs/a2/model.safetensors --validation
//   build/bench/cells deep --validation --sizes 512,1024,4096 --count 16
//
// Prints iterations (nodes settled, the target included), those of Dijkstra and of a perfect
// heuristic, relative distance, satisfied constraints on the graphs' own arcs and with a self-loop
// at every node, and in how many cells the paper's table is met: in iterations relative to
// Dijkstra and in distance.
//
//   --mean        the models are seeds of one recipe: mean ± standard error over them
//   --row NAME    the same as one row of a Markdown table, means over the cells
//   --validation  graphs of the same kind with other seeds, to choose by
//   --sizes A,B   node counts; --densities sparse,dense,very-dense
//   --steps N     processor steps instead of the model's; --scale X of y
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "lodestar/infer.h"
#include "lodestar/search.h"
#include "paper/published.h"
#include "paper/splits.h"

namespace {

using namespace lodestar;

const PublishedCell* published(const Split& split) {
  return published_cell(split.density, split.nodes);
}

struct Arguments {
  std::vector<std::string> models;
  Draw draw = Draw::kOr;
  std::uint32_t count = 128;
  bool mean = false;
  std::string row;  // the name of a Markdown row; empty: a table
  bool validation = false;
  std::vector<std::string> sizes = {"32", "96", "192", "256"};
  std::vector<std::string> densities = {"sparse", "dense", "very-dense"};
  NetOptions net;
};

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

// The test graphs, or others like them.
std::vector<Split> splits_of(const Arguments& arguments) {
  constexpr std::uint64_t kValidationSeeds = 500'000;
  std::vector<Split> splits;
  for (const std::string& density : arguments.densities) {
    for (const std::string& size : arguments.sizes) {
      GraphSpec spec;
      parse_density(density, spec);
      const auto nodes = static_cast<NodeId>(std::stoul(size));
      const std::uint64_t seed = (arguments.validation ? kValidationSeeds : 1'000'000) +
                                 100'000 * static_cast<std::uint64_t>(arguments.draw) +
                                 10'000 * static_cast<std::uint64_t>(spec.density) + nodes;
      splits.push_back({"", arguments.count, nodes, spec.density, spec.p, arguments.draw, seed});
    }
  }
  return splits;
}

// Of one model on one split; sums while measuring, then means, shares in %.
struct Cell {
  double iterations = 0, distance = 0, constraints = 0, with_loops = 0;
};
struct Row {
  double dijkstra = 0, perfect = 0;
  std::vector<Cell> models;
};

std::uint64_t perfect_iterations(Searcher& searcher, Query query) {
  searcher.set_direction(Direction::kBackward);
  searcher.run_all(query.target);
  std::vector<double> y(searcher.graph().node_count());
  for (NodeId v = 0; v < y.size(); ++v) y[v] = -searcher.distance(v);
  searcher.set_direction(Direction::kForward);
  return searcher.run(query, PotentialHeuristic(y, query.target)).expansions;
}

Row measure(const std::vector<Model>& models, const Split& split, const NetOptions& options) {
  Row row;
  row.models.resize(models.size());
  double arcs = 0, loops = 0;
  for (std::uint32_t i = 0; i < split.count; ++i) {
    const Instance instance = draw_instance(split, i);
    const NodeId n = instance.graph.node_count();
    arcs += static_cast<double>(instance.graph.arc_count());
    loops += n;
    Searcher searcher(instance.graph);
    const SearchResult exact = searcher.run(instance.query, Zero{});
    row.dijkstra += static_cast<double>(exact.expansions) / split.count;
    row.perfect += static_cast<double>(perfect_iterations(searcher, instance.query)) / split.count;
    for (std::size_t k = 0; k < models.size(); ++k) {
      Cell& cell = row.models[k];
      std::vector<double> y(n);
      const PotentialNet net(models[k], instance.graph, options);
      PotentialNet::Workspace work(net);
      net.potentials(instance.query, work, y);
      for (NodeId u = 0; u < n; ++u) {
        for (const Arc arc : instance.graph.arcs(u)) {
          cell.constraints += y[arc.head] - y[u] <= arc.weight ? 1 : 0;
        }
      }
      const SearchResult found =
          searcher.run(instance.query, PotentialHeuristic(y, instance.query.target));
      cell.iterations += static_cast<double>(found.expansions) / split.count;
      if (exact.cost > 0) {
        cell.distance += 100 * (found.cost - exact.cost) / exact.cost / split.count;
      }
    }
  }
  for (Cell& cell : row.models) {
    cell.with_loops = 100 * (cell.constraints + loops) / (arcs + loops);
    cell.constraints = 100 * cell.constraints / arcs;
  }
  return row;
}

bool meets(const Cell& cell, const Row& row, const PublishedCell& paper) {
  return margin(paper, cell.iterations / row.dijkstra, cell.distance / 100) >= 0;
}

struct Estimate {
  double mean = 0, error = 0;
};
Estimate over(const std::vector<Cell>& cells, double Cell::*member) {
  const auto count = static_cast<double>(cells.size());
  Estimate out;
  for (const Cell& cell : cells) out.mean += cell.*member / count;
  for (const Cell& cell : cells) out.error += std::pow(cell.*member - out.mean, 2);
  out.error = count > 1 ? std::sqrt(out.error / (count - 1) / count) : 0;
  return out;
}

void report(const std::string& title, const std::vector<Split>& splits,
            const std::vector<std::vector<Cell>>& cells, const std::vector<Row>& rows) {
  std::printf("%s\n%-11s %5s %16s %8s %7s %8s %8s %17s %8s %17s %8s %9s\n", title.c_str(),
              "density", "nodes", "iterations", "Dijkstra", "perfect", "/perfect", "paper",
              "distance %", "paper %", "constraints %", "paper %", "+loops %");
  int table = 0, met = 0, fewer = 0, constraints = 0;
  double worst = 0;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const Estimate iterations = over(cells[i], &Cell::iterations),
                   distance = over(cells[i], &Cell::distance),
                   satisfied = over(cells[i], &Cell::constraints);
    const Row& row = rows[i];
    worst = std::max(worst, iterations.mean / row.perfect);
    std::printf("%-11s %5u %9.2f ± %4.2f %8.1f %7.2f %8.2f ", to_string(splits[i].density).c_str(),
                splits[i].nodes, iterations.mean, iterations.error, row.dijkstra, row.perfect,
                iterations.mean / row.perfect);
    const PublishedCell* paper = published(splits[i]);
    const auto text = [&](double value) {
      char out[32];
      std::snprintf(out, sizeof out, "%.2f", value);
      return paper ? std::string(out) : std::string("-");
    };
    std::printf("%8s %9.3f ± %5.3f %8s %9.3f ± %5.3f %8s %9.3f\n",
                text(paper ? paper->iterations.mean : 0).c_str(), distance.mean, distance.error,
                text(paper ? paper->distance.mean : 0).c_str(), satisfied.mean, satisfied.error,
                text(paper ? paper->constraints.mean : 0).c_str(),
                over(cells[i], &Cell::with_loops).mean);
    if (!paper) continue;
    ++table;
    fewer += iterations.mean < paper->iterations.mean ? 1 : 0;
    constraints += satisfied.mean >= paper->constraints.mean ? 1 : 0;
    met += meets({iterations.mean, distance.mean, 0, 0}, row, *paper) ? 1 : 0;
  }
  if (table > 0) {
    std::printf(
        "no worse than the paper in %d of %d cells; fewer iterations in %d; constraints no "
        "worse in %d; ",
        met, table, fewer, constraints);
  }
  std::printf("at most %.2f times a perfect heuristic\n\n", worst);
}

// Means over the cells for each model, then mean and standard error over the models.
void report_row(const std::string& name, const std::vector<Split>& splits,
                const std::vector<Row>& rows) {
  const auto share = 1 / static_cast<double>(rows.size());
  std::vector<Cell> means(rows[0].models.size());
  double met = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < means.size(); ++k) {
      const Cell& cell = rows[i].models[k];
      means[k].iterations += share * 100 * cell.iterations / rows[i].dijkstra;
      means[k].distance += share * cell.distance;
      means[k].constraints += share * cell.constraints;
      const PublishedCell* paper = published(splits[i]);
      met += paper && meets(cell, rows[i], *paper) ? 1.0 / static_cast<double>(means.size()) : 0;
    }
  }
  const Estimate iterations = over(means, &Cell::iterations),
                 distance = over(means, &Cell::distance),
                 satisfied = over(means, &Cell::constraints);
  std::printf("| %s | %.2f ± %.2f | %.3f ± %.3f | %.2f ± %.2f | %.1f |\n", name.c_str(),
              satisfied.mean, satisfied.error, distance.mean, distance.error, iterations.mean,
              iterations.error, met);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) throw Error(word + " needs a value");
      return argv[i];
    };
    if (word == "--draw") {
      arguments.draw = parse_draw(value());
    } else if (word == "--count") {
      arguments.count = static_cast<std::uint32_t>(std::stoul(value()));
    } else if (word == "--mean") {
      arguments.mean = true;
    } else if (word == "--row") {
      arguments.row = value();
    } else if (word == "--validation") {
      arguments.validation = true;
    } else if (word == "--sizes") {
      arguments.sizes = words_of(value());
    } else if (word == "--densities") {
      arguments.densities = words_of(value());
    } else if (word == "--steps") {
      arguments.net.steps = static_cast<std::uint32_t>(std::stoul(value()));
    } else if (word == "--scale") {
      arguments.net.scale = std::stod(value());
    } else if (word.starts_with("--")) {
      throw Error(word + ": unknown; the head of bench/cells.cpp lists the options");
    } else {
      arguments.models.push_back(word);
    }
  }
  if (arguments.models.empty()) arguments.models = {"paper", "deep", "swift"};
  return arguments;
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = parse(argc, argv);
  std::vector<Model> models;
  for (const std::string& name : arguments.models) models.push_back(load_model(name));
  const std::vector<Split> splits = splits_of(arguments);
  std::vector<Row> rows;
  for (const Split& split : splits) rows.push_back(measure(models, split, arguments.net));
  if (!arguments.row.empty()) {
    report_row(arguments.row, splits, rows);
    return 0;
  }
  const std::string kind = std::string(arguments.validation ? ", validation" : ", test") +
                           " graphs, draw " + to_string(arguments.draw);
  std::vector<std::vector<Cell>> cells(splits.size());
  if (arguments.mean) {
    for (std::size_t i = 0; i < splits.size(); ++i) cells[i] = rows[i].models;
    report("mean of " + std::to_string(models.size()) + " models" + kind, splits, cells, rows);
    return 0;
  }
  for (std::size_t k = 0; k < models.size(); ++k) {
    for (std::size_t i = 0; i < splits.size(); ++i) cells[i] = {rows[i].models[k]};
    report(arguments.models[k] + kind, splits, cells, rows);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "cells: %s\n", error.what());
  return 2;
}
