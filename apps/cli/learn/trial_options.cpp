#include "trial_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "learn/train/trainer.h"
#include "lodestar/types.h"

namespace lodestar::cli {
namespace {

using tune::Json;

// A flag of `lodestar train`: the command of a trial can be read, and run by hand.
void add_flag(const std::string& name, const Json& value, std::vector<std::string>& command) {
  const std::string flag = flag_name(name);
  const auto text = [](const Json& item) {
    return item.is_string() ? item.get<std::string>() : item.dump();
  };
  if (value.is_boolean()) {
    command.push_back(value.get<bool>() ? flag : "--no-" + flag.substr(2));
  } else if (value.is_array()) {
    command.push_back(flag);
    for (const Json& item : value) command.push_back(text(item));
  } else {
    command.push_back(flag + "=" + text(value));
  }
}

}  // namespace

std::string flag_name(const std::string& option) {
  // Elsewhere --queries is a file and --graphs a number; the keys of config files stay.
  if (option == "queries") return "--queries-per-graph";
  if (option == "graphs") return "--graph-folder";
  std::string name = option;
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

void fix_option(const std::string& text, tune::Space& space) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw Error("--set " + text + ": write NAME=VALUE");
  std::string name = text.substr(0, equals);
  std::replace(name.begin(), name.end(), '-', '_');
  const std::string value = text.substr(equals + 1);
  const Json parsed = Json::parse(value, nullptr, false);
  space.fixed[name] = parsed.is_discarded() ? Json(value) : parsed;
  const bool drawn = std::any_of(space.ranges.begin(), space.ranges.end(),
                                 [&](const tune::Range& range) { return range.name == name; });
  if (drawn) throw Error("--set " + text + ": the space draws this option");
}

learn::TrainOptions trial_options(const Json& values, const tune::Space& space) {
  learn::TrainOptions options = learn::preset_options(space.preset);
  learn::apply_options_json(space.fixed.dump(), space.source + ", fixed", options);
  learn::apply_options_json(values.dump(), space.source + ", draw", options);
  learn::check_options(options);
  return options;
}

void prepare_plan(tune::SearchPlan& plan) {
  const auto check = [&](const tune::Space& space, std::uint32_t level) {
    for (std::uint32_t i = 0; i < plan.samples; ++i) {
      const auto options = trial_options(draw(space, plan.seed, level, i), plan.space);
      if (plan.epochs != 0 && options.epochs != plan.epochs && plan.halving > 0) {
        throw Error("with --halving the epochs of all trials must be the same: do not draw them");
      }
      plan.epochs = options.epochs;
    }
  };
  check(plan.space, 1);
  if (plan.space2) check(replace_ranges(plan.space, *plan.space2), 2);
  plan.cost = [space = plan.space](const Json& values) {
    const learn::TrainOptions options = trial_options(values, space);
    return static_cast<double>(options.model.hidden) *
           (options.model.hidden + options.model.message) * options.epochs;
  };
}

tune::TrialOrder trial_order(const tune::Task& task, const tune::SearchPlan& plan,
                             const std::string& search_folder) {
  namespace fs = std::filesystem;
  const learn::TrainOptions options = trial_options(task.values, plan.space);
  tune::TrialOrder order;
  order.trial = task.trial;
  order.folder = fs::absolute(fmt::format("{}/trials/{:04}", search_folder, task.trial)).string();
  if (fs::exists(order.folder + "/config.json") &&
      options_json(learn::stored_options(order.folder)) != options_json(options)) {
    throw Error(order.folder + ": holds a trial of another search; give another folder with -o");
  }
  order.command = {fs::read_symlink("/proc/self/exe").string(), "train", "--preset",
                   plan.space.preset};
  for (const auto& [name, value] : plan.space.fixed.items()) add_flag(name, value, order.command);
  for (const auto& [name, value] : task.values.items()) add_flag(name, value, order.command);
  order.command.insert(order.command.end(), {"-o", order.folder, "--json"});
  if (plan.halving > 0 && task.epochs < options.epochs) {
    order.command.push_back(fmt::format("--stop-after={}", task.epochs));
  }
  return order;
}

}  // namespace lodestar::cli
