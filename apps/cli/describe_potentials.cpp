#include "describe_potentials.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "lodestar/potentials.h"

namespace lodestar::cli {

nlohmann::ordered_json potentials_facts(const std::string& path) {
  const Potentials potentials = Potentials::load(path);
  const PotentialsOrigin& origin = potentials.origin();
  nlohmann::ordered_json facts;
  facts["kind"] = "potentials";
  facts["nodes"] = potentials.node_count();
  facts["per_node"] = potentials.count();
  facts["bits"] = potentials.storage() == PotentialsStorage::k32Bit ? 32 : 16;
  facts["bytes"] = potentials.bytes();
  facts["symmetric"] = potentials.symmetric();
  facts["unit"] = potentials.unit();
  facts["coarse"] = potentials.coarse();
  facts["guarantee"] =
      potentials.guarantee() == Guarantee::kConsistent ? "consistent" : "admissible";
  facts["topology"] = fmt::format("{:016x}", potentials.topology_hash());
  facts["method"] = origin.method;
  facts["seed"] = origin.seed;
  facts["rounds"] = origin.rounds;
  facts["seconds"] = origin.seconds;
  facts["version"] = origin.version;
  facts["commit"] = origin.commit;
  return facts;
}

std::string describe_potentials(const std::string& path) {
  const nlohmann::ordered_json facts = potentials_facts(path);
  const auto text = [&](const char* key) { return facts[key].get<std::string>(); };
  return fmt::format(
      "potentials, {} per node for {} nodes in {} bits, {:.1f} MB\n"
      "  {}: {}, {} heuristic\n"
      "  values in units of {:g}{}; graph topology {}\n"
      "  made by {} with seed {}, {} rounds in {:.1f} s (lodestar {}, {})\n",
      facts["per_node"].get<unsigned>(), facts["nodes"].get<unsigned>(), facts["bits"].get<int>(),
      facts["bytes"].get<double>() / 1e6,
      facts["symmetric"].get<bool>() ? "undirected" : "directed",
      facts["symmetric"].get<bool>() ? "h(v) = max |f(t) - f(v)|" : "h(v) = max (f(t) - f(v))",
      text("guarantee"), facts["unit"].get<double>(),
      facts["coarse"].get<unsigned>() == 1 ? ""
                                           : fmt::format(" × {}", facts["coarse"].get<unsigned>()),
      text("topology"), text("method"), facts["seed"].get<std::uint64_t>(),
      facts["rounds"].get<std::uint64_t>(), facts["seconds"].get<double>(), text("version"),
      text("commit"));
}

}  // namespace lodestar::cli
