// Costs between all pairs of two lists of places; the nearest road to one place.
#include <algorithm>
#include <numeric>

#include "json_text.h"
#include "message.h"
#include "responses.h"

namespace lodestar::server {
namespace {

// Costs between the nodes of all places, and lengths of the routes on request: on an index as one
// matrix, otherwise line by line by Dijkstra.
class NodeTable {
 public:
  NodeTable(RequestContext& context, std::vector<NodeId> sources, std::vector<NodeId> targets,
            bool lengths)
      : sources_(unique(std::move(sources))), targets_(unique(std::move(targets))) {
    costs_.resize(sources_.size() * targets_.size());
    const NodeId n = context.world.file.graph.node_count();
    const bool searches = context.now->index == nullptr;
    const Router& router = context.now->router;
    if (lengths) {
      const StopScope scope = context.deadline.scope();
      lengths_.resize(costs_.size());
      const std::size_t width = targets_.size(), block = searches ? 1 : sources_.size();
      for (std::size_t i = 0; i < sources_.size(); i += block) {
        router.matrix(std::span(sources_).subspan(i, block), targets_, context.world.arc_lengths(),
                      std::span(costs_).subspan(i * width, block * width),
                      std::span(lengths_).subspan(i * width, block * width));
        context.deadline.check();
        if (searches) context.deadline.spend(2 * std::uint64_t{n});
      }
      return;
    }
    router.matrix(
        sources_, targets_,
        [&](std::size_t row, std::span<const Cost> costs) {
          context.deadline.check();
          if (searches) context.deadline.spend(n);
          std::copy(costs.begin(), costs.end(),
                    costs_.begin() + static_cast<std::ptrdiff_t>(row * targets_.size()));
        },
        MatrixBy::kSource);
  }

  std::optional<NodeAnswer> find(Query query) const {
    const auto s = std::lower_bound(sources_.begin(), sources_.end(), query.source);
    const auto t = std::lower_bound(targets_.begin(), targets_.end(), query.target);
    if (s == sources_.end() || *s != query.source || t == targets_.end() || *t != query.target) {
      return std::nullopt;
    }
    const std::size_t cell = static_cast<std::size_t>(s - sources_.begin()) * targets_.size() +
                             static_cast<std::size_t>(t - targets_.begin());
    NodeAnswer known;
    known.found.cost = known.found.lower_bound = costs_[cell];
    if (!lengths_.empty()) known.length = lengths_[cell];
    return known;
  }

