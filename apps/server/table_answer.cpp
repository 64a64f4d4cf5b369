// Costs between all pairs of two lists of places; the nearest road to one place.
#include <algorithm>
#include <map>
#include <numeric>

#include "answers.h"
#include "json_text.h"
#include "message.h"
#include "waypoint.h"

namespace lodestar::server {
namespace {

// Distances between nodes, made line by line by Dijkstra: for graphs without an index.
class NodeTable {
 public:
  NodeTable(Asking& asking, std::vector<NodeId> sources, std::vector<NodeId> targets)
      : sources_(unique(std::move(sources))), targets_(unique(std::move(targets))) {
    costs_.resize(sources_.size() * targets_.size());
    const NodeId n = asking.world.file.graph.node_count();
    asking.now->router.matrix(
        sources_, targets_,
        [&](std::size_t row, std::span<const Cost> costs) {
          asking.deadline.check();
          asking.deadline.spend(n);
          std::copy(costs.begin(), costs.end(),
                    costs_.begin() + static_cast<std::ptrdiff_t>(row * targets_.size()));
        },
        MatrixBy::kSource);
  }

  std::optional<Cost> find(Query query) const {
    const auto s = std::lower_bound(sources_.begin(), sources_.end(), query.source);
    const auto t = std::lower_bound(targets_.begin(), targets_.end(), query.target);
    if (s == sources_.end() || *s != query.source || t == targets_.end() || *t != query.target) {
      return std::nullopt;
    }
    return costs_[static_cast<std::size_t>(s - sources_.begin()) * targets_.size() +
                  static_cast<std::size_t>(t - targets_.begin())];
  }

 private:
  static std::vector<NodeId> unique(std::vector<NodeId> nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }
  std::vector<NodeId> sources_, targets_;
  std::vector<Cost> costs_;
};

NodeTable node_table(Asking& asking, const Question& question, const std::vector<Stop>& stops,
                     std::span<const std::size_t> rows, std::span<const std::size_t> columns) {
  std::vector<NodeId> sources, targets;
  const bool arc_based = asking.world.file.shape.arc_based;
  const auto add = [&](const Stop& stop, std::vector<NodeId>& list, bool target) {
    if (question.by_name) {
      list.push_back(stop.node);
      return;
    }
    list.insert(list.end(), stop.place.nodes.begin(), stop.place.nodes.end());
    for (int k = 0; stop.place.nodes.empty() && k < stop.place.sides; ++k) {
      const PlaceSide& side = stop.place.side[static_cast<std::size_t>(k)];
      list.push_back(target && !arc_based ? side.tail : side.head);
    }
  };
  for (const std::size_t i : rows) add(stops[i], sources, false);
  for (const std::size_t i : columns) add(stops[i], targets, true);
  return NodeTable(asking, std::move(sources), std::move(targets));
}

// Where a straight line to or from a stop begins when there is no route.
Point fallback_point(const Asking& asking, const Question& question, const Stop& stop) {
  if (question.by_name) return asking.world.file.graph.points()[stop.node];
  return question.fallback_snapped ? stop.place.at : stop.place.asked;
}

}  // namespace

std::string table_answer(Asking& asking, const Question& question) {
  const std::vector<Stop> stops = asking.stops(question);
  std::vector<std::size_t> all(stops.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::size_t>& rows = question.sources.empty() ? all : question.sources;
  const std::vector<std::size_t>& columns =
      question.destinations.empty() ? all : question.destinations;
  const bool drawn = asking.world.file.graph.has_coordinates();
  if (question.distances && !drawn) {
    throw Refusal(400, "InvalidOptions", "this graph has no coordinates, so no distances");
  }
  if (question.fallback_speed > 0 && !drawn) {
    throw Refusal(400, "InvalidOptions", "fallback_speed requires a graph with coordinates");
  }
  // Durations of routes that are not by time are sums along the path.
  const bool by_legs = !asking.world.units.times && !asking.world.file.shape.empty();
  const bool paths = question.distances || by_legs;
  std::optional<NodeTable> table;
  if (asking.now->index == nullptr && !paths) {
    table = node_table(asking, question, stops, rows, columns);
  }
  const NodeSearch search = [&](Query query) {
    if (table) {
      if (const auto cost = table->find(query)) {
        NodeAnswer known;
        known.found.cost = known.found.lower_bound = *cost;
        return known;
      }
    }
    return asking.search(query, paths);
  };

  JsonText durations, distances, guessed;
  durations.open('[');
  distances.open('[');
  guessed.open('[');
  const auto add = [&](double duration, double distance) {
    durations.number(asking.shown(duration * question.scale_factor));
    if (question.distances) distances.rounded(distance, 1);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    durations.open('[');
    distances.open('[');
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Stop &from = stops[rows[i]], &to = stops[columns[k]];
      Way way;
      if (question.by_name) {
        NodeAnswer answer = search({from.node, to.node});
        way.found = answer.found;
        if (paths) way.legs = legs_of(asking.world.file.graph, answer.path, asking.weights());
      } else {
        PlaceRoute route =
            route_between(*asking.world.places, from.place, to.place, search, asking.weights());
        way.found = route.found;
        way.legs = std::move(route.legs);
      }
      if (!way.found.proven_optimal()) {
        throw Refusal(400, "TooBig", "a search has reached its limit of expansions");
      }
      if (!way.found.reached() && question.fallback_speed > 0) {
        const double distance = distance_between(asking.world.file.graph.coordinate_kind(),
                                                 fallback_point(asking, question, from),
                                                 fallback_point(asking, question, to));
        add(distance / question.fallback_speed, distance);
        guessed.open('[').whole(i).whole(k).close(']');
        continue;
      }
      if (!way.found.reached()) {
        durations.null();
        distances.null();
        continue;
      }
      add(asking.duration_of(way.found.cost, way.legs),
          question.distances ? asking.length_of(way.legs) : 0);
    }
    durations.close(']');
    distances.close(']');
  }
  durations.close(']');
  distances.close(']');
  guessed.close(']');

  JsonText json;
  json.open('{').key("code").text("Ok").key("weights_version").whole(asking.now->version);
  if (question.durations) json.key("durations").raw(durations.out());
  if (question.distances) json.key("distances").raw(distances.out());
  if (question.fallback_speed > 0) json.key("fallback_speed_cells").raw(guessed.out());
  json.key("weight_name").text(asking.world.units.weight_name);
  json.key("proven_optimal").truth(true).key("expansions").whole(asking.deadline.spent());
  if (!question.skip_waypoints) {
    write_waypoints(json.key("sources"), asking, question, stops, rows);
    write_waypoints(json.key("destinations"), asking, question, stops, columns);
  }
  json.close('}');
  return json.take();
}

std::string nearest_answer(Asking& asking, const Question& question) {
  const std::vector<Stop> stops = asking.stops(question);
  JsonText json;
  json.open('{').key("code").text("Ok").key("weights_version").whole(asking.now->version);
  json.key("waypoints").open('[');
  write_waypoint(json, asking, question, 0, stops[0], true);
  json.close(']').close('}');
  return json.take();
}

}  // namespace lodestar::server
