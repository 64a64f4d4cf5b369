// Which URLs and methods there are, who may use them, and which requests are quick.
#include <gtest/gtest.h>

#include <thread>

#include "hand_town.h"
#include "sample_service.h"
#include "scratch_folder.h"

namespace lodestar::server::dispatch_test {
namespace {

class Dispatch : public ::testing::Test {
 protected:
  static ServiceOptions options() {
    ServiceOptions out = quiet_options();
    out.token = "0123456789abcdef";
    return out;
  }
  int status(Method method, const std::string& target, const std::string& authorization = "") {
    Request request;
    request.method = method;
    request.target = target;
    request.authorization = authorization;
    request.body = method == Method::kPost ? R"({"reset": true})" : "";
    return service_.answer(request).status;
  }
  Service service_{town_file(), options()};
};

TEST_F(Dispatch, UrlsAndMethods) {
  struct Row {
    const char* target;
    int get, post, options, other;
  };
  const Row rows[] = {
      {"/", 200, 405, 405, 405},
      {"/index.html", 200, 405, 405, 405},
      {"/health", 200, 405, 405, 405},
      {"/metrics", 200, 405, 405, 405},
      {"/weights", 200, 401, 405, 405},
      {"/weights/car", 200, 401, 405, 405},
      {"/reload", 405, 401, 405, 405},
      {"/viewer/profiles", 200, 405, 405, 405},
      {"/viewer/graph", 200, 405, 405, 405},
      {"/viewer/nothing", 404, 405, 405, 405},
      {"/viewer", 404, 404, 404, 404},
      {"/health/more", 404, 404, 404, 404},
      {"/metrics/more", 404, 404, 404, 404},
      {"/weights/car/more", 404, 404, 404, 404},
      {"/nothing", 404, 404, 404, 404},
      {"/index.html/x", 404, 404, 404, 404},
      {"/nearest/v1/car/0.001,0", 200, 400, 204, 405},
      {"/match/v1/car/0,0;1,1", 400, 400, 204, 405},
      {"nothing", 400, 400, 400, 400},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(status(Method::kGet, row.target), row.get) << row.target;
    EXPECT_EQ(status(Method::kHead, row.target), row.get) << row.target;
    EXPECT_EQ(status(Method::kPost, row.target), row.post) << row.target;
    EXPECT_EQ(status(Method::kOptions, row.target), row.options) << row.target;
    EXPECT_EQ(status(Method::kOther, row.target), row.other) << row.target;
  }
  EXPECT_EQ(status(Method::kGet, "/" + std::string(6143, 'x')), 404);
  EXPECT_EQ(status(Method::kGet, "/" + std::string(6144, 'x')), 414);
  EXPECT_EQ(status(Method::kGet, "/weights?list=changed"), 200);
  EXPECT_EQ(status(Method::kGet, "/weights?list=all"), 200);
  EXPECT_EQ(status(Method::kGet, "/weights?list=some"), 400);
  EXPECT_EQ(json_of(get(service_, "/weights"))["changed"], 0);
  EXPECT_EQ(json_of(get(service_, "/weights"))["arcs"], 9);
}

TEST_F(Dispatch, Tokens) {
  EXPECT_EQ(status(Method::kPost, "/weights", "Bearer 0123456789abcdef"), 200);
  for (const char* wrong : {"", "0123456789abcdef", "Bearer 0123456789abcdeF",
                            "Bearer 0123456789abcde", "bearer 0123456789abcdef", "Basic x"}) {
    EXPECT_EQ(status(Method::kPost, "/weights", wrong), 401) << wrong;
  }
  EXPECT_EQ(status(Method::kPost, "/reload", "Bearer 0123456789abcdef"), 400);  // from no file
  Service closed(town_file(), quiet_options());
  EXPECT_EQ(post(closed, "/weights", R"({"reset": true})", false).status, 403);
  EXPECT_EQ(post(closed, "/weights", R"({"reset": true})", true).status, 200);
  const ScratchFolder folder;
  EXPECT_EQ(read_token(folder.write("a", "  0123456789abcdef \r\nrest")), "0123456789abcdef");
  EXPECT_THROW(read_token(folder.write("b", "0123456789abcde\n")), Error);
  EXPECT_THROW(read_token(folder.write("c", "")), Error);
  EXPECT_THROW(read_token(folder / "missing"), Error);
}

TEST_F(Dispatch, BodiesHaveLimits) {
  const auto limit = [&](Method method, const char* target, bool local = false) {
    Request head;
    head.method = method;
    head.target = target;
    head.local = local;
    try {
      return service_.body_limit(head);
    } catch (const Refusal& refusal) {
      return static_cast<std::size_t>(refusal.status());
    }
  };
  const Limits limits;
  EXPECT_EQ(limit(Method::kPost, "/route/v1/car"), limits.body_bytes);
  EXPECT_EQ(limit(Method::kPost, "/weights"), 401u);
  EXPECT_EQ(limit(Method::kPost, "/weights", true), limits.update_bytes);
  EXPECT_EQ(limit(Method::kPost, "/weights/car", true), limits.update_bytes);
  EXPECT_EQ(limit(Method::kPost, "/weights/car/x", true), limits.body_bytes);
  EXPECT_EQ(limit(Method::kGet, "/weights", true), 413u);
  EXPECT_EQ(limit(Method::kPost, "/%zz", true), 400u);
}

TEST_F(Dispatch, QuickRequests) {
  const auto quick = [](const Service& service, const std::string& target,
                        Method method = Method::kGet) {
    Request request;
    request.method = method;
    request.target = target;
    return service.is_quick(request);
  };
  const std::string places = "/route/v1/car/0,0;0.002,0";
  EXPECT_FALSE(quick(service_, places));  // no index
  EXPECT_TRUE(quick(service_, "/health"));
  EXPECT_TRUE(quick(service_, "/metrics"));
  EXPECT_TRUE(quick(service_, "/"));
  EXPECT_FALSE(quick(service_, "/health", Method::kPost));
  for (const char* slow : {"/table/v1/car/0,0", "/isochrone/v1/car/0,0", "/viewer/graph",
                           "/weights", "/weights/car"}) {
    EXPECT_FALSE(quick(service_, slow)) << slow;
  }
  Service indexed(town_file(), quiet_options(true));
  indexed.live().settle();
  EXPECT_TRUE(quick(indexed, places));
  EXPECT_TRUE(quick(indexed, "/nearest/v1/car/0,0"));
  EXPECT_TRUE(quick(indexed, "/route/"));
  EXPECT_TRUE(quick(indexed, places + "?overview=full"));
  EXPECT_TRUE(quick(indexed, places + "?alternatives=false"));
  EXPECT_TRUE(quick(indexed, places + "?alternatives=0"));
  EXPECT_FALSE(quick(indexed, places + "?alternatives=1"));
  EXPECT_FALSE(quick(indexed, places + "?overview=full&exclude=toll"));
  EXPECT_FALSE(quick(indexed, places + "?%65xclude=toll"));
  EXPECT_TRUE(quick(indexed, places + "?x=" + std::string(399 - places.size() - 3, 'y')));
  EXPECT_FALSE(quick(indexed, places + "?x=" + std::string(400 - places.size() - 3, 'y')));
}

// What is quick with an index depends on the graph that is asked for.
TEST_F(Dispatch, QuickRequestsOfSeveralGraphs) {
  std::vector<NamedGraph> graphs(2);
  for (NamedGraph& graph : graphs) {
    graph.source.file = town_file();
    graph.source.live = quiet_options(&graph == &graphs[1]).live;
  }
  graphs[0].name = "bicycle";
  graphs[1].name = "foot";
  Service service(std::move(graphs), {});
  const auto quick = [&](const std::string& target) {
    Request request;
    request.target = target;
    return service.is_quick(request);
  };
  for (int i = 0; i < 600 && !quick("/route/v1/foot/0,0;0.002,0"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(quick("/route/v1/foot/0,0;0.002,0"));
  EXPECT_TRUE(quick("/route/v1/walking/0,0;0.002,0"));
  EXPECT_FALSE(quick("/route/v1/bicycle/0,0;0.002,0"));
  EXPECT_FALSE(quick("/route/v1/cycling/0,0;0.002,0"));
}

TEST_F(Dispatch, SeveralGraphs) {
  const auto graphs = [](std::vector<std::string> names) {
    std::vector<NamedGraph> out;
    for (std::string& name : names) {
      NamedGraph graph;
      graph.name = std::move(name);
      graph.source.file = town_file();
      graph.source.live = quiet_options().live;
      out.push_back(std::move(graph));
    }
    return out;
  };
  EXPECT_THROW(Service(graphs({}), {}), Error);
  EXPECT_THROW(Service(graphs({"car", "car"}), {}), Error);
  EXPECT_THROW(Service(graphs({"car", ""}), {}), Error);
  EXPECT_THROW(Service(graphs({"car", "nodes"}), {}), Error);
  Service service(graphs({"car", "bicycle", "foot"}), quiet_options());
  for (const char* profile : {"car", "driving", "bicycle", "cycling", "bike", "foot", "walking"}) {
    EXPECT_EQ(get(service, std::string("/nearest/v1/") + profile + "/0.001,0").status, 200)
        << profile;
  }
  for (const char* profile : {"nodes", "nodes:car", "nodes:bicycle"}) {
    EXPECT_EQ(get(service, std::string("/route/v1/") + profile + "/0;2").status, 200) << profile;
  }
  for (const char* profile : {"train", "nodes:train", "Car"}) {
    EXPECT_EQ(get(service, std::string("/route/v1/") + profile + "/0;2").status, 400) << profile;
  }
  EXPECT_EQ(get(service, "/weights").status, 400);
  EXPECT_EQ(get(service, "/weights/foot").status, 200);
  EXPECT_EQ(get(service, "/weights/train").status, 400);
  EXPECT_EQ(json_of(get(service, "/viewer/profiles")), nlohmann::json({"car", "bicycle", "foot"}));
  EXPECT_EQ(get(service, "/viewer/graph?profile=foot").status, 200);
  EXPECT_EQ(get(service, "/viewer/graph?profile=train").status, 400);
  const auto health = json_of(get(service, "/health"));
  EXPECT_EQ(health["graphs"].size(), 3u);
  EXPECT_EQ(health["graphs"]["foot"]["nodes"], 5);
  EXPECT_NE(std::string(get(service, "/metrics").content()).find("{graph=\"foot\"}"),
            std::string::npos);
  service.drain();
  EXPECT_EQ(get(service, "/health").status, 503);
  EXPECT_EQ(json_of(get(service, "/health"))["status"], "draining");
}

TEST_F(Dispatch, TheViewersNodes) {
  for (const char* target :
       {"/viewer/trace", "/viewer/trace?from=0", "/viewer/trace?from=0&to=5",
        "/viewer/trace?from=5&to=0", "/viewer/trace?from=x&to=0", "/viewer/potential?to=5",
        "/viewer/trace?from=0&to=1&method=none", "/viewer/posthoc?from=0&to=1&method=none",
        "/viewer/potential?to=1&method=none"}) {
    EXPECT_EQ(get(service_, target).status, 400) << target;
  }
  for (const char* method : {"dijkstra", "bidirectional", "request"}) {
    const std::string target = std::string("/viewer/trace?from=0&to=4&method=") + method;
    EXPECT_EQ(get(service_, target).status, 200) << get(service_, target).body;
  }
  EXPECT_EQ(get(service_, "/viewer/posthoc?from=0&to=4&method=dijkstra").status, 200);
}

}  // namespace
}  // namespace lodestar::server::dispatch_test
