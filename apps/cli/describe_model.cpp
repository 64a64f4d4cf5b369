#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "describe.h"
#include "lodestar/model.h"

namespace lodestar::cli {

namespace {

// "" if it is absent: models of older versions do not name their command.
std::string text_field(const nlohmann::ordered_json& of, const char* key) {
  return of.is_object() && of.contains(key) && of[key].is_string() ? of[key].get<std::string>()
                                                                   : std::string();
}

}  // namespace

bool names_model(const std::string& name_or_path) {
  return name_or_path.ends_with(".safetensors") ||
         std::ranges::any_of(embedded_models(), [&](const EmbeddedModel& model) {
           return name_or_path == model.name || name_or_path == model.preset;
         });
}

nlohmann::ordered_json model_facts(const std::string& name_or_path) {
  const Model model = load_model(name_or_path);
  nlohmann::ordered_json facts;
  facts["kind"] = "model";
  facts["hash"] = content_hash(model);
  facts["parameters"] = model.parameter_count();
  facts["config"] = nlohmann::ordered_json::parse(config_json(model.config));
  // Free text of the file: shown unchanged, and left out if it is not JSON.
  const auto provenance =
      nlohmann::ordered_json::parse(model.provenance, nullptr, /*allow_exceptions=*/false);
  if (provenance.is_object()) facts["provenance"] = provenance;
  for (const char* key : {"command", "commit"}) facts[key] = text_field(provenance, key);
  return facts;
}

std::string describe_model(const std::string& name_or_path) {
  const Model model = load_model(name_or_path);
  const ModelConfig& config = model.config;
  const auto yes = [](bool on) { return on ? "" : "no "; };
  std::string text = fmt::format(
      "model {} of preset {}, {} parameters\n"
      "  {}{} step{}, hidden size {}{}, messages of {} layer{} and size {}, {} the arcs\n"
      "  {}node numbers, {}hints, {}degree normalisation; y is scaled by {:g}\n",
      content_hash(model), config.preset, model.parameter_count(),
      config.settle > 0 ? "up to " : "", config.steps, config.steps == 1 ? "" : "s", config.hidden,
      config.update_layers == 1 ? "" : fmt::format(" in {} layers", config.update_layers),
      config.message_layers, config.message_layers == 1 ? "" : "s", config.message,
      config.features.direction == MessageDirection::kAlong ? "along" : "against",
      yes(config.features.pos), yes(config.features.hints),
      yes(config.features.degree_normalisation), config.y_scale);
  const nlohmann::ordered_json provenance =
      model_facts(name_or_path).value("provenance", nlohmann::ordered_json::object());
  const auto field = [](const nlohmann::ordered_json& of, const char* key) {
    return of.is_object() && of.contains(key) ? of[key].dump() : std::string("unknown");
  };
  const auto options = provenance.value("options", nlohmann::ordered_json::object());
  text += fmt::format("  trained with seed {} on {} graphs, epoch {} (lodestar {}, {})\n",
                      field(options, "seed"), field(provenance, "training_graphs"),
                      field(provenance, "epoch"), field(provenance, "version"),
                      field(provenance, "commit"));
  std::erase(text, '"');
  if (const std::string command = text_field(provenance, "command"); !command.empty()) {
    text += "  command " + command + "\n";
  }
  return text;
}

}  // namespace lodestar::cli
