#include "live_weights.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>

#include "lodestar/detail/clock.h"
#include "lodestar/rng.h"
#include "lodestar/weight_changes.h"
#include "message.h"

namespace lodestar::server {
namespace {

// Training comes later, in the background.
IndexOptions untrained() {
  IndexOptions options;
  options.seconds = 0;
  return options;
}
IndexOptions quickly() {
  IndexOptions options;
  options.quick = true;
  options.threads = 0;
  return options;
}

// What the same queries take, with any index of the graph.
struct Effort {
  double expansions = 0;
  double seconds = 0;  // of the processor, the best of some passes
};

Effort effort_of(const Index& index) {
  IndexSearcher searcher(index);
  const NodeId n = index.graph().node_count();
  Effort best;
  constexpr int kQueries = 200, kPasses = 4;
  for (int pass = 0; pass < kPasses; ++pass) {
    Rng rng(20'000);
    Effort effort;
    const double start = processor_seconds();
    for (int i = 0; i < kQueries; ++i) {
      const auto s = static_cast<NodeId>(rng.below(n)), t = static_cast<NodeId>(rng.below(n));
      effort.expansions += static_cast<double>(searcher.run({s, t}).expansions);
    }
    effort.seconds = processor_seconds() - start;
    if (pass == 0 || effort.seconds < best.seconds) best = effort;
  }
  return best;
}

// Expansions are reproducible, but those of trees and of contractions are not comparable.
bool is_better(const Index& one, const Index& other) {
  const Effort mine = effort_of(one), theirs = effort_of(other);
  return one.facts().quick == other.facts().quick ? mine.expansions < theirs.expansions
                                                  : mine.seconds < theirs.seconds;
}

}  // namespace

struct LiveWeights::Waiting {
  WeightUpdate update;
  Applied applied;
  std::exception_ptr failure;
  bool done = false;  // guarded by change_mutex_
};

LiveWeights::LiveWeights(const GraphFile& file, LiveOptions options)
    : file_(file), options_(std::move(options)), finder_(file) {
  if (options_.index != nullptr && !options_.index->facts().paths) {
    throw Error("the index was built without paths (fit --no-paths), and routes need them");
  }
  auto weights = std::make_shared<std::vector<Weight>>(finder_.weights());
  std::uint64_t version = 0;
  if (!options_.state.empty()) {
    journal_.emplace(options_.state, file_.graph, options_.damage);
    if (!journal_->note().empty()) say(journal_->note());
    for (const JournalEntry& entry : journal_->take_entries()) {
      if (entry.reset) *weights = finder_.weights();
      for (const WeightChange& change : entry.changes) (*weights)[change.arc] = change.weight;
      version = entry.version;
    }
    journal_bytes_ = journal_->bytes();
    if (version > 0) say("weights of version " + std::to_string(version) + " taken up");
  }
  // The file as one record, and as much again.
  compact_at_ = (std::uint64_t{1} << 20) + 2 * 12 * std::uint64_t{weights->size()};
  const Graph graph = version == 0 ? file_.graph : file_.graph.with_weights(*weights);
  std::shared_ptr<const Index> index = options_.index;
  if (index != nullptr && !index->fits(graph)) {
    index = std::make_shared<const Index>(index->customized(graph, untrained()));
  }
  trained_version_ = version;
  contracted_ = index;
  put(make(version, std::move(weights), graph, std::move(index), 0));
  // Files that do not fit are found now.
  if (options_.family != nullptr || options_.travel_times != nullptr) now()->requests->get();
  if (now()->index != nullptr || options_.build_index) {
    working_ = next_job(false) != Job::kNone;
    worker_ = std::thread([this] { work(); });
  }
}

LiveWeights::~LiveWeights() {
  stop_ = true;
  work_condition_.notify_all();
  if (worker_.joinable()) worker_.join();
}

std::shared_ptr<const Snapshot> LiveWeights::now() const {
  const std::lock_guard lock(now_mutex_);
  return now_;
}

void LiveWeights::put(std::shared_ptr<const Snapshot> next) {
  {
    const std::lock_guard lock(now_mutex_);
    now_.swap(next);
  }
  // The previous snapshot ends here, or with the last request that uses it.
}

std::shared_ptr<const Snapshot> LiveWeights::make(
    std::uint64_t version, std::shared_ptr<const std::vector<Weight>> weights, const Graph& graph,
    std::shared_ptr<const Index> index, std::uint64_t generation) const {
  RouterOptions options;
  if (index != nullptr) {
    options.index = index;
  } else {
    options.algorithm = "bidirectional";
    options.max_expansions = options_.max_expansions;
  }
  const auto before = now();
  return std::make_shared<const Snapshot>(Snapshot{
      version, generation, std::move(weights), Router(graph, std::move(options)), std::move(index),
      Clock::now(),
      before != nullptr && before->version == version ? before->requests : request_router(graph)});
}

std::shared_ptr<const RequestRouter> LiveWeights::request_router(const Graph& graph) const {
  RouterOptions options;
  if (options_.family == nullptr) options.algorithm = "dijkstra";
  options.family = options_.family;
  options.travel_times = options_.travel_times;
  options.metrics = file_.metrics;
  options.shape = file_.shape;
  return std::make_shared<const RequestRouter>(graph, std::move(options));
}

Applied LiveWeights::apply(WeightUpdate update) {
  const auto start = Clock::now();
  auto mine = std::make_shared<Waiting>();
  mine->update = std::move(update);
  {
    const std::lock_guard lock(waiting_mutex_);
    waiting_.push_back(mine);
  }
  {
    const std::lock_guard lock(change_mutex_);
    if (!mine->done) {
      std::vector<std::shared_ptr<Waiting>> all;
      {
        const std::lock_guard queue(waiting_mutex_);
        all.swap(waiting_);
      }
      try {
        apply_all(all);
      } catch (...) {
        for (const auto& one : all) {
          if (one->failure == nullptr) one->failure = std::current_exception();
        }
      }
      for (const auto& one : all) one->done = true;
    }
  }
  if (mine->failure != nullptr) std::rethrow_exception(mine->failure);
  work_condition_.notify_all();
  mine->applied.seconds = seconds_since(start);
  return mine->applied;
}

// Returns the number of arcs that have another weight afterwards.
std::size_t LiveWeights::apply_one(const WeightUpdate& update, std::vector<Weight>& weights) const {
  std::vector<WeightChange> old;
  if (update.reset) {
    for (ArcIndex arc = 0; arc < weights.size(); ++arc) old.push_back({arc, weights[arc]});
    weights = finder_.weights();
  } else {
    for (const WeightChange& change : update.changes) {
      old.push_back({change.arc, weights[change.arc]});
    }
    const auto by_arc = [](const WeightChange& a, const WeightChange& b) { return a.arc < b.arc; };
    std::sort(old.begin(), old.end(), by_arc);
    const auto same_arc = [](const WeightChange& a, const WeightChange& b) {
      return a.arc == b.arc;
    };
    old.erase(std::unique(old.begin(), old.end(), same_arc), old.end());
  }
  for (const WeightChange& change : update.changes) weights[change.arc] = change.weight;
  return static_cast<std::size_t>(std::count_if(
      old.begin(), old.end(), [&](const auto& one) { return weights[one.arc] != one.weight; }));
}

// Only the arcs that the entries change are stored anew, unless parallel arcs may change places.
Graph LiveWeights::changed_graph(const Graph& before, std::span<const JournalEntry> entries,
                                 std::span<const Weight> weights) const {
  std::vector<ArcIndex> arcs;
  std::vector<Weight> values;
  for (const JournalEntry& entry : entries) {
    for (const WeightChange& change : entry.changes) {
      if (may_be_parallel(before, change.arc)) return file_.graph.with_weights(weights);
      arcs.push_back(change.arc);
      values.push_back(change.weight);
    }
  }
  return with_weights(before, arcs, values);
}

// Requires change_mutex_. Throws if no update was applied.
void LiveWeights::apply_all(std::span<const std::shared_ptr<Waiting>> all) {
  const auto before = now();
  auto weights = std::make_shared<std::vector<Weight>>(*before->weights);
  std::uint64_t version = before->version;
  std::vector<JournalEntry> entries;
  bool reset = false;
  for (const auto& one : all) {
    WeightUpdate& update = one->update;
    if (update.expect && *update.expect != version) {
      one->failure = std::make_exception_ptr(
          Refusal(409, "Conflict",
                  "the weights are of version " + std::to_string(version) + ", not " +
                      std::to_string(*update.expect) + "; nothing was changed"));
      continue;
    }
    one->applied.changed = apply_one(update, *weights);
    one->applied.version = ++version;
    reset = reset || update.reset;
    entries.push_back({version, update.reset, std::move(update.changes)});
  }
  if (entries.empty()) return;
  // Everything that can fail comes before the journal, because its content will be served.
  const Graph graph = reset ? file_.graph.with_weights(*weights)
                            : changed_graph(before->router.graph(), entries, *weights);
  std::shared_ptr<const Index> index;
  if (quick_ != nullptr) {
    index = std::make_shared<const Index>(quick_->customized(graph, quickly()));
  } else if (before->index != nullptr) {
    index = std::make_shared<const Index>(before->index->customized(graph, untrained()));
  }
  auto next = make(version, weights, graph, index, before->generation);
  try {
    if (journal_) journal_->append(entries);
  } catch (const JournalWriteError& error) {
    say(error.what());
    throw Refusal(507, "JournalFailed",
                  "the update could not be written to the disk (" + error.reason() +
                      "); nothing was changed");
  }
  put(std::move(next));
  if (quick_ != nullptr) quick_ = std::move(index);
  if (journal_ && journal_->bytes() > compact_at_) {
    JournalEntry whole{version, true, {}};
    for (ArcIndex arc = 0; arc < weights->size(); ++arc) {
      if ((*weights)[arc] != finder_.weights()[arc])
        whole.changes.push_back({arc, (*weights)[arc]});
    }
    try {
      journal_->compact(whole);
    } catch (const Error& error) {
      say(error.what());
      compact_at_ *= 2;
    }
  }
  if (journal_) journal_bytes_ = journal_->bytes();
}

void LiveWeights::settle() {
  std::unique_lock lock(work_mutex_);
  work_condition_.wait(lock, [&] { return !working_ || stopping(); });
}

LiveWeights::Job LiveWeights::next_job(bool rested) const {
  const auto current = now();
  if (current->index == nullptr) {
    return options_.build_index && current->router.graph().node_count() > 1 ? Job::kBuild
                                                                            : Job::kNone;
  }
  if (!prepared_) return Job::kPrepare;
  if (current->index->facts().quick && current->version != contracted_version_) {
    return Job::kContract;
  }
  const bool train = options_.refit_seconds > 0 && current->version != trained_version_ && rested;
  return train ? Job::kTrain : Job::kNone;
}

void LiveWeights::work() {
  auto last = Clock::now() - std::chrono::hours(24);
  for (;;) {
    Job job = Job::kNone;
    {
      std::unique_lock lock(work_mutex_);
      job = next_job(seconds_since(last) >= options_.refit_seconds);
      working_ = job != Job::kNone;
      if (!working_) {
        work_condition_.notify_all();  // settle()
        work_condition_.wait_for(lock, std::chrono::milliseconds(200));
      }
    }
    if (stopping()) return;
    if (job == Job::kNone) continue;
    try {
      do_job(job);
    } catch (const std::exception& error) {
      say(std::string("the index could not be made better: ") + error.what());
      options_.build_index = false;
      // Not again for these weights: it would fail again.
      trained_version_ = contracted_version_ = now()->version;
      prepared_ = true;
    }
    if (job == Job::kTrain) last = Clock::now();
#ifdef __GLIBC__
    // Returns the memory of a training to the system. The memory of a contraction is kept: the next
    // update needs it again, and fresh pages would double its time.
    if (job != Job::kContract) ::malloc_trim(0);
#endif
  }
}

void LiveWeights::do_job(Job job) {
  if (job == Job::kPrepare) {
    prepare();
    return;
  }
  const auto base = now();
  if (job == Job::kBuild) {
    put_if_better(Index::build(base->router.graph(), {}, [this] { return stopping(); }),
                  base->version);
    return;
  }
  IndexOptions options;
  options.seconds = options_.training_seconds;
  // Starts from the last contraction, which has the potentials trained so far.
  Index better = *contracted_;
  if (!better.fits(base->router.graph())) {
    better = better.customized(base->router.graph(), untrained());
  }
  if (job == Job::kTrain) {
    trained_version_ = base->version;
    options.potential_count = better.facts().potential_count;
    if (options.potential_count == 0) return;
    FitHooks hooks;
    hooks.stop = [this] { return stopping(); };
    // Requests come first: training takes what they leave. A contraction does not, since answers
    // are slower until it is done; a thread cannot take back a lower priority, so this is another.
    std::exception_ptr failure;
    std::jthread([&] {
      const auto self = static_cast<id_t>(::gettid());
      ::setpriority(PRIO_PROCESS, self, ::getpriority(PRIO_PROCESS, self) + 10);
      try {
        better = better.trained(options, hooks);
      } catch (...) {
        failure = std::current_exception();
      }
    }).join();
    if (failure != nullptr) std::rethrow_exception(failure);
  }
  put_if_better(std::move(better), base->version);
}

// Prepares the index for quick changes.
void LiveWeights::prepare() {
  Index flexible = *contracted_;
  try {
    flexible = contracted_->flexible();
  } catch (const TooManyShortcuts&) {
    say("this graph has no small separators: every update contracts the index again");
    prepared_ = true;
    return;
  }
  std::shared_ptr<const Index> quick;
  for (;;) {
    if (stopping()) return;
    const auto current = now();
    const Index& from = quick == nullptr ? flexible : *quick;
    quick = std::make_shared<const Index>(from.customized(current->router.graph(), quickly()));
    const std::lock_guard lock(change_mutex_);
    if (now()->version != current->version) continue;
    quick_ = std::move(quick);
    prepared_ = true;
    say("ready to follow changes of weights at once");
    return;
  }
}

// Weights may have changed since `fitted`. The new index is customized to them without blocking
// updates: this thread holds the lock only to publish it. If updates keep coming faster, the next
// job starts from the result so far.
void LiveWeights::put_if_better(Index better, std::uint64_t fitted) {
  for (int attempt = 0; attempt < 5 && !stopping(); ++attempt) {
    const auto current = now();
    if (current->version != fitted) {
      better = better.customized(current->router.graph(), untrained());
      fitted = current->version;
    }
    contracted_ = std::make_shared<const Index>(better);
    contracted_version_ = fitted;
    if (current->index != nullptr && !is_better(better, *current->index)) return;
    auto next = make(current->version, current->weights, current->router.graph(), contracted_,
                     current->generation + 1);
    const std::lock_guard lock(change_mutex_);
    if (now() != current) continue;
    put(std::move(next));
    say("an index of generation " + std::to_string(current->generation + 1) +
        " is in place for the weights of version " + std::to_string(current->version));
    return;
  }
}

}  // namespace lodestar::server
