// `lodestar tune`: the paper's two-level random search for hyperparameters, in a folder of trials.
#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <sstream>

#include "../progress.h"
#include "../verbs.h"
#include "bench/harness/table.h"
#include "command_line.h"
#include "learn/cluster/ranks.h"
#include "learn/train/options.h"
#include "learn/tune/crew.h"
#include "learn/tune/report.h"
#include "learn/tune/search_folder.h"
#include "lodestar/atomic_file.h"
#include "lodestar/version.h"
#include "trial_options.h"

namespace lodestar::cli {
namespace {

using tune::Json;
using tune::Record;
using tune::Search;
using tune::SearchPlan;

struct TuneArguments {
  std::string space = "paper";
  std::string space2;
  std::string preset;
  std::string metric = "loss";
  std::string output;
  std::vector<std::string> fixed;
  std::uint32_t samples = 200;
  std::uint32_t levels = 2;
  std::uint32_t halving = 0;
  std::uint32_t jobs = 1;
  std::uint32_t top = 10;
  std::uint64_t seed = 1;
  double patience = 30;
  bool logarithmic = false;
  bool json = false;
  bool show_space = false;
  bool report_only = false;
};

tune::Space read_space(const std::string& name, tune::Space (*papers)()) {
  if (name == "paper") return papers();
  std::ifstream in(name);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) {
    throw Error(name + ": the space cannot be read; name a file, or 'paper' for the paper's own");
  }
  return tune::parse_space(text.str(), name);
}

SearchPlan make_plan(const TuneArguments& arguments) {
  SearchPlan plan;
  plan.space = read_space(arguments.space, tune::paper_space);
  if (!arguments.preset.empty()) plan.space.preset = arguments.preset;
  if (plan.space.preset.empty()) plan.space.preset = "paper";
  for (const std::string& text : arguments.fixed) fix_option(text, plan.space);
  if (arguments.logarithmic) tune::use_logarithms(plan.space);
  if (!arguments.space2.empty()) {
    plan.space2 = read_space(arguments.space2, tune::paper_space2);
    if (!plan.space2->preset.empty() || !plan.space2->fixed.empty()) {
      throw Error(arguments.space2 + ": the second space has 'draw' only");
    }
    if (arguments.logarithmic) tune::use_logarithms(*plan.space2);
  }
  plan.samples = arguments.samples;
  plan.levels = arguments.levels;
  plan.halving = arguments.halving;
  plan.seed = arguments.seed;
  plan.metric = tune::parse_metric(arguments.metric);
  return plan;
}

std::string describe(const Record& record, const Search& search) {
  std::string values;
  for (const auto& [name, value] : record.task.values.items()) {
    values += fmt::format("{}{} {}", values.empty() ? "" : ", ", name,
                          value.is_string() ? value.get<std::string>() : value.dump());
  }
  const std::string result = record.diverged ? "diverged"
                             : record.metric ? fmt::format("{:.5g}", *record.metric)
                                             : "not reached";
  return fmt::format("trial {}, level {}: {} {} ({}), {}", record.task.trial, record.task.level,
                     to_string(search.plan().metric), result, values,
                     format_seconds(record.seconds));
}

void search_on(Search& search, tune::Journal& journal, tune::Crew& crew,
               const TuneArguments& arguments) {
  Progress bar("tuning");
  const std::size_t before = search.done();
  tune::Coordination how;
  how.order = [&](const tune::Task& task) {
    return trial_order(task, search.plan(), arguments.output);
  };
  how.on_record = [&](const Record& record) { bar.note(describe(record, search)); };
  how.on_note = [&](const std::string& text) { bar.note(text); };
  how.on_tick = [&](std::size_t running) {
    const auto ranked = search.ranking();
    const std::string best = ranked.empty() || !ranked.front()->metric
                                 ? ""
                                 : fmt::format(", best {:.5g} (trial {})", *ranked.front()->metric,
                                               ranked.front()->task.trial);
    const auto here = static_cast<double>(search.done() - before);
    bar.update(here / static_cast<double>(std::max<std::size_t>(search.expected() - before, 1)),
               fmt::format("{} of {} done, {} running{}", search.done(), search.expected(), running,
                           best));
  };
  tune::run_search(search, journal, crew, how);
}

void show_result(Search& search, const Json& first_line, const TuneArguments& arguments) {
  const auto ranked = search.ranking();
  const std::string& folder = arguments.output;
  tune::ReportFacts facts;
  const SearchPlan& plan = search.plan();
  facts.title = fmt::format("Search for hyperparameters: preset {}", plan.space.preset);
  facts.facts = {
      {"command", first_line.value("command", "")},
      {"program", first_line.value("program", "")},
      {"seed", std::to_string(plan.seed)},
      {"samples", fmt::format("{} over {} levels, {} results so far", plan.samples, plan.levels,
                              search.done())},
      {"chosen by", tune::describe(plan.metric)},
      {"every trial", plan.space.fixed.empty() ? "as the preset" : plan.space.fixed.dump()},
      {"procedure", plan.halving == 0
                        ? "plain: every trial runs to its end"
                        : fmt::format("successive halving, one in {} continues", plan.halving)}};
  if (!ranked.empty() && ranked.front()->metric) {
    facts.best_command = fmt::format("lodestar train --config {}/best.json -o RUN", folder);
    replace_file(
        folder + "/best.json",
        learn::options_json(trial_options(ranked.front()->task.values, plan.space)) + "\n");
  }
  const std::string page = tune::write_report(search, facts, folder);
  if (arguments.json) {
    for (const Record* record : ranked) fmt::print("{}\n", to_json(*record).dump());
    return;
  }
  Table table(tune::ranking_header(search));
  const auto rows = tune::ranking_rows(search);
  for (std::size_t i = 0; i < rows.size() && i < arguments.top; ++i) table.add(rows[i]);
  fmt::print("{}", table.text());
  if (rows.size() > arguments.top) fmt::print("… {} more\n", rows.size() - arguments.top);
  fmt::print("report: {}\n", page);
  if (!facts.best_command.empty()) fmt::print("best:   {}\n", facts.best_command);
}

void run_tune(const TuneArguments& arguments) {
  if (arguments.show_space) {
    fmt::print("{}\n", to_json(make_plan(arguments).space).dump(2));
    return;
  }
  if (arguments.output.empty()) throw Error("name the search's folder with -o");
  if (arguments.report_only) {
    const tune::StoredSearch stored(arguments.output);
    Search search = stored.search();
    search.finished();  // opens the levels that are known
    show_result(search, stored.first_line(), arguments);
    return;
  }
  const std::unique_ptr<cluster::Ranks> ranks = cluster::join_ranks();
  if (ranks && ranks->rank() > 0) {
    ranks->serve(arguments.patience);
    return;
  }
  if (arguments.jobs < 1) throw Error("--jobs must be at least 1");
  SearchPlan plan = make_plan(arguments);
  prepare_plan(plan);
  Search search(plan);  // a plan that is refused leaves no folder
  tune::SearchFolder folder(
      arguments.output, plan,
      {{"program", fmt::format("lodestar {} ({}, {})", kVersion, kCommit, kCompiler)},
       {"command", command_line()}});
  folder.read_into(search);
  {
    const std::unique_ptr<tune::Crew> crew =
        ranks ? ranks->lead(arguments.patience) : std::make_unique<tune::LocalCrew>(arguments.jobs);
    search_on(search, folder.journal(), *crew, arguments);
  }
  show_result(search, folder.journal().lines()[0], arguments);
}

}  // namespace

