// The search itself: chooses the next trial from the results so far. No processes, no files.
//
//   Search search(plan);
//   search.add(record);                       // once for every line of the journal
//   while (!search.finished()) {
//     const std::optional<Task> task = search.next();   // nothing: wait for a running one
//     … search.add(record_of(*task)); or search.give_back(*task);
//   }
//
// A stage is a level, with successive halving a rung of it. The tasks of a stage are known when the
// stage before is complete and depend on its records alone, not on their order, so the
// outcome is the same for one process and for many.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "learn/tune/space.h"

namespace lodestar::tune {

// The metric that a search minimizes, computed from the measures of a trial.
//
//   loss             validation loss, as in the paper. It depends on the weights of the loss: with
//                    λ among what is drawn, small λ are favoured.
//   distance@R       relative distance at R times Dijkstra's iterations, over the scales of y
//   iterations@D     iterations, as a share of Dijkstra's, at relative distance D
//   …@X,C            likewise, among scales that satisfy a share C of the constraints
using Json = nlohmann::ordered_json;

struct Metric {
  enum class Kind : std::uint8_t { kLoss, kDistanceAt, kIterationsAt };
  Kind kind = Kind::kLoss;
  double at = 0;
  double constraints = 0;
};

Metric parse_metric(const std::string& text);  // throws Error
std::string to_string(const Metric& metric);
std::string describe(const Metric& metric);  // for the axis of a figure

// `measures` has validation_loss and curve: a list of [scale, iteration ratio, relative distance,
// constraints]. Between scales the curve is taken as straight. Returns nothing if the point is not
// reached.
std::optional<double> evaluate(const Metric& metric, const Json& measures);

struct SearchPlan {
  Space space;
  std::optional<Space> space2;  // ranges of level 2 instead of the automatic ones
  std::uint32_t samples = 60;   // over all levels; the first levels get the remainder
  std::uint32_t levels = 2;
  std::uint32_t epochs = 0;   // of a whole training
  std::uint32_t halving = 0;  // η: a rung keeps one trial in η; 0: every trial runs to its end
  std::uint64_t seed = 1;
  Metric metric;
  // Expected cost of a trial with these values. Expensive trials of a stage start first, so that
  // the end of the stage does not wait for one of them. May be empty.
  std::function<double(const Json&)> cost;
};

struct Task {
  std::uint32_t trial = 0;  // from 1, through all levels
  std::uint32_t level = 0;  // from 1
  std::uint32_t rung = 0;
  std::uint32_t epochs = 0;  // train to this one
  Json values;
};

struct Record {
  Task task;
  bool diverged = false;
  Json measures;  // of a trial that did not diverge
  double seconds = 0;
  std::optional<double> metric;
};
Json to_json(const Record& record);
// Throws Json::exception on anything else.
Record parse_record(const Json& json, const Metric& metric);

// Epochs at which the rungs end: {15}, with η = 3 {1, 5, 15}. At most three.
std::vector<std::uint32_t> rung_epochs(std::uint32_t epochs, std::uint32_t halving);

class Search {
 public:
  // Throws Error on a plan that makes no sense.
  explicit Search(SearchPlan plan);

  void add(Record record);
  std::optional<Task> next();
  void give_back(const Task& task);
  // Throws Error when a level is to be shrunk around nothing: all trials before it diverged.
  bool finished();

  // The space a level draws from; known once the levels before are complete.
  const std::vector<Space>& spaces() const { return spaces_; }
  // The last record of every trial, best first: those that came further, then by metric, then by
  // number; diverged ones and those without a metric last.
  std::vector<const Record*> ranking() const;
  std::size_t done() const { return records_.size(); }
  std::size_t expected() const;  // tasks of the whole search
  const SearchPlan& plan() const { return plan_; }

 private:
  std::uint32_t level_size(std::uint32_t level) const;
  void open_stages();
  std::vector<Task> stage_tasks();

  SearchPlan plan_;
  std::vector<std::uint32_t> rungs_;
  std::vector<Space> spaces_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Record> records_;  // by trial and rung
  std::uint32_t level_ = 1, rung_ = 0;                                 // the stage at hand
  std::vector<Task> stage_;                                            // its tasks
  std::vector<Task> waiting_;                                          // not handed out
  bool stage_open_ = false;
};

}  // namespace lodestar::tune
