#include "learn/train/options.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace lodestar::learn {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

template <class T>
OrderedJson to_json_value(const T& value) {
  if constexpr (std::is_same_v<T, std::vector<Split>>) {
    OrderedJson list = OrderedJson::array();
    for (const Split& split : value) list.push_back(to_string(split));
    return list;
  } else if constexpr (std::is_enum_v<T>) {
    return to_string(value);
  } else {
    return value;
  }
}

template <class T>
void from_json_value(const Json& json, T& value) {
  const auto require = [](bool fits, const char* kind) {
    if (!fits) throw Error(std::string("must be ") + kind);
  };
  if constexpr (std::is_same_v<T, std::vector<Split>>) {
    require(json.is_array(), "a list of splits");
    value.clear();
    for (const Json& item : json) {
      require(item.is_string(), "a list of texts NAME:COUNT:NODES:DENSITY:DRAW:SEED");
      value.push_back(parse_split(item.get<std::string>()));
    }
  } else if constexpr (std::is_enum_v<T>) {
    require(json.is_string(), "a text");
    parse_option(json.get<std::string>(), value);
  } else if constexpr (std::is_same_v<T, bool>) {
    require(json.is_boolean(), "true or false");
    value = json.get<bool>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    require(json.is_string(), "a text");
    value = json.get<std::string>();
  } else if constexpr (std::is_floating_point_v<T>) {
    require(json.is_number(), "a number");
    value = json.get<T>();
  } else {
    require(json.is_number_unsigned() && json.get<std::uint64_t>() <= std::numeric_limits<T>::max(),
            "a whole number that is not negative");
    value = json.get<T>();
  }
}

}  // namespace

std::size_t place_among(std::span<const char* const> names, const std::string& text) {
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) return i;
    known += (known.empty() ? "" : ", ") + std::string(names[i]);
  }
  throw Error("'" + text + "' is unknown; choose one of " + known);
}
void parse_option(const std::string& text, MessageDirection& value) {
  value = parse_message_direction(text);
}

std::string options_json(const TrainOptions& options) {
  OrderedJson json;
  json["preset"] = options.model.preset;
  visit_options(options, [&](const char* name, const auto& value, const char*) {
    json[name] = to_json_value(value);
  });
  return json.dump(2);
}

void apply_options_json(const std::string& text, const std::string& where, TrainOptions& options) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(where + ": not JSON: " + error.what());
  }
  if (!json.is_object()) throw Error(where + ": the config must be a JSON object");
  const auto take = [&](const char* name, auto& value) {
    const auto found = json.find(name);
    if (found == json.end()) return;
    try {
      from_json_value(*found, value);
    } catch (const Error& error) {
      throw Error(where + ": '" + name + "' " + error.what());
    }
    json.erase(found);
  };
  take("preset", options.model.preset);
  visit_options(options, [&](const char* name, auto& value, const char*) { take(name, value); });
  if (!json.empty()) {
    throw Error(where + ": '" + json.begin().key() +
                "' is no option of training; `lodestar train --help` lists them");
  }
}

void check_options(const TrainOptions& o) {
  const auto require = [](bool holds, const char* rule) {
    if (!holds) throw Error(std::string("training: ") + rule);
  };
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  const auto not_negative = [](double value) { return value >= 0 && std::isfinite(value); };
  require(o.model.hidden >= 1 && o.model.hidden <= 4096, "hidden must be 1 … 4096");
  require(o.model.message >= 1 && o.model.message <= 4096, "message must be 1 … 4096");
  require(o.model.message_layers >= 1 && o.model.message_layers <= 3,
          "message_layers must be 1, 2 or 3");
  require(o.model.update_layers >= 1 && o.model.update_layers <= 3,
          "update_layers must be 1, 2 or 3");
  require(o.model.steps >= 1 && o.model.steps <= 1024, "steps must be 1 … 1024");
  require(o.model.heads >= 1 && o.model.heads <= 64, "heads must be 1 … 64");
  require(!o.model.features.hints || o.model.steps == 1,
          "a model with hints is used with one step: later hints are not known then");
  require(positive(o.model.features.reference_degree), "reference_degree must be above 0");
  require(not_negative(o.model.settle), "settle must not be negative");
  require(not_negative(o.model.features.reach), "reach must not be negative");
  require(o.fewest_steps == 0 || (o.fewest_steps <= o.train_steps && o.loss_steps == 0 &&
                                  !o.model.features.hints && o.cross_entropy_weight == 0),
          "fewest_steps must be at most train_steps, and needs loss_steps 0 and neither hints nor "
          "imitation");
  require(o.carry <= o.model.hidden && o.carry <= o.model.message,
          "carry must be at most hidden and message");
  require(o.carry == 0 ||
              (o.model.message_layers == 1 && o.model.update_layers == 1 && !o.model.features.pos &&
               !o.model.features.hints && o.cross_entropy_weight == 0),
          "carry needs one layer of message and update, no pos, no hints and no imitation");
  require(o.stretch >= 1 && std::isfinite(o.stretch), "stretch must be at least 1");
  require(positive(o.learning_rate), "learning_rate must be above 0");
  require(not_negative(o.weight_decay), "weight_decay must not be negative");
  require(o.momentum >= 0 && o.momentum < 1, "momentum must lie in [0, 1)");
  require(o.learning_rate_floor >= 0 && o.learning_rate_floor <= 1,
          "learning_rate_floor must lie in [0, 1]");
  require(not_negative(o.clip), "clip must not be negative");
  require(not_negative(o.objective_weight) && not_negative(o.penalty_weight) &&
              not_negative(o.lambda) && not_negative(o.cross_entropy_weight),
          "weights of the loss must not be negative");
  require(o.teacher_forcing || (o.model.features.hints && o.cross_entropy_weight > 0),
          "without teacher_forcing the network needs hints and a cross_entropy_weight above 0: it "
          "then hears the predecessors it has learned to choose");
  require(
      o.decoder == Decoder::kBilinear || (o.model.features.direction == MessageDirection::kAlong &&
                                          !o.model.features.degree_normalisation),
      "the linear decoder scores the arcs messages go along, and a predecessor must be among "
      "them: it needs direction along and no degree_normalisation");
  require(o.epochs >= 1, "epochs must be at least 1");
  require(o.batch >= 1, "batch must be at least 1");
  require(o.threads <= 1024, "threads must be 0 … 1024");
  require(o.scale >= 0 && std::isfinite(o.scale), "scale must not be negative");
  require(o.scale_most == 0 || (o.scale_most >= 1.01 && std::isfinite(o.scale_most)),
          "scale_most must be 0 or at least 1.01");
  require(!o.graphs.empty() || (!o.train.empty() && !o.validation.empty()),
          "there must be a training and a validation split");
}

}  // namespace lodestar::learn