void add_tune(Verb& program) {
  auto [verb, arguments] = program.verb<TuneArguments>(
      "tune", "Search for the hyperparameters of training", run_tune, kModelVerbs);
  verb.option("--space", arguments.space,
              "Search space: a JSON file, or paper for the intervals of the paper");
  verb.option("--space2", arguments.space2, "Search space of level 2: a JSON file, or paper")
      .default_text("around the best of level 1");
  verb.option("--preset", arguments.preset, "Preset that the trials start from")
      .default_text("paper");
  verb.option("--set", arguments.fixed,
              "Option of training for every trial: NAME=VALUE; repeatable");
  verb.option("--trials", arguments.samples, "Trials of all levels");
  verb.option("--levels", arguments.levels, "Levels, each with a smaller search space");
  verb.flag("--log-uniform", arguments.logarithmic, "Draw uniformly in the logarithm");
  verb.option("--metric", arguments.metric,
              "Number to minimise: loss (validation), distance@R with R times the iterations of "
              "Dijkstra, iterations@D with relative distance D; @X,C also requires a share C of "
              "the constraints");
  verb.option("--halving", arguments.halving,
              "Stop bad trials early: at a ninth and a third of the epochs, one in this many "
              "continues")
      .default_text("off");
  verb.option("-j,--jobs", arguments.jobs, "Simultaneous trials; under mpirun one per rank");
  verb.option("--seed", arguments.seed, "Seed of the draws");
  verb.option("-o,--output", arguments.output,
              "Folder of the search; an existing search is continued")
      .excludes("--show-space");
  verb.option("--rank-timeout", arguments.patience,
              "Seconds without a message after which a rank counts as lost")
      .check(CLI::Range(2.0, 1e6));
  verb.option("--top", arguments.top, "Rows of the table").excludes("--json", "--show-space");
  verb.flag("--json", arguments.json, "Print all trials, best first, one JSON object per line")
      .excludes("--show-space");
  verb.flag("--show-space", arguments.show_space, "Print the search space as JSON and stop")
      .excludes("--report-only");
  verb.flag("--report-only", arguments.report_only,
            "Print the table and write the report of the folder, without new trials")
      .excludes("--space", "--space2", "--preset", "--set", "--trials", "--levels", "--log-uniform",
                "--metric", "--halving", "--jobs", "--seed", "--rank-timeout");
  verb.footer(R"(The search resumes when the same command is run again.

Examples:
  lodestar tune --preset deep --trials 60 --log-uniform --set epochs=10 --jobs 2 -o search
  mpirun -n 9 --enable-recovery lodestar tune --space my_space.json -o search)");
}

}  // namespace lodestar::cli
