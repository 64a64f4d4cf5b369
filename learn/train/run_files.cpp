#include "learn/train/run_files.h"

#include <sys/utsname.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/harness/gnuplot.h"
#include "lodestar/atomic_file.h"
#include "lodestar/version.h"

namespace lodestar::learn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

template <class Metrics, class Visit>
void visit_metrics(Metrics& m, Visit&& visit) {
  visit("epoch", m.epoch);
  visit("learning_rate", m.learning_rate);
  visit("loss", m.loss);
  visit("objective", m.objective);
  visit("penalty", m.penalty);
  visit("norm", m.norm);
  visit("cross_entropy", m.cross_entropy);
  visit("validation_loss", m.validation_loss);
  visit("constraints", m.constraints);
  visit("constraints_with_loops", m.constraints_with_loops);
  visit("relative_distance", m.relative_distance);
  visit("iterations", m.iterations);
  visit("dijkstra_iterations", m.dijkstra_iterations);
  visit("predecessors_all", m.imitation.all);
  visit("predecessors_last_step", m.imitation.last);
  visit("predecessors_changed", m.imitation.changed);
  visit("predecessors_copied_hint", m.imitation.copied);
  visit("predecessors_per_step", m.imitation.per_step);
  visit("seconds", m.seconds);
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string machine() {
  utsname names{};
  uname(&names);
  return std::string(names.sysname) + " " + names.release + " " + names.machine + ", " +
         std::to_string(std::thread::hardware_concurrency()) + " processors";
}

}  // namespace

void RunFiles::begin(const TrainOptions& options, const std::string& command) const {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) throw Error(folder_ + ": cannot be made: " + failed.message());
  if (fs::exists(path("config.json"))) {
    throw Error(folder_ +
                ": holds a run already; continue it with --resume, or name another folder");
  }
  const OrderedJson run = {{"version", kVersion}, {"commit", kCommit},    {"compiler", kCompiler},
                           {"command", command},  {"seed", options.seed}, {"started", utc_now()},
                           {"machine", machine()}};
  replace_file(path("run.json"), run.dump(2) + "\n");
  replace_file(path("config.json"), options_json(options) + "\n");
}

std::vector<EpochMetrics> RunFiles::keep_metrics(std::uint64_t bytes) const {
  std::vector<EpochMetrics> all;
  const std::string file = path("metrics.jsonl");
  if (!fs::exists(file)) return all;
  fs::resize_file(file, std::min<std::uint64_t>(bytes, fs::file_size(file)));
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) throw Error(file + ": a line is not JSON; start the run again");
    EpochMetrics& metrics = all.emplace_back();
    visit_metrics(metrics, [&](const char* name, auto& value) {
      using Value = std::remove_reference_t<decltype(value)>;
      const auto found = json.find(name);
      // JSON has no NaN: a value that was not finite is written as null.
      const bool lost = found != json.end() && found->is_null();
      if constexpr (std::is_floating_point_v<Value>) {
        value = lost ? std::numeric_limits<Value>::quiet_NaN() : json.value(name, Value{});
      } else {
        value = json.value(name, Value{});
      }
    });
  }
  return all;
}

std::uint64_t RunFiles::append_metrics(const EpochMetrics& metrics) const {
  OrderedJson json;
  visit_metrics(metrics, [&](const char* name, const auto& value) { json[name] = value; });
  std::ofstream out(path("metrics.jsonl"), std::ios::app);
  out << json.dump() << '\n';
  out.close();
  if (!out) throw Error(path("metrics.jsonl") + ": cannot be written; is the disk full?");
  return fs::file_size(path("metrics.jsonl"));
}

void RunFiles::log(const std::string& line) const {
  std::ofstream(path("train.log"), std::ios::app) << utc_now() << ' ' << line << '\n';
}

void RunFiles::write_scale(const std::vector<ScalePoint>& curve, double chosen) const {
  OrderedJson points = OrderedJson::array();
  for (const ScalePoint& point : curve) {
    OrderedJson lists = OrderedJson::array();
    for (const SearchMetrics& metrics : point.lists) {
      lists.push_back({{"iterations", metrics.iterations},
                       {"dijkstra_iterations", metrics.dijkstra_iterations},
                       {"relative_distance", metrics.relative_distance},
                       {"constraints", metrics.constraints}});
    }
    points.push_back({{"scale", point.scale},
                      {"iteration_ratio", point.iteration_ratio},
                      {"relative_distance", point.relative_distance},
                      {"constraints", point.constraints},
                      {"lists", lists}});
    if (point.effort > 0) points.back()["effort"] = point.effort;
  }
  const OrderedJson json = {{"chosen", chosen}, {"curve", points}};
  replace_file(path("scale.json"), json.dump(1) + "\n");
}

bool RunFiles::draw_curves() const {
  std::string data;
  for (const EpochMetrics& m :
       keep_metrics(fs::exists(path("metrics.jsonl")) ? fs::file_size(path("metrics.jsonl")) : 0)) {
    data += std::to_string(m.epoch) + ' ' + std::to_string(m.loss) + ' ' +
            std::to_string(m.validation_loss) + ' ' + std::to_string(100 * m.constraints) + ' ' +
            std::to_string(100 * m.relative_distance) + ' ' +
            std::to_string(100 * m.iterations / m.dijkstra_iterations) + '\n';
  }
  return draw_with_gnuplot(folder_, "curves", data,
                           "set multiplot layout 2,2\nset grid\nset xlabel 'epoch'\n"
                           "m = 'curves.dat'\nset title 'loss'\n"
                           "plot m u 1:2 w l t 'training', m u 1:3 w l t 'validation'\n"
                           "set title 'constraints satisfied, %'\nplot m u 1:4 w l notitle\n"
                           "set title 'relative distance, %'\nplot m u 1:5 w l notitle\n"
                           "set title 'iterations, % of Dijkstra'\nplot m u 1:6 w l notitle\n"
                           "unset multiplot\n",
                           {900, 600});
}

}  // namespace lodestar::learn
