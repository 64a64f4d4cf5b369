#include "learn/train/dataset.h"

#include <algorithm>
#include <filesystem>

#include "lodestar/graph_formats.h"
#include "lodestar/graph_io.h"
#include "lodestar/search.h"

namespace lodestar::learn {
namespace {

namespace fs = std::filesystem;

// n frames of n nodes: beyond this a whole trajectory takes more memory than a user expects.
constexpr NodeId kLargestWholeTrajectory = 2048;

bool needs_trajectory(const TrainOptions& options) {
  return options.model.features.hints || options.cross_entropy_weight > 0 ||
         options.train_steps == 0;
}

// Nodes that reach the target, in equal shares. The others have no distance that could bound y.
std::vector<float> equal_starts(const Graph& graph, NodeId target) {
  Searcher searcher(graph);
  searcher.set_direction(Direction::kBackward);
  searcher.run_all(target);
  std::vector<float> starts(graph.node_count());
  float count = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    if (v != target && searcher.distance(v) < kInfinity) starts[v] = 1, ++count;
  }
  for (float& share : starts) share /= count;
  return starts;
}

// The largest number of messages that lead from the target to a node, over the nodes it reaches.
std::uint32_t hops_to_all(const GraphInput& input, NodeId target) {
  std::vector<std::vector<NodeId>> listeners(input.nodes);
  for (NodeId v = 0; v < input.nodes; ++v) {
    for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
      listeners[input.sender[e]].push_back(v);
    }
  }
  std::vector<std::uint32_t> hops(input.nodes, 0);
  std::vector<NodeId> order = {target};
  std::vector<bool> seen(input.nodes);
  seen[target] = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const NodeId v : listeners[order[i]]) {
      if (seen[v]) continue;
      seen[v] = true;
      hops[v] = hops[order[i]] + 1;
      order.push_back(v);
    }
  }
  return hops[order.back()];
}

Sample make_sample(Graph graph, Query query, const TrainOptions& options, bool trajectory) {
  Sample sample{std::move(graph), query, {}, {}, 0, {}};
  sample.input = graph_input(sample.graph, options.model.features);
  if (options.fewest_steps > 0 || options.model.settle > 0)
    sample.hops = hops_to_all(sample.input, query.target);
  if (options.objective == Objective::kAll) {
    sample.starts = equal_starts(sample.graph, query.target);
  }
  if (!trajectory) return sample;
  if (options.train_steps == 0 && sample.graph.node_count() > kLargestWholeTrajectory) {
    throw Error("a graph of " + std::to_string(sample.graph.node_count()) +
                " nodes is too large to follow Dijkstra's algorithm to its end; "
                "give --train-steps, or use the preset deep");
  }
  Searcher searcher(sample.graph);
  sample.trajectory = dijkstra_trajectory(searcher, query.source,
                                          options.train_steps == 0 ? kNoNode : options.train_steps);
  return sample;
}

// Distances in network units grow with the logarithm of a graph's nodes. Longer weights show the
// network the distances of larger graphs; without them y levels off beyond those it was trained on.
void stretch_weights(Sample& sample, double factor) {
  for (float& weight : sample.input.weight) weight *= static_cast<float>(factor);
  sample.input.weight_unit *= factor;
  sample.input.y_unit /= factor;
}

void append_split(const Split& split, std::uint32_t count, const TrainOptions& options,
                  bool trajectory, std::vector<Sample>& out, double stretch = 1) {
  Rng rng(mix64(split.seed));
  for (std::uint32_t i = 0; i < count; ++i) {
    Instance instance = draw_instance(split, i);
    out.push_back(make_sample(std::move(instance.graph), instance.query, options, trajectory));
    if (stretch > 1) stretch_weights(out.back(), rng.uniform(1, stretch));
  }
}

// The number of graphs a split gives when only `limit` of `total` are wanted.
std::uint32_t share(const Split& split, std::uint32_t limit, std::uint64_t total) {
  if (limit == 0 || limit >= total) return split.count;
  return static_cast<std::uint32_t>((std::uint64_t{split.count} * limit + total - 1) / total);
}

std::vector<Query> queries_for(const std::string& path, const GraphFile& file,
                               const TrainOptions& options, std::uint64_t index) {
  std::vector<Query> queries;
  Searcher searcher(file.graph);
  for (const char* ending : {".queries.tsv", ".scen"}) {
    for (const fs::path& base : {fs::path(path), fs::path(path).replace_extension()}) {
      const std::string candidate = base.string() + ending;
      if (!fs::exists(candidate)) continue;
      for (const QueryLine& line : read_queries(candidate, file).lines) {
        // Without a path nothing bounds y(t) - y(s).
        if (line.query.source != line.query.target && searcher.run(line.query, Zero{}).reached()) {
          queries.push_back(line.query);
        }
        if (queries.size() == options.queries) break;
      }
      return queries;
    }
  }
  Rng rng = Rng(options.seed).fork(1000 + index);
  for (std::uint32_t i = 0; i < options.queries; ++i) {
    queries.push_back(random_reachable_query(searcher, rng));
  }
  return queries;
}

std::vector<Sample> read_folder(const TrainOptions& options) {
  const std::vector<std::string> paths = graph_files(options.graphs);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const GraphFile file = read_graph(paths[i]);
    for (const Query& query : queries_for(paths[i], file, options, i)) {
      samples.push_back(make_sample(file.graph, query, options, needs_trajectory(options)));
    }
  }
  Rng rng = Rng(options.seed).fork(999);
  rng.shuffle(std::span(samples));
  return samples;
}

}  // namespace

Dataset load_dataset(const TrainOptions& options) {
  Dataset data;
  const bool trajectory = needs_trajectory(options);
  if (!options.graphs.empty()) {
    data.train = read_folder(options);
    if (data.train.size() < 2) {
      throw Error(options.graphs + ": gives " + std::to_string(data.train.size()) +
                  " queries; at least two are needed, one to train and one to validate");
    }
    const std::size_t held_back = std::max<std::size_t>(1, data.train.size() / 5);
    data.validation.assign(
        std::make_move_iterator(data.train.end() - static_cast<std::ptrdiff_t>(held_back)),
        std::make_move_iterator(data.train.end()));
    data.train.resize(data.train.size() - held_back);
    if (options.train_graphs > 0 && options.train_graphs < data.train.size()) {
      data.train.resize(options.train_graphs);
    }
    data.scale.push_back(data.validation);
    return data;
  }
  // Trials with graphs of their own, as the paper has them; the scale is chosen on the same ones.
  const auto own = [&](Split split) {
    if (options.data_seed > 0) split.seed = mix64(mix64(options.data_seed) + split.seed);
    return split;
  };
  std::uint64_t total = 0;
  for (const Split& split : options.train) total += split.count;
  for (const Split& split : options.train) {
    append_split(own(split), share(split, options.train_graphs, total), options, trajectory,
                 data.train, options.stretch);
  }
  for (const Split& split : options.validation) {
    append_split(own(split), split.count, options, trajectory, data.validation);
  }
  for (const Split& split : options.scale_graphs) {
    append_split(split, split.count, options, false, data.scale.emplace_back());
  }
  if (data.scale.empty()) data.scale.push_back(data.validation);
  if (data.train.empty() || data.validation.empty()) {
    throw Error("the splits give no training or no validation graph; look at their counts");
  }
  return data;
}

}  // namespace lodestar::learn
