#include "learn/train/options.h"
#include "target.h"

// The JSON file of `train --config`; what is read is written and read again.
FUZZ_TARGET(train_config) {
  using namespace lodestar;
  learn::TrainOptions options = learn::preset_options("deep");
  try {
    learn::apply_options_json(std::string(bytes), "fuzz.json", options);
  } catch (const Error& error) {
    fuzz::require(std::string_view(error.what()).starts_with("fuzz.json"));
    return;
  }
  try {
    learn::check_options(options);
  } catch (const Error&) {
    return;  // makes no sense, and says so
  }
  const std::string text = learn::options_json(options);
  learn::TrainOptions again;
  learn::apply_options_json(text, "again", again);
  fuzz::require(learn::options_json(again) == text);
}
