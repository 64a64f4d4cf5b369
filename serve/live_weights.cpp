#include "live_weights.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "lodestar/detail/clock.h"
#include "lodestar/rng.h"
#include "message.h"

namespace lodestar::serve {
namespace {

// Customising at once: training comes later, in the background.
IndexOptions untrained() {
  IndexOptions options;
  options.seconds = 0;
  return options;
}

// The mean effort of the same queries with any index of the graph.
double effort_of(const Index& index) {
  IndexSearcher searcher(index);
  const NodeId n = index.graph().node_count();
  Rng rng(20'000);
  double sum = 0;
  constexpr int kQueries = 200;
  for (int i = 0; i < kQueries; ++i) {
    const auto s = static_cast<NodeId>(rng.below(n)), t = static_cast<NodeId>(rng.below(n));
    sum += static_cast<double>(searcher.run({s, t}).expansions);
  }
  return sum / kQueries;
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
  auto weights = std::make_shared<std::vector<Weight>>(finder_.weights());
  std::uint64_t version = 0;
  if (!options_.state.empty()) {
    journal_.emplace(options_.state, file_.graph);
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
  put(make(version, std::move(weights), graph, std::move(index), 0));
  const bool build = options_.build_index && now()->index == nullptr && graph.node_count() > 1;
  if (build || options_.refit_seconds > 0) {
    working_ = build;
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
  // What was there before ends here, or with the last request that uses it.
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
  return std::make_shared<const Snapshot>(Snapshot{version, generation, std::move(weights),
                                                   Router(graph, std::move(options)),
                                                   std::move(index), Clock::now()});
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

// change_mutex_ is held. Throws when none of them has happened.
void LiveWeights::apply_all(std::span<const std::shared_ptr<Waiting>> all) {
  const auto before = now();
  auto weights = std::make_shared<std::vector<Weight>>(*before->weights);
  std::uint64_t version = before->version;
  std::vector<JournalEntry> entries;
  for (const auto& one : all) {
    WeightUpdate& update = one->update;
    if (update.expect && *update.expect != version) {
      one->failure = std::make_exception_ptr(
          Refusal(409, "Conflict",
                  "the weights are of version " + std::to_string(version) + ", not " +
                      std::to_string(*update.expect) + "; nothing was changed"));
      continue;
    }
    if (update.reset) *weights = finder_.weights();
    for (const WeightChange& change : update.changes) (*weights)[change.arc] = change.weight;
    one->applied.version = ++version;
    one->applied.changed = update.changes.size();
    entries.push_back({version, update.reset, std::move(update.changes)});
  }
  if (entries.empty()) return;
  // Whatever can fail comes before the journal: what it holds will be served.
  const Graph graph = file_.graph.with_weights(*weights);
  std::shared_ptr<const Index> index;
  if (before->index != nullptr) {
    index = std::make_shared<const Index>(before->index->customized(graph, untrained()));
  }
  auto next = make(version, weights, graph, std::move(index), before->generation);
  if (journal_) journal_->append(entries);
  put(std::move(next));
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
#ifdef __GLIBC__
  ::malloc_trim(0);  // each thread's heap would keep what one customisation needed
#endif
}

void LiveWeights::settle() {
  std::unique_lock lock(work_mutex_);
  work_condition_.wait(lock, [&] { return !working_ || stopping(); });
}

void LiveWeights::work() {
  // Requests come first: this thread takes what they leave.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 10);
  auto last = Clock::now() - std::chrono::hours(24);
  for (;;) {
    {
      std::unique_lock lock(work_mutex_);
      const auto wanted = [&] {
        const auto current = now();
        const bool build = options_.build_index && current->index == nullptr &&
                           current->router.graph().node_count() > 1;
        const bool train = options_.refit_seconds > 0 && current->index != nullptr &&
                           current->version != trained_version_ &&
                           seconds_since(last) >= options_.refit_seconds;
        return build || train;
      };
      working_ = wanted();
      if (!working_) {
        work_condition_.notify_all();  // settle()
        work_condition_.wait_for(lock, std::chrono::milliseconds(200));
      }
    }
    if (stopping()) return;
    if (!working_) continue;
    try {
      improve();
    } catch (const std::exception& error) {
      say(std::string("the index could not be made better: ") + error.what());
      options_.build_index = false;
      trained_version_ = now()->version;
    }
    last = Clock::now();
  }
}

// One index better than the one in place, if there is one. True when it was put in place.
bool LiveWeights::improve() {
  const auto base = now();
  trained_version_ = base->version;
  const Graph graph = base->router.graph();
  std::optional<Index> better;
  if (base->index == nullptr) {
    IndexOptions options;
    options.seconds = options_.training_seconds;
    better = Index::build(graph, options, [this] { return stopping(); });
  } else {
    IndexOptions options;
    options.seconds = options_.training_seconds;
    options.potentials = std::max<std::uint32_t>(1, base->index->facts().potentials);
    if (base->index->facts().potentials == 0) return false;
    const std::unique_ptr<Fitter> fitter = base->index->fitter(options);
    if (fitter == nullptr) return false;
    const auto late = [&] { return stopping() || fitter->seconds() >= options.seconds; };
    do {
      fitter->round(late);
    } while (!late());
    better = base->index->trained_by(*fitter);
  }
  // Weights may have changed meanwhile. What was learned is taken along, without keeping updates
  // waiting: this thread has a low priority, and holds the lock only to put its index in place. If
  // updates are faster five times in a row, they wait once.
  std::uint64_t fitted = base->version;
  for (int attempt = 0; !stopping(); ++attempt) {
    std::unique_lock lock(change_mutex_, std::defer_lock);
    if (attempt >= 5) lock.lock();
    const auto current = now();
    if (current->version != fitted) {
      better = better->customized(current->router.graph(), untrained());
      fitted = current->version;
    }
    if (current->index != nullptr && effort_of(*better) >= effort_of(*current->index)) return false;
    auto next = make(current->version, current->weights, current->router.graph(),
                     std::make_shared<const Index>(*better), current->generation + 1);
    if (!lock.owns_lock()) lock.lock();
    if (now() != current) continue;
    put(std::move(next));
    say("an index of generation " + std::to_string(current->generation + 1) +
        " is in place for the weights of version " + std::to_string(current->version));
    return true;
  }
  return false;
}

}  // namespace lodestar::serve
