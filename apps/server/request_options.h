// The options of a routing request, as a URL has them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "limits.h"
#include "lodestar/preferences.h"
#include "request.h"

namespace lodestar::server {

// Sets one option. Throws Refusal if it is unknown at this endpoint or its value is invalid.
void set_option(const std::string& name, const std::string& value, RoutingRequest& out,
                const Limits& limits);

// Options that give a request weights of its own: what to avoid, a blend of metrics, a vehicle, a
// time of departure.
//
//   if (is_preference(name)) set_preference(name, value, request.preferences, limits);
//
// Only the syntax is checked here. The router looks names up and checks numbers.
bool is_preference(std::string_view name);
// The value as in a URL. Throws Refusal.
void set_preference(std::string_view name, std::string_view value, Preferences& out,
                    const Limits& limits);
// Adds the polygons of a GeoJSON geometry, a Polygon or a MultiPolygon. Throws Refusal.
void add_polygons(const nlohmann::json& geometry, Preferences& out, const Limits& limits);

}  // namespace lodestar::server
