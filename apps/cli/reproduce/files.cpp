#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lodestar/atomic_file.h"
#include "lodestar/version.h"
#include "report.h"

namespace lodestar::cli {
namespace {

using bench::Estimate;
using evaluate::Row;
using Json = nlohmann::ordered_json;

struct Column {
  const char* name;
  Estimate Row::*member;
};
constexpr Column kColumns[] = {
    {"constraints_percent", &Row::constraints},
    {"arc_constraints_percent", &Row::arc_constraints},
    {"accuracy_percent", &Row::accuracy},
    {"distance_percent", &Row::distance},
    {"iterations", &Row::iterations},
    {"dijkstra_iterations", &Row::dijkstra},
    {"iteration_ratio", &Row::ratio},
    {"reopened", &Row::reopened},
    {"gap_percent", &Row::gap},
    {"iterations_per_path_node", &Row::per_path},
    {"closed_nodes", &Row::closed},
};

struct TimeColumn {
  const char* name;
  double (*get)(const Row&);
};
constexpr TimeColumn kTimes[] = {
    {"preparation_us", [](const Row& row) { return 1e6 * row.seconds.preparation; }},
    {"heuristic_us", [](const Row& row) { return 1e6 * row.seconds.heuristic; }},
    {"closure_us", [](const Row& row) { return 1e6 * row.seconds.closure; }},
    {"search_us", [](const Row& row) { return 1e6 * row.seconds.search; }},
    {"dijkstra_us", [](const Row& row) { return 1e6 * row.seconds.dijkstra; }},
    {"speedup", [](const Row& row) { return row.speedup(); }},
    {"break_even_us", [](const Row& row) { return 1e6 * row.break_even_seconds(); }},
};

std::string id_columns(const Row& row) {
  return fmt::format("{},{},{},{},\"{}\",{},{}", to_string(row.split.draw),
                     to_string(row.split.density), row.split.nodes, row.split.count, row.method,
                     row.scale, row.trials);
}
constexpr const char* kIdHeader = "draw,density,nodes,graphs,contender,scale,trials";

std::string results_csv(const Report& report) {
  std::string out = kIdHeader;
  for (const Column& column : kColumns) {
    out += fmt::format(",{0},{0}_error,{0}_low,{0}_high,{0}_deviation", column.name);
  }
  out += ",iterations_per_path_node_p99,iterations_per_path_node_worst\n";
  for (const Row& row : report.rows) {
    out += id_columns(row);
    for (const Column& column : kColumns) {
      const Estimate& e = row.*column.member;
      out += fmt::format(",{:.10g},{:.6g},{:.10g},{:.10g},{:.6g}", e.mean, e.error, e.low, e.high,
                         e.deviation);
    }
    out += fmt::format(",{:.10g},{:.10g}\n", row.per_path_p99, row.per_path_worst);
  }
  return out;
}

std::string times_csv(const Report& report) {
  std::string out = kIdHeader;
  for (const TimeColumn& column : kTimes) out += fmt::format(",{}", column.name);
  out += "\n";
  for (const Row& row : report.rows) {
    out += id_columns(row);
    for (const TimeColumn& column : kTimes) out += fmt::format(",{:.6g}", column.get(row));
    out += "\n";
  }
  return out;
}

Json published_json(const Row& row) {
  const PublishedCell* cell = published_cell(row.split.density, row.split.nodes);
  if (cell == nullptr) return nullptr;
  const auto with_error = [](const PublishedValue& value) {
    return Json{{"mean", value.mean}, {"error", value.error}};
  };
  return {{"constraints_percent", with_error(cell->constraints)},
          {"distance_percent", with_error(cell->distance)},
          {"iterations", with_error(cell->iterations)},
          {"dijkstra_iterations", cell->dijkstra},
          {"speedup", cell->speedup}};
}

std::string results_jsonl(const Report& report) {
  Json claims = Json::array();
  for (const evaluate::Claim& claim : report.claims) {
    claims.push_back({{"claim", claim.text},
                      {"made", claim.made},
                      {"cells", claim.cells},
                      {"passed", claim.passed()},
                      {"failures", claim.failures}});
  }
  std::string out = Json{{"report", "lodestar reproduce"},
                         {"version", kVersion},
                         {"commit", kCommit},
                         {"compiler", kCompiler},
                         {"command", report.command},
                         {"machine", report.machine},
                         {"threads", report.threads},
                         {"seconds", report.seconds},
                         {"search", report.search},
                         {"constant", report.constant},
                         {"draws", report.draws},
                         {"models", report.model_hashes},
                         {"predecessors", report.predecessors},
                         {"claims", claims}}
                        .dump() +
                    "\n";
  for (const Row& row : report.rows) {
    Json line = {{"split", to_string(row.split)},
                 {"draw", to_string(row.split.draw)},
                 {"density", to_string(row.split.density)},
                 {"nodes", row.split.nodes},
                 {"graphs", row.split.count},
                 {"contender", row.method},
                 {"scale", row.scale},
                 {"trials", row.trials}};
    for (const Column& column : kColumns) {
      const Estimate& e = row.*column.member;
      line[column.name] = {{"mean", e.mean},
                           {"error", e.error},
                           {"low", e.low},
                           {"high", e.high},
                           {"deviation", e.deviation}};
    }
    line["iterations_per_path_node"]["p99"] = row.per_path_p99;
    line["iterations_per_path_node"]["worst"] = row.per_path_worst;
    for (const TimeColumn& column : kTimes) {
      const double value = column.get(row);
      line["times"][column.name] = std::isfinite(value) ? Json(value) : Json();
    }
    line["published"] = published_json(row);
    out += line.dump() + "\n";
  }
  return out;
}

}  // namespace

void write_file(const std::string& folder, const std::string& name, const std::string& text) {
  replace_file((std::filesystem::path(folder) / name).string(), text);
}

void write_results(const Report& report, const std::string& folder) {
  write_file(folder, "results.csv", results_csv(report));
  write_file(folder, "times.csv", times_csv(report));
  write_file(folder, "results.jsonl", results_jsonl(report));
}

}  // namespace lodestar::cli