 private:
  static std::vector<NodeId> unique(std::vector<NodeId> nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }
  std::vector<NodeId> sources_, targets_;
  std::vector<Cost> costs_;
  std::vector<double> lengths_;  // if requested
};

NodeTable node_table(RequestContext& context, const RoutingRequest& request,
                     const std::vector<Stop>& stops, std::span<const std::size_t> rows,
                     std::span<const std::size_t> columns) {
  std::vector<NodeId> sources, targets;
  const bool arc_based = context.world.file.shape.arc_based;
  const auto add = [&](const Stop& stop, std::vector<NodeId>& list, bool target) {
    if (request.by_name) {
      list.push_back(stop.node);
      return;
    }
    list.insert(list.end(), stop.place.nodes.begin(), stop.place.nodes.end());
    if (!stop.place.nodes.empty()) return;
    for (const PlaceSide& side : target ? stop.place.entries() : stop.place.exits()) {
      list.push_back(target && !arc_based ? side.tail : side.head);
    }
  };
  for (const std::size_t i : rows) add(stops[i], sources, false);
  for (const std::size_t i : columns) add(stops[i], targets, true);
  return NodeTable(context, std::move(sources), std::move(targets), request.distances);
}

// Where a straight line to or from a stop begins when there is no route.
Point fallback_point(const RequestContext& context, const RoutingRequest& request,
                     const Stop& stop) {
  if (request.by_name) return context.world.file.graph.points()[stop.node];
  return request.fallback_snapped ? stop.place.at : stop.place.asked;
}

}  // namespace

std::string table_response(RequestContext& context, const RoutingRequest& request) {
  const std::vector<Stop> stops = context.stops();
  std::vector<std::size_t> all(stops.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::size_t>& rows = request.sources.empty() ? all : request.sources;
  const std::vector<std::size_t>& columns =
      request.destinations.empty() ? all : request.destinations;
  const bool drawn = context.world.file.graph.has_coordinates();
  if (request.distances && !drawn) {
    refuse("InvalidOptions", "this graph has no coordinates, so no distances");
  }
  if (request.fallback_speed > 0 && !drawn) {
    refuse("InvalidOptions", "fallback_speed requires a graph with coordinates");
  }
  // Durations of routes that are not by time are sums along the path.
  const bool roads = !context.world.file.shape.empty();
  const bool by_legs = !context.world.unit.is_time() && roads;
  // A matrix is faster than queries, but for a few cells on an index, and for an index of which
  // Router::matrix makes no use. On an index it adds up lengths of roads, which are whole
  // tenths of a metre.
  const auto faster_by_queries = [&](const IndexFacts& facts) {
    return rows.size() * columns.size() < 100 || facts.quick || facts.rounded_sums ||
           (request.distances && !roads);
  };
  std::optional<NodeTable> table;
  if (!by_legs && !context.has_requests() &&
      (context.now->index == nullptr || !faster_by_queries(context.now->index->facts()))) {
    table = node_table(context, request, stops, rows, columns);
  }
  const bool paths = by_legs || (request.distances && !table);
  const NodeSearch search = [&](Query query) {
    if (table) {
      if (const auto known = table->find(query)) return *known;
    }
    return context.search(query, by_legs || request.distances);
  };

  JsonText durations, distances, guessed, nearest;
  std::vector<std::pair<double, std::size_t>> row;  // durations of a source, by column
  nearest.open('[');
  durations.open('[');
  distances.open('[');
  guessed.open('[');
  std::size_t row_column = 0;
  const auto add = [&](double duration, double distance) {
    durations.number(context.shown(duration * request.scale_factor));
    if (request.nearest > 0) row.emplace_back(duration, row_column);
    if (request.distances) distances.rounded(distance, 1);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    durations.open('[');
    distances.open('[');
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Stop &from = stops[rows[i]], &to = stops[columns[k]];
      row_column = k;
      Section section;
      double unlisted = 0;  // metres that the legs do not have
      if (context.has_requests()) {
        section = context.section(from, to, true);
      } else if (request.by_name) {
        NodeAnswer answer = search({from.node, to.node});
        section.found = answer.found;
        unlisted = answer.length.value_or(0);
        if (paths) section.legs = legs_of(context.world.file.graph, answer.path, context.weights());
      } else {
        PlaceRoute route =
            route_between(*context.world.places, from.place, to.place, search, context.weights());
        section.found = route.found;
        section.legs = std::move(route.legs);
        unlisted = route.unlisted;
      }
      if (!section.found.optimal()) {
        refuse("TooBig", "a search has reached its limit of expansions");
      }
      if (!section.found.reached() && request.fallback_speed > 0) {
        const double distance = distance_between(context.world.file.graph.coordinate_kind(),
                                                 fallback_point(context, request, from),
                                                 fallback_point(context, request, to));
        add(distance / request.fallback_speed, distance);
        guessed.open('[').whole(i).whole(k).close(']');
        continue;
      }
      if (!section.found.reached()) {
        durations.null();
        distances.null();
        continue;
      }
      // What keeps through traffic away is no time; the route tells how much of it there is.
      const double seconds = section.found.cost * context.world.unit.scale;
      const bool untold = !paths && !context.has_requests();
      if (untold && context.may_have_penalties(section.found.cost)) {
        section = context.section(from, to, true);
      } else if (untold) {
        add(seconds, request.distances ? context.length_of(section.legs) + unlisted : 0);
        continue;
      }
      add(context.duration_of(section), request.distances ? context.length_of(section.legs) : 0);
    }
    durations.close(']');
    distances.close(']');
    nearest.open('[');
    std::sort(row.begin(), row.end());
    for (std::size_t k = 0; k < std::min(row.size(), request.nearest); ++k) {
      nearest.open('{').key("destination").whole(row[k].second);
      nearest.key("duration").number(context.shown(row[k].first * request.scale_factor)).close('}');
    }
    nearest.close(']');
    row.clear();
  }
  nearest.close(']');
  durations.close(']');
  distances.close(']');
  guessed.close(']');

  JsonText json;
  json.open('{').key("code").text("Ok").key("weights_version").whole(context.now->version);
  if (request.durations) json.key("durations").raw(durations.out());
  if (request.distances) json.key("distances").raw(distances.out());
  if (request.nearest > 0) json.key("nearest").raw(nearest.out());
  if (request.fallback_speed > 0) json.key("fallback_speed_cells").raw(guessed.out());
  json.key("weight_name").text(context.weight_name());
  if (context.has_requests()) json.key("potentials").truth(context.has_potentials());
  json.key("optimal").truth(true).key("expansions").whole(context.deadline.spent());
  if (!request.skip_waypoints) {
    write_waypoints(json.key("sources"), context, request, stops, rows);
    write_waypoints(json.key("destinations"), context, request, stops, columns);
  }
  json.close('}');
  return json.take();
}

std::string nearest_response(RequestContext& context, const RoutingRequest& request) {
  const std::vector<Stop> stops = context.nearest();
  JsonText json;
  json.open('{').key("code").text("Ok").key("weights_version").whole(context.now->version);
  json.key("waypoints").open('[');
  for (const Stop& stop : stops) write_waypoint(json, context, request, 0, stop, true);
  json.close(']').close('}');
  return json.take();
}

}  // namespace lodestar::server
