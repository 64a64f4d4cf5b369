// The report of a search: a ranking as tab-separated text, and a self-contained HTML page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "learn/tune/search.h"

namespace lodestar::tune {

struct ReportFacts {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  // command, version, seed, …
  std::string best_command;                                // how to train with the best values
};

// Rank, trial, level, epochs, metric, drawn values, what was measured; a row per trial.
std::vector<std::string> ranking_header(const Search& search);
std::vector<std::vector<std::string>> ranking_rows(const Search& search);

// ranking.tsv, report.html and figures/ in the folder. Returns the page's path.
std::string write_report(const Search& search, const ReportFacts& facts, const std::string& folder);

// Scatter figures of a search: the metric against each hyperparameter, as SVG by gnuplot.
struct ScatterFigure {
  std::string option;
  std::string path;  // of the SVG
};

// One figure per drawn option, with data and script beside it, in `folder`. Empty when gnuplot is
// not installed. Trials far off the rest are drawn at the upper edge.
std::vector<ScatterFigure> draw_scatter(const Search& search, const std::string& folder);

}  // namespace lodestar::tune
