#include "bench/harness/workshop.h"

#include "lodestar/detail/clock.h"

namespace lodestar::bench {

PreparedPotentials prepare_landmarks(const Graph& graph, LandmarkMethod method, std::uint32_t count,
                                     std::uint64_t seed) {
  LandmarkOptions options;
  options.method = method;
  options.potential_count = count;
  options.seed = seed;
  const auto begin = Clock::now();
  Potentials landmarks = landmark_potentials(graph, options);
  return {std::move(landmarks), seconds_since(begin)};
}

PreparedPotentials prepare_learned(const Graph& graph, const FitOptions& options,
                                   const TrainingTime& time,
                                   const std::function<void(double)>& progress) {
  FitOptions timed = options;
  if (time.rounds == 0) timed.seconds = time.seconds;
  timed.rounds = time.rounds;
  if (time.processor) timed.clock = process_seconds;
  FitHooks hooks;
  if (progress) hooks.progress = [&](const FitProgress& state) { progress(state.share); };
  FitResult fitted = fit(graph, timed, hooks);
  return {std::move(fitted.potentials), fitted.seconds};
}

Workshop::Workshop(Graph graph, WorkshopOptions options, Progress progress)
    : graph_(std::move(graph)), options_(std::move(options)), progress_(std::move(progress)) {}

void Workshop::report(double share, const std::string& what) const {
  if (progress_) progress_(share, what);
}

std::shared_ptr<Searcher> Workshop::searcher() {
  if (!searcher_) searcher_ = std::make_shared<Searcher>(graph_);
  return searcher_;
}

std::shared_ptr<BidirectionalSearcher> Workshop::both_ends() {
  if (!both_ends_) both_ends_ = std::make_shared<BidirectionalSearcher>(graph_);
  return both_ends_;
}

std::shared_ptr<const PreparedPotentials> Workshop::learned() {
  if (learned_) return learned_;
  if (options_.potentials_file.empty()) {
    const std::string what = "learning " + std::to_string(potential_count()) + " potentials";
    learned_ = std::make_shared<const PreparedPotentials>(prepare_learned(
        graph_, options_.fit, options_.time, [&](double share) { report(share, what); }));
  } else {
    Potentials loaded = Potentials::load(options_.potentials_file);
    loaded.require_fit(graph_);
    const double seconds = loaded.origin().seconds;
    learned_ =
        std::make_shared<const PreparedPotentials>(PreparedPotentials{std::move(loaded), seconds});
  }
  return learned_;
}

}  // namespace lodestar::bench
