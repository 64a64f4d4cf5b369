// Weights that change while threads ask: every answer is Dijkstra's on the version it names.
#include "apps/server/live_weights.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "full_disk.h"
#include "lodestar/rng.h"
#include "sample_service.h"
#include "scratch_folder.h"

namespace lodestar::server::live_weights_test {
namespace {

using nlohmann::json;

std::string update_text(const std::vector<WeightChange>& changes) {
  json updates = json::array();
  for (const WeightChange& change : changes) {
    updates.push_back({{"arc", change.arc}, {"weight", change.weight}});
  }
  return json{{"updates", updates}}.dump();
}

std::vector<WeightChange> random_changes(Rng& rng, const std::vector<Weight>& weights, int count) {
  std::vector<WeightChange> changes;
  for (int i = 0; i < count; ++i) {
    const ArcIndex arc = rng.below(static_cast<std::uint32_t>(weights.size()));
    changes.push_back({arc, std::round(weights[arc] * (0.25 + 3 * rng.uniform()))});
  }
  return changes;
}

TEST(LiveWeights, EachVersionIsDijkstras) {
  for (const bool index : {false, true}) {
    Service service(sample_roads(1500), quiet_options(index));
    service.live().settle();
    const Graph base = service.world().file.graph;
    std::vector<Weight> weights = base.weights();
    Rng rng(3);
    for (std::uint64_t version = 1; version <= 6; ++version) {
      const auto changes = random_changes(rng, base.weights(), 200);
      for (const WeightChange& change : changes) weights[change.arc] = change.weight;
      const Reply reply = post(service, "/weights", update_text(changes));
      ASSERT_EQ(reply.status, 200) << reply.content();
      EXPECT_EQ(json_of(reply)["weights_version"], version);
      const Graph now = base.with_weights(weights);
      for (int i = 0; i < 30; ++i) {
        const NodeId s = rng.below(base.node_count()), t = rng.below(base.node_count());
        const json route =
            json_of(get(service, "/route/v1/nodes/" + std::to_string(s) + ";" + std::to_string(t)));
        EXPECT_EQ(route["weights_version"], version);
        EXPECT_EQ(route["routes"][0]["weight"], dijkstra(now, s, t));
      }
    }
    EXPECT_EQ(post(service, "/weights", R"({"reset": true})").status, 200);
    EXPECT_EQ(json_of(get(service, "/weights"))["changed"], 0);
    EXPECT_EQ(json_of(get(service, "/route/v1/nodes/3;900"))["routes"][0]["weight"],
              dijkstra(base, 3, 900));
  }
}

// Threads ask all the while; each answer names a version, and must be that version's.
TEST(LiveWeights, NoAnswerMixesVersions) {
  ServiceOptions options = quiet_options(true);
  options.live.refit_seconds = 0.05;
  Service service(sample_roads(800), options);
  const Graph base = service.world().file.graph;
  std::mutex mutex;
  std::vector<Graph> versions = {base};
  std::atomic<bool> done = false;
  std::atomic<int> checked = 0, wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t k = 0; k < 3; ++k) {
    threads.emplace_back([&, k] {
      Rng rng(100 + k);
      while (!done) {
        const NodeId s = rng.below(base.node_count()), t = rng.below(base.node_count());
        const json answer =
            json_of(get(service, "/route/v1/nodes/" + std::to_string(s) + ";" + std::to_string(t)));
        const std::size_t version = answer["weights_version"];
        Graph graph;
        for (;; std::this_thread::yield()) {  // the updater may not have noted it yet
          const std::lock_guard lock(mutex);
          if (version < versions.size()) {
            graph = versions[version];
            break;
          }
        }
        ++checked;
        wrong += answer["routes"][0]["weight"] != dijkstra(graph, s, t);
      }
    });
  }
  Rng rng(9);
  std::vector<Weight> weights = base.weights();
  for (int i = 0; i < 12 || (checked < 60 && i < 500); ++i) {
    const auto changes = random_changes(rng, base.weights(), 100);
    for (const WeightChange& change : changes) weights[change.arc] = change.weight;
    EXPECT_EQ(post(service, "/weights", update_text(changes)).status, 200);
    const std::lock_guard lock(mutex);
    versions.push_back(base.with_weights(weights));
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(checked, 20);
}

// Two roads between the same nodes swap places in the graph when the first becomes dearer; the
// line shown must be the one that is taken.
TEST(LiveWeights, ParallelArcsKeepTheirNames) {
  GraphBuilder builder(3);
  builder.add_arc(0, 1, 1);
  builder.add_arc(0, 1, 5);
  builder.add_arc(1, 2, 1);
  Service service(file_of(builder.build()), quiet_options());
  ASSERT_EQ(post(service, "/weights", R"({"updates": [{"arc": 0, "weight": 9}]})").status, 200);
  EXPECT_EQ(json_of(get(service, "/route/v1/nodes/0;2"))["routes"][0]["weight"], 6);
  ASSERT_EQ(post(service, "/weights", R"({"updates": [{"arc": 1, "weight": 10}]})").status, 200);
  EXPECT_EQ(json_of(get(service, "/route/v1/nodes/0;2"))["routes"][0]["weight"], 10);
  ASSERT_EQ(
      post(service, "/weights", R"({"updates": [{"from": "0", "to": "1", "factor": 2}]})").status,
      200);
  EXPECT_EQ(json_of(get(service, "/route/v1/nodes/0;2"))["routes"][0]["weight"], 3);
  EXPECT_EQ(*service.live().now()->weights, (std::vector<Weight>{2, 10, 1}));
}

TEST(LiveWeights, PlacesFollowTheWeights) {
  Service service(sample_roads(600), quiet_options(true));
  service.live().settle();
  const Graph base = service.world().file.graph;
  Rng rng(4);
  std::vector<Weight> weights = base.weights();
  for (Weight& w : weights) w = std::round(w * (1 + 4 * rng.uniform()));
  std::string file = "weight\n";
  for (const Weight w : weights) file += json(w).dump() + "\n";
  ASSERT_EQ(post(service, "/weights", file, true, "text/csv").status, 200);
  const GraphFile now = file_of(base.with_weights(weights));
  Service fresh(now, quiet_options());
  for (int i = 0; i < 20; ++i) {
    const Point a = base.points()[rng.below(base.node_count())];
    const Point b = base.points()[rng.below(base.node_count())];
    const std::string target = "/route/v1/car/" + json(a.x).dump() + "," + json(a.y + 1e-4).dump() +
                               ";" + json(b.x + 1e-4).dump() + "," + json(b.y).dump();
    const json one = json_of(get(service, target)), other = json_of(get(fresh, target));
    ASSERT_EQ(one["code"], "Ok") << one;
    EXPECT_NEAR(one["routes"][0]["weight"], other["routes"][0]["weight"], 1e-6);
  }
}

TEST(LiveWeights, WrongUpdatesChangeNothing) {
  Service service(sample_roads(50), quiet_options());
  const std::size_t arcs = service.world().file.graph.arc_count();
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"application/json", "{"},
      {"application/json", "{}"},
      {"application/json", R"({"updates": {}})"},
      {"application/json", R"({"updates": [7]})"},
      {"application/json", R"({"updates": [{"arc": 0}]})"},
      {"application/json", R"({"updates": [{"arc": 0, "weight": 1, "factor": 2}]})"},
      {"application/json", R"({"updates": [{"arc": 0, "weight": 1, "extra": 2}]})"},
      {"application/json", R"({"updates": [{"arc": -1, "weight": 1}]})"},
      {"application/json",
       R"({"updates": [{"arc": 0, "weight": 1}, {"arc": 9999999, "weight": 1}]})"},
      {"application/json", R"({"updates": [{"arc": 0, "weight": 1e999}]})"},
      {"application/json", R"({"updates": [{"arc": 0, "weight": -1}]})"},
      {"application/json", R"({"updates": [{"arc": 0, "weight": 1e-300}]})"},
      {"application/json", R"({"updates": [{"arc": 0, "factor": 1e288}]})"},
      {"application/json", R"({"updates": [{"arc": 0, "weight": "1"}]})"},
      {"application/json", R"({"updates": [{"from": "0", "to": "unknown", "weight": 1}]})"},
      {"application/json", R"({"updates": [{"from": "0", "to": "0", "weight": 1}]})"},
      {"application/json", R"({"updates": [{"way": 5, "weight": 1}]})"},
      {"text/csv", "arc;weight\n0;1\n"},
      {"text/csv", "arc,weight\n0,nan\n"},
      {"text/csv", "arc,weight\n0\n"},
      {"text/csv", "arc,weight\n99999999,1\n"},
      {"text/csv", "weight\n1\n2\n"},
      {"application/json", R"({"expect": 5, "updates": [{"arc": 0, "weight": 1}]})"},
  };
  for (const auto& [type, body] : wrong) {
    const Reply reply = post(service, "/weights", body, true, type);
    EXPECT_GE(reply.status, 400) << body;
    EXPECT_LT(reply.status, 500) << body << reply.content();
  }
  EXPECT_EQ(service.live().now()->version, 0u);
  EXPECT_EQ(json_of(get(service, "/weights"))["changed"], 0);
  EXPECT_EQ(json_of(get(service, "/weights"))["arcs"], arcs);
  const std::string right = R"({"expect": 0, "updates": [{"arc": 0, "weight": 1}]})";
  EXPECT_EQ(post(service, "/weights", right).status, 200);
  EXPECT_EQ(post(service, "/weights", right).status, 409);
}

