#include "learn/evaluate/planning.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/harness/table.h"
#include "lodestar/version.h"
#include "plan.h"
#include "report.h"

namespace lodestar::cli {
namespace {

using evaluate::PlanningMap;
using evaluate::PlanningPicture;
using evaluate::PlanningReport;
using evaluate::PlanningRow;

constexpr NodeId kTiles[] = {2, 4};  // of 32 × 32: 64 × 64 and 128 × 128
constexpr std::uint32_t kTiledMaps = 50, kQuickMaps = 10;

Table table_of(const PlanningReport& report) {
  Table table({"maps", "planner", "Opt %", "Exp %", "Hmean", "cost ÷ optimum", "expansions", "÷ A*",
               "prepared", "Exp % in all", "µs", "price, µs"});
  PlanningRow plain;
  for (const PlanningRow& row : report.rows) {
    if (row.planner == "A*") plain = row;
    // Time in excess of A* divided by expansions saved: what an expansion must cost to pay for it.
    const double fewer = plain.expansions - row.expansions - row.prepared;
    const bool pays = plain.family == row.family && fewer > 0;
    const auto number = [](double value, int digits) {
      return fmt::format("{:.{}f}", value, digits);
    };
    table.add(
        {row.family, row.planner, number(100 * row.optimal, 1), number(100 * row.saved, 1),
         number(100 * row.harmonic_mean(), 1), number(row.cost_ratio, 4), number(row.expansions, 1),
         number(row.expansion_ratio, 3), number(row.prepared, 1), number(100 * row.saved_in_all, 1),
         number(row.microseconds, 0),
         pays ? number(std::max(0.0, row.microseconds - plain.microseconds) / fewer, 1) : "–"});
  }
  return table;
}

std::string csv(const PlanningReport& report) {
  std::string text =
      "maps,planner,queries,opt,exp,hmean,cost_ratio,expansions,expansion_ratio,prepared,"
      "exp_in_all,microseconds\n";
  for (const PlanningRow& row : report.rows) {
    text += fmt::format("{},\"{}\",{},{},{},{},{},{},{},{},{},{}\n", row.family, row.planner,
                        row.queries, row.optimal, row.saved, row.harmonic_mean(), row.cost_ratio,
                        row.expansions, row.expansion_ratio, row.prepared, row.saved_in_all,
                        row.microseconds);
  }
  return text;
}

std::string svg(const PlanningPicture& picture, std::size_t planner) {
  constexpr int kSize = 240;
  const PlanningMap& map = picture.map;
  std::string text = fmt::format(
      "<svg width=\"{0}\" height=\"{0}\" viewBox=\"0 0 {1} {2}\"><rect width=\"{1}\" "
      "height=\"{2}\" fill=\"#fff\" stroke=\"#999\" stroke-width=\".1\"/>",
      kSize, map.width, map.height);
  const auto cell = [&](NodeId c, const char* colour) {
    text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"1\" height=\"1\" fill=\"{}\"/>",
                        c % map.width, c / map.width, colour);
  };
  for (NodeId c = 0; c < map.free.size(); ++c) {
    if (map.free[c] == 0) cell(c, "#444");
  }
  for (const NodeId c : picture.expanded[planner]) cell(c, "#9ecae1");
  for (const NodeId c : picture.path) cell(c, "#d7301f");
  cell(picture.start, "#31a354");
  cell(map.goal, "#000");
  return text + "</svg>";
}

std::string page(const PlanningReport& report, const std::string& head) {
  std::string text =
      "<!doctype html><meta charset=\"utf-8\"><title>Lodestar: planning benchmark</title>"
      "<style>body{font:15px sans-serif;margin:2em}figure{display:inline-block;margin:4px}"
      "figcaption{text-align:center}table{border-collapse:collapse;font-size:13px}"
      "td,th{padding:2px 8px;border-bottom:1px solid #ddd;text-align:right}"
      "td:first-child,td:nth-child(2){text-align:left}</style><h1>Planning benchmark</h1><p>" +
      head + "</p>" + table_of(report).html();
  for (const PlanningPicture& picture : report.pictures) {
    text += "<h2>" + picture.map.family + "</h2>";
    for (std::size_t k = 0; k < picture.planners.size(); ++k) {
      text += fmt::format("<figure>{}<figcaption>{}: {}</figcaption></figure>", svg(picture, k),
                          picture.planners[k], picture.expanded[k].size());
    }
  }
  return text + "<p>Blue: expanded cells. Red: a shortest path. Green: start. Black: goal.</p>";
}

}  // namespace

int run_planning_benchmark(const ReproduceOptions& options) {
  std::vector<PlanningMap> maps = evaluate::read_planning_folder(options.planning);
  std::vector<PlanningMap> tiles;  // those of one size that name their goals: the MP maps
  for (const PlanningMap& map : maps) {
    if (!map.cost.empty() && (tiles.empty() || map.width == tiles[0].width)) tiles.push_back(map);
  }
  if (options.quick) {
    std::vector<PlanningMap> few;
    for (std::size_t i = 0; i < maps.size(); ++i) {
      const bool more = i >= kQuickMaps && maps[i - kQuickMaps].family == maps[i].family;
      if (!more) few.push_back(maps[i]);
    }
    maps = std::move(few);
  }
  for (const NodeId side : kTiles) {
    if (tiles.empty()) break;
    Rng rng(mix64(options.seed) + side);
    for (std::uint32_t i = 0; i < (options.quick ? kQuickMaps : kTiledMaps); ++i) {
      maps.push_back(evaluate::tiled_map(tiles, side, rng));
    }
  }
  const std::string model = options.models.empty() ? "deep" : options.models.back();
  const PlanningReport report = evaluate::run_planning(maps, model, options.seed);
  const std::string head = fmt::format(
      "Lodestar {} ({}), {} maps, three starts each, seed {}. Opt: shortest paths. Exp: expansions "
      "saved against A*. Prepared: nodes changed by closure or settled backwards; Exp in all "
      "counts "
      "them too. Price: time in excess of A* divided by expansions saved, preparation counted.",
      kVersion, kCommit, maps.size(), options.seed);
  std::filesystem::create_directories(options.folder);
  const Table table = table_of(report);
  write_file(options.folder, "planning.md", head + "\n\n" + table.markdown());
  write_file(options.folder, "planning.csv", csv(report));
  write_file(options.folder, "planning.html", page(report, head));
  fmt::print("{}\n\n{}\nPictures: {}/planning.html\n", head, table.text(), options.folder);
  return 0;
}

}  // namespace lodestar::cli
