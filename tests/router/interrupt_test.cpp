// A stop function ends every long operation of the library within a quarter of a second of
// processor time. With LODESTAR_FULL_SIZE in the environment the graph has 1.2 million nodes, and
// figures are printed; LODESTAR_FULL_SIZE=1 is for all operations, another value for those whose
// names begin with it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lodestar/detail/stop.h"
#include "lodestar/fit.h"
#include "lodestar/fit_family.h"
#include "lodestar/generate.h"
#include "lodestar/graph_formats.h"
#include "lodestar/index.h"
#include "lodestar/landmarks.h"
#include "lodestar/router.h"
#include "scratch_folder.h"
#include "written_formats.h"

namespace lodestar::interrupt_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kPatience = 3;
constexpr NodeId kNodes = 8'000;
#else
constexpr double kPatience = 0.25;
constexpr NodeId kNodes = 40'000;
#endif

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Operation {
  std::string name;
  std::function<void()> work;
  std::function<void()> prepare = {};
};

// Asks the operation to stop after so much processor time; returns how long it took to end from
// then on. Work that is shorter is repeated.
double seconds_to_stop(const Operation& operation, double after) {
  const double begin = processor_seconds();
  const StopScope scope([&] { return processor_seconds() - begin >= after; });
  try {
    while (processor_seconds() - begin < after) operation.work();
  } catch (const Stopped&) {
  }
  return processor_seconds() - begin - after;
}

TEST(Interrupt, EndsEveryLongOperation) {
  const char* const size = std::getenv("LODESTAR_FULL_SIZE");
  const bool full = size != nullptr;
  const std::string chosen = full && std::string(size) != "1" ? size : "";
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = full ? 1'200'000 : kNodes;
  GraphFile file;
  const GeneratedGraph made = generate_with_metrics(spec);
  file.graph = made.graph;
  file.metrics = made.metrics;
  file.names = NodeNames::numbered(1, file.graph.node_count());
  const Graph& graph = file.graph;
  const NodeId last = graph.node_count() - 1;
  const ScratchFolder folder;

  std::vector<Operation> operations;
  const auto add = [&](const std::string& name, std::function<void()> work,
                       std::function<void()> prepare = {}) {
    operations.push_back({name, std::move(work), std::move(prepare)});
  };
  add("generate", [&] { generate(spec); });
  const std::vector<std::string> names = testing::written_formats(file);
  for (const std::string& extension : names) {
    const auto write = [&, extension] {
      const std::string path = folder / ("g" + extension);
      if (!std::filesystem::exists(path)) write_graph(file, path);
    };
    add(
        "read " + extension, [&, extension] { read_graph(folder / ("g" + extension)); }, write);
    add(
        "write " + extension, [&, extension] { write_graph(file, folder / ("n" + extension)); },
        write);
  }
  EXPECT_GE(names.size(), 5u);
  const std::vector<Weight> weights(graph.arc_count(), 2);
  add("with_weights", [&] { graph.with_weights(weights); });
  add("Index::build", [&] { Index::build(graph); });
  add("Index::build, labels", [&] { Index::build(graph, {.labels = true}); });
  std::optional<Index> index;
  std::optional<Cch> cch;
  std::optional<Router> indexed;
  const auto make_index = [&] {
    if (!index) index = Index::build(graph, {.rounds = 1});
    if (!indexed) indexed.emplace(graph, RouterOptions{.index = std::make_shared<Index>(*index)});
  };
  const Graph changed = graph.with_weights(weights);
  add(
      "Index::customized", [&] { index->customized(changed); }, make_index);
  add(
      "Index::flexible", [&] { index->flexible(); }, make_index);
  add(
      "Index::save", [&] { index->save(folder / "n.lsi"); }, make_index);
  add("Cch", [&] { Cch whole(graph); });
  add(
      "CchMetric", [&] { CchMetric(*cch, graph); }, [&] { cch.emplace(graph); });
  // Training returns the best so far: a stop is told by the result.
  const auto stopped = [](bool early) {
    if (early) throw Stopped();
  };
  add("fit", [&] { stopped(fit(graph, {.seconds = 60}).stopped); });
  FamilyOptions family;
  family.fit.seconds = 60;
  add("fit_family", [&] { stopped(fit_family(graph, file.metrics, family).stopped); });
  LandmarkOptions landmarks;
  landmarks.potential_count = 64;
  add("landmarks", [&] { landmark_potentials(graph, landmarks); });
  const Router plain(graph, {.algorithm = "dijkstra", .metrics = file.metrics});
  std::vector<NodeId> some;
  for (NodeId v = 0; v < 2000; ++v) some.push_back(v * 17 % last);
  add("path", [&] { plain.path({0, last}); });
  add("distances", [&] { plain.distances(0); });
  add(
      "distances, index", [&] { indexed->distances(0); }, make_index);
  add("matrix", [&] { plain.matrix(some, some); });
  add(
      "matrix, index", [&] { indexed->matrix(some, some); }, make_index);
  add("nearest", [&] { plain.nearest(some, some, 3); });
  add("within", [&] { plain.within(some, kInfinity, {.arcs = true}); });
  Preferences wish;
  wish.blend = {{file.metrics.metrics[0].name, 1}, {file.metrics.metrics[1].name, 0.1}};
  add("request", [&] { plain.request({0, last}, wish); });
  add("alternatives", [&] { plain.alternatives({0, last}, wish); });

  for (const Operation& operation : operations) {
    if (!operation.name.starts_with(chosen)) continue;
    if (operation.prepare) operation.prepare();
    for (const double after : full ? std::vector<double>{0.1, 1} : std::vector<double>{0.04}) {
      const double late = seconds_to_stop(operation, after);
      EXPECT_LT(late, kPatience) << operation.name << " after " << after << " s";
      if (full) std::printf("| %s | %.2f s | %.3f s |\n", operation.name.c_str(), after, late);
      std::fflush(stdout);
    }
  }
  // A file that was being written is whole or not there.
  for (const std::string& name : names) {
    const std::string found = folder.read("n" + name);
    EXPECT_TRUE(found.empty() || found == folder.read("g" + name)) << name;
  }
}

}  // namespace
}  // namespace lodestar::interrupt_test
