// `lodestar train`: trains a model for a family of graphs, in a folder of its own.
#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "../progress.h"
#include "../verbs.h"
#include "command_line.h"
#include "learn/cluster/ranks.h"
#include "learn/evaluate/published.h"
#include "learn/train/trainer.h"
#include "lodestar/types.h"
#include "trial_options.h"

namespace lodestar::cli {
namespace {

using learn::EpochMetrics;
using learn::TrainOptions;

struct TrainArguments {
  std::string preset = "paper";
  std::string config;
  std::string output;
  bool starts_named = false;  // preset or config was given
  bool resume = false;
  std::uint32_t stop_after = 0;
  bool json = false;
  bool show_config = false;
  std::map<std::string, std::vector<std::string>> given;  // flags of visit_options, as text
};

template <class T>
void parse_flag(const std::string& name, const std::vector<std::string>& texts, T& value) {
  const std::string& text = texts.back();
  if constexpr (std::is_same_v<T, std::vector<Split>>) {
    value.clear();
    for (const std::string& split : texts) value.push_back(parse_split(split));
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = text;
  } else if constexpr (std::is_same_v<T, bool>) {
    value = text == "true";
  } else if constexpr (std::is_enum_v<T>) {
    learn::parse_option(text, value);
  } else {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size()) {
      throw Error(flag_name(name) + " " + text + ": not a number that fits");
    }
  }
}

void apply_flags(const TrainArguments& arguments, TrainOptions& options) {
  learn::visit_options(options, [&](const char* name, auto& value, const char*) {
    const auto found = arguments.given.find(name);
    if (found != arguments.given.end()) parse_flag(name, found->second, value);
  });
}

// Preset, then config file, then flags.
TrainOptions fresh_options(const TrainArguments& arguments) {
  TrainOptions options = learn::preset_options(arguments.preset);
  if (!arguments.config.empty()) {
    std::ifstream in(arguments.config);
    if (!in) throw Error(arguments.config + ": cannot be opened for reading");
    std::ostringstream text;
    text << in.rdbuf();
    learn::apply_options_json(text.str(), arguments.config, options);
  }
  apply_flags(arguments, options);
  return options;
}

// A run that is resumed brings its own options; what is given again must not contradict them.
TrainOptions resolve(const TrainArguments& arguments) {
  if (!arguments.resume) return fresh_options(arguments);
  if (!std::ifstream(arguments.output + "/config.json")) {
    throw Error(arguments.output +
                ": holds no run to resume; name its folder, or leave out --resume to start one");
  }
  const TrainOptions stored = learn::stored_options(arguments.output);
  TrainOptions again = arguments.starts_named ? fresh_options(arguments) : stored;
  apply_flags(arguments, again);
  if (learn::options_json(again) != learn::options_json(stored)) {
    throw Error(arguments.output +
                ": preset, config or a flag contradicts the run that is to be resumed; leave them "
                "away");
  }
  return stored;
}

std::string describe_search(const EpochMetrics& m) {
  return fmt::format("constraints {:.2f} %, distance +{:.2f} %, iterations {:.2f} of {:.2f}",
                     100 * m.constraints, 100 * m.relative_distance, m.iterations,
                     m.dijkstra_iterations);
}

std::string describe(const EpochMetrics& m) {
  std::string text = fmt::format("loss {:.3f} (objective {:.2f}, penalty {:.2f}, norm {:.1f}",
                                 m.loss, m.objective, m.penalty, m.norm);
  if (m.cross_entropy > 0) text += fmt::format(", cross-entropy {:.2f}", m.cross_entropy);
  text += fmt::format("), validation {:.3f}, {}", m.validation_loss, describe_search(m));
  if (m.imitation.copied > 0) text += fmt::format(", predecessors {:.1f} %", 100 * m.imitation.all);
  return text;
}

std::string describe(const learn::Imitation& i) {
  return fmt::format(
      "{:.1f} % (after the last step {:.1f} %, of those that change {:.1f} %; copying the hint "
      "{:.1f} %)",
      100 * i.all, 100 * i.last, 100 * i.changed, 100 * i.copied);
}

// Share of Dijkstra's iterations below which a heuristic is hardly worth its time.
constexpr double kWorthwhile = 0.15;

void warn_if_useless(const EpochMetrics& m) {
  const double saved = 1 - m.iterations / m.dijkstra_iterations;
  if (saved >= kWorthwhile) return;
  fmt::print(stderr,
             "note: this heuristic saves {:.0f} % of Dijkstra's iterations on validation graphs; "
             "train for more epochs or on more graphs\n",
             100 * std::max(saved, 0.0));
}

// Set by Ctrl-C. The run is left between two batches, where nothing is half written.
volatile std::sig_atomic_t interrupted = 0;
struct Interrupted {
  std::uint32_t epochs;
};

// The command that started the run, also if this one resumes it.
std::string first_command(const TrainArguments& arguments, const std::string& command) {
  std::ifstream in(arguments.output + "/run.json");
  if (!arguments.resume || !in) return command;
  const auto run = nlohmann::json::parse(in, nullptr, false);
  return run.is_object() ? run.value("command", command) : command;
}

int run_train(const TrainArguments& arguments) {
  const TrainOptions options = resolve(arguments);
  learn::check_options(options);
  if (arguments.show_config) {
    fmt::print("{}\n", learn::options_json(options));
    return 0;
  }
  if (arguments.output.empty()) throw Error("name the run's folder with -o");
  const std::unique_ptr<cluster::Ranks> ranks = cluster::join_ranks();
  learn::TrainControl control;
  control.resume = arguments.resume;
  control.stop_after = arguments.stop_after;
  control.command = command_line();
  control.portable_command =
      portable_command(first_command(arguments, control.command), arguments.output);
  control.margin = published_margin;
  if (ranks) {
    control.team.rank = ranks->rank();
    control.team.size = ranks->size();
    control.team.sum_floats = [&](std::span<float> values) { ranks->sum(values); };
    control.team.sum_doubles = [&](std::span<double> values) { ranks->sum(values); };
  }
  if (!control.team.leads()) {
    learn::train(options, arguments.output, control);
    return 0;
  }
  Progress bar("training");
  std::signal(SIGINT, [](int) { interrupted = 1; });
  control.on_progress = [&](const learn::Progress& p) {
    if (interrupted) throw Interrupted{p.epoch};
    if (p.finished) {
      bar.note(fmt::format("epoch {}/{}: {}", p.epoch, p.epochs, describe(*p.finished)));
      return;
    }
    const double done = p.epoch + static_cast<double>(p.batch) / p.batches;
    bar.update(done / p.epochs,
               fmt::format("epoch {}/{}, loss {:.3f}", p.epoch + 1, p.epochs, p.loss));
  };
  learn::TrainResult result;
  try {
    result = learn::train(options, arguments.output, control);
  } catch (const Interrupted& stop) {
    bar.note(
        fmt::format("stopped after {} of {} epochs; continue with `lodestar train --resume "
                    "-o {}`",
                    stop.epochs, options.epochs, arguments.output));
    return 128 + SIGINT;
  }
  const EpochMetrics& last = result.metrics.at(result.epoch - 1);
  warn_if_useless(last);
  if (arguments.json) {
    nlohmann::ordered_json json = {{"model", result.model_path},
                                   {"hash", result.hash},
                                   {"epoch", result.epoch},
                                   {"y_scale", result.model.config.y_scale},
                                   {"parameters", result.model.parameter_count()},
                                   {"validation_loss", last.validation_loss},
                                   {"constraints", last.constraints},
                                   {"relative_distance", last.relative_distance},
                                   {"iterations", last.iterations},
                                   {"dijkstra_iterations", last.dijkstra_iterations},
                                   {"seconds", result.metrics.back().seconds}};
    if (const auto& i = last.imitation; i.copied > 0) {
      json["predecessors"] = {{"all", i.all},
                              {"last_step", i.last},
                              {"changed", i.changed},
                              {"copied_hint", i.copied},
                              {"per_step", i.per_step}};
    }
    fmt::print("{}\n", json.dump());
    return 0;
  }
  fmt::print("{}: {} parameters, hash {}, epoch {}, scale of y {:.2f}, {}\n", result.model_path,
             result.model.parameter_count(), result.hash, result.epoch, result.model.config.y_scale,
             format_seconds(result.metrics.back().seconds));
  fmt::print("validation: loss {:.3f}, {}\n", last.validation_loss, describe_search(last));
  if (last.imitation.copied > 0) fmt::print("predecessors: {}\n", describe(last.imitation));
  return 0;
}

void add_option_flags(Verb& verb, const std::shared_ptr<TrainArguments>& arguments) {
  TrainOptions defaults;
  learn::visit_options(defaults, [&](const char* name, auto& value, const char* help) {
    const std::string flag = flag_name(name), key = name;
    const auto keep = [arguments, key](const std::vector<std::string>& texts) {
      arguments->given[key] = texts;
      return true;
    };
    std::string text = help;
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    CLI::Option* made = nullptr;
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, bool>) {
      made = verb.app().add_flag_function(
          flag + ",!--no-" + flag.substr(2),
          [keep](std::int64_t count) { keep({count > 0 ? "true" : "false"}); }, text);
    } else {
      made = verb.app().add_option(flag, keep, text)->expected(1, 64);
      if constexpr (std::is_arithmetic_v<std::remove_reference_t<decltype(value)>>) {
        made->type_name(
            std::is_floating_point_v<std::remove_reference_t<decltype(value)>> ? "FLOAT" : "UINT");
      } else {
        made->type_name("TEXT");
      }
    }
    made->group("Hyperparameters");
  });
  for (const char* split : {"--train", "--validation", "--scale-graphs"}) {
    verb.find(split).excludes("--graph-folder");
  }
  verb.find("--queries-per-graph").needs("--graph-folder", "--config", "--resume");
}

}  // namespace

