#include "learn/train/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "learn/train/dataset.h"
#include "learn/train/loss.h"
#include "learn/train/run_files.h"
#include "learn/train/torch.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/version.h"
#include "network/tensor_file.h"

namespace lodestar::learn {
namespace {

// Far above the loss of any useful run: y² alone would be of this order.
constexpr double kDiverged = 1e8;

ModelConfig resolved(const TrainOptions& options) {
  ModelConfig config = options.model;
  config.predecessor = options.cross_entropy_weight > 0;
  config.y_scale = 1;
  return config;
}

// Replaces the gradient of every parameter by its sum over the team. A member whose share of the
// batch was empty counts as 0; a parameter without a gradient in any member keeps none.
void sum_gradients(std::vector<at::Tensor>& parameters, const Team& team) {
  // One message: the gradients in order, then how many members have each.
  std::size_t values = 0;
  for (const at::Tensor& parameter : parameters) {
    values += static_cast<std::size_t>(parameter.numel());
  }
  std::vector<float> message(values + parameters.size(), 0.0f);
  float* at = message.data();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (parameters[p].grad().defined()) {
      const at::Tensor gradient = parameters[p].grad().contiguous();
      std::copy_n(gradient.data_ptr<float>(), gradient.numel(), at);
      message[values + p] = 1;
    }
    at += parameters[p].numel();
  }
  team.sum_floats(message);
  at = message.data();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (message[values + p] > 0) {
      at::Tensor sum = torch::empty_like(parameters[p].detach());
      std::copy_n(at, sum.numel(), sum.data_ptr<float>());
      parameters[p].mutable_grad() = sum;
    }
    at += parameters[p].numel();
  }
}

class Run {
 public:
  Run(const TrainOptions& options, const std::string& folder, const TrainControl& control)
      : options_(options),
        control_(control),
        files_(folder),
        net_(resolved(options), options.seed, options.decoder, options.carry),
        descent_(net_.parameters(), options) {}

  TrainResult run() {
    const Team& team = control_.team;
    if (team.leads() &&
        (!control_.resume || !std::filesystem::exists(files_.path("config.json")))) {
      files_.begin(options_, control_.command);
      files_.log("started" +
                 (team.size > 1 ? " with " + std::to_string(team.size) + " processes" : ""));
    }
    if (control_.resume &&
        load_checkpoint(files_.path("checkpoint.safetensors"), options_, state_, net_, descent_)) {
      if (team.leads()) files_.log("resumed after epoch " + std::to_string(state_.epoch));
    }
    if (team.leads()) metrics_ = files_.keep_metrics(state_.metrics_bytes);
    data_ = load_dataset(options_);
    start_ = Clock::now();
    spent_before_ = state_.seconds;
    const std::uint32_t last =
        control_.stop_after > 0 ? std::min(control_.stop_after, options_.epochs) : options_.epochs;
    while (state_.epoch < last && !patience_is_over()) train_epoch();
    return team.leads() ? finish() : TrainResult{};
  }

 private:
  bool patience_is_over() const {
    return options_.patience > 0 && state_.epoch >= state_.best_epoch + options_.patience;
  }

  std::int64_t batches() const {
    return static_cast<std::int64_t>((data_.train.size() + options_.batch - 1) / options_.batch);
  }

  void report(Progress progress) {
    if (!control_.on_progress) return;
    progress.epochs = options_.epochs;
    progress.batches = static_cast<std::uint32_t>(batches());
    const double done = static_cast<double>(progress.epoch) +
                        static_cast<double>(progress.batch) / static_cast<double>(batches());
    const double here = done - static_cast<double>(first_epoch_);
    if (here > 0) {
      progress.seconds_left = seconds_since(start_) / here * (options_.epochs - done);
    }
    control_.on_progress(progress);
  }

