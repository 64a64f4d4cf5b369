// What is known of every piece of a route's line.
#pragma once

#include "json_text.h"
#include "request_context.h"

namespace lodestar::server {

// OSM ids of the nodes around piece `piece` of an arc's line, or the names of its ends.
void write_piece_nodes(JsonText& json, const GraphFile& file, const Leg& leg, std::size_t piece);
// The piece of an arc's line where the leg ends.
std::size_t last_piece(const GraphFile& file, const Leg& leg);

// Throws Refusal when something was asked for that this graph does not know.
void check_annotations(const GraphFile& file, const RoutingRequest& request);
// An object with one list for each bit of request.annotations.
void write_annotation(JsonText& json, const RequestContext& context, const RoutingRequest& request,
                      const Section& section);

}  // namespace lodestar::server
