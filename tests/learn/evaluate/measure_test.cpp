// Methods on graphs: what is promised of each holds, whatever the search.
#include "learn/evaluate/measure.h"

#include <gtest/gtest.h>

#include "scratch_folder.h"

namespace lodestar::evaluate::measure_test {
namespace {

const Split kSplits[] = {{"undirected", 12, 48, Density::kDense, 0, Draw::kOr, 1},
                         {"directed", 12, 48, Density::kSparse, 0, Draw::kDirected, 2}};

template <class Check>
void on_graphs(const SearchPlan& plan, const Method& method, Check&& check) {
  Measurer measurer(plan);
  for (const Split& split : kSplits) {
    for (std::uint32_t i = 0; i < split.count; ++i) {
      const Instance instance = draw_instance(split, i);
      measurer.begin(instance, i);
      check(measurer.measure(method), instance);
    }
  }
}

TEST(Measure, ZeroIsDijkstra) {
  on_graphs({}, plain_method("Dijkstra", Source::kZero),
            [](const Sample& sample, const Instance& instance) {
              EXPECT_EQ(sample.iterations, sample.dijkstra);
              EXPECT_EQ(sample.distance, 0);
              EXPECT_EQ(sample.gap, 0);
              EXPECT_EQ(sample.violated, 0);
              EXPECT_EQ(sample.arcs, static_cast<double>(instance.graph.arc_count()));
            });
}

TEST(Measure, TheExactPotentialExpandsTheShortestPathAlone) {
  on_graphs({}, plain_method("exact", Source::kExact),
            [](const Sample& sample, const Instance& instance) {
              Searcher searcher(instance.graph);
              searcher.run(instance.query, Zero{});
              // Real weights have no ties.
              EXPECT_EQ(sample.iterations, static_cast<double>(searcher.path().size()));
              EXPECT_EQ(sample.violated, 0);
              EXPECT_EQ(sample.distance, 0);
            });
}

TEST(Measure, ValueIterationIsConsistentAndHelpsMoreWithMoreRounds) {
  double one = 0, five = 0;
  on_graphs({}, plain_method("k=1", Source::kValueIteration, 1),
            [&](const Sample& sample, const Instance&) {
              EXPECT_EQ(sample.violated, 0);
              EXPECT_EQ(sample.distance, 0);
              EXPECT_LE(sample.iterations, sample.dijkstra);
              one += sample.iterations;
            });
  on_graphs({}, plain_method("k=5", Source::kValueIteration, 5),
            [&](const Sample& sample, const Instance&) {
              EXPECT_EQ(sample.violated, 0);
              EXPECT_EQ(sample.distance, 0);
              five += sample.iterations;
            });
  EXPECT_LT(five, one);
}

// Random potentials violate constraints and miss the optimum; closed they do neither.
TEST(Measure, ClosureMakesAnyPotentialExact) {
  const Method random = plain_method("random", Source::kRandom);
  double violated = 0, distance = 0;
  on_graphs({}, random, [&](const Sample& sample, const Instance&) {
    violated += sample.violated;
    distance += sample.distance;
    EXPECT_GE(sample.gap, sample.distance);
  });
  EXPECT_GT(violated, 0);
  EXPECT_GT(distance, 0);
  on_graphs({}, with_closure(random), [&](const Sample& sample, const Instance&) {
    EXPECT_EQ(sample.violated, 0);
    EXPECT_EQ(sample.distance, 0);
    EXPECT_EQ(sample.gap, 0);
  });
}

TEST(Measure, EverySearchKeepsItsPromise) {
  const Method learned = model_method("deep", load_model("deep"));
  on_graphs({.algorithm = SearchAlgorithm::kFocal, .bound = 0.1}, learned,
            [](const Sample& sample, const Instance&) { EXPECT_LE(sample.distance, 0.1 + 1e-12); });
  on_graphs({.algorithm = SearchAlgorithm::kBidirectional}, learned,
            [](const Sample& sample, const Instance&) { EXPECT_EQ(sample.distance, 0); });
  on_graphs({.algorithm = SearchAlgorithm::kWeighted, .weight = 2}, with_closure(learned),
            [](const Sample& sample, const Instance&) { EXPECT_LE(sample.distance, 1); });
  on_graphs({.algorithm = SearchAlgorithm::kGreedy}, learned,
            [](const Sample& sample, const Instance&) {
              EXPECT_LE(sample.iterations, most_expansions(48));
            });
  on_graphs({}, plain_method("bidirectional", Source::kBidirectional),
            [](const Sample& sample, const Instance&) { EXPECT_EQ(sample.distance, 0); });
}

// A program that answers with zeros is Dijkstra; one that stops answering is an error.
TEST(Measure, AUsersProgramIsAskedQueryByQuery) {
  const ScratchFolder folder;
  const std::string zeros =
      folder.write("zeros.sh",
                   "while read n m s t; do\n"
                   "  i=0; while [ $i -lt $m ]; do read u v w; i=$((i+1)); done\n"
                   "  i=0; while [ $i -lt $n ]; do echo 0; i=$((i+1)); done\n"
                   "done\n");
  on_graphs({}, program_method("zeros", "sh " + zeros), [](const Sample& sample, const Instance&) {
    EXPECT_EQ(sample.iterations, sample.dijkstra);
    EXPECT_EQ(sample.distance, 0);
  });
  const auto ignore = [](const Sample&, const Instance&) {};
  EXPECT_THROW(on_graphs({}, program_method("none", "true"), ignore), Error);
  EXPECT_THROW(on_graphs({}, program_method("words", "yes hello"), ignore), Error);
}

TEST(Measure, SearchNamesAreKnown) {
  EXPECT_EQ(parse_search("focal"), SearchAlgorithm::kFocal);
  EXPECT_THROW(parse_search("fastest"), Error);
}

}  // namespace
}  // namespace lodestar::evaluate::measure_test