TEST(LiveWeights, AreTakenUpAgain) {
  const ScratchFolder folder;
  ServiceOptions options = quiet_options();
  options.live.state = folder / "w.lsj";
  Rng rng(8);
  std::vector<Weight> weights;
  {
    Service service(sample_roads(300), options);
    weights = service.live().finder().weights();
    for (int i = 0; i < 20; ++i) {
      const auto changes = random_changes(rng, weights, 30);
      for (const WeightChange& change : changes) weights[change.arc] = change.weight;
      ASSERT_EQ(post(service, "/weights", update_text(changes)).status, 200);
    }
    EXPECT_THROW(Service(sample_roads(300), options), Error) << "two servers, one journal";
  }
  Service again(sample_roads(300), options);
  EXPECT_EQ(again.live().now()->version, 20u);
  EXPECT_EQ(*again.live().now()->weights, weights);
  ServiceOptions other = options;
  EXPECT_THROW(Service(sample_roads(301), other), Error) << "another graph";
}

// Each index that goes in is a generation of its own, from 1.
TEST(LiveWeights, AnIndexIsBuiltAndTrainedWhileServing) {
  std::vector<std::string> said;  // by the thread that settle() waits for
  ServiceOptions options = quiet_options(true);
  options.live.refit_seconds = 0.01;
  options.live.say = [&](const std::string& text) {
    if (!text.starts_with("an index of generation ")) return;
    said.push_back(text);
    EXPECT_TRUE(text.starts_with("an index of generation " + std::to_string(said.size()) + " is"))
        << text;
  };
  Service service(sample_roads(3000), options);
  EXPECT_EQ(get(service, "/route/v1/nodes/1;2").status, 200);  // before and after
  service.live().settle();
  ASSERT_NE(service.live().now()->index, nullptr);
  EXPECT_EQ(service.live().now()->generation, said.size());
  EXPECT_GE(said.size(), 1u);
  Rng rng(2);
  const Graph base = service.world().file.graph;
  const auto changes = random_changes(rng, base.weights(), 3000);
  ASSERT_EQ(post(service, "/weights", update_text(changes)).status, 200);
  const auto now = service.live().now();
  ASSERT_NE(now->index, nullptr);
  EXPECT_TRUE(now->index->fits(now->router.graph()));
  EXPECT_EQ(now->index->verify(), 0u);
  service.live().settle();
  EXPECT_EQ(service.live().now()->version, 1u);
  EXPECT_EQ(json_of(get(service, "/route/v1/nodes/7;2000"))["routes"][0]["weight"],
            dijkstra(service.live().now()->router.graph(), 7, 2000));
  EXPECT_EQ(service.live().now()->generation, said.size());
}

