// Clients that ask for much and read nothing: what they cost the server in memory.
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "running_server.h"

namespace lodestar::server::unread_test {
namespace {

constexpr NodeId kNodes = 40'000;

std::string get_text(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

// What the metrics say of this name.
double metric(const Running& running, const std::string& name) {
  Client client = running.client();
  const std::string text = client.get("/metrics");
  return std::atof(text.c_str() + text.find("\n" + name + " ") + name.size() + 2);
}

Client rude(const Running& running, const std::string& target) {
  Client client(running.port(), 4096);
  EXPECT_TRUE(client.send(get_text(target)));
  return client;
}

// A search that settles every node: its target is the farthest.
std::string long_trace(Running& running) {
  const Graph& graph = running.service().world().file.graph;
  Searcher searcher(graph);
  searcher.run_all(0);
  NodeId last = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const Cost cost = searcher.distance(v);
    if (cost < kInfinity && cost > searcher.distance(last)) last = v;
  }
  return "/viewer/posthoc?method=dijkstra&from=0&to=" + std::to_string(last);
}

TEST(Unread, ClientsShareOneGraph) {
  Running running({}, quiet_options(), "", kNodes);
  Client first = running.client();
  const std::string whole = first.get("/viewer/graph");
  ASSERT_EQ(status_of(whole), 200);
  ASSERT_GT(whole.size(), 1u << 20);
  const std::uint64_t before = resident_bytes();
  std::vector<Client> clients;
  for (int i = 0; i < 60; ++i) {
    clients.push_back(rude(running, "/viewer/graph"));
    // Asked for one after the other: the queue is another matter.
    ASSERT_TRUE(comes_true([&] {
      return metric(running, "lodestar_requests_total{service=\"viewer\",status=\"200\"}") == i + 2;
    }));
  }
  EXPECT_TRUE(running.alive());
  EXPECT_LT(resident_bytes(), before + (30u << 20));
  EXPECT_EQ(metric(running, "lodestar_unread_closed_total"), 0);
  // Those who read in the end get all of it.
  EXPECT_EQ(clients.front().receive(30), whole);
  EXPECT_EQ(clients.back().receive(30), whole);
}

// Bodies of one request each: those that have waited longest go.
TEST(Unread, RepliesOfTheirOwnAreBounded) {
  ServerOptions options;
  options.unread_bytes = 32u << 20;
  Running running(options, quiet_options(), "", kNodes);
  const std::string target = long_trace(running);
  const std::size_t whole = running.client().get(target).size();
  ASSERT_GT(whole, 2u << 20);
  std::vector<Client> clients;
  for (int i = 0; i < 30; ++i) {
    clients.push_back(rude(running, target));
    ASSERT_TRUE(comes_true([&] {
      return metric(running, "lodestar_requests_total{service=\"viewer\",status=\"200\"}") == i + 2;
    }));
    EXPECT_LT(running.service().held_bytes(), options.unread_bytes + (16u << 20));
  }
  const double closed = metric(running, "lodestar_unread_closed_total");
  EXPECT_GT(closed, 5);
  // Each thread closes those of its own connections that have waited longest, so it need not be the
  // first.
  int cut_off = 0;
  for (Client& client : clients) cut_off += client.receive(30).size() != whole;
  EXPECT_EQ(cut_off, closed);
  EXPECT_TRUE(running.alive());
  clients.clear();
  EXPECT_TRUE(comes_true([&] { return running.service().held_bytes() < 10'000; }));
}

// A graph of the viewer for each version of the weights, each with a client that does not read it.
TEST(Unread, GraphsOfOldVersionsAreBounded) {
  ServerOptions options;
  options.unread_bytes = 8u << 20;
  Running running(options, quiet_options(), "", kNodes);
  std::vector<Client> clients;
  for (int i = 0; i < 25; ++i) {
    clients.push_back(rude(running, "/viewer/graph"));
    ASSERT_TRUE(comes_true([&] {
      return metric(running, "lodestar_requests_total{service=\"viewer\",status=\"200\"}") == i + 1;
    }));
    ASSERT_EQ(post(running.service(), "/weights",
                   R"({"updates": [{"arc": 0, "weight": )" + std::to_string(i + 1) + "}]}")
                  .status,
              200);
  }
  EXPECT_TRUE(comes_true([&] { return running.service().held_bytes() <= options.unread_bytes; }));
  EXPECT_GT(metric(running, "lodestar_unread_closed_total"), 5);
  EXPECT_TRUE(clients.front().ends_within(10));
  EXPECT_NE(clients.back().receive(30).find("X-Weights-Version: 24\r\n"), std::string::npos);
  EXPECT_TRUE(running.alive());
}

// One text for all who ask, until the weights change.
TEST(Unread, GraphIsMadeOnceAVersion) {
  Service service(sample_roads(), quiet_options());
  const Reply one = get(service, "/viewer/graph"), two = get(service, "/viewer/graph");
  ASSERT_EQ(one.status, 200);
  EXPECT_EQ(one.content().data(), two.content().data());
  EXPECT_EQ(service.held_bytes(), 0u);
  ASSERT_EQ(post(service, "/weights", R"({"updates": [{"arc": 0, "factor": 9}]})").status, 200);
  {
    Reply old = one;
    const Reply next = get(service, "/viewer/graph");
    EXPECT_NE(next.content(), old.content());
    EXPECT_EQ(next.version, 1u);
    EXPECT_GE(service.held_bytes(), old.content().size());
  }
}

// A connection that is kept alive does not keep the reply that it has taken.
TEST(Unread, RepliesThatWereReadAreForgotten) {
  Running running({}, quiet_options(), "", kNodes);
  std::vector<Client> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(running.client());
    ASSERT_EQ(status_of(clients.back().get(long_trace(running))), 200);
  }
  EXPECT_TRUE(comes_true([&] { return running.service().held_bytes() < 10'000; }));
}

}  // namespace
}  // namespace lodestar::server::unread_test