  void train_epoch() {
    if (first_epoch_ == kNotYet) first_epoch_ = state_.epoch;
    std::vector<const Sample*> order;
    for (const Sample& sample : data_.train) order.push_back(&sample);
    Rng rng = Rng(options_.seed).fork(2).fork(state_.epoch);
    rng.shuffle(std::span(order));

    EpochMetrics metrics;
    metrics.epoch = state_.epoch + 1;
    double graphs = 0;
    for (std::int64_t b = 0; b < batches(); ++b) {
      const std::size_t begin = static_cast<std::size_t>(b) * options_.batch;
      const std::span<const Sample* const> chosen = std::span(order).subspan(
          begin, std::min<std::size_t>(options_.batch, order.size() - begin));
      std::int64_t steps = training_steps(chosen, options_);
      if (options_.fewest_steps > 0) {
        const std::uint32_t spread = options_.train_steps - options_.fewest_steps + 1;
        steps = std::max<std::int64_t>(steps, options_.fewest_steps + rng.below(spread));
      }
      const BatchSums sums = add_gradients(chosen, steps);
      const auto count = static_cast<double>(chosen.size());
      stop_if_lost(sums[0] / count, ", batch " + std::to_string(b + 1));
      metrics.learning_rate = scheduled_learning_rate(
          options_, descent_.steps(), batches() * static_cast<std::int64_t>(options_.epochs));
      const double norm = descent_.step(metrics.learning_rate);
      stop_if_lost(norm, ", batch " + std::to_string(b + 1));
      metrics.loss += sums[0];
      metrics.objective += sums[1];
      metrics.penalty += sums[2];
      metrics.norm += sums[3];
      metrics.cross_entropy += sums[4];
      graphs += count;
      Progress progress;
      progress.epoch = state_.epoch;
      progress.batch = static_cast<std::uint32_t>(b + 1);
      progress.loss = sums[0] / count;
      report(progress);
    }
    for (double* sum : {&metrics.loss, &metrics.objective, &metrics.penalty, &metrics.norm,
                        &metrics.cross_entropy}) {
      *sum /= graphs;
    }
    end_epoch(metrics);
  }

  // Loss, objective, penalty, norm and cross-entropy, summed over the graphs of a batch.
  using BatchSums = std::array<double, 5>;

  // Leaves the batch's gradient in the parameters; of a team, each member computes its share.
  BatchSums add_gradients(std::span<const Sample* const> chosen, std::int64_t steps) {
    const Team& team = control_.team;
    const std::size_t begin = chosen.size() * team.rank / team.size;
    const std::size_t end = chosen.size() * (team.rank + 1) / team.size;
    const auto own = chosen.subspan(begin, end - begin);
    BatchSums sums{};
    if (!own.empty()) {
      const Batch batch = make_training_batch(own, options_, steps);
      const Loss loss = training_loss(net_, batch, options_);
      const auto count = static_cast<double>(own.size());
      (loss.total * (count / static_cast<double>(chosen.size()))).backward();
      sums = {loss.total.item<double>() * count, loss.objective * count, loss.penalty * count,
              loss.norm * count, loss.cross_entropy * count};
    }
    if (team.size > 1) {
      sum_gradients(net_.parameters(), team);
      team.sum_doubles(sums);
    }
    return sums;
  }

  // `where`: within the epoch at hand.
  void stop_if_lost(double value, const std::string& where) const {
    if (std::isfinite(value) && std::abs(value) < kDiverged) return;
    const std::string message =
        std::string(std::isfinite(value) ? "training diverges" : "the loss is not finite") +
        " in epoch " + std::to_string(state_.epoch + 1) + where +
        "; lower learning_rate or set clip. " +
        (state_.epoch > 0
             ? "The checkpoint of epoch " + std::to_string(state_.epoch) + " is kept in "
             : "No epoch was finished; nothing to keep in ") +
        files_.path("");
    if (control_.team.leads()) files_.log("stopped: " + message);
    throw Diverged(message);
  }

  void end_epoch(EpochMetrics& metrics) {
    if (control_.team.leads()) validate(metrics);
    // The others add nothing: they have what the first measured.
    if (control_.team.size > 1) control_.team.sum_doubles({&metrics.validation_loss, 1});
    // The last batch was fine before its step; the step may have been too large.
    stop_if_lost(metrics.validation_loss, ", validation");
    ++state_.epoch;
    if (state_.best.empty() || metrics.validation_loss < state_.best_loss) {
      state_.best_loss = metrics.validation_loss;
      state_.best_epoch = state_.epoch;
      state_.best.clear();
      for (const at::Tensor& parameter : net_.parameters()) {
        state_.best.push_back(parameter.detach().clone());
      }
    }
    state_.seconds = metrics.seconds = spent_before_ + seconds_since(start_);
    if (!control_.team.leads()) return;
    metrics_.push_back(metrics);
    state_.metrics_bytes = files_.append_metrics(metrics);
    save_checkpoint(files_.path("checkpoint.safetensors"), options_, state_, net_, descent_);
    Progress progress;
    progress.epoch = state_.epoch;
    progress.loss = metrics.loss;
    progress.finished = &metrics_.back();
    report(progress);
  }

