#include "request_answers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "lodestar/detail/parallel.h"
#include "lodestar/itinerary.h"
#include "lodestar/place_requests.h"
#include "progress.h"
#include "reading.h"

namespace lodestar::cli {
namespace {

struct RouteFound {
  SearchResult found;              // costs in seconds or metres where that is known
  std::vector<std::string> names;  // of the nodes
  std::vector<double> totals;
  bool potentials = false;
  std::optional<Itinerary> trip;
};

struct RequestAnswer {
  std::string source;
  std::string target;
  std::vector<RouteFound> routes;  // the best one first, which may be no path
  std::optional<double> from_distance = {};
  std::optional<double> to_distance = {};
};

// Answers and their output.
class Requests {
 public:
  Requests(const GraphFile& file, const Router& router, const RequestJob& job)
      : file_(file), job_(job), unit_(cost_unit(file.graph, file.shape)) {
    if (!file.metrics.empty()) metrics_ = total_metrics(router);
  }

  // answer_one(i, worker) returns a RequestAnswer.
  template <class Answer>
  void answer(std::size_t count, const Answer& answer_one) {
    answers_.resize(count);
    parallel_for_with_bar("solving", count, job_.threads, [&](std::size_t i, std::size_t worker) {
      answers_[i] = answer_one(i, worker);
    });
  }

  // The trip is made if it is needed; between places it always is.
  RouteFound found(const SearchResult& result, const std::vector<NodeId>& nodes,
                   const std::vector<Leg>& legs, std::vector<double> totals, bool potentials,
                   bool by_place) const {
    RouteFound out{result, {}, std::move(totals), potentials, {}};
    use_units(out.found, 1 / unit_.scale);
    if (job_.paths) {
      for (const NodeId v : nodes) out.names.push_back(file_.names.name(v));
    }
    if (!by_place && !job_.map.wanted()) return out;
    Itinerary trip;
    if (result.reached()) trip = itinerary(file_.graph, file_.shape, legs);
    if (trip.line.empty() && !nodes.empty()) trip.line = {file_.graph.points()[nodes[0]]};
    set_result(trip, result, unit_);
    if (job_.preferences.depart && trip.duration) trip.duration = out.found.cost;
    for (std::size_t i = 0; i < metrics_.size() && i < out.totals.size(); ++i) {
      trip.totals.emplace_back(metrics_[i].name, out.totals[i]);
    }
    trip.potentials = potentials;
    out.trip = std::move(trip);
    return out;
  }

  int print() const {
    std::vector<Itinerary> trips;
    if (!job_.json && !job_.single) print_header();
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      const RequestAnswer& answer = answers_[i];
      if (job_.json) {
        auto json = to_json(answer);
        if (i == 0) add_notes(json, job_.notes);
        fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
      } else if (job_.single) {
        print_one(answer);
      } else {
        print_rows(answer);
      }
      for (const RouteFound& route : answer.routes) {
        if (route.trip && route.found.reached()) trips.push_back(*route.trip);
      }
    }
    write_maps(trips, job_.map);
    return job_.single && !answers_[0].routes[0].found.reached() ? 1 : 0;
  }

 private:
  // Seconds and metres have one decimal.
  double rounded(const Metric& metric, double value) const {
    return metric.unit == "s" || metric.unit == "m" ? tenth(value) : value;
  }
  double cost(double value) const { return unit_.known() ? tenth(value) : value; }

  void add_route(nlohmann::ordered_json& out, const RouteFound& route) const {
    add_found(out, route.found, false);
    out["cost"] = number(cost(route.found.cost));
    out["lower_bound"] = number(cost(route.found.lower_bound));
    out["potentials"] = route.potentials;
    if (!route.found.reached()) return;
    if (!metrics_.empty()) {
      auto& totals = out["totals"] = nlohmann::ordered_json::object();
      for (std::size_t i = 0; i < metrics_.size(); ++i) {
        totals[metrics_[i].name] = number(rounded(metrics_[i], route.totals[i]));
      }
    }
    if (route.trip && answers_.front().from_distance) {
      add_trip(out, *route.trip);
    }
    if (job_.paths) out["path"] = route.names;
    if (job_.map.polyline != 0) out["polyline"] = to_polyline(route.trip->line, job_.map.polyline);
  }

  nlohmann::ordered_json to_json(const RequestAnswer& answer) const {
    nlohmann::ordered_json out;
    out["source"] = answer.source;
    out["target"] = answer.target;
    if (answer.from_distance) out["source_distance"] = tenth(*answer.from_distance);
    if (answer.to_distance) out["target_distance"] = tenth(*answer.to_distance);
    add_route(out, answer.routes[0]);
    if (job_.alternatives <= 1) return out;
    auto& others = out["alternatives"] = nlohmann::ordered_json::array();
    for (std::size_t i = 1; i < answer.routes.size(); ++i) {
      nlohmann::ordered_json other;
      add_route(other, answer.routes[i]);
      others.push_back(std::move(other));
    }
    return out;
  }

  std::string totals_text(const RouteFound& route) const {
    std::string out;
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      const Metric& metric = metrics_[i];
      out += fmt::format("{}{} {}{}{}", i > 0 ? ", " : "", metric.name,
                         text(rounded(metric, route.totals[i])), metric.unit.empty() ? "" : " ",
                         metric.unit);
    }
    return out;
  }

