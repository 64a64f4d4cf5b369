#include "plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "lodestar/model.h"
#include "lodestar/rng.h"

namespace lodestar::cli {
namespace {

using evaluate::Method;
using evaluate::Source;

// How much is run unless options say otherwise.
struct GridSize {
  std::vector<std::string> kinds;  // of drawing
  std::vector<NodeId> sizes;       // of the paper's; empty: all nine
  std::uint32_t graphs;            // of each cell
  std::uint32_t sets;              // of such graphs
  std::uint32_t trials;            // models of a preset, at most
  std::uint32_t validation;        // graphs on which the constant is chosen
  NodeId front;                    // size on which y is scaled
  bool large;                      // also graphs larger than the paper's
};
const GridSize kDefaultGrid = {{"or"}, {}, 128, 1, 5, 64, 256, false};
const GridSize kFullGrid = {{"or", "directed", "exact"}, {}, 128, 3, 5, 64, 256, true};
const GridSize kQuickGrid = {{"or", "directed", "exact"}, {32, 96}, 8, 1, 2, 8, 96, false};

constexpr double kScales[] = {0.25, 0.5, 0.7, 0.85, 1.15, 1.3, 1.6, 2.0};

// Sizes the paper does not have. Fewer graphs, since one of the last kind has 9.7 million arcs.
struct LargeSplit {
  Density density;
  NodeId nodes;
  std::uint32_t count;
};
constexpr LargeSplit kLarge[] = {
    {Density::kSparse, 512, 64},    {Density::kSparse, 1024, 64},    {Density::kSparse, 4096, 64},
    {Density::kDense, 512, 32},     {Density::kDense, 1024, 16},     {Density::kDense, 4096, 2},
    {Density::kVeryDense, 512, 32}, {Density::kVeryDense, 1024, 16}, {Density::kVeryDense, 4096, 2},
};

struct Named {
  std::string name;
  std::string value;
};
// "NAME=VALUE", or a value that is its own name.
Named split_name(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos) return {text, text};
  return {text.substr(0, at), text.substr(at + 1)};
}

// The embedded models of a preset, as trials of one row.
std::vector<Method> preset(const std::string& name, std::uint32_t most) {
  std::vector<Method> trials;
  for (const EmbeddedModel& model : embedded_models()) {
    if (model.preset != name || trials.size() == most) continue;
    trials.push_back(evaluate::model_method(name, load_model(std::string(model.name)),
                                            static_cast<std::uint32_t>(trials.size())));
  }
  return trials;
}

template <class Change>
std::vector<Method> changed(std::vector<Method> methods, Change&& change) {
  for (Method& method : methods) method = change(method);
  return methods;
}

void append(std::vector<Method>& to, const std::vector<Method>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void collect_names(const std::vector<Method>& methods, std::vector<std::string>& names) {
  for (const Method& method : methods) {
    if (std::find(names.begin(), names.end(), method.name) == names.end()) {
      names.push_back(method.name);
    }
  }
}

// What training measured of the imitation; nothing if the model was trained without it.
std::optional<double> predecessor_accuracy(const Model& model) {
  const auto json = nlohmann::json::parse(model.provenance, nullptr, /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer place("/validation/predecessors/all");
  if (!json.is_object() || !json.contains(place) || !json.at(place).is_number()) return {};
  return json.at(place).get<double>();
}

// Everyone who takes part, by where they are needed.
struct Field {
  std::vector<Method> presets;     // paper, paper-tuned, deep, deep + closure, swift
  std::vector<Method> given;       // on the command line
  std::vector<Method> yardsticks;  // on graphs of every size
  std::vector<Method> others;      // on the paper's sizes
  Method constant;
};

Field make_field(const ReproduceOptions& options, double constant, std::uint32_t trials) {
  Field field;
  const std::vector<Method> deep = preset("deep", trials);
  for (const char* name : {"paper", "paper-alone", "paper-tuned"}) {
    append(field.presets, preset(name, trials));
  }
  append(field.presets, deep);
  append(field.presets, changed(deep, evaluate::with_closure));
  append(field.presets, preset("swift", trials));
  for (const std::string& text : options.models) {
    const Named model = split_name(text);
    field.given.push_back(evaluate::model_method(model.name, load_model(model.value)));
    field.given.push_back(evaluate::with_closure(field.given.back()));
  }
  for (const std::string& text : options.programs) {
    const Named program = split_name(text);
    field.given.push_back(evaluate::program_method(program.name, program.value));
  }
  field.constant = evaluate::plain_method("constant", Source::kConstant, constant);
  field.yardsticks = {evaluate::plain_method("Dijkstra", Source::kZero),
                      evaluate::plain_method("bidirectional", Source::kBidirectional),
                      evaluate::plain_method("exact potential", Source::kExact)};
  field.others = {field.constant,
                  evaluate::plain_method("value iteration, k=1", Source::kValueIteration, 1),
                  evaluate::plain_method("value iteration, k=5", Source::kValueIteration, 5)};
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    field.others.push_back(evaluate::plain_method("random", Source::kRandom, 0, trial));
  }
  return field;
}

// The front of iterations against path length, over the scale of y.
void add_scales(const Field& field, std::vector<Method>& methods) {
  for (const double scale : kScales) {
    const auto scaled = [&](Method method) {
      method.scale = scale;
      return method;
    };
    append(methods, changed(field.presets, scaled));
    methods.push_back(scaled(field.constant));
  }
}

// The same with what costs as much as the best path known left out, as our own searches do.
void add_pruned(const Field& field, std::vector<Method>& methods) {
  for (const auto* list : {&field.presets, &field.others}) {
    for (const Method& method : *list) {
      if (method.close || method.consistent()) continue;  // nothing changes
      methods.push_back(evaluate::with_pruning(method));
    }
  }
}

// Seeds of the sets of graphs: the first set of seed 1 is the splits' own.
void set_draws(evaluate::GridPart& part, const ReproduceOptions& options, std::uint32_t draws) {
  const std::uint64_t own = part.split.seed;
  const auto seed_of = [&](std::uint32_t draw) {
    const std::uint64_t number = (options.seed - 1) * 1'000'003 + draw;
    return number == 0 ? own : mix64(mix64(number) + own);
  };
  part.split.seed = seed_of(0);
  for (std::uint32_t draw = 1; draw < draws; ++draw) part.more_seeds.push_back(seed_of(draw));
}

bool wanted(const std::vector<NodeId>& sizes, NodeId nodes) {
  return sizes.empty() || std::find(sizes.begin(), sizes.end(), nodes) != sizes.end();
}

std::uint64_t large_seed(const LargeSplit& large, Draw draw) {
  return 2'000'000 + 100'000 * static_cast<std::uint64_t>(draw) +
         10'000 * static_cast<std::uint64_t>(large.density) + large.nodes;
}

}  // namespace

ReproducePlan make_plan(const ReproduceOptions& options) {
  ReproducePlan plan;
  plan.grid.search = {evaluate::parse_search(options.search), options.weight, options.bound};
  const GridSize& size = options.quick ? kQuickGrid : options.full ? kFullGrid : kDefaultGrid;
  plan.draws = options.draws > 0 ? options.draws : size.sets;
  plan.constant = evaluate::choose_constant(size.validation, options.threads);
  const Field field = make_field(options, plan.constant, size.trials);
  for (const auto* list : {&field.presets, &field.given}) {
    for (const Method& method : *list) {
      plan.models = std::max<std::size_t>(plan.models, method.trial + 1);
      if (!method.model || method.close) continue;
      plan.model_hashes.push_back(
          fmt::format("{} {}: {}", method.name, method.trial, method.model_hash));
      if (const auto share = predecessor_accuracy(*method.model)) {
        plan.predecessors[method.name].push_back(*share);
      }
    }
  }
  for (const auto& list : {field.presets, field.given}) collect_names(list, plan.learned);
  for (const Method& method : field.given) {
    if (!method.close) collect_names({method}, plan.given);
  }
  for (const auto& list : {field.yardsticks, field.others}) collect_names(list, plan.baselines);

  // Step 1. The paper's test sets.
  const std::vector<std::string>& kinds = options.kinds.empty() ? size.kinds : options.kinds;
  for (const std::string& name : kinds) {
    const Draw draw = parse_draw(name);
    for (Split& split : paper_test_splits(draw)) {
      if (!wanted(options.sizes.empty() ? size.sizes : options.sizes, split.nodes)) continue;
      split.count = options.graphs > 0 ? options.graphs : size.graphs;
      evaluate::GridPart part{split, {}, {}};
      for (const auto* list : {&field.presets, &field.given, &field.yardsticks, &field.others}) {
        append(part.methods, *list);
      }
      if (draw == Draw::kOr && split.nodes == size.front) {
        add_scales(field, part.methods);
      }
      if (draw == Draw::kOr && split.density == Density::kDense) add_pruned(field, part.methods);
      set_draws(part, options, plan.draws);
      plan.grid.parts.push_back(std::move(part));
    }
  }

  // Step 2. Larger graphs.
  if (!size.large || !options.sizes.empty()) return plan;
  for (const std::string& name : kinds) {
    const Draw draw = parse_draw(name);
    if (draw == Draw::kExact) continue;
    for (const LargeSplit& large : kLarge) {
      const Split split{fmt::format("large-{}-{}", to_string(large.density), large.nodes),
                        options.graphs > 0 ? std::min(options.graphs, large.count) : large.count,
                        large.nodes,
                        large.density,
                        0,
                        draw,
                        large_seed(large, draw)};
      evaluate::GridPart part{split, field.presets, {}};
      append(part.methods, field.yardsticks);
      set_draws(part, options, plan.draws);
      plan.grid.parts.push_back(std::move(part));
    }
  }
  return plan;
}

}  // namespace lodestar::cli
