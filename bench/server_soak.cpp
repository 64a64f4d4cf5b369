// server_soak GRAPH SOCKET SECONDS [EVERY [PROFILE]]: sends requests to a running server while
// weights change every second; with several graphs, to that of the profile. Checks each EVERY-th
// response (default: 50) by Dijkstra on the version it names. The server must start with the
// weights of the file. Prints one line a minute and a summary; the exit code is 1 if a response was
// wrong.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "lodestar/detail/clock.h"
#include "lodestar/graph_io.h"
#include "lodestar/rng.h"
#include "lodestar/search.h"
#include "tests/apps/server/http_client.h"

using namespace lodestar;
using nlohmann::json;

namespace {

json body_of(const std::string& answer) {
  const std::size_t at = answer.find("\r\n\r\n");
  return at == std::string::npos ? json() : json::parse(answer.substr(at + 4), nullptr, false);
}

std::string resident(server::Client& client) {
  const std::string text = client.get("/metrics");
  const std::size_t at = text.find("\nprocess_resident_memory_bytes ");
  return at == std::string::npos ? "?" : text.substr(at + 31, text.find('\n', at + 1) - at - 31);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: server_soak GRAPH SOCKET SECONDS [EVERY [PROFILE]]\n");
    return 2;
  }
  const GraphFile file = read_graph(argv[1]);
  const Graph& base = file.graph;
  // Responses are in the unit of the first metric.
  const double unit = file.metrics.empty() ? 1 : file.metrics.metrics[0].scale;
  const std::string socket = argv[2];
  const double seconds = std::atof(argv[3]);
  const std::uint64_t every = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 50;
  const std::string profile = argc > 5 ? argv[5] : "";
  const std::string route_path = "/route/v1/nodes" + (profile.empty() ? "" : ":" + profile) + "/";
  const std::string weights_path = "/weights" + (profile.empty() ? "" : "/" + profile);
  std::mutex mutex;
  std::map<std::uint64_t, Graph> versions = {{0, base}};
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> asked = 0, checked = 0, wrong = 0, failed = 0;

  std::vector<float> latencies;  // of the thread that asks
  std::thread asking([&] {
    server::Client client(socket);
    Searcher searcher(base);
    std::uint64_t searched = 0;  // version the searcher is made for
    Rng rng(1);
    while (!done) {
      const NodeId s = rng.below(base.node_count()), t = rng.below(base.node_count());
      const auto sent = Clock::now();
      const std::string answer =
          client.get(route_path + std::to_string(s) + ";" + std::to_string(t) + "?overview=false");
      latencies.push_back(static_cast<float>(seconds_since(sent)));
      if (server::status_of(answer) != 200) {
        ++failed;
        continue;
      }
      if (++asked % every != 0) continue;
      const json route = body_of(answer);
      const std::uint64_t version = route["weights_version"];
      while (version != searched) {  // the updates' thread may not have noted it yet
        const std::lock_guard lock(mutex);
        const auto known = versions.find(version);
        if (known == versions.end()) continue;
        searcher = Searcher(known->second);
        searched = version;
      }
      ++checked;
      const Cost cost = searcher.run({s, t}, Zero{}).cost * unit;
      if (std::abs(route["routes"][0]["weight"].get<double>() - cost) > 1e-9 * cost ||
          route["routes"][0]["optimal"] != true) {
        ++wrong;
        std::fprintf(stderr, "wrong: %u to %u, version %llu\n", s, t,
                     static_cast<unsigned long long>(version));
      }
    }
  });

  server::Client feed(socket);
  const std::string before = resident(feed);
  Rng rng(2);
  std::vector<Weight> weights = base.weights();
  const std::vector<Weight> given = weights;
  const auto start = Clock::now();
  double slowest = 0, sum = 0;
  std::uint64_t updates = 0;
  auto next = start;
  while (seconds_since(start) < seconds) {
    json changes = json::array();
    for (int i = 0; i < 500; ++i) {
      const ArcIndex arc = rng.below(static_cast<std::uint32_t>(weights.size()));
      weights[arc] = std::round(given[arc] * (0.5 + 4 * rng.uniform()));
      changes.push_back({{"arc", arc}, {"weight", weights[arc]}});
    }
    const std::string body = json{{"updates", changes}}.dump();
    const auto sent = Clock::now();
    const std::string answer =
        feed.ask("POST " + weights_path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                 std::to_string(body.size()) + "\r\n\r\n" + body);
    const double took = seconds_since(sent);
    if (server::status_of(answer) != 200) {
      std::fprintf(stderr, "update refused: %s\n", answer.c_str());
      ++failed;
      break;
    }
    slowest = std::max(slowest, took);
    sum += took;
    {
      const std::lock_guard lock(mutex);
      versions[body_of(answer)["weights_version"]] = base.with_weights(weights);
      while (versions.size() > 20) versions.erase(versions.begin());
    }
    if (++updates % 60 == 0) {
      std::printf("%llu updates, %llu answers, %llu checked, %llu wrong, resident %s\n",
                  static_cast<unsigned long long>(updates),
                  static_cast<unsigned long long>(asked.load()),
                  static_cast<unsigned long long>(checked.load()),
                  static_cast<unsigned long long>(wrong.load()), resident(feed).c_str());
      std::fflush(stdout);
    }
    next += std::chrono::seconds(1);
    next = std::max(next, Clock::now());
    std::this_thread::sleep_until(next);
  }
  done = true;
  asking.join();
  std::sort(latencies.begin(), latencies.end());
  const auto at = [&](double share) {
    if (latencies.empty()) return 0.0;
    return 1e3 *
           latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))];
  };
  std::printf("milliseconds of an answer: %.3f (50 %%), %.3f (99 %%), %.1f at most\n", at(0.5),
              at(0.99), at(1));
  std::printf(
      "%llu updates (%.0f ms each, %.0f at most), %llu answers, %llu checked, %llu wrong, "
      "%llu refused; resident bytes %s before, %s after\n",
      static_cast<unsigned long long>(updates),
      1e3 * sum / static_cast<double>(std::max<std::uint64_t>(1, updates)), 1e3 * slowest,
      static_cast<unsigned long long>(asked.load()),
      static_cast<unsigned long long>(checked.load()),
      static_cast<unsigned long long>(wrong.load()), static_cast<unsigned long long>(failed.load()),
      before.c_str(), resident(feed).c_str());
  return wrong == 0 && failed == 0 && checked > 0 ? 0 : 1;
}