  void validate(EpochMetrics& metrics) const {
    const torch::NoGradGuard no_gradients;
    std::vector<const Sample*> chosen;
    for (const Sample& sample : data_.validation) chosen.push_back(&sample);
    double sum = 0;
    ImitationMeter imitation;
    for (std::size_t begin = 0; begin < chosen.size(); begin += options_.batch) {
      const auto part = std::span<const Sample* const>(chosen).subspan(
          begin, std::min<std::size_t>(options_.batch, chosen.size() - begin));
      const Batch batch =
          make_training_batch(part, options_, options_.fewest_steps > 0 ? options_.train_steps : 0);
      const Loss loss = training_loss(net_, batch, options_);
      sum += loss.total.item<double>() * static_cast<double>(part.size());
      if (loss.scores.defined()) imitation.add(loss.scores, part);
    }
    metrics.validation_loss = sum / static_cast<double>(chosen.size());
    metrics.imitation = imitation.result();
    const auto y = potentials(net_, data_.validation);
    // Told by way of the loss, so that all of a team stop.
    if (!all_finite(y)) metrics.validation_loss = std::numeric_limits<double>::infinity();
    if (!std::isfinite(metrics.validation_loss)) return;
    const SearchMetrics found = search_metrics(data_.validation, y, 1);
    metrics.constraints = found.constraints;
    metrics.constraints_with_loops = found.constraints_with_loops;
    metrics.relative_distance = found.relative_distance;
    metrics.iterations = found.iterations;
    metrics.dijkstra_iterations = found.dijkstra_iterations;
  }

  TrainResult finish() {
    TrainResult result;
    result.epoch = state_.epoch;
    if (options_.select == Select::kBest) {
      const torch::NoGradGuard no_gradients;
      for (std::size_t i = 0; i < state_.best.size(); ++i) {
        net_.parameters()[i].copy_(state_.best[i]);
      }
      result.epoch = state_.best_epoch;
    }
    const EpochMetrics& kept = metrics_.at(result.epoch - 1);
    if (!std::isfinite(kept.validation_loss)) {
      throw Diverged(files_.path("") +
                     ": no epoch of this run has a finite validation loss; train anew with a lower "
                     "learning_rate, or set clip");
    }
    result.model = net_.to_model();
    if (options_.scale > 0) {
      result.model.config.y_scale = options_.scale;
    } else {
      const std::vector<ScalePoint> curve = scale_curve(net_, data_.scale, options_);
      result.model.config.y_scale = choose_scale(curve, options_, control_.margin);
      files_.write_scale(curve, result.model.config.y_scale);
    }
    if (options_.scale_most > 0) {
      result.model.config.y_scale_most = std::max(options_.scale_most, result.model.config.y_scale);
    }
    result.hash = content_hash(result.model);
    nlohmann::ordered_json provenance = {
        {"version", kVersion},
        {"command", control_.portable_command},
        {"hash", result.hash},
        {"commit", kCommit},
        {"options", nlohmann::ordered_json::parse(options_json(options_))},
        {"training_graphs", data_.train.size()},
        {"epoch", result.epoch},
        {"validation",
         {{"loss", kept.validation_loss},
          {"constraints", kept.constraints},
          {"relative_distance", kept.relative_distance},
          {"iterations", kept.iterations},
          {"dijkstra_iterations", kept.dijkstra_iterations}}}};
    if (const Imitation& i = kept.imitation; i.copied > 0) {
      provenance["validation"]["predecessors"] = {{"all", i.all},
                                                  {"last_step", i.last},
                                                  {"changed", i.changed},
                                                  {"copied_hint", i.copied},
                                                  {"per_step", i.per_step}};
    }
    result.model.provenance = provenance.dump();
    result.model_path = files_.path("model.safetensors");
    write_model(result.model, result.model_path);
    files_.draw_curves();
    files_.log("finished: model " + result.hash + ", epoch " + std::to_string(result.epoch) +
               ", scale " + std::to_string(result.model.config.y_scale));
    result.metrics = std::move(metrics_);
    return result;
  }

  static constexpr std::uint32_t kNotYet = ~0u;

  TrainOptions options_;
  TrainControl control_;
  RunFiles files_;
  Net net_;
  Descent descent_;
  Dataset data_;
  RunState state_;
  std::vector<EpochMetrics> metrics_;
  Clock::time_point start_;
  double spent_before_ = 0;
  std::uint32_t first_epoch_ = kNotYet;
};

}  // namespace

TrainResult train(const TrainOptions& options, const std::string& folder,
                  const TrainControl& control) {
  check_options(options);
  if (options.scale_rule == ScaleRule::kTable && options.scale == 0 && !control.margin) {
    throw Error("scale_rule table needs a table to compare with (TrainControl::margin)");
  }
  at::set_num_threads(static_cast<int>(thread_count(options.threads)));
  // Weights that decay become 0, not subnormal and slow.
  at::globalContext().setFlushDenormal(true);
  return Run(options, folder, control).run();
}

TrainOptions stored_options(const std::string& folder) {
  const std::string path = folder + "/config.json";
  TrainOptions options;
  apply_options_json(read_entire_file(path), path, options);
  return options;
}

}  // namespace lodestar::learn
