// Trajectories in CLRS's layout: time first, then the sample, then the node.
#include <algorithm>

#include "base/npz.h"
#include "lodestar/trace.h"

namespace lodestar {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

void write_inputs(NpzWriter& out, std::span<const TrajectorySample> samples, std::size_t n) {
  const std::size_t count = samples.size();
  Floats pos(count * n), s(count * n), t(count * n), weights(count * n * n), adj(count * n * n);
  for (std::size_t i = 0; i < count; ++i) {
    const TrajectorySample& sample = samples[i];
    s[i * n + sample.query.source] = 1;
    if (sample.query.target < n) t[i * n + sample.query.target] = 1;
    for (NodeId u = 0; u < n; ++u) {
      pos[i * n + u] = static_cast<float>(static_cast<double>(u) / static_cast<double>(n));
      const std::size_t row = (i * n + u) * n;
      adj[row + u] = 1;
      // Arcs come by weight within a head: of parallel arcs the lightest is the one that counts.
      for (const Arc arc : sample.graph.arcs(u)) {
        if (arc.head == u || (adj[row + arc.head] == 1 && weights[row + arc.head] <= arc.weight)) {
          continue;
        }
        adj[row + arc.head] = 1;
        weights[row + arc.head] = static_cast<float>(arc.weight);
      }
    }
  }
  out.add("pos", {count, n}, pos);
  out.add("s", {count, n}, s);
  out.add("t", {count, n}, t);
  out.add("A", {count, n, n}, weights);
  out.add("adj", {count, n, n}, adj);
}

void write_hints(NpzWriter& out, std::span<const TrajectorySample> samples, std::size_t n) {
  const std::size_t count = samples.size();
  std::size_t frames = 0;
  for (const TrajectorySample& sample : samples) {
    frames = std::max(frames, sample.trajectory.frames());
  }
  const std::size_t size = frames * count * n;
  Floats d(size), mark(size), in_queue(size), u(size);
  Ints pi_h(size), pi(count * n), lengths(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Trajectory& trajectory = samples[i].trajectory;
    lengths[i] = static_cast<std::int32_t>(trajectory.frames());
    for (std::size_t k = 0; k < trajectory.frames(); ++k) {
      const HintView frame = trajectory.frame(k);
      const std::size_t at = (k * count + i) * n;
      u[at + frame.u] = 1;
      for (std::size_t v = 0; v < n; ++v) {
        pi_h[at + v] = static_cast<std::int32_t>(frame.pi[v]);
        d[at + v] = static_cast<float>(frame.d[v]);
        mark[at + v] = frame.mark[v];
        in_queue[at + v] = frame.in_queue[v];
        pi[i * n + v] = pi_h[at + v];  // the last frame stays
      }
    }
  }
  out.add("pi_h", {frames, count, n}, pi_h);
  out.add("d", {frames, count, n}, d);
  out.add("mark", {frames, count, n}, mark);
  out.add("in_queue", {frames, count, n}, in_queue);
  out.add("u", {frames, count, n}, u);
  out.add("lengths", {count}, lengths);
  out.add("pi", {count, n}, pi);
}

}  // namespace

void write_trajectories(std::span<const TrajectorySample> samples, const std::string& path) {
  const std::size_t n = samples.empty() ? 0 : samples[0].graph.node_count();
  for (const TrajectorySample& sample : samples) {
    if (sample.graph.node_count() != n) {
      throw Error(path + ": the graphs have " + std::to_string(n) + " and " +
                  std::to_string(sample.graph.node_count()) +
                  " nodes; all graphs of a file must have the same size");
    }
  }
  NpzWriter out(path);
  write_inputs(out, samples, n);
  write_hints(out, samples, n);
  out.close();
}

}  // namespace lodestar
