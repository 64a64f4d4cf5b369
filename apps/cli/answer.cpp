#include "answer.h"

#include <fmt/core.h>

#include <cmath>

#include "matrix_writer.h"
#include "progress.h"

namespace lodestar::cli {

nlohmann::json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 0x1p53) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

namespace {

// A name as one word: quoted, quotes doubled, where it holds what separates names.
std::string word(const std::string& name) {
  return name.empty() ? "\"\"" : csv_field(name, " \t\n\r\"");
}

}  // namespace

std::string text(double value) {
  return std::isfinite(value) ? number(value).dump() : std::string("∞");
}

bool matches(Cost cost, Cost expected, bool scenario) {
  if (cost == expected) return true;
  if (!std::isfinite(cost) || !std::isfinite(expected)) return false;
  if (scenario) return std::abs(cost - expected) <= 0.01;
  if (expected == std::floor(expected)) return false;
  return std::abs(cost - expected) <= 1e-9 * std::abs(expected);
}

void add_found(nlohmann::ordered_json& out, const SearchResult& found, bool times) {
  out["cost"] = number(found.cost);
  out["lower_bound"] = number(found.lower_bound);
  out["gap"] = number(found.gap());
  out["optimal"] = found.optimal();
  out["expansions"] = found.expansions;
  out["reopened"] = found.reopened;
  out["pushes"] = found.pushes;
  if (found.capped) out["capped"] = true;
  if (times) {
    out["heuristic_seconds"] = found.heuristic_seconds;
    out["closure_seconds"] = found.closure_seconds;
    out["search_seconds"] = found.search_seconds;
  }
}

nlohmann::ordered_json to_json(const GraphFile& file, const QueryLine& line, const Answer& answer,
                               const AnswerOptions& options, bool scenario) {
  const SearchResult& found = answer.found;
  nlohmann::ordered_json out;
  out["source"] = file.names.name(line.query.source);
  out["target"] = file.names.name(line.query.target);
  add_found(out, found, options.times);
  if (options.compare) {
    out["dijkstra_expansions"] = answer.dijkstra.expansions;
    out["dijkstra_seconds"] = answer.dijkstra.search_seconds;
    out["break_even_seconds"] = number(break_even_seconds({&found, 1}, {&answer.dijkstra, 1}));
  }
  if (options.check && line.expected) {
    out["expected"] = number(*line.expected);
    out["match"] = matches(found.cost, *line.expected, scenario);
  }
  if (options.paths) {
    auto& path = out["path"] = nlohmann::ordered_json::array();
    for (const NodeId v : answer.path) path.push_back(file.names.name(v));
  }
  return out;
}

const char* no_path_text(const SearchResult& found) {
  return found.capped ? "stopped at the limit of expansions, no path found so far"
                      : "no path, proven: everything reachable was searched";
}

void print_effort(const SearchResult& found, bool times) {
  fmt::print("  expanded {} nodes, {} re-opened, {} pushes\n", found.expansions, found.reopened,
             found.pushes);
  if (!times) return;
  fmt::print("  heuristic {}, closure {}, search {}\n", format_seconds(found.heuristic_seconds),
             format_seconds(found.closure_seconds), format_seconds(found.search_seconds));
}

int print_check(std::size_t checked, std::size_t wrong) {
  fmt::print(stderr, "checked {} expected costs: {} mismatches\n", checked, wrong);
  if (checked == 0) throw Error("--check found no expected costs in the query file");
  return wrong == 0 ? 0 : 1;
}

void print_one(const GraphFile& file, const QueryLine& line, const Answer& answer,
               const AnswerOptions& options) {
  const SearchResult& found = answer.found;
  const std::string ends =
      file.names.name(line.query.source) + " → " + file.names.name(line.query.target);
  if (!found.reached()) {
    fmt::print("{}: {}\n", ends, no_path_text(found));
  } else if (found.optimal()) {
    fmt::print("{}: cost {}, proven optimal\n", ends, text(found.cost));
  } else {
    fmt::print("{}: cost {}, at most {:.2f} % above the optimum (lower bound {})\n", ends,
               text(found.cost), 100 * found.gap(), text(found.lower_bound));
  }
  print_effort(found, options.times);
  if (options.paths && found.reached()) {
    fmt::print("  path");
    for (const NodeId v : answer.path) fmt::print(" {}", word(file.names.name(v)));
    fmt::print("\n");
  }
}

void print_batch(const GraphFile& file, const QueryFile& queries,
                 const std::vector<Answer>& answers, const AnswerOptions& options) {
  fmt::print("source\ttarget\tcost\tlower_bound\tgap\toptimal\texpansions{}{}\n",
             options.times ? "\theuristic_seconds\tclosure_seconds\tsearch_seconds" : "",
             options.paths ? "\tpath" : "");
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const SearchResult& found = answers[i].found;
    fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{}", file.names.name(queries.lines[i].query.source),
               file.names.name(queries.lines[i].query.target), text(found.cost),
               text(found.lower_bound), text(found.gap()), found.optimal() ? "yes" : "no",
               found.expansions);
    if (options.times) {
      fmt::print("\t{:.9f}\t{:.9f}\t{:.9f}", found.heuristic_seconds, found.closure_seconds,
                 found.search_seconds);
    }
    if (options.paths) {
      std::string names;
      for (const NodeId v : answers[i].path)
        names += (names.empty() ? "" : " ") + word(file.names.name(v));
      fmt::print("\t{}", names);
    }
    fmt::print("\n");
  }
}

}  // namespace lodestar::cli