  void print_route(const RouteFound& route) const {
    const std::string totals = totals_text(route);
    fmt::print("  {}{}{} potentials\n", totals, totals.empty() ? "" : "; ",
               route.potentials ? "with" : "without");
    if (route.trip && !route.trip->streets.empty()) {
      fmt::print("  {}\n", streets_text(*route.trip));
    }
    print_effort(route.found, false);
    if (job_.paths) fmt::print("  path {}\n", fmt::join(route.names, " "));
    if (job_.map.polyline != 0) {
      fmt::print("  {}\n", to_polyline(route.trip->line, job_.map.polyline));
    }
  }

  void print_one(const RequestAnswer& answer) const {
    const RouteFound& best = answer.routes[0];
    const std::string ends = answer.source + " → " + answer.target;
    if (!best.found.reached()) {
      fmt::print("{}: no path, proven: everything reachable was searched\n", ends);
      return;
    }
    // A blend has no unit of its own.
    const bool has_unit = unit_.known() && job_.preferences.blend.empty();
    const char* suffix = !has_unit ? "" : unit_.is_time() ? " s" : " m";
    fmt::print("{}: cost {}{}, proven optimal\n", ends, text(cost(best.found.cost)), suffix);
    print_route(best);
    for (std::size_t i = 1; i < answer.routes.size(); ++i) {
      const SearchResult& found = answer.routes[i].found;
      fmt::print("alternative {}: cost {}{}, {:.2f} % above the best\n", i, text(cost(found.cost)),
                 suffix, 100 * found.gap());
      print_route(answer.routes[i]);
    }
  }

  void print_header() const {
    fmt::print("source\ttarget\troute\tcost\tlower_bound\tgap\toptimal\texpansions\tpotentials");
    for (const Metric& metric : metrics_) fmt::print("\t{}", metric.name);
    fmt::print("{}{}\n", job_.paths ? "\tpath" : "", job_.map.polyline != 0 ? "\tpolyline" : "");
  }

  void print_rows(const RequestAnswer& answer) const {
    for (std::size_t i = 0; i < answer.routes.size(); ++i) {
      const RouteFound& route = answer.routes[i];
      const SearchResult& found = route.found;
      fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", answer.source, answer.target, i + 1,
                 text(cost(found.cost)), text(cost(found.lower_bound)), text(found.gap()),
                 found.optimal() ? "yes" : "no", found.expansions, route.potentials ? "yes" : "no");
      for (std::size_t k = 0; k < metrics_.size(); ++k) {
        fmt::print("\t{}", found.reached() ? text(rounded(metrics_[k], route.totals[k])) : "∞");
      }
      if (job_.paths) fmt::print("\t{}", fmt::join(route.names, " "));
      if (job_.map.polyline != 0) {
        fmt::print("\t{}", to_polyline(route.trip->line, job_.map.polyline));
      }
      fmt::print("\n");
    }
  }

  const GraphFile& file_;
  const RequestJob& job_;
  CostUnit unit_;
  std::vector<Metric> metrics_;  // of the totals; empty if the graph has one metric
  std::vector<RequestAnswer> answers_;
};

}  // namespace

int solve_requests(const GraphFile& file, const Router& router, const std::vector<Query>& queries,
                   const RequestJob& job) {
  router.requests(job.preferences);  // throws before anything is printed
  std::vector<std::optional<Router::Requests>> searchers(thread_count(job.threads));
  Requests requests(file, router, job);
  requests.answer(queries.size(), [&](std::size_t i, std::size_t worker) {
    auto& searcher = searchers[worker];
    if (!searcher) searcher = router.requests(job.preferences);
    RequestAnswer answer{
        file.names.name(queries[i].source), file.names.name(queries[i].target), {}};
    std::vector<RequestRoute> routes;
    if (job.alternatives > 1) {
      routes = searcher->alternatives(queries[i], {.count = job.alternatives});
    } else {
      routes.push_back(searcher->route(queries[i]));
    }
    for (RequestRoute& route : routes) {
      answer.routes.push_back(requests.found(route.result, route.nodes, legs_of(route),
                                             std::move(route.totals), route.potentials, false));
    }
    return answer;
  });
  return requests.print();
}

int solve_requests(const GraphFile& file, const Router& router,
                   const std::vector<PlaceQuery>& queries, const RequestJob& job) {
  router.requests(job.preferences);
  const Places places(file.graph, file.shape, file.metrics);
  const double limit = job.map.snap > 0 ? job.map.snap : places.default_limit();
  Requests requests(file, router, job);
  requests.answer(queries.size(), [&](std::size_t i, std::size_t) {
    const auto [from, to] = places.nearest(queries[i].start, queries[i].goal, limit);
    RequestAnswer answer{queries[i].from, queries[i].to, {}, from.distance, to.distance};
    for (PlaceRequestRoute& one :
         request_between(router, places, from, to, job.preferences, {.count = job.alternatives})) {
      answer.routes.push_back(requests.found(one.route.found, one.route.path, one.route.legs,
                                             std::move(one.totals), one.potentials, true));
    }
    return answer;
  });
  return requests.print();
}

}  // namespace lodestar::cli