TEST(LiveWeights, AnIndexWithoutPathsIsRefused) {
  const GraphFile file = sample_roads(100);
  for (const bool labels : {false, true}) {
    IndexOptions index;
    index.rounds = 1;
    index.paths = false;
    index.labels = labels;
    ServiceOptions options = quiet_options();
    options.live.index = std::make_shared<const Index>(Index::build(file.graph, index));
    EXPECT_THROW(Service(file, options), Error);
    index.paths = true;
    options.live.index = std::make_shared<const Index>(Index::build(file.graph, index));
    Service service(file, options);
    EXPECT_EQ(get(service, "/route/v1/nodes/1;70").status, 200);
    EXPECT_EQ(get(service, "/table/v1/nodes/1;70?annotations=distance").status, 200);
  }
}

TEST(LiveWeights, ChangedCountsArcs) {
  Service service(sample_roads(50), quiet_options());
  const std::vector<Weight> given = service.live().finder().weights();
  const auto changed = [&](const json& body) {
    return json_of(post(service, "/weights", body.dump()))["changed"];
  };
  const auto update = [](ArcIndex arc, Weight weight) {
    return json{{"arc", arc}, {"weight", weight}};
  };
  const json twice = {{"updates", {update(0, 5000), update(0, 6000), update(3, 7000)}}};
  EXPECT_EQ(changed(twice), 2);
  EXPECT_EQ(changed(twice), 0);  // they have those weights already
  EXPECT_EQ(changed({{"updates", {update(0, 6000), update(1, 9000)}}}), 1);
  EXPECT_EQ(json_of(get(service, "/weights"))["changed"], 3);
  EXPECT_EQ(changed({{"updates", {update(0, 1), update(0, 6000)}}}), 0);  // there and back
  EXPECT_EQ(changed({{"reset", true}, {"updates", {update(0, 6000)}}}), 2);
  EXPECT_EQ(changed({{"reset", true}}), 1);
  EXPECT_EQ(json_of(get(service, "/weights"))["changed"], 0);
}

// The client learns that the update did not happen, and why; the next one does.
TEST(LiveWeights, AFullDiskIsSaid) {
  const ScratchFolder folder;
  ServiceOptions options = quiet_options();
  options.live.state = folder / "w.lsj";
  const std::string update = R"({"updates": [{"arc": 0, "weight": 3}]})";
  {
    Service service(sample_roads(50), options);
    ASSERT_EQ(post(service, "/weights", update).status, 200);
    {
      const testing::FullDisk full(service.live().journal_bytes());
      const Reply reply = post(service, "/weights", update);
      EXPECT_EQ(reply.status, 507);
      EXPECT_EQ(json_of(reply)["code"], "JournalFailed");
      const std::string message = json_of(reply)["message"];
      EXPECT_NE(message.find("nothing was changed"), std::string::npos);
      EXPECT_EQ(message.find("w.lsj"), std::string::npos) << "names a file";
    }
    EXPECT_EQ(service.live().now()->version, 1u);
    EXPECT_EQ(json_of(post(service, "/weights", update))["weights_version"], 2);
  }
  EXPECT_EQ(Service(sample_roads(50), options).live().now()->version, 2u);
}

}  // namespace
}  // namespace lodestar::server::live_weights_test
