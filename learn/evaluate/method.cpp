#include "learn/evaluate/method.h"

#include <fmt/format.h>

namespace lodestar::paper {
namespace {

// In the order of Source.
constexpr const char* kSourceNames[] = {"zero",  "random", "constant", "value-iteration",
                                        "exact", "model",  "program",  "bidirectional"};

}  // namespace

std::string Contender::source_identity() const {
  switch (source) {
    case Source::kModel:
      return "model " + model_hash;
    case Source::kProgram:
      return "program " + command;
    case Source::kRandom:
      return fmt::format("random {}", trial);
    default:
      return fmt::format("{} {}", kSourceNames[static_cast<std::size_t>(source)], parameter);
  }
}

std::string Contender::identity() const {
  return fmt::format("{} scale {}{}{}", source_identity(), scale, close ? " closed" : "",
                     prune ? " pruned" : "");
}

bool Contender::consistent() const {
  const bool feasible =
      source == Source::kZero || source == Source::kExact || source == Source::kValueIteration;
  return feasible && scale == 1;
}

Contender plain_contender(const std::string& name, Source source, double parameter,
                          std::uint32_t trial) {
  Contender contender;
  contender.name = name;
  contender.source = source;
  contender.parameter = parameter;
  contender.trial = trial;
  return contender;
}

Contender model_contender(const std::string& name, Model model, std::uint32_t trial) {
  Contender contender = plain_contender(name, Source::kModel, 0, trial);
  contender.model_hash = content_hash(model);
  contender.model = std::make_shared<const Model>(std::move(model));
  return contender;
}

Contender program_contender(const std::string& name, const std::string& command) {
  Contender contender = plain_contender(name, Source::kProgram);
  contender.command = command;
  return contender;
}

Contender with_pruning(Contender contender) {
  contender.name += ", pruned";
  contender.prune = true;
  return contender;
}

Contender with_closure(Contender contender) {
  contender.name += " + closure";
  contender.close = true;
  return contender;
}

}  // namespace lodestar::paper
