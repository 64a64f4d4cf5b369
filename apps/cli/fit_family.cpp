#include "fit_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lodestar/fit_family.h"
#include "progress.h"
#include "reading.h"
#include "signals.h"

namespace lodestar::cli {
namespace {

// Shares per unit of each metric, as in Preferences::blend.
std::vector<double> user_shares(const Metrics& metrics, const PotentialFamily& family,
                                const Knot& knot) {
  std::vector<double> shares = knot.blend;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto at = metrics.find(family.metrics()[i]);
    if (at) shares[i] *= metrics.metrics[0].scale / metrics.metrics[*at].scale;
  }
  return shares;
}

// The first share above 0 becomes 1: a multiple of a blend has the same shortest paths.
std::vector<double> scaled_to_one(std::vector<double> shares) {
  const auto first = std::find_if(shares.begin(), shares.end(), [](double s) { return s > 0; });
  const double unit = first == shares.end() ? 1 : *first;
  for (double& share : shares) share /= unit;
  return shares;
}

std::vector<std::string> names_of(const PotentialFamily& family) {
  return {family.metrics().begin(), family.metrics().end()};
}

// A knot of a blend may need no training.
std::vector<std::string> notes_of(const FamilyResult& fitted) {
  const bool untrained =
      std::any_of(fitted.knots.begin(), fitted.knots.end(),
                  [](const KnotReport& knot) { return knot.rounds == 0 && knot.loss == 0; });
  if (!untrained || fitted.stopped) return {};
  return {kUntrained};
}

void print_text(const FamilyJob& job, const FamilyResult& fitted, const Metrics& metrics) {
  const PotentialFamily& family = fitted.family;
  const std::size_t nodes = family.knots()[0].potentials->node_count();
  fmt::print("{}: {} knot{} for {}, {} nodes, {} bytes per node, {:.1f} MB, in {}{}\n", job.output,
             family.knots().size(), family.knots().size() == 1 ? "" : "s",
             fmt::join(family.metrics(), ", "), nodes,
             family.bytes() / std::max<std::size_t>(1, nodes),
             static_cast<double>(family.bytes()) / 1e6, format_seconds(fitted.seconds),
             fitted.stopped ? " (interrupted)" : "");
  for (std::size_t k = 0; k < fitted.knots.size(); ++k) {
    const KnotReport& report = fitted.knots[k];
    fmt::print("  {}: {:.0f} expansions, {:.0f} before{}\n",
               blend_text(names_of(family), user_shares(metrics, family, family.knots()[k])),
               report.expansions, report.expansions_before,
               report.loss > 0
                   ? fmt::format("; added because searches there expanded {:.0f} % more",
                                 100 * report.loss)
                   : "");
  }
  for (const std::string& note : notes_of(fitted)) fmt::print("note: {}\n", note);
  if (fitted.stopped || fitted.knots.size() < 2) return;
  fmt::print("  sample searches by other blends expand at most {:.0f} % more than at the knots{}\n",
             100 * fitted.loss,
             fitted.loss > FamilyOptions{}.tolerance ? "; more --seconds or --knots help" : "");
}

void print_json(const GraphFile& file, const FamilyJob& job, const FamilyResult& fitted) {
  const PotentialFamily& family = fitted.family;
  nlohmann::ordered_json out;
  out["output"] = job.output;
  out["nodes"] = family.knots()[0].potentials->node_count();
  out["metrics"] = names_of(family);
  out["per_node"] = family.knots()[0].potentials->count();
  out["bytes"] = family.bytes();
  out["seconds"] = fitted.seconds;
  auto& knots = out["knots"] = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < fitted.knots.size(); ++k) {
    const KnotReport& report = fitted.knots[k];
    const auto shares = scaled_to_one(user_shares(file.metrics, family, family.knots()[k]));
    nlohmann::ordered_json blend;
    for (std::size_t i = 0; i < shares.size(); ++i) blend[family.metrics()[i]] = shares[i];
    knots.push_back({{"blend", blend},
                     {"loss_before", report.loss},
                     {"expansions_before", report.expansions_before},
                     {"expansions", report.expansions},
                     {"rounds", report.rounds}});
  }
  out["loss"] = fitted.loss;
  out["interrupted"] = fitted.stopped;
  std::vector<std::string> notes = file.notes;
  for (std::string& note : notes_of(fitted)) notes.push_back(std::move(note));
  add_notes(out, notes);
  fmt::print("{}\n", out.dump());
}

}  // namespace

std::string blend_text(const std::vector<std::string>& metrics, const std::vector<double>& shares) {
  const std::vector<double> scaled = scaled_to_one(shares);
  std::string text;
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    if (scaled[i] == 0) continue;
    text += fmt::format("{}{}={:.4g}", text.empty() ? "" : ", ",
                        metrics[i].empty() ? "weight" : metrics[i], scaled[i]);
  }
  return text;
}

int fit_blends(const GraphFile& file, const FamilyJob& job) {
  const KeepOnInterrupt keep;
  Progress progress("fitting");
  FamilyHooks hooks;
  hooks.stop = KeepOnInterrupt::interrupted;
  hooks.progress = [&](double share, const std::string& doing) { progress.update(share, doing); };
  const FamilyOptions options{.knots = job.knots, .bits = job.bits, .fit = job.fit};
  const FamilyResult fitted = fit_family(file.graph, file.metrics, options, hooks);
  fitted.family.save(job.output);
  job.json ? print_json(file, job, fitted) : print_text(job, fitted, file.metrics);
  return 0;
}

}  // namespace lodestar::cli
