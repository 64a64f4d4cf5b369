#include <fmt/core.h>

#include "learn/evaluate/published.h"
#include "report.h"

namespace lodestar::cli {
namespace {

using evaluate::Better;
using evaluate::find_row;
using evaluate::Row;

// A line of the table: a cell for each size.
template <class Cell>
void add_line(Table& table, const std::string& name, const std::vector<const Row*>& rows,
              Cell&& cell) {
  std::vector<std::string> line = {"  " + name};
  for (const Row* row : rows) {
    line.push_back(cell(*row, *published_cell(row->split.density, row->split.nodes)));
  }
  table.add(std::move(line));
}

void add_learned(Table& table, const std::string& name, const std::string& predecessors,
                 const std::vector<const Row*>& rows) {
  const std::size_t trials = rows.front()->trials;
  const std::string imitation =
      predecessors == "–" ? "" : fmt::format(", predecessors {}", predecessors);
  table.add({(trials > 1 ? fmt::format("{}, {} models", name, trials) : name) + imitation});
  add_line(table, "constraints, %", rows, [](const Row& row, const PublishedCell& cell) {
    return against(row.constraints, cell.constraints, Better::kHigher, 2, row.trials);
  });
  add_line(table, "relative distance, %", rows, [](const Row& row, const PublishedCell& cell) {
    return against(row.distance, cell.distance, Better::kLower, 2, row.trials);
  });
  add_line(table, "iterations", rows, [](const Row& row, const PublishedCell& cell) {
    return against(row.iterations, cell.iterations, Better::kLower, 2, row.trials);
  });
  add_line(table, "iterations ÷ Dijkstra's", rows, [](const Row& row, const PublishedCell& cell) {
    return against(row.ratio, evaluate::published_ratio(cell), Better::kLower, 3, row.trials);
  });
  add_line(table, "speedup (time)", rows, [](const Row& row, const PublishedCell& cell) {
    return fmt::format("{} ({:.2f}) {}", factor(row.speedup()), cell.speedup,
                       row.speedup() >= cell.speedup ? "✓" : "✗");
  });
}

// Iterations ÷ nodes of the path: mean, 99th percentile, worst query.
std::string tail(const Row& row) {
  return fmt::format("{:.2f} / {:.1f} / {:.1f}", row.per_path.mean, row.per_path_p99,
                     row.per_path_worst);
}

// One method with everything that was measured of it.
std::vector<std::string> further_line(const std::string& name, const Row& row, const Row* limit) {
  const auto time = [](double seconds) {
    return seconds > 0 ? fmt::format("{:.1f} µs", 1e6 * seconds) : std::string("–");
  };
  const double even = row.break_even_seconds();
  return {name,
          value(row.iterations, 2, row.trials),
          fmt::format("{:.1f} … {:.1f}", row.iterations.low, row.iterations.high),
          limit ? fmt::format("{:.2f}", row.iterations.mean / limit->iterations.mean) : "–",
          row.closed.mean > 0 ? fmt::format("{:.2f}", row.closed.mean) : "–",
          row.closed.mean > 0 ? fmt::format("{:.2f}", row.iterations.mean + row.closed.mean) : "–",
          tail(row),
          fmt::format("{:.1f}", row.accuracy.mean),
          fmt::format("{:.3f}", row.distance.mean),
          row.potential ? fmt::format("{:.3f}", row.arc_constraints.mean) : "–",
          fmt::format("{:.2f}", row.reopened.mean),
          fmt::format("{:.1f}", row.gap.mean),
          time(row.seconds.preparation),
          time(row.seconds.heuristic),
          time(row.seconds.closure),
          time(row.seconds.search),
          factor(row.speedup()) + "×",
          even == 0           ? "–"
          : even == kInfinity ? "never"
          : even < 1e-6       ? fmt::format("{:.0f} ns", 1e9 * even)
                              : fmt::format("{:.1f} µs", 1e6 * even)};
}

// Accuracy of predecessors on validation graphs of 16 nodes, mean over the models.
std::string predecessor_words(const Report& report, const std::string& name) {
  const auto found = report.predecessors.find(name);
  if (found == report.predecessors.end()) return "–";
  double sum = 0;
  for (const double share : found->second) sum += share;
  return fmt::format("{:.1f} %", 100 * sum / static_cast<double>(found->second.size()));
}

}  // namespace

std::vector<Section> result_sections(const Report& report, Draw draw) {
  const std::vector<std::string> names = {"paper", "paper-alone", "paper-tuned", "deep",
                                          "deep + closure"};
  std::vector<std::string> header = {"nodes", "published"};
  header.insert(header.end(), names.begin(), names.end());
  header.insert(header.end(), {"one constant", "perfect"});
  Table effort(header), length(header);
  std::string group;
  for (const PublishedCell& cell : published_table()) {
    const auto row_of = [&](const std::string& name) {
      return find_row(report.rows, name, draw, cell.density, cell.nodes);
    };
    if (row_of("exact potential") == nullptr) continue;
    if (group != density_words(cell.density)) {
      group = density_words(cell.density);
      effort.add({group});
      length.add({group});
    }
    std::vector<std::string> effort_line = {std::to_string(cell.nodes),
                                            fmt::format("{:.3f}", cell.ratio())};
    std::vector<std::string> length_line = {std::to_string(cell.nodes),
                                            fmt::format("{:.2f}", cell.distance.mean)};
    const auto add = [&](const std::string& name) {
      const Row* row = row_of(name);
      effort_line.push_back(row ? fmt::format("{:.3f} {}", row->ratio.mean,
                                              mark(row->ratio, evaluate::published_ratio(cell)))
                                : "–");
      length_line.push_back(
          row ? fmt::format("{:.2f} {}", row->distance.mean, mark(row->distance, cell.distance))
              : "–");
    };
    for (const std::string& name : names) add(name);
    add("constant");
    effort_line.push_back(fmt::format("{:.3f}", row_of("exact potential")->ratio.mean));
    length_line.push_back("0.00");
    effort.add(std::move(effort_line));
    length.add(std::move(length_line));
  }
  std::vector<Section> sections;
  sections.push_back({"Iterations of A* as a share of Dijkstra's", std::move(effort)});
  sections.push_back({"Path length above the optimum, %", std::move(length)});
  return sections;
}

std::vector<Section> paper_sections(const Report& report, Draw draw) {
  std::vector<Section> sections;
  const std::vector<NodeId> sizes = published_sizes(report, draw);
  if (sizes.empty()) return sections;
  for (const Density density : kDensities) {
    std::vector<std::string> header = {density_words(density)};
    for (const NodeId nodes : sizes) header.push_back(fmt::format("{} nodes", nodes));
    Table table(header);
    const auto rows_of = [&](const std::string& name) {
      std::vector<const Row*> rows;
      for (const NodeId nodes : sizes) {
        rows.push_back(find_row(report.rows, name, draw, density, nodes));
      }
      return rows;
    };
    for (const std::string& name : report.learned) {
      add_learned(table, name, predecessor_words(report, name), rows_of(name));
    }
    table.add({"for comparison: iterations, and how far above the optimum if not 0 %"});
    for (const std::string& name : report.baselines) {
      add_line(table, baseline_name(report, name), rows_of(name),
               [&](const Row& row, const PublishedCell& cell) {
                 if (name == "Dijkstra") {
                   return fmt::format("{:.2f} ({:.2f})", row.iterations.mean, cell.dijkstra);
                 }
                 std::string text = fmt::format("{:.2f}", row.iterations.mean);
                 if (row.distance.mean > 0) text += fmt::format(", {:.2f} %", row.distance.mean);
                 return text;
               });
    }
    sections.push_back(
        {fmt::format("{}, {}", density_words(density), draw_words(draw)), std::move(table)});
  }
  return sections;
}

Section summary_section(const Report& report, Draw draw) {
  const std::vector<NodeId> sizes = published_sizes(report, draw);
  std::vector<std::string> header = {"graphs", "method", "predecessors"};
  for (const NodeId nodes : sizes) header.push_back(fmt::format("{} nodes", nodes));
  Table table(header);
  const auto whole = [](const Row& row) {
    return fmt::format("{:.3f} [{:.3f}, {:.3f}], {:.2f} % [{:.2f}, {:.2f}]", row.ratio.mean,
                       row.ratio.low, row.ratio.high, row.distance.mean, row.distance.low,
                       row.distance.high);
  };
  for (const Density density : kDensities) {
    const auto add = [&](const std::string& title, const std::string& name, auto&& cell) {
      std::vector<std::string> line = {density_words(density), title,
                                       predecessor_words(report, name)};
      for (const NodeId nodes : sizes) {
        const Row* row = find_row(report.rows, name, draw, density, nodes);
        line.push_back(row ? cell(*row) : std::string("–"));
      }
      table.add(std::move(line));
    };
    add("published", "Dijkstra", [](const Row& row) {
      const PublishedCell& cell = *published_cell(row.split.density, row.split.nodes);
      return fmt::format("{:.3f} ± {:.3f}, {:.2f} ± {:.2f} %", cell.ratio(), cell.ratio_error(),
                         cell.distance.mean, cell.distance.error);
    });
    if (sizes.empty()) continue;  // none of the published ones was run
    for (const char* name : {"paper", "paper-alone", "paper-tuned", "constant", "deep"}) {
      const bool constant = std::string_view(name) == "constant";
      const Row* any = find_row(report.rows, name, draw, density, sizes.front());
      add(constant ? "one constant"
          : any    ? fmt::format("{}, {} models", name, any->trials)
                   : name,
          name, whole);
    }
    // What the closure does before the search counts as well.
    add("deep + closure, and closed", "deep + closure", [](const Row& row) {
      return fmt::format("{:.3f} + {:.3f}", row.ratio.mean, row.closed.mean / row.dijkstra.mean);
    });
    add("perfect", "exact potential",
        [](const Row& row) { return fmt::format("{:.3f}", row.ratio.mean); });
    add("Dijkstra's iterations", "Dijkstra",
        [](const Row& row) { return fmt::format("{:.1f}", row.iterations.mean); });
  }
  return {fmt::format("Iterations ÷ Dijkstra's and relative distance with 95 % intervals, {}",
                      draw_words(draw)),
          std::move(table)};
}

std::vector<Section> further_sections(const Report& report, Draw draw) {
  std::vector<Section> sections;
  const std::vector<NodeId> sizes = published_sizes(report, draw);
  if (sizes.empty()) return sections;
  std::vector<std::string> names = report.learned;
  names.insert(names.end(), report.baselines.begin(), report.baselines.end());
  for (const Density density : kDensities) {
    Table table({density_words(density), "iterations", "95 % interval", "÷ perfect", "closed",
                 "iterations + closed", "÷ path: mean / p99 / worst", "accuracy %", "distance %",
                 "constraints % (arcs alone)", "re-opened", "gap %", "prepare", "heuristic",
                 "closure", "search", "speedup", "break-even"});
    const Row* limit = find_row(report.rows, "exact potential", draw, density, sizes.back());
    for (const std::string& name : names) {
      const Row* row = find_row(report.rows, name, draw, density, sizes.back());
      if (row) table.add(further_line(baseline_name(report, name), *row, limit));
    }
    sections.push_back(
        {fmt::format("{}, {}, {} nodes", density_words(density), draw_words(draw), sizes.back()),
         std::move(table)});
  }
  return sections;
}

std::vector<Section> pruning_sections(const Report& report) {
  Table table({"dense (p = 0.35), undirected", "nodes", "iterations", "pruned", "distance %",
               "pruned, distance %"});
  bool any = false;
  for (const Row& row : report.rows) {
    const std::string plain = row.method.substr(0, row.method.find(", pruned"));
    if (plain == row.method) continue;
    const Row* as_printed =
        find_row(report.rows, plain, row.split.draw, row.split.density, row.split.nodes);
    if (as_printed == nullptr) continue;
    any = true;
    table.add({baseline_name(report, plain), std::to_string(row.split.nodes),
               fmt::format("{:.2f}", as_printed->iterations.mean),
               fmt::format("{:.2f}", row.iterations.mean),
               fmt::format("{:.2f}", as_printed->distance.mean),
               fmt::format("{:.2f}", row.distance.mean)});
  }
  if (!any) return {};
  std::vector<Section> sections;
  sections.push_back({"What pruning against the best path known changes", std::move(table)});
  return sections;
}

std::vector<Section> large_sections(const Report& report) {
  std::vector<Section> sections;
  for (const Draw draw : draws_of(report)) {
    Table table({"larger graphs: iterations", "nodes", "graphs", "Dijkstra", "bidirectional",
                 "paper (distance)", "deep (distance)", "deep + closure", "perfect",
                 "deep + closure ÷ perfect", "closed", "sum ÷ perfect",
                 "÷ path: mean / p99 / worst"});
    bool any = false;
    for (const Row& row : report.rows) {
      if (row.method != "deep + closure" || row.split.draw != draw ||
          !row.split.name.starts_with("large")) {
        continue;
      }
      any = true;
      const auto of = [&](const std::string& name) -> const Row& {
        return *find_row(report.rows, name, draw, row.split.density, row.split.nodes);
      };
      const auto with_distance = [&](const std::string& name) {
        return fmt::format("{:.1f} ({:.2f} %)", of(name).iterations.mean, of(name).distance.mean);
      };
      const double limit = of("exact potential").iterations.mean;
      table.add({density_words(row.split.density), std::to_string(row.split.nodes),
                 std::to_string(row.split.count), fmt::format("{:.0f}", row.dijkstra.mean),
                 fmt::format("{:.1f}", of("bidirectional").iterations.mean), with_distance("paper"),
                 with_distance("deep"), value(row.iterations, 1, row.trials),
                 fmt::format("{:.1f}", limit), fmt::format("{:.2f}", row.iterations.mean / limit),
                 fmt::format("{:.1f}", row.closed.mean),
                 fmt::format("{:.2f}", (row.iterations.mean + row.closed.mean) / limit),
                 tail(row)});
    }
    if (any) sections.push_back({"Larger graphs, " + draw_words(draw), std::move(table)});
  }
  return sections;
}

}  // namespace lodestar::cli
