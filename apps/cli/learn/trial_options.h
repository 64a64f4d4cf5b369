// From drawn values to a training run: options of the trainer, checked, and a command line.
#pragma once

#include <string>

#include "learn/train/options.h"
#include "learn/tune/search.h"
#include "learn/tune/trial_process.h"

namespace lodestar::cli {

// The flag of `lodestar train` for an option of visit_options: "--learning-rate".
std::string flag_name(const std::string& option);

// "epochs=5" or "optimizer=adam": an option for every trial. Throws Error.
void fix_option(const std::string& text, tune::Space& space);

// Preset, then what is fixed, then what was drawn. Throws Error on names and values that are not
// options of training.
learn::TrainOptions trial_options(const tune::Json& values, const tune::Space& space);

// Fills in what the search must know of training, and draws every trial of level 1 to see that the
// trainer will take it. Throws Error.
void prepare_plan(tune::SearchPlan& plan);

// The process of a task, in its folder below `search_folder`. Throws Error when that folder holds
// another trial.
tune::TrialOrder trial_order(const tune::Task& task, const tune::SearchPlan& plan,
                             const std::string& search_folder);

}  // namespace lodestar::cli
