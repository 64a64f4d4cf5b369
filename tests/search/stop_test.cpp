// Long work that is stopped from outside: it ends soon, and what it returns is right.
#include "lodestar/detail/stop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "lodestar/detail/clock.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/fit.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "lodestar/landmarks.h"
#include "lodestar/rng.h"
#include "lodestar/router.h"
#include "lodestar/search.h"
#include "scratch_folder.h"

namespace lodestar::stop_test {
namespace {

Graph road(NodeId nodes) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = nodes;
  spec.seed = 7;
  return generate(spec);
}

// True from the `asks`-th time on, or, as a careless function may be, only then.
struct AfterAsks {
  int asks;
  bool for_good = true;
  bool operator()() {
    --asks;
    return for_good ? asks <= 0 : asks == 0;
  }
};

// So long that the scope's function is called.
void work(double seconds) {
  for (const auto begin = Clock::now(); seconds_since(begin) < seconds;) check_stop();
}

TEST(Stop, OnlyWithinAScope) {
  EXPECT_NO_THROW(work(0.03));
  {
    const StopScope scope([] { return true; });
    EXPECT_THROW(work(1), Stopped);
    EXPECT_THROW(check_stop(), Stopped);  // for good
    {
      const StopScope inner([] { return false; });
      EXPECT_THROW(check_stop(), Stopped);  // an outer scope stays in force
    }
    {
      const StopScope nothing({});
      EXPECT_THROW(check_stop(), Stopped);
    }
  }
  EXPECT_NO_THROW(work(0.03));
  const StopScope outer([] { return false; });
  {
    const StopScope inner([] { return true; });
    EXPECT_THROW(work(1), Stopped);
  }
  EXPECT_NO_THROW(work(0.03));
}

TEST(Stop, TimeLimitsEnd) {
  EXPECT_FALSE(TimeLimit().stop());
  EXPECT_EQ(TimeLimit().left(), kInfinity);
  EXPECT_FALSE(TimeLimit().share(0.5).over());
  double now = 1;
  const TimeLimit limit(5, [&] { return now; });
  EXPECT_EQ(limit.left(), 4);
  EXPECT_EQ(limit.share(0.25).left(), 1);
  EXPECT_EQ(limit.earlier(3).left(), 1);
  now = 3;
  EXPECT_TRUE(limit.earlier(3).over());
  EXPECT_FALSE(limit.over());
  const StopScope scope(limit.stop());
  EXPECT_NO_THROW(work(0.03));
  now = 5;
  EXPECT_THROW(work(1), Stopped);
}

// The function is called on the thread that made the scope; the others end with it. What it throws
// is what the caller gets.
TEST(Stop, ReachesEveryThread) {
  struct Oops {};
  for (const unsigned threads : {1u, 2u, 4u}) {
    const auto caller = std::this_thread::get_id();
    const auto endless = [&] {
      parallel_for(8, threads, [](std::size_t, std::size_t) { work(20); });
    };
    const auto begin = Clock::now();
    for (int i = 0; i < 20; ++i) {
      const StopScope scope([&]() -> bool {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        if (i % 2 == 0) throw Oops{};
        return true;
      });
      if (i % 2 == 0) {
        EXPECT_THROW(endless(), Oops);
      } else {
        EXPECT_THROW(endless(), Stopped);
      }
    }
    EXPECT_LT(seconds_since(begin), 10);
  }
}

TEST(Stop, SearchesEnd) {
  const Graph graph = road(60'000);
  const StopScope scope([] { return true; });
  const auto endless = [&](auto&& run) {
    for (const auto begin = Clock::now(); seconds_since(begin) < 20;) run();
  };
  Searcher searcher(graph);
  EXPECT_THROW(endless([&] { searcher.run_all(0); }), Stopped);
  for (const char* algorithm : {"dijkstra", "bidirectional"}) {
    const StopScope again([] { return true; });
    RouterOptions options;
    options.algorithm = algorithm;
    const Router router(graph, options);
    EXPECT_THROW(endless([&] { router.path({0, graph.node_count() - 1}); }), Stopped) << algorithm;
  }
}

TEST(Stop, LandmarksAndTrainingEnd) {
  const Graph graph = road(30'000);
  for (const auto method :
       {LandmarkMethod::kFarthest, LandmarkMethod::kAvoid, LandmarkMethod::kGreedy}) {
    const StopScope scope([] { return true; });
    LandmarkOptions options;
    options.potential_count = 64;
    options.method = method;
    EXPECT_THROW(landmark_potentials(graph, options), Stopped);
  }
  FitOptions options;
  options.seconds = 60;
  EXPECT_THROW(fit(graph, options, {.stop = [] { return true; }}), Stopped);
  // Later it keeps the best so far.
  for (const int asks : {40, 80, 120, 160}) {
    try {
      const FitResult fitted = fit(graph, options, {.stop = AfterAsks{asks}});
      EXPECT_TRUE(fitted.stopped);
      EXPECT_TRUE(fitted.potentials.verify(graph).feasible());
    } catch (const Stopped&) {  // before there was a start
    }
  }
}

// Files are the old ones or the new ones, and a stop is told from an error in a file.
TEST(Stop, FilesAndGraphsEnd) {
  const ScratchFolder folder;
  GraphFile file;
  file.graph = road(30'000);
  file.names = NodeNames::numbered(0, file.graph.node_count());
  const std::vector<Weight> weights(file.graph.arc_count(), 2);
  write_graph(file, folder / "g.gr");
  const std::size_t files = folder.file_count();
  const auto stopped = [](const auto& work) {
    const StopScope scope([] { return true; });
    check_stop();  // starts the clock of the scope
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    EXPECT_THROW(work(), Stopped);
  };
  for (const std::string name : {"n.lsg", "n.gr", "n.txt", "n.graphml", "n.txt.gz"}) {
    stopped([&] { write_graph(file, folder / name); });
  }
  stopped([&] { read_graph(folder / "g.gr"); });
  stopped([&] { file.graph.with_weights(weights); });
  stopped([&] { GraphBuilder(file.graph.node_count()).build(); });
  EXPECT_EQ(folder.file_count(), files);
}

// Wherever building is stopped, it ends without an index, or with one that is exact.
TEST(Stop, IndexIsRightWhereverItIsStopped) {
  const Graph graph = road(10'000);
  Searcher truth(graph);
  int built = 0;
  for (const std::string kind : {"chosen", "search", "labels", "fixed core"}) {
    for (const int asks : {1, 2, 4, 8, 16, 32}) {
      IndexOptions options;
      options.threads = asks % 2 == 0 ? 2 : 1;
      if (kind != "labels") options.seconds = 0.3;
      if (kind == "search") options.crossing = Crossing::kSearch;
      if (kind == "labels") options.labels = true;
      if (kind == "fixed core") options.core = 100;
      try {
        const Index index = Index::build(graph, options, AfterAsks{asks, asks < 8});
        ++built;
        EXPECT_EQ(index.verify(), 0u) << kind << ", " << asks;
        IndexSearcher searcher(index);
        Rng rng(static_cast<std::uint64_t>(asks));
        for (int i = 0; i < 20; ++i) {
          const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
          ASSERT_EQ(searcher.run(query).cost, truth.run(query, Zero{}).cost)
              << kind << ", " << asks;
        }
      } catch (const Stopped&) {  // before there was a core
      }
    }
  }
  EXPECT_GT(built, 0);
}

}  // namespace
}  // namespace lodestar::stop_test
