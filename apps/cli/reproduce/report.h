// What a run came to, and the parts every form of the report is made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/harness/table.h"
#include "learn/evaluate/row.h"
#include "learn/evaluate/verdict.h"

namespace lodestar::cli {

struct Report {
  std::vector<evaluate::Row> rows;
  std::vector<evaluate::Claim> claims;
  std::vector<std::string> learned;    // names of rows, in the order to show them
  std::vector<std::string> baselines;  // likewise
  std::vector<std::string> given;      // rows of the user's models and programs, without closure
  std::string search;                  // "astar"
  double constant = 0;
  std::size_t models = 0;   // of each preset
  std::uint32_t draws = 1;  // sets of test graphs
  std::vector<std::string> model_hashes;
  std::map<std::string, std::vector<double>> predecessors;  // as in ReproducePlan
  // Where the numbers come from.
  std::string command;
  std::string machine;
  unsigned threads = 0;
  double seconds = 0;
};

struct Section {
  std::string title;
  Table table;
};

// The result in two tables, one line a cell of the paper's Table 1: iterations as a share of
// Dijkstra's, and path length; the published value first, a mark at ours.
std::vector<Section> result_sections(const Report& report, Draw draw);
// The paper's Table 1 with everything it has, one section per density, its values beside ours.
std::vector<Section> paper_sections(const Report& report, Draw draw);
// The same in short, one line a method and density: accuracy of predecessors, then iterations as a
// share of Dijkstra's and path length with their 95 % intervals for each size.
Section summary_section(const Report& report, Draw draw);
// Every method on the largest published size: what the paper does not report.
std::vector<Section> further_sections(const Report& report, Draw draw);
// What leaving out all that costs as much as the best path known changes; empty without such rows.
std::vector<Section> pruning_sections(const Report& report);
// Graphs larger than the paper's; empty when there are none.
std::vector<Section> large_sections(const Report& report);

// Claims that say the same of one subject, with each kind of graphs.
struct ClaimGroup {
  bool made = true;
  std::string text;  // "Preset deep: fewer iterations than the paper"
  std::vector<const evaluate::Claim*> claims;

  bool holds() const;
};
std::vector<ClaimGroup> claim_groups(const Report& report);
// The cells of a group's claim that hold, "12 of 12 ✓"; empty without a claim on such graphs.
std::string claim_cell(const ClaimGroup& group, Draw draw);
// One line a group, a column for each kind of graphs.
Table claims_table(const Report& report);

std::vector<Draw> draws_of(const Report& report);
std::string draw_words(Draw draw);  // "undirected graphs"
// How to read the marks and numbers of paper_sections.
std::string legend(const Report& report);
// The marks alone, for result_sections.
std::string short_legend(const Report& report);

// Numbers and names as the report's tables write them.
inline constexpr Density kDensities[] = {Density::kSparse, Density::kDense, Density::kVeryDense};

std::string density_words(Density density);  // "dense (p = 0.35)"
std::string draw_name(Draw draw);            // "undirected", "each edge once", "directed"
std::string value(const bench::Estimate& ours, int digits, std::size_t trials);  // "1.25±0.03"
// "1.25±0.03 (1.31) ✓"
std::string against(const bench::Estimate& ours, const PublishedValue& paper,
                    evaluate::Better better, int digits, std::size_t trials);
// ✓ better than published, ≈ within the noise, ✗ worse; lower is better.
const char* mark(const bench::Estimate& ours, const PublishedValue& paper);
std::string factor(double value);  // "2.31", "0.0042"
std::string baseline_name(const Report& report, const std::string& name);
// Sizes of the paper's table that were run with this draw.
std::vector<NodeId> published_sizes(const Report& report, Draw draw);

// The report's figures, as SVG by gnuplot.
struct DrawnFigure {
  std::string name;     // name.svg in the folder, with its data and script
  std::string caption;  // what it shows
  bool drawn = false;   // false when gnuplot is not there
};

// Fig. 1a and 1b of the paper, the front over the scale of y, and where the time goes. Of the
// first draw that was run; what has no rows is left out.
std::vector<DrawnFigure> draw_figures(const Report& report, const std::string& folder);

// The report as files for machines: results.csv (counts, the same in every run of one build),
// times.csv, and results.jsonl with everything and where it comes from.
void write_results(const Report& report, const std::string& folder);

// A whole file at once.
void write_file(const std::string& folder, const std::string& name, const std::string& text);

// The report as text: the terminal's short form, and report.md.
std::string terminal_text(const Report& report);
std::string markdown_text(const Report& report);
// summary.md: the table in short, for a README.
std::string summary_text(const Report& report);
// "lodestar 0.1.0, commit …": one line on where the numbers come from.
std::string provenance(const Report& report);

// The report as one HTML page: no other file, no script, nothing from the network.

// Figures are read from the folder they were drawn into.
std::string page_html(const Report& report, const std::vector<DrawnFigure>& figures,
                      const std::string& folder);

}  // namespace lodestar::cli
