#include "learn/tune/report.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "bench/harness/table.h"
#include "lodestar/atomic_file.h"

namespace lodestar::tune {
namespace {

constexpr const char* kStyle = R"(
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;
       max-width: 1040px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { color: #666; } dd { margin: 0; overflow-wrap: anywhere; }
.best { border-left: 4px solid #d55e00; background: #fdf5ef; padding: .6rem 1rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 1rem; }
.figures svg { width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: .2rem .6rem; text-align: right; white-space: nowrap; }
th { border-bottom: 2px solid #444; } td { border-bottom: 1px solid #e4e4e4; }
.ranking tr:first-child td { background: #fdf5ef; }
code { font-size: 13px; overflow-wrap: anywhere; }
)";

std::string svg_inside(const std::string& path) {
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t begin = text.find("<svg");
  return begin == std::string::npos ? "" : text.substr(begin);
}

std::string shown(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string measure(const Record& record, const char* name, double factor, const char* format) {
  if (record.diverged || !record.measures.contains(name)) return "–";
  const Json& value = record.measures[name];
  if (!value.is_number()) return "–";
  return fmt::format(fmt::runtime(format), factor * value.get<double>());
}

std::string table_html(const Table& table) {
  return "<div class=\"scroll\">" + table.html() + "</div>\n";
}

std::string intervals_html(const Search& search) {
  std::vector<std::string> header = {"option"};
  for (std::size_t level = 0; level < search.spaces().size(); ++level) {
    header.push_back(fmt::format("level {}", level + 1));
  }
  Table table(header);
  for (std::size_t i = 0; i < search.plan().space.ranges.size(); ++i) {
    std::vector<std::string> row = {search.plan().space.ranges[i].name};
    for (const Space& space : search.spaces()) {
      const Range& range = space.ranges[i];
      if (range.kind == Range::Kind::kInterval) {
        row.push_back(
            fmt::format("{:g} … {:g}{}", range.low, range.high, range.log ? ", logarithmic" : ""));
      } else if (range.kind == Range::Kind::kSame) {
        row.push_back("as " + range.same_as);
      } else {
        row.push_back(Json(range.choices).dump());
      }
    }
    table.add(std::move(row));
  }
  return table_html(table);
}

}  // namespace

std::vector<std::string> ranking_header(const Search& search) {
  std::vector<std::string> header = {"rank", "trial", "level", "epochs",
                                     to_string(search.plan().metric)};
  for (const Range& range : search.plan().space.ranges) {
    if (range.kind != Range::Kind::kSame) header.push_back(range.name);
  }
  for (const char* name : {"constraints %", "distance %", "iterations", "seconds"}) {
    header.emplace_back(name);
  }
  return header;
}

std::vector<std::vector<std::string>> ranking_rows(const Search& search) {
  std::vector<std::vector<std::string>> rows;
  for (const Record* record : search.ranking()) {
    auto& row = rows.emplace_back();
    row = {std::to_string(rows.size()), std::to_string(record->task.trial),
           std::to_string(record->task.level), std::to_string(record->task.epochs),
           record->metric     ? fmt::format("{:.5g}", *record->metric)
           : record->diverged ? "diverged"
                              : "not reached"};
    for (const Range& range : search.plan().space.ranges) {
      if (range.kind != Range::Kind::kSame) row.push_back(shown(record->task.values[range.name]));
    }
    row.push_back(measure(*record, "constraints", 100, "{:.2f}"));
    row.push_back(measure(*record, "relative_distance", 100, "{:.3f}"));
    row.push_back(measure(*record, "iterations", 1, "{:.2f}"));
    row.push_back(fmt::format("{:.1f}", record->seconds));
  }
  return rows;
}

std::string write_report(const Search& search, const ReportFacts& facts,
                         const std::string& folder) {
  const auto header = ranking_header(search);
  const auto rows = ranking_rows(search);
  std::string tsv;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) tsv += (i == 0 ? "" : "\t") + cells[i];
    tsv += "\n";
  };
  add_line(header);
  for (const auto& row : rows) add_line(row);
  replace_file(folder + "/ranking.tsv", tsv);

  std::string html = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                     html_escaped(facts.title) + "</title><style>" + kStyle +
                     "</style></head><body>\n";
  html += "<h1>" + html_escaped(facts.title) + "</h1>\n<dl>\n";
  for (const auto& [name, value] : facts.facts) {
    html += "<dt>" + html_escaped(name) + "</dt><dd>" + html_escaped(value) + "</dd>\n";
  }
  html += "</dl>\n";
  if (!rows.empty()) {
    html += "<h2>Best</h2>\n<div class=\"best\">";
    const Record& best = *search.ranking().front();
    html +=
        fmt::format("Trial {}, {}: <b>{}</b><br>", best.task.trial,
                    html_escaped(describe(search.plan().metric)), html_escaped(rows.front()[4]));
    for (const auto& [name, value] : best.task.values.items()) {
      html += fmt::format("{} <b>{}</b> &ensp; ", html_escaped(name), html_escaped(shown(value)));
    }
    html += "<br><code>" + html_escaped(facts.best_command) + "</code></div>\n";
  }
  html += "<h2>Metric against each hyperparameter</h2>\n";
  const auto figures = draw_scatter(search, folder + "/figures");
  if (figures.empty()) html += "<p>Install gnuplot and run the command again for figures.</p>\n";
  html += "<div class=\"figures\">\n";
  for (const ScatterFigure& figure : figures) {
    html += "<figure style=\"margin:0\">" + svg_inside(figure.path) + "</figure>\n";
  }
  html += "</div>\n<h2>Intervals</h2>\n" + intervals_html(search);
  html += "<h2>Ranking</h2>\n";
  if (search.plan().halving > 0) {
    html += fmt::format(
        "<p>With successive halving, one trial in {} continues after each stage. Stopped trials "
        "have fewer epochs and rank below those that continued; their metric is that of their last "
        "epoch.</p>\n",
        search.plan().halving);
  }
  html +=
      "<p>Constraints, distance and iterations are measured on the validation graphs, with y not "
      "scaled.</p>\n<div class=\"ranking\">";
  Table ranking(header);
  for (const auto& row : rows) ranking.add(row);
  html += table_html(ranking) + "</div></body></html>\n";
  replace_file(folder + "/report.html", html);
  return folder + "/report.html";
}

}  // namespace lodestar::tune
