// The list of methods: add an entry to kMethods to add one. method.h describes the fields.
#include "bench/competitors/methods.h"

#include <algorithm>

#include "bench/harness/method.h"
#include "bench/harness/stopwatch.h"

namespace lodestar::bench {
namespace {

using Ready = std::optional<ReadyMethod>;
using PotentialsPointer = std::shared_ptr<const PreparedPotentials>;

ReadyMethod prepared_in(double seconds, ReadyMethod ready) {
  ready.preparation_seconds = seconds;
  return ready;
}

ReadyMethod search_with_potentials(Workshop& workshop, const PotentialsPointer& made) {
  return prepared_in(
      made->seconds,
      ready_astar(
          workshop.searcher(), [made](Query query) { return made->potentials.to(query.target); },
          made->potentials.bytes()));
}

Ready dijkstra(Workshop& workshop) {
  return prepared_in(0, ready_astar(workshop.searcher(), [](Query) { return Zero{}; }));
}

Ready bidirectional(Workshop& workshop) {
  return prepared_in(0, ready_searcher(workshop.both_ends()));
}

Ready geometric(Workshop& workshop) {
  if (!workshop.graph().has_coordinates()) return {};
  const auto geometry = std::make_shared<const Geometry>(workshop.graph());
  if (!(geometry->scale() > 0)) return {};
  return prepared_in(0, ready_astar(workshop.searcher(), [geometry](Query query) {
                       return geometry->to(query.target);
                     }));
}

Ready landmarks(Workshop& workshop, LandmarkMethod method) {
  workshop.report(0,
                  std::to_string(workshop.potential_count()) + " landmarks, " + to_string(method));
  return search_with_potentials(
      workshop, std::make_shared<const PreparedPotentials>(prepare_landmarks(
                    workshop.graph(), method, workshop.potential_count(), workshop.seed())));
}

Ready learned(Workshop& workshop) {
  return search_with_potentials(workshop, workshop.learned());
}

Ready learned_16_bits(Workshop& workshop) {
  const PotentialsPointer made = workshop.learned();
  if (made->potentials.storage() != PotentialsStorage::k32Bit) return {};
  return search_with_potentials(workshop,
                                std::make_shared<const PreparedPotentials>(PreparedPotentials{
                                    made->potentials.in_16_bits(workshop.graph()), made->seconds}));
}

Ready learned_bidirectional(Workshop& workshop) {
  const PotentialsPointer made = workshop.learned();
  if (made->potentials.storage() != PotentialsStorage::k32Bit) return {};
  const auto both = workshop.both_ends();
  ReadyMethod ready = ready_searcher(both, made->potentials.bytes());
  ready.run = [both, made](Query query) {
    return both->run(query, made->potentials.to(query.target), made->potentials.from(query.source));
  };
  return prepared_in(made->seconds, std::move(ready));
}

template <LandmarkMethod kMethod>
Ready alt(Workshop& workshop) {
  return landmarks(workshop, kMethod);
}

}  // namespace

const std::vector<Method>& all_methods() {
  static const std::vector<Method> kMethods = {
      {.id = "dijkstra", .name = "Dijkstra", .prepare = dijkstra},
      {.id = "bidirectional", .name = "bidirectional", .prepare = bidirectional},
      {.id = "geometric", .name = "A* geometric", .prepare = geometric},
      {.id = "alt-farthest",
       .name = "ALT farthest",
       .selection = Selection::kQuick,
       .by_memory = true,
       .by_rank = true,
       .prepare = alt<LandmarkMethod::kFarthest>},
      {.id = "alt-avoid",
       .name = "ALT avoid",
       .selection = Selection::kQuick,
       .by_memory = true,
       .prepare = alt<LandmarkMethod::kAvoid>},
      {.id = "alt-greedy",
       .name = "ALT greedy",
       .by_memory = true,
       .prepare = alt<LandmarkMethod::kGreedy>},
      {.id = "cuts", .name = "cuts", .by_memory = true, .prepare = prepare_cuts},
      {.id = "learned",
       .name = "learned",
       .selection = Selection::kQuick,
       .by_memory = true,
       .by_rank = true,
       .prepare = learned},
      {.id = "learned-16",
       .name = "learned, 16 bits",
       .by_memory_16 = true,
       .prepare = learned_16_bits},
      {.id = "learned-bidirectional",
       .name = "learned, bidirectional",
       .prepare = learned_bidirectional},
      {.id = "ch-potentials", .name = "CH-Potentials", .prepare = prepare_ch_potentials},
      {.id = "ch", .name = "CH", .by_rank = true, .prepare = prepare_ch},
      {.id = "cch", .name = "CCH", .by_rank = true, .prepare = prepare_cch},
      {.id = "core-alt", .name = "core, ALT", .prepare = prepare_core_alt},
      {.id = "core-learned", .name = "core, learned", .prepare = prepare_core_learned},
      {.id = "core", .name = "core", .by_rank = true, .prepare = prepare_core},
      {.id = "labels", .name = "labels", .by_rank = true, .prepare = prepare_labels},
  };
  return kMethods;
}

std::vector<const Method*> choose_methods(Selection selection) {
  std::vector<const Method*> chosen;
  for (const Method& method : all_methods()) {
    if (method.selection <= selection) chosen.push_back(&method);
  }
  return chosen;
}

std::vector<const Method*> choose_methods(const std::vector<std::string>& ids) {
  const auto& methods = all_methods();
  for (const std::string& id : ids) {
    if (std::none_of(methods.begin(), methods.end(), [&](const Method& m) { return m.id == id; })) {
      std::string known;
      for (const Method& method : methods) known += (known.empty() ? "" : ", ") + method.id;
      throw Error("there is no method '" + id + "'; choose from " + known);
    }
  }
  std::vector<const Method*> chosen;
  for (const Method& method : methods) {
    if (std::find(ids.begin(), ids.end(), method.id) != ids.end()) chosen.push_back(&method);
  }
  return chosen;
}

std::optional<ReadyMethod> prepare_timed(const Method& method, Workshop& workshop) {
  const Stopwatch watch;
  std::optional<ReadyMethod> ready = method.prepare(workshop);
  if (ready && !ready->preparation_seconds) {
    // Processor time, unless other threads took part.
    ready->preparation_seconds = workshop.threads() == 1 ? watch.seconds() : watch.wall_seconds();
  }
  return ready;
}

}  // namespace lodestar::bench
