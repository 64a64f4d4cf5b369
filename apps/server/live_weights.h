// The served graph: its weights change while requests run.
//
//   LiveWeights live(file, options);
//   const auto now = live.now();                       // immutable; one per request
//   now->router.path(query); now->version;
//   const Applied done = live.apply(std::move(update));  // on disk, customized and visible
//
// A Snapshot is graph, index and router for one version of the weights. A request uses one
// snapshot, so no response mixes two versions. apply() writes the journal, customizes the index
// quickly (index.h) and publishes the next snapshot. A background thread builds a missing index,
// prepares it for quick changes, contracts after each change, trains again after a while, and
// publishes its index if it is better.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "journal.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "lodestar/router.h"
#include "weight_update.h"

namespace lodestar::server {

// The router of requests with weights of their own, for one version of the weights.
//
//   const Router& router = snapshot->requests->get();  // prepared by the first caller
//
// Preparing takes O(m): potentials are checked, and repaired where weights have fallen. Requests
// without preferences never wait for it.
class RequestRouter {
 public:
  RequestRouter(Graph graph, RouterOptions options)
      : graph_(std::move(graph)), options_(std::move(options)) {}

  // Throws Error if potentials, metrics or travel times do not fit the graph.
  const Router& get() const {
    std::call_once(once_, [this] {
      router_.emplace(graph_, options_);
      static_cast<void>(router_->requests({}));
    });
    return *router_;
  }

  bool has_travel_times() const { return options_.travel_times != nullptr; }
  bool has_potentials() const { return options_.family != nullptr; }

 private:
  Graph graph_;
  RouterOptions options_;
  mutable std::once_flag once_;
  mutable std::optional<Router> router_;
};

struct LiveOptions {
  std::shared_ptr<const Index> index = nullptr;   // made for the file's arcs; null: build one
  bool build_index = true;                        // false: search without when there is none
  std::string state = {};                         // the journal's path; empty: forget at the end
  JournalDamage damage = JournalDamage::kRefuse;  // of the journal, before its last record
  double refit_seconds = 60;                      // between trainings; 0: never
  double training_seconds = 2;                    // of each
  std::uint64_t max_expansions = 20'000'000;      // of one search without index
  // For requests with weights of their own; both may be null.
  std::shared_ptr<const PotentialFamily> family = nullptr;
  std::shared_ptr<const TravelTimes> travel_times = nullptr;
  std::function<void(const std::string&)> say = {};  // messages for the operator
};

struct Snapshot {
  std::uint64_t version = 0;                           // of the weights: 0 is the file's
  std::uint64_t generation = 0;                        // of the index for them
  std::shared_ptr<const std::vector<Weight>> weights;  // in the order of the file's arcs
  Router router;                                       // on the graph with these weights
  std::shared_ptr<const Index> index;                  // null: none yet
  std::chrono::steady_clock::time_point made = {};     // when the index was
  // For requests with weights of their own; snapshots of one version share it.
  std::shared_ptr<const RequestRouter> requests;
};

struct Applied {
  std::uint64_t version = 0;  // after the update
  std::size_t changed = 0;    // arcs that have another weight than before
  double seconds = 0;         // until requests see it
};

class LiveWeights {
 public:
  // Reads the journal and customizes the index, which must have paths. Throws Error. `file` must
  // outlive the object.
  LiveWeights(const GraphFile& file, LiveOptions options);
  ~LiveWeights();  // ends the background thread at once
  LiveWeights(const LiveWeights&) = delete;
  LiveWeights& operator=(const LiveWeights&) = delete;

  std::shared_ptr<const Snapshot> now() const;
  // Throws Refusal when update.expect is not the version (409) or the journal cannot be written
  // (507); nothing has changed then. Updates that wait for each other share one customization.
  Applied apply(WeightUpdate update);

  const ArcFinder& finder() const { return finder_; }
  const LiveOptions& options() const { return options_; }
  std::uint64_t journal_bytes() const { return journal_bytes_; }
  // Waits until the background thread is idle. For tests.
  void settle();

 private:
  struct Waiting;
  void apply_all(std::span<const std::shared_ptr<Waiting>> all);
  std::size_t apply_one(const WeightUpdate& update, std::vector<Weight>& weights) const;
  Graph changed_graph(const Graph& before, std::span<const JournalEntry> entries,
                      std::span<const Weight> weights) const;
  std::shared_ptr<const Snapshot> make(std::uint64_t version,
                                       std::shared_ptr<const std::vector<Weight>> weights,
                                       const Graph& graph, std::shared_ptr<const Index> index,
                                       std::uint64_t generation) const;
  std::shared_ptr<const RequestRouter> request_router(const Graph& graph) const;
  void put(std::shared_ptr<const Snapshot> next);
  enum class Job : std::uint8_t { kNone, kBuild, kPrepare, kContract, kTrain };
  Job next_job(bool rested) const;
  void work();
  void do_job(Job job);
  void prepare();
  void put_if_better(Index better, std::uint64_t fitted);
  bool stopping() const { return stop_.load(std::memory_order_relaxed); }
  void say(const std::string& text) const {
    if (options_.say) options_.say(text);
  }

  const GraphFile& file_;
  LiveOptions options_;
  ArcFinder finder_;
  std::optional<Journal> journal_;

  mutable std::mutex now_mutex_;
  std::shared_ptr<const Snapshot> now_;

  std::mutex change_mutex_;  // held while the next snapshot is made
  // The index of the newest version by elimination tree, even when a contraction answers: changes
  // start from it. Null until it is prepared. Guarded by change_mutex_.
  std::shared_ptr<const Index> quick_;
  std::mutex waiting_mutex_;
  std::vector<std::shared_ptr<Waiting>> waiting_;
  std::uint64_t compact_at_ = 0;  // bytes of the journal
  std::atomic<std::uint64_t> journal_bytes_ = 0;

  std::mutex work_mutex_;
  std::condition_variable work_condition_;
  std::atomic<bool> stop_ = false;
  bool working_ = false;
  // Used only by the background thread.
  std::shared_ptr<const Index> contracted_;  // the newest contraction
  std::uint64_t contracted_version_ = 0;
  std::uint64_t trained_version_ = 0;
  bool prepared_ = false;  // or it cannot be
  std::thread worker_;
};

}  // namespace lodestar::server
