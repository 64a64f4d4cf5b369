#include "describe_table.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "lodestar/potentials.h"

namespace lodestar::cli {

nlohmann::ordered_json table_facts(const std::string& path) {
  const PotentialTable table = PotentialTable::load(path);
  const TableOrigin& origin = table.origin();
  nlohmann::ordered_json facts;
  facts["kind"] = "potential table";
  facts["nodes"] = table.node_count();
  facts["potentials"] = table.potentials();
  facts["bits"] = table.storage() == TableStorage::k32Bit ? 32 : 16;
  facts["bytes"] = table.bytes();
  facts["symmetric"] = table.symmetric();
  facts["unit"] = table.unit();
  facts["coarse"] = table.coarse();
  facts["guarantee"] = table.guarantee() == Guarantee::kConsistent ? "consistent" : "admissible";
  facts["topology"] = fmt::format("{:016x}", table.topology_hash());
  facts["method"] = origin.method;
  facts["seed"] = origin.seed;
  facts["rounds"] = origin.rounds;
  facts["seconds"] = origin.seconds;
  facts["version"] = origin.version;
  facts["commit"] = origin.commit;
  return facts;
}

std::string describe_table(const std::string& path) {
  const nlohmann::ordered_json facts = table_facts(path);
  const auto text = [&](const char* key) { return facts[key].get<std::string>(); };
  return fmt::format(
      "potential table, {} potentials for {} nodes in {} bits, {:.1f} MB\n"
      "  {}: {}, {} heuristic\n"
      "  values in units of {:g}{}; graph topology {}\n"
      "  made by {} with seed {}, {} rounds in {:.1f} s (lodestar {}, {})\n",
      facts["potentials"].get<unsigned>(), facts["nodes"].get<unsigned>(), facts["bits"].get<int>(),
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
