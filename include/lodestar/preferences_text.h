// Preferences as text: JSON, and the short forms that the program and the server accept.
//
//   Preferences wish = parse_preferences(R"({"blend": {"time": 1, "length": 0.02},
//                                            "avoid": ["toll", "ferry=2", "9.52,47.14,500"],
//                                            "vehicle": {"height": 3.8}, "depart": "08:30"})");
//   add_avoided(wish, "way/4711=3");
//
// What is to be avoided is a text or an object:
//
//   "toll"  "ferry=2"                     a class; with a factor, otherwise closed
//   "way/4711"  "way/4711=3"              an OpenStreetMap way
//   "9.52,47.14,500"  "9.52,47.14,500=3"  a circle: x, y and radius in metres
//   {"class": "ferry", "factor": 2}  {"way": 4711}  {"circle": [9.52, 47.14, 500]}
//   {"arc": 17, "factor": 2, "extra": 30}
//   {"type": "Polygon", …}                GeoJSON: Polygon, MultiPolygon, GeometryCollection,
//   Feature
//                                         or FeatureCollection; a factor is a property "factor"
//
// All functions throw Error if the text is malformed. Whether the graph has what is named is
// checked when a router receives the preferences.
#pragma once

#include <string>
#include <string_view>

#include "lodestar/preferences.h"

namespace lodestar {

// `name` is the file or parameter, for messages.
Preferences parse_preferences(std::string_view json, const std::string& name = "preferences");

// Adds one of the texts above.
void add_avoided(Preferences& preferences, std::string_view text);
// Adds the polygons of a GeoJSON text. `factor` applies to those without a factor of their own.
void add_areas(Preferences& preferences, std::string_view geojson, const std::string& name,
               double factor = kInfinity);
// In the following texts a colon serves as well as an equals sign, which URLs use otherwise.
// Replaces the blend by "time=1,length=0.02". A metric without a number has the share 1.
void set_blend(Preferences& preferences, std::string_view text);
// Adds the factors of classes "ferry=2,track=1.5".
void add_factors(Preferences& preferences, std::string_view text);
// Sets the vehicle from "height=3.8,width=2.5,weight=12", in metres and tonnes.
void set_vehicle(Preferences& preferences, std::string_view text);

// "area.geojson=3" without its factor, which is infinite if there is none.
struct WithFactor {
  std::string what;
  double factor = kInfinity;
};
WithFactor split_factor(std::string_view text);

}  // namespace lodestar
