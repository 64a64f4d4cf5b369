#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "describe.h"
#include "fit_family.h"
#include "lodestar/potential_family.h"

namespace lodestar::cli {

namespace {

nlohmann::ordered_json single_facts(const Potentials& potentials) {
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

// Potentials of the graph's own weights only.
bool is_single(const PotentialFamily& family) {
  return family.knots().size() == 1 && family.metrics().size() == 1 && family.metrics()[0].empty();
}

std::vector<std::string> metric_names(const PotentialFamily& family) {
  return {family.metrics().begin(), family.metrics().end()};
}

nlohmann::ordered_json family_facts(const PotentialFamily& family) {
  const Potentials& first = *family.knots()[0].potentials;
  nlohmann::ordered_json facts;
  facts["kind"] = "potentials";
  facts["nodes"] = first.node_count();
  facts["metrics"] = metric_names(family);
  facts["bytes"] = family.bytes();
  facts["bytes_per_node"] = family.bytes() / std::max<std::size_t>(1, first.node_count());
  auto& knots = facts["knots"] = nlohmann::ordered_json::array();
  for (const Knot& knot : family.knots()) {
    nlohmann::ordered_json one;
    one["blend"] = knot.blend;
    one.update(single_facts(*knot.potentials));
    one.erase("kind");
    one.erase("nodes");
    knots.push_back(std::move(one));
  }
  return facts;
}

std::string describe_family(const PotentialFamily& family) {
  const Potentials& first = *family.knots()[0].potentials;
  std::string text = fmt::format(
      "potentials for blends of {}: {} knots for {} nodes, {} bytes per node, {:.1f} MB\n"
      "  knots as shares of the stored weights:\n",
      fmt::join(family.metrics(), ", "), family.knots().size(), first.node_count(),
      family.bytes() / std::max<std::size_t>(1, first.node_count()),
      static_cast<double>(family.bytes()) / 1e6);
  for (const Knot& knot : family.knots()) {
    const Potentials& of = *knot.potentials;
    text += fmt::format("  {}: {} per node in {} bits, made by {}, {} rounds in {:.1f} s\n",
                        blend_text(metric_names(family), knot.blend), of.count(),
                        of.storage() == PotentialsStorage::k32Bit ? 32 : 16, of.origin().method,
                        of.origin().rounds, of.origin().seconds);
  }
  return text;
}

}  // namespace

nlohmann::ordered_json potentials_facts(const std::string& path) {
  const PotentialFamily family = PotentialFamily::load(path);
  return is_single(family) ? single_facts(*family.knots()[0].potentials) : family_facts(family);
}

std::string describe_potentials(const std::string& path) {
  const PotentialFamily family = PotentialFamily::load(path);
  if (!is_single(family)) return describe_family(family);
  const nlohmann::ordered_json facts = single_facts(*family.knots()[0].potentials);
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