void add_train(Verb& program) {
  auto arguments = std::make_shared<TrainArguments>();
  Verb& verb = program.verb("train", "Train a model for a family of graphs", kModelVerbs);
  const Option preset =
      verb.option("--preset", arguments->preset,
                  "Preset: paper (the published system), paper-alone (without imitating Dijkstra), "
                  "paper-tuned\n"
                  "(a recipe of ours), deep (nearly optimal paths) or swift (one small step)");
  const Option config =
      verb.option("--config", arguments->config, "JSON file of hyperparameters; flags override it");
  verb.option("-o,--output", arguments->output, "Folder of the run").excludes("--show-config");
  verb.flag("--resume", arguments->resume, "Continue the run in that folder, which must exist")
      .needs("--output");
  verb.option("--stop-after", arguments->stop_after,
              "Stop after this epoch; --resume continues from there")
      .default_text("")
      .excludes("--show-config");
  verb.flag("--json", arguments->json, "Print the result as one JSON object")
      .excludes("--show-config");
  verb.flag("--show-config", arguments->show_config, "Print the hyperparameters as JSON and stop");
  add_option_flags(verb, arguments);
  verb.footer(R"(Examples:
  lodestar train --preset deep -o runs/deep --seed 1
  lodestar train --preset deep --graph-folder my_graphs/ -o runs/mine
  mpirun -n 4 lodestar train --preset paper -o runs/together
Exit code 1: training diverged.)");
  verb.run([arguments, preset, config] {
    arguments->starts_named = preset.given() || config.given();
    try {
      return run_train(*arguments);
    } catch (const learn::Diverged& error) {
      // A negative result, not an error: these options do not train.
      fmt::print(stderr, "lodestar: {}\n", error.what());
      return 1;
    }
  });
}

}  // namespace lodestar::cli
