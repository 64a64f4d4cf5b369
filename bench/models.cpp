// Models of one recipe on graphs of the paper's kind, size by size and density by density, by the
// evaluator of `lodestar reproduce`: mean ± standard error over the models.
//
//   build/bench/models runs/a1/model.safetensors runs/a2/model.safetensors
//   build/bench/models --sizes 512,4096 --densities sparse --count 16 deep-03d8a95c
//   build/bench/models --row "no hints" --count 64 runs/*/model.safetensors
//
// Validation graphs, to choose by; --test takes the seeds of the paper's test graphs instead.
//   --draw or|exact|directed      --steps N  of the network instead of the model's
//   --row NAME  means over the cells as one row of a Markdown table: constraints, distance,
//               iterations as a share of Dijkstra's, cells no worse than the paper's table
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "bench/harness/statistics.h"
#include "learn/evaluate/grid.h"
#include "learn/evaluate/published.h"
#include "model_arguments.h"

namespace {

using namespace lodestar;

struct Arguments {
  bench::ModelArguments models{"bench/models.cpp"};
  std::string row, draw = "or";
  std::uint32_t count = 128, steps = 0;
  bool test = false;
  bench::Words sizes = {"32", "96", "192", "256"};
  bench::Words densities = {"sparse", "dense", "very-dense"};
};

void parse(int argc, char** argv, Arguments& out) {
  out.models.flag("--test", out.test);
  out.models.take("--row", out.row);
  out.models.take("--draw", out.draw);
  out.models.take("--count", out.count);
  out.models.take("--steps", out.steps);
  out.models.take("--sizes", out.sizes);
  out.models.take("--densities", out.densities);
  out.models.parse(argc, argv, "");
}

// A part for each size and density: every model in a row of its own, and the perfect heuristic.
paper::Grid make_grid(const Arguments& arguments) {
  std::vector<paper::Contender> contenders;
  const Draw draw = parse_draw(arguments.draw);
  for (Model& model : arguments.models.load()) {
    if (arguments.steps > 0) model.config.steps = arguments.steps;
    contenders.push_back(
        paper::model_contender(std::to_string(contenders.size()), std::move(model)));
  }
  contenders.push_back(paper::plain_contender("perfect", paper::Source::kExact));
  paper::Grid grid;
  for (const std::string& density : arguments.densities) {
    for (const std::string& size : arguments.sizes) {
      GraphSpec spec;
      parse_density(density, spec);
      const auto nodes = static_cast<NodeId>(std::stoul(size));
      const std::uint64_t seed = (arguments.test ? 1'000'000 : 500'000) +
                                 100'000 * static_cast<std::uint64_t>(draw) +
                                 10'000 * static_cast<std::uint64_t>(spec.density) + nodes;
      const Split split{"", arguments.count, nodes, spec.density, spec.p, draw, seed};
      grid.parts.push_back({split, contenders});
    }
  }
  return grid;
}

using Rows = std::vector<paper::Row>;

struct Mean {
  double mean, error;
};
// Over the models of what get(row) gives.
template <class Get>
Mean over(const Rows& cell, Get&& get) {
  std::vector<double> values;
  for (const paper::Row& row : cell) values.push_back(get(row));
  return {eval::mean(values), eval::standard_error(values)};
}

bool meets(const paper::Row& row) {
  const PublishedCell* cell = published_cell(row.split.density, row.split.nodes);
  return cell != nullptr && margin(*cell, row.ratio.mean, row.distance.mean / 100) >= 0;
}

void print_cells(const std::vector<Rows>& cells, const Rows& perfect) {
  std::printf("%-11s %5s %16s %9s %8s %17s %17s %6s\n", "density", "nodes", "iterations",
              "Dijkstra", "perfect", "distance %", "constraints %", "met");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Rows& cell = cells[i];
    const Mean iterations = over(cell, [](const paper::Row&r) { return r.iterations.mean; }),
               distance = over(cell, [](const paper::Row&r) { return r.distance.mean; }),
               kept = over(cell, [](const paper::Row&r) { return r.arc_constraints.mean; }),
               met = over(cell, [](const paper::Row&r) { return meets(r) ? 1.0 : 0.0; });
    std::printf("%-11s %5u %9.2f ± %4.2f %9.1f %8.2f %9.3f ± %5.3f %9.2f ± %5.2f %6.2f\n",
                to_string(perfect[i].split.density).c_str(), perfect[i].split.nodes,
                iterations.mean, iterations.error, perfect[i].dijkstra.mean,
                perfect[i].iterations.mean, distance.mean, distance.error, kept.mean, kept.error,
                met.mean);
  }
}

// Means over the cells for each model, then mean and standard error over the models.
void print_row(const std::string& name, const std::vector<Rows>& cells) {
  const std::size_t models = cells.front().size();
  std::vector<double> kept(models), distance(models), iterations(models);
  double met = 0;
  for (const Rows& cell : cells) {
    const auto share = 1 / static_cast<double>(cells.size());
    for (std::size_t k = 0; k < models; ++k) {
      kept[k] += share * cell[k].arc_constraints.mean;
      distance[k] += share * cell[k].distance.mean;
      iterations[k] += share * 100 * cell[k].ratio.mean;
      met += meets(cell[k]) ? 1 / static_cast<double>(models) : 0;
    }
  }
  std::printf("| %s | %.2f ± %.2f | %.3f ± %.3f | %.2f ± %.2f | %.1f |\n", name.c_str(),
              eval::mean(kept), eval::standard_error(kept), eval::mean(distance),
              eval::standard_error(distance), eval::mean(iterations),
              eval::standard_error(iterations), met);
}

}  // namespace

int main(int argc, char** argv) try {
  Arguments arguments;
  parse(argc, argv, arguments);
  paper::CellStore nowhere("");
  const Rows rows = paper::run_grid(make_grid(arguments), nowhere, "",
                                    std::max(1u, std::thread::hardware_concurrency()));
  std::vector<Rows> cells;
  Rows perfect;
  for (const paper::Row& row : rows) {
    if (row.contender == "0") cells.emplace_back();
    row.contender == "perfect" ? perfect.push_back(row) : cells.back().push_back(row);
  }
  arguments.row.empty() ? print_cells(cells, perfect) : print_row(arguments.row, cells);
} catch (const std::exception& error) {
  std::fprintf(stderr, "models: %s\n", error.what());
  return 2;
}
