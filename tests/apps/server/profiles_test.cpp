// Several graphs in one service: profiles in URLs, weights of each, reloading.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "sample_service.h"
#include "scratch_folder.h"

namespace lodestar::server::profiles_test {
namespace {

NamedGraph named(const std::string& name, std::uint64_t seed, NodeId nodes = 400) {
  return {name, {sample_roads(nodes, seed), quiet_options().live, nullptr}, {}};
}

std::vector<NamedGraph> three() {
  std::vector<NamedGraph> graphs;
  graphs.push_back(named("car", 1));
  graphs.push_back(named("bicycle", 2));
  graphs.push_back(named("foot", 3));
  return graphs;
}

double cost(Service& service, const std::string& profile) {
  const Reply reply = get(service, "/route/v1/nodes:" + profile + "/3;300");
  EXPECT_EQ(reply.status, 200) << reply.content();
  return json_of(reply)["routes"][0]["weight"].get<double>();
}

TEST(Profiles, EachNameHasItsGraph) {
  Service service(three(), {});
  const std::string places = "/9.52,47.12;9.57,47.17?overview=false&radiuses=unlimited;unlimited";
  std::vector<std::string> answers;
  std::uint64_t seed = 1;
  for (const std::string name : {"car", "bicycle", "foot"}) {
    EXPECT_EQ(cost(service, name), dijkstra(sample_roads(400, seed++).graph, 3, 300)) << name;
    Service alone(sample_roads(400, seed - 1), quiet_options());
    const auto weight = [](const Reply& reply) { return json_of(reply)["routes"][0]["weight"]; };
    EXPECT_EQ(weight(get(service, "/route/v1/" + name + places)),
              weight(get(alone, "/route/v1/any" + places)));
  }
  // The names of other programs.
  for (const auto& [other, own] : {std::pair{"driving", "car"},
                                   {"cycling", "bicycle"},
                                   {"bike", "bicycle"},
                                   {"walking", "foot"}}) {
    EXPECT_EQ(get(service, "/nearest/v1/" + std::string(other) + "/9.5,47.1").content(),
              get(service, "/nearest/v1/" + std::string(own) + "/9.5,47.1").content());
  }
  EXPECT_EQ(json_of(get(service, "/route/v1/nodes/3;300")),
            json_of(get(service, "/route/v1/nodes:car/3;300")));
  const Reply none = get(service, "/route/v1/boat/9.5,47.1;9.6,47.2");
  EXPECT_EQ(none.status, 400);
  EXPECT_EQ(json_of(none)["code"], "InvalidValue");
  EXPECT_NE(none.content().find("car, bicycle, foot"), std::string::npos);
  EXPECT_EQ(json_of(get(service, "/viewer/profiles")), (nlohmann::json{"car", "bicycle", "foot"}));
  EXPECT_NE(get(service, "/viewer/graph").content(),
            get(service, "/viewer/graph?profile=foot").content());
}

TEST(Profiles, NamesAreChecked) {
  for (const auto& [a, b] : {std::pair{"car", "car"}, {"car", ""}, {"car", "nodes"}}) {
    std::vector<NamedGraph> graphs;
    graphs.push_back(named(a, 1));
    graphs.push_back(named(b, 2));
    EXPECT_THROW(Service(std::move(graphs), {}), Error) << b;
  }
  EXPECT_THROW(Service(std::vector<NamedGraph>(), {}), Error);
}

TEST(Profiles, WeightsAreThoseOfOneGraph) {
  Service service(three(), {});
  const double car = cost(service, "car"), foot = cost(service, "foot");
  std::string twice = "weight\n";
  for (const Weight weight : sample_roads(400, 3).graph.weights()) {
    twice += std::to_string(2 * weight) + "\n";
  }
  EXPECT_EQ(post(service, "/weights", twice, true, "text/csv").status, 400) << "of which graph?";
  EXPECT_EQ(post(service, "/weights/foot", twice, false, "text/csv").status, 403);
  EXPECT_EQ(json_of(post(service, "/weights/foot", twice, true, "text/csv"))["weights_version"], 1);
  EXPECT_EQ(cost(service, "car"), car);
  EXPECT_DOUBLE_EQ(cost(service, "foot"), 2 * foot);
  EXPECT_EQ(json_of(get(service, "/weights/car"))["weights_version"], 0);
  const auto health = json_of(get(service, "/health"));
  EXPECT_EQ(health["graphs"]["foot"]["weights_version"], 1);
  EXPECT_EQ(health["graphs"]["car"]["weights_version"], 0);
  const std::string metrics(get(service, "/metrics").content());
  EXPECT_NE(metrics.find("lodestar_weights_version{graph=\"foot\"} 1\n"), std::string::npos);
  EXPECT_NE(metrics.find("lodestar_weights_version{graph=\"car\"} 0\n"), std::string::npos);
}

TEST(Profiles, WeightsAreReadBackAsTheyAreSent) {
  Service service(sample_roads(300), quiet_options());
  post(service, "/weights",
       R"({"updates": [{"arc": 7, "weight": 12.5}, {"arc": 3, "factor": 2}]})");
  const Reply changed = get(service, "/weights?list=changed");
  EXPECT_EQ(changed.content_type, "text/csv; charset=utf-8");
  const std::string csv(changed.content());
  EXPECT_EQ(csv.substr(0, 13), "arc,weight\n3,");
  EXPECT_NE(csv.find("\n7,12.5\n"), std::string::npos);
  Service other(sample_roads(300), quiet_options());
  EXPECT_EQ(json_of(post(other, "/weights", csv, true, "text/csv"))["changed"], 2);
  EXPECT_EQ(get(other, "/weights?list=all").content(), get(service, "/weights?list=all").content());
  EXPECT_EQ(get(service, "/weights?list=some").status, 400);
}

TEST(Reload, RequestsGoOnWhileAGraphIsReplaced) {
  const ScratchFolder folder;
  std::atomic<int> loads = 0;
  const auto load = [&] {
    GraphSource source{sample_roads(400, 10 + static_cast<std::uint64_t>(++loads % 2)),
                       quiet_options(true).live, nullptr};
    source.live.state = folder / "weights.lsj";
    return source;
  };
  std::vector<NamedGraph> graphs;
  graphs.push_back({"car", load(), load});
  graphs.push_back(named("foot", 3));
  Service service(std::move(graphs), {});
  const double odd = dijkstra(sample_roads(400, 11).graph, 3, 300);
  const double even = dijkstra(sample_roads(400, 10).graph, 3, 300);
  ASSERT_NE(odd, even);
  EXPECT_EQ(cost(service, "car"), odd);
  post(service, "/weights/car", R"({"updates": [{"arc": 7, "weight": 1}]})");
  const double changed = cost(service, "car");

  std::atomic<bool> stop = false;
  std::atomic<int> answered = 0, wrong = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back([&] {
      while (!stop) {
        const Reply reply = get(service, "/route/v1/nodes:car/3;300?steps=true");
        ++answered;
        if (reply.status != 200) {
          ++wrong;
          continue;
        }
        const double weight = json_of(reply)["routes"][0]["weight"];
        wrong += weight != odd && weight != even && weight != changed;
        get(service, "/viewer/graph?profile=car");
      }
    });
  }
  while (answered < 5) std::this_thread::yield();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(post(service, "/reload/car", "", false).status, 403);
    const Reply reply = post(service, "/reload/car", "");
    EXPECT_EQ(reply.status, 200) << reply.content();
    EXPECT_EQ(json_of(get(service, "/health"))["graphs"]["car"]["index"], true) << "built before";
    EXPECT_EQ(json_of(get(service, "/weights/car"))["weights_version"], 0) << "those of the file";
  }
  stop = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(cost(service, "car"), even);
  EXPECT_TRUE(std::filesystem::exists(folder / "weights.lsj.old"));
  EXPECT_EQ(post(service, "/reload/foot", "").status, 400) << "not read from a file";
  EXPECT_EQ(post(service, "/reload", "").status, 400) << "which one?";
  EXPECT_EQ(get(service, "/reload/car").status, 405);
}

TEST(Reload, WhatCannotBeReadLeavesTheOldGraph) {
  const ScratchFolder folder;
  GraphSource source{sample_roads(100), quiet_options().live, nullptr};
  source.live.state = folder / "weights.lsj";
  std::vector<NamedGraph> graphs;
  graphs.push_back({"", std::move(source), []() -> GraphSource { throw Error("town.lsg: gone"); }});
  Service service(std::move(graphs), {});
  post(service, "/weights", R"({"updates": [{"arc": 7, "weight": 1}]})");
  EXPECT_EQ(post(service, "/reload", "").status, 500);
  EXPECT_EQ(json_of(get(service, "/weights"))["weights_version"], 1);
  EXPECT_TRUE(std::filesystem::exists(folder / "weights.lsj"));
  EXPECT_FALSE(std::filesystem::exists(folder / "weights.lsj.old"));
}

}  // namespace
}  // namespace lodestar::server::profiles_test
