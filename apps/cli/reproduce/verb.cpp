// `lodestar reproduce`: the paper's evaluation in one command, its numbers beside ours.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include "figures.h"
#include "files.h"
#include "lodestar/detail/clock.h"
#include "markdown.h"
#include "page.h"
#include "plan.h"
#include "progress.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

// Of the program itself: what it computes may change with any change of it, the commit unchanged.
std::string build_hash() {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (bytes.empty()) throw Error("/proc/self/exe cannot be read, so a run could not be resumed");
  std::uint64_t hash = bytes.size();
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::copy_n(bytes.data() + i, 8, reinterpret_cast<char*>(&word));
    hash = mix64(hash ^ word);
  }
  return fmt::format("{:016x}", hash);
}

std::string machine() {
  std::string model = "unknown processor";
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  }
  return fmt::format("{}, {} processors", model, std::thread::hardware_concurrency());
}

std::string command_line(const ReproduceOptions& options) {
  std::string text = "lodestar reproduce";
  if (options.quick) text += " --quick";
  if (options.full) text += " --full";
  if (options.seed != 1) text += fmt::format(" --seed {}", options.seed);
  if (options.draws > 0) text += fmt::format(" --draws {}", options.draws);
  if (options.strict) text += " --strict";
  if (!options.kinds.empty()) text += fmt::format(" --draw {}", fmt::join(options.kinds, ","));
  for (const std::string& model : options.models) text += " --model '" + model + "'";
  for (const std::string& program : options.programs) text += " --program '" + program + "'";
  if (options.search != "astar") text += " --search " + options.search;
  if (options.search == "weighted") text += fmt::format(" --weight {}", options.weight);
  if (options.search == "focal") text += fmt::format(" --bound {}", options.bound);
  if (!options.sizes.empty()) text += fmt::format(" --sizes {}", fmt::join(options.sizes, ","));
  if (options.graphs > 0) text += fmt::format(" --graphs {}", options.graphs);
  return text + " -o " + options.folder;
}

int run(ReproduceOptions options) {
  const auto start = Clock::now();
  if (options.threads == 0) options.threads = std::max(1u, std::thread::hardware_concurrency());
  const ReproducePlan plan = make_plan(options);  // before the folder: what is refused leaves none
  paper::CellStore store(options.folder);
  const std::string build = build_hash();

  Report report;
  std::size_t kept = 0;
  {
    Progress progress("reproducing");
    report.rows = paper::run_grid(plan.grid, store, build, options.threads,
                                  [&](const paper::GridProgress& state) {
                                    kept = state.kept;
                                    progress.update(state.fraction, state.split);
                                  });
  }
  // The claims are about A*.
  if (plan.grid.search.algorithm == paper::SearchAlgorithm::kAStar) {
    report.claims = paper::check_claims(report.rows);
  }
  if (kept > 0) {
    fmt::print(stderr, "{} finished cells were taken from {}\n", kept, options.folder);
  }
  report.learned = plan.learned;
  report.baselines = plan.baselines;
  report.model_hashes = plan.model_hashes;
  report.search = plan.grid.search.identity();
  report.constant = plan.constant;
  report.models = plan.models;
  report.draws = plan.draws;
  report.command = command_line(options);
  report.machine = machine();
  report.threads = options.threads;
  report.seconds = seconds_since(start);

  write_results(report, options.folder);
  write_file(options.folder, "report.md", markdown_text(report));
  write_file(options.folder, "summary.md", summary_text(report));
  const std::vector<DrawnFigure> figures = draw_figures(report, options.folder);
  write_file(options.folder, "index.html", page_html(report, figures, options.folder));
  fmt::print("{}\nThe whole report: {}/index.html\n", terminal_text(report), options.folder);
  return options.strict && !paper::all_made_hold(report.claims) ? 1 : 0;
}

}  // namespace

void add_reproduce(CLI::App& program, int* status) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* verb = program.add_subcommand(
      "reproduce", "Run the paper's evaluation and set its numbers beside ours");
  verb->add_option("-o,--output", options->folder,
                   "Folder of page, figures, tables and cells; finished cells are kept")
      ->required();
  CLI::Option* quick =
      verb->add_flag("--quick", options->quick, "Two sizes, few graphs, two models: a few seconds");
  verb->add_flag(
          "--full", options->full,
          "Also directed graphs, edges drawn once and graphs of up to 4096 nodes, three sets "
          "of each: twenty minutes or more")
      ->excludes(quick);
  verb->add_option("--seed", options->seed, "Of the test graphs; 1 are those of the manual")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
      ->capture_default_str();
  verb->add_option("--draws", options->draws,
                   "Independent sets of test graphs, each as many as the paper has. Default: 1, "
                   "with --full 3")
      ->check(CLI::Range(1u, 1000u));
  verb->add_flag("--strict", options->strict,
                 "Exit code 1 when a claim that we make fails; otherwise it only says whether the "
                 "run worked");
  verb->add_option("--draw", options->kinds,
                   "How graphs are drawn: or, directed, exact. Default: or, with --full or --quick "
                   "all three")
      ->delimiter(',');
  verb->add_option("--model", options->models, "Another model, FILE or NAME=FILE; repeatable");
  verb->add_option("--program", options->programs,
                   "A heuristic of yours as a program, NAME=COMMAND; repeatable. For each query it "
                   "reads a line 'n m s t' and m lines 'u v w', and writes n estimates of the cost "
                   "to t");
  verb->add_option("--search", options->search,
                   "In place of A*: " + paper::search_names() +
                       ". The last two need a feasible potential, so y is closed first")
      ->capture_default_str();
  verb->add_option("--weight", options->weight, "Of weighted A*")->capture_default_str();
  verb->add_option("--bound", options->bound, "Of focal search: 0.05 allows 5 % above the optimum")
      ->capture_default_str();
  verb->add_option("--sizes", options->sizes,
                   "Only these of the paper's sizes, and no larger graphs")
      ->delimiter(',')
      ->check(CLI::IsMember({16u, 32u, 64u, 96u, 128u, 160u, 192u, 224u, 256u}));
  verb->add_option("--graphs", options->graphs, "Graphs of each cell; the paper has 128")
      ->check(CLI::Range(1u, 100'000u));
  verb->add_option("--threads", options->threads, "Numbers do not depend on it; 0: all processors");
  verb->callback([options, status] { *status = run(*options); });
}

}  // namespace lodestar::cli
