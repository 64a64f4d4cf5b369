// `lodestar reproduce`: runs the paper's evaluation and compares with its published numbers.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include "lodestar/detail/clock.h"
#include "lodestar/detail/parallel.h"
#include "plan.h"
#include "progress.h"
#include "report.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

// A hash of the program itself: what it computes may change with any change of it, the commit
// unchanged.
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
  if (options.search != "astar") text += " --algorithm " + options.search;
  if (options.search == "weighted") text += fmt::format(" --h-weight {}", options.weight);
  if (options.search == "focal") text += fmt::format(" --bound {}", options.bound);
  if (!options.sizes.empty()) text += fmt::format(" --sizes {}", fmt::join(options.sizes, ","));
  if (options.graphs > 0) text += fmt::format(" --graphs {}", options.graphs);
  return text + " -o " + options.folder;
}

int run(ReproduceOptions options) {
  if (!options.planning.empty()) return run_planning_benchmark(options);
  const auto start = Clock::now();
  options.threads = thread_count(options.threads);
  const ReproducePlan plan = make_plan(options);  // before the folder: what is refused leaves none
  evaluate::CellStore store(options.folder);
  const std::string build = build_hash();

  Report report;
  std::size_t kept = 0;
  {
    Progress progress("reproducing");
    report.rows = evaluate::run_grid(plan.grid, store, build, options.threads,
                                     [&](const evaluate::GridProgress& state) {
                                       kept = state.kept;
                                       progress.update(state.fraction, state.split);
                                     });
  }
  // The claims are about A*.
  if (plan.grid.search.algorithm == evaluate::SearchAlgorithm::kAStar) {
    report.claims = evaluate::check_claims(report.rows, plan.given);
  }
  if (kept > 0) {
    fmt::print(stderr, "{} finished cells were taken from {}\n", kept, options.folder);
  }
  report.learned = plan.learned;
  report.baselines = plan.baselines;
  report.given = plan.given;
  report.model_hashes = plan.model_hashes;
  report.predecessors = plan.predecessors;
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
  return options.strict && !evaluate::all_made_hold(report.claims) ? 1 : 0;
}

}  // namespace

void add_reproduce(Verb& program) {
  auto [verb, options] = program.verb<ReproduceOptions>(
      "reproduce", "Run the paper's evaluation and compare with the published numbers", run,
      kModelVerbs);
  verb.option("-o,--output", options.folder,
              "Folder for the page, figures, tables and finished cells, which are kept")
      .required();
  verb.flag("--quick", options.quick, "Two sizes, few graphs and two models: takes seconds");
  verb.flag("--full", options.full,
            "Run directed graphs, edges drawn once and graphs of up to 4096 nodes as well, three "
            "sets "
            "of each: takes twenty minutes or more")
      .excludes("--quick");
  verb.option("--seed", options.seed, "Seed of the test graphs")
      .check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  verb.option("--draws", options.draws,
              "Independent sets of test graphs, each as large as the paper's")
      .check(CLI::Range(1u, 1000u))
      .default_text("1, with --full 3");
  verb.flag("--strict", options.strict, "Exit with code 1 if a claim fails");
  verb.option("--draw", options.kinds,
              "How graphs are drawn, separated by commas: or, directed, exact")
      .comma_separated()
      .default_text("or, with --full or --quick all three");
  verb.option("--model", options.models, "Further model: FILE or NAME=FILE; repeatable");
  verb.option("--program", options.programs,
              "Further heuristic as a program: NAME=COMMAND; repeatable. For each query it reads a "
              "line 'n m s t' and m lines 'u v w', and writes n estimates of the cost to t");
  verb.option(
      "--planning", options.planning,
      "Run the benchmark of learned planners on the maps of this folder instead "
      "(*.npz of Neural A*, *.map of MovingAI and SaIL, *.test.txt; also .xz or .gz) and its "
      "subfolders; of the other options it uses --quick, --seed, --model and -o");
  verb.option("--algorithm", options.search,
              "Search algorithm: " + evaluate::search_names() +
                  ". The last two require consistent potentials, so potentials are closed first");
  verb.option("--h-weight", options.weight, "Weight of the heuristic in weighted A*")
      .needs("--algorithm=weighted");
  verb.option("--bound", options.bound,
              "Accept paths up to this share above the optimum; 0.05 is 5 %")
      .needs("--algorithm=focal");
  verb.option("--sizes", options.sizes,
              "Sizes of the paper to run, separated by commas, and no larger graphs")
      .comma_separated()
      .check(CLI::IsMember({16u, 32u, 64u, 96u, 128u, 160u, 192u, 224u, 256u}))
      .default_text("all, with --full larger ones as well");
  verb.option("--graphs", options.graphs, "Graphs of each cell")
      .check(CLI::Range(1u, 100'000u))
      .default_text("128, as in the paper");
  verb.threads(options.threads, "Worker threads, which do not change the numbers");
  verb.footer(R"(Examples:
  lodestar reproduce -o out/paper
  lodestar reproduce --quick -o out/quick
  lodestar reproduce --seed 7 --draws 5 --strict -o out/seven
  lodestar reproduce --draw or --sizes 32,96,192,256 --graphs 40 -o out/table
  lodestar reproduce --draw or --model mine=runs/mine/model.safetensors -o out/mine
  lodestar reproduce --planning maps -o out/planning
  lodestar reproduce --algorithm focal --bound 0.1 -o out/focal)");
}

}  // namespace lodestar::cli
