#include "message.h"
#include "responses.h"

namespace lodestar::server {
namespace {

// Files written before ids of points were kept have those of junctions alone.
bool knows_nodes(const Shape& shape) {
  return shape.empty() || shape.points.empty() || !shape.point_id.empty();
}

void write_node(JsonText& json, const GraphFile& file, NodeId v) {
  if (!file.shape.empty()) {
    json.raw(std::to_string(file.shape.node_id[v]));
  } else if (file.names.kind() == NodeNames::Kind::kNumbered) {
    json.raw(file.names.name(v));
  } else {
    json.text(file.names.name(v));
  }
}

// Point `i` of a leg's arc: 0 is its tail.
void write_point(JsonText& json, const GraphFile& file, const Leg& leg, std::size_t i) {
  const Shape& shape = file.shape;
  const std::uint32_t segment = shape.empty() ? 0 : shape.segment(leg.arc);
  const std::size_t between = shape.empty() ? 0 : shape.between(segment).size();
  if (i == 0 || i > between) {
    write_node(json, file, i == 0 ? leg.tail : leg.head);
  } else if (!knows_nodes(shape)) {
    json.null();
  } else {
    const std::size_t at =
        shape.first_point[segment] + (shape.against(leg.arc) ? between - i : i - 1);
    json.raw(std::to_string(shape.point_id.part(at, at + 1)[0]));
  }
}

Weight weight_in_file(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward,
                     [&](auto rows) { return static_cast<Weight>(rows.arcs[arc].weight); });
}

struct Piece {
  LinePiece where;
  double length = 0, duration = 0, weight = 0;
};

// One for each piece of the line; without coordinates one for each arc.
std::vector<Piece> pieces_of(const RequestContext& context, const Section& section) {
  const GraphFile& file = context.world.file;
  std::vector<Piece> out;
  if (!file.graph.has_coordinates()) {
    for (std::uint32_t i = 0; i < section.legs.size(); ++i) {
      out.push_back(
          {{i, 0}, 0, context.duration_of(section, i, i + 1), context.cost_of(section, i, i + 1)});
    }
    return out;
  }
  const Itinerary trip = itinerary(file.graph, file.shape, section.legs);
  std::vector<double> whole(section.legs.size(), 0);  // lengths of legs as they are drawn
  for (std::size_t i = 0; i < trip.pieces.size(); ++i) {
    const double length = distance_between(trip.kind, trip.line[i], trip.line[i + 1]);
    whole[trip.pieces[i].leg] += length;
    out.push_back({trip.pieces[i], length});
  }
  for (Piece& piece : out) {
    const std::size_t i = piece.where.leg;
    const double share = whole[i] > 0 ? piece.length / whole[i] : 0;
    piece.length = share * context.length_of({&section.legs[i], 1});
    piece.weight = share * context.cost_of(section, i, i + 1);
    piece.duration = share * context.duration_of(section, i, i + 1);
  }
  if (out.empty() && !section.legs.empty()) {  // from a place to itself
    out.push_back({{0, static_cast<std::uint32_t>(last_piece(file, section.legs[0]))}});
  }
  return out;
}

}  // namespace

std::size_t last_piece(const GraphFile& file, const Leg& leg) {
  Leg until = leg;
  until.begin = 0;
  const Itinerary trip = itinerary(file.graph, file.shape, {&until, 1});
  return trip.pieces.empty() ? 0 : trip.pieces.back().piece;
}

void write_piece_nodes(JsonText& json, const GraphFile& file, const Leg& leg, std::size_t piece) {
  write_point(json, file, leg, piece);
  write_point(json, file, leg, piece + 1);
}

void check_annotations(const GraphFile& file, const RoutingRequest& request) {
  const std::uint8_t asked = request.annotations;
  if (asked == kAllAnnotations) return;  // all there are
  if ((asked & kNodes) != 0 && !knows_nodes(file.shape)) {
    refuse("InvalidOptions",
           "this graph's file is from before ids of all nodes were kept; convert the "
           "extract again to ask for annotations=nodes");
  }
  if ((asked & (kDistance | kSpeed)) != 0 && !file.graph.has_coordinates()) {
    refuse("InvalidOptions", "this graph has no coordinates, so no distances");
  }
}

void write_annotation(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                      const Section& section) {
  const GraphFile& file = context.world.file;
  const std::uint8_t asked = request.annotations;
  const std::vector<Piece> pieces = pieces_of(context, section);
  json.open('{');
  if ((asked & kNodes) != 0 && knows_nodes(file.shape)) {
    json.key("nodes").open('[');
    if (pieces.empty() && !section.nodes.empty()) write_node(json, file, section.nodes[0]);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Leg& leg = section.legs[pieces[i].where.leg];
      if (i == 0) write_point(json, file, leg, pieces[i].where.piece);
      write_point(json, file, leg, pieces[i].where.piece + 1);
    }
    json.close(']');
  }
  const bool drawn = file.graph.has_coordinates();
  if (drawn && (asked & kDistance) != 0) {
    json.list("distance", pieces, [&](const Piece& piece) { json.rounded(piece.length, 3); });
  }
  if (drawn && (asked & kSpeed) != 0) {
    json.list("speed", pieces, [&](const Piece& piece) {
      json.rounded(piece.duration > 0 ? piece.length / piece.duration : 0, 1);
    });
  }
  if ((asked & kDuration) != 0) {
    json.list("duration", pieces, [&](const Piece& piece) { json.rounded(piece.duration, 3); });
  }
  if ((asked & kWeight) != 0) {
    json.list("weight", pieces, [&](const Piece& piece) {
      json.rounded(piece.weight * context.world.unit.scale, 3);
    });
  }
  if ((asked & kDatasources) != 0) {
    json.list("datasources", pieces, [&](const Piece& piece) {
      const ArcIndex arc = section.legs[piece.where.leg].arc;
      json.whole(context.weights()[arc] != weight_in_file(file.graph, arc));
    });
    json.key("metadata").open('{').key("datasource_names").open('[');
    json.text("file").text("updates").close(']').close('}');
  }
  json.close('}');
}

}  // namespace lodestar::server
