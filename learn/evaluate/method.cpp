#include "learn/evaluate/method.h"

#include <fmt/format.h>

namespace lodestar::evaluate {
namespace {

// In the order of Source.
constexpr const char* kSourceNames[] = {"zero",  "random", "constant", "value-iteration",
                                        "exact", "model",  "program",  "bidirectional"};

}  // namespace

std::string Method::source_identity() const {
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

std::string Method::identity() const {
  return fmt::format("{} scale {}{}{}", source_identity(), scale, close ? " closed" : "",
                     prune ? " pruned" : "");
}

bool Method::consistent() const {
  const bool feasible =
      source == Source::kZero || source == Source::kExact || source == Source::kValueIteration;
  return feasible && scale == 1;
}

Method plain_method(const std::string& name, Source source, double parameter, std::uint32_t trial) {
  Method method;
  method.name = name;
  method.source = source;
  method.parameter = parameter;
  method.trial = trial;
  return method;
}

Method model_method(const std::string& name, Model model, std::uint32_t trial) {
  Method method = plain_method(name, Source::kModel, 0, trial);
  method.model_hash = content_hash(model);
  method.model = std::make_shared<const Model>(std::move(model));
  return method;
}

Method program_method(const std::string& name, const std::string& command) {
  Method method = plain_method(name, Source::kProgram);
  method.command = command;
  return method;
}

Method with_pruning(Method method) {
  method.name += ", pruned";
  method.prune = true;
  return method;
}

Method with_closure(Method method) {
  method.name += " + closure";
  method.close = true;
  return method;
}

}  // namespace lodestar::evaluate
