#include "bench/harness/request_kinds.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/harness/queries.h"
#include "lodestar/search.h"

namespace lodestar::bench {
namespace {

using requests::RequestData;
using requests::RequestEngine;

constexpr double kPi = 3.14159265358979323846;
constexpr double kMetresPerDegree = 6371008.8 * kPi / 180;
constexpr double kAvoided = 1000;  // factor of areas
constexpr double kClassFactor = 5;

class Drawer {
 public:
  Drawer(RequestEngine& plain, std::span<const std::string> metrics, std::size_t count,
         std::uint64_t seed)
      : plain_(plain),
        data_(plain.weights().data()),
        graph_(data_.graph()),
        metrics_(metrics),
        queries_(reachable_pairs(graph_, count, Rng(mix64(seed + 77)))) {}

  std::vector<RequestKind> run(bool with_departure) {
    add("no preferences", [](Query) { return Preferences{}; });
    add_blends();
    add_areas();
    for (const std::string& name : data_.metrics().classes) {
      if (name != "motorway" && name != "primary" && name != "toll") continue;
      add("avoid class " + name, [&](Query) {
        Preferences wish;
        wish.classes = {{name, kClassFactor}};
        return wish;
      });
    }
    if (with_departure) {
      for (const double hour : {3.0, 8.5}) {
        add(text("depart at %.1f h", hour), [&](Query) {
          Preferences wish;
          wish.depart = 3600 * hour;
          return wish;
        }).departs = true;
      }
    }
    return std::move(kinds_);
  }

 private:
  static std::string text(const char* format, double value) {
    char out[80];
    std::snprintf(out, sizeof out, format, value);
    return out;
  }

  template <class Make>
  RequestKind& add(const std::string& name, const Make& make) {
    RequestKind kind{name, {}, false, false};
    for (const Query& query : queries_) kind.requests.push_back({query, make(query), 0});
    return kinds_.emplace_back(std::move(kind));
  }

  // Parts of metrics, each in units of its mean.
  Preferences blend(std::span<const double> parts) const {
    Preferences wish;
    const auto& known = data_.metrics().metrics;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::size_t at = *data_.metrics().find(metrics_[i]);
      const double ratio = data_.mean(0) * known[0].scale / (data_.mean(at) * known[at].scale);
      wish.blend.push_back({known[at].name, parts[i] * ratio});
    }
    return wish;
  }

  void add_blends() {
    if (metrics_.size() < 2) return;
    for (const double alpha : {0.1, 0.25, 0.37, 0.5, 0.63, 0.75, 0.9}) {
      const double parts[] = {1 - alpha, alpha};
      add(text("blend, α = %.2f", alpha), [&](Query) { return blend(parts); }).blend = true;
    }
    if (metrics_.size() < 3) return;
    for (const auto& parts : {std::array{0.6, 0.2, 0.2}, {0.2, 0.6, 0.2}, {0.2, 0.2, 0.6}}) {
      add(text("blend of three, %.1f", parts[0]) + text(", %.1f", parts[1]) +
              text(", %.1f", parts[2]),
          [&](Query) { return blend(parts); })
          .blend = true;
    }
  }

  double width() const {
    double low = kInfinity, high = -kInfinity;
    for (const Point& p : graph_.points()) {
      low = std::min(low, p.x);
      high = std::max(high, p.x);
    }
    const bool degrees = graph_.coordinate_kind() == CoordinateKind::kDegrees;
    return (high - low) *
           (degrees ? kMetresPerDegree * std::cos(graph_.points()[0].y * kPi / 180) : 1);
  }

  // The middle of the best path by the own weights, where an area hurts most.
  NodeId middle(Query query) {
    plain_.set({});
    plain_.run(query);
    const std::vector<NodeId> path = plain_.path();
    return path[path.size() / 2];
  }

  void add_areas() {
    // The last one holds the whole map: potentials know next to nothing of the costs.
    for (const double share : {0.005, 0.02, 0.05, 0.1, 3.0}) {
      if (!graph_.has_coordinates()) {
        add(text("avoid a ball as large as a disc of %.1f %%", 100 * share),
            [&](Query query) { return ball(middle(query), share); });
        continue;
      }
      const double radius = share * width() / 2;
      add(text("avoid a disc of %.1f %% of the width", 100 * share), [&](Query query) {
        Preferences wish;
        wish.circles = {{graph_.points()[middle(query)], radius, kAvoided}};
        return wish;
      });
    }
    if (graph_.has_coordinates()) add_stars();
  }

  // Without coordinates: the arcs of the nearest nodes, as many as a disc would hold.
  Preferences ball(NodeId centre, double share) {
    struct Nodes {
      std::vector<NodeId> settled;
      void on_settle(NodeId v, Cost, NodeId) { settled.push_back(v); }
    } nodes;
    const double size = std::max(2.0, std::min(1.0, kPi / 4 * share * share) * graph_.node_count());
    Searcher(graph_).run({centre, kNoNode}, Zero{},
                         {.max_expansions = static_cast<std::uint64_t>(size)}, nodes);
    Preferences wish;
    const auto first = graph_.arrays().first[0];
    for (const NodeId v : nodes.settled) {
      for (ArcIndex arc = first[v]; arc < first[v + 1]; ++arc) {
        wish.arcs.push_back({arc, kAvoided, 0});
      }
    }
    return wish;
  }

  void add_stars() {
    const bool degrees = graph_.coordinate_kind() == CoordinateKind::kDegrees;
    const double y = 0.01 * width() / (degrees ? kMetresPerDegree : 1);
    add("avoid a polygon of 2 % of the width", [&](Query query) {
      const Point centre = graph_.points()[middle(query)];
      const double x = y / (degrees ? std::cos(centre.y * kPi / 180) : 1);
      std::vector<Point> star;
      for (int i = 0; i < 10; ++i) {
        const double radius = i % 2 == 0 ? 1 : 0.6, angle = i * kPi / 5;
        star.push_back(
            {centre.x + x * radius * std::cos(angle), centre.y + y * radius * std::sin(angle)});
      }
      Preferences wish;
      wish.polygons = {{{star}, kAvoided}};
      return wish;
    });
  }

  RequestEngine& plain_;
  const RequestData& data_;
  const Graph& graph_;
  std::span<const std::string> metrics_;
  std::vector<Query> queries_;
  std::vector<RequestKind> kinds_;
};

}  // namespace

std::vector<RequestKind> draw_requests(RequestEngine& plain, bool with_departure,
                                       std::span<const std::string> metrics, std::size_t count,
                                       std::uint64_t seed) {
  return Drawer(plain, metrics, count, seed).run(with_departure);
}

std::string rush_hours(const Metrics& metrics) {
  std::string rows = "class,from,to,factor\n";
  for (const char* name : {"motorway", "primary"}) {
    if (!metrics.find_class(name)) continue;
    rows += std::string(name) + ",07:00,09:00,1.8\n" + name + ",16:30,18:30,1.6\n";
  }
  return rows + "*,07:00,09:00,1.2\n*,16:30,18:30,1.25\n";
}

}  // namespace lodestar::bench
