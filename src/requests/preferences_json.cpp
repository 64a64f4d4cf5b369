// Preferences and areas as JSON and GeoJSON.
#include <nlohmann/json.hpp>

#include "lodestar/preferences_text.h"
#include "lodestar/travel_times.h"

namespace lodestar {
namespace {

using Json = nlohmann::json;

constexpr int kDeepestGeometry = 8;  // of collections within collections

// "[json.exception.parse_error.101] parse error at line 1 …" without the brackets.
Json parsed_json(std::string_view text, const std::string& name) {
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::exception& error) {
    const std::string what = error.what();
    const std::size_t bracket = what.find("] ");
    throw Error(name + ": " + (bracket == std::string::npos ? what : what.substr(bracket + 2)));
  }
}

class PreferencesReader {
 public:
  PreferencesReader(Preferences& out, const std::string& name) : out_(out), name_(name) {}

  void read(const Json& json) {
    if (!json.is_object()) throw wrong("must be a JSON object");
    for (const auto& [key, value] : json.items()) {
      if (key == "blend") {
        read_blend(value);
      } else if (key == "avoid") {
        if (!value.is_array()) throw wrong("'avoid' must be an array");
        for (const Json& one : value) read_avoided(one);
      } else if (key == "vehicle") {
        read_vehicle(value);
      } else if (key == "depart") {
        read_depart(value);
      } else {
        throw wrong("has an unknown key '" + key + "'; keys are blend, avoid, vehicle, depart");
      }
    }
  }

  void read_areas(const Json& json, double factor, int depth = 0) {
    if (depth > kDeepestGeometry) throw wrong("geometry collections are nested too deeply");
    const Json* type = member(json, "type");
    if (type == nullptr || !type->is_string()) throw wrong("is no GeoJSON: it has no type");
    const auto& kind = type->get_ref<const std::string&>();
    if (const Json* own = member(json, "factor")) factor = factor_of(*own);
    if (kind == "FeatureCollection" || kind == "GeometryCollection") {
      const char* key = kind == "FeatureCollection" ? "features" : "geometries";
      for (const Json& one : array(json, key)) read_areas(one, factor, depth + 1);
    } else if (kind == "Feature") {
      const Json* properties = member(json, "properties");
      const Json* own = properties == nullptr ? nullptr : member(*properties, "factor");
      if (own != nullptr) factor = factor_of(*own);
      const Json* geometry = member(json, "geometry");
      if (geometry != nullptr) read_areas(*geometry, factor, depth + 1);
    } else if (kind == "Polygon") {
      add_polygon(array(json, "coordinates"), factor);
    } else if (kind == "MultiPolygon") {
      for (const Json& one : array(json, "coordinates")) add_polygon(one, factor);
    } else {
      throw wrong("has a " + kind + "; an area to avoid is a Polygon or MultiPolygon");
    }
  }

 private:
  Error wrong(const std::string& why) const { return Error(name_ + ": " + why); }
  // Errors of short texts say where they are.
  template <class F>
  void named(F&& read) const {
    try {
      read();
    } catch (const Error& error) {
      throw wrong(error.what());
    }
  }

  // A member that is not null.
  static const Json* member(const Json& json, const char* key) {
    if (!json.is_object()) return nullptr;
    const auto at = json.find(key);
    return at == json.end() || at->is_null() ? nullptr : &*at;
  }
  const Json& array(const Json& json, const char* key) const {
    const Json* found = member(json, key);
    if (found == nullptr || !found->is_array()) {
      throw wrong("GeoJSON lacks an array '" + std::string(key) + "'");
    }
    return *found;
  }
  double number(const Json& json, const std::string& what) const {
    if (!json.is_number()) throw wrong(what + " must be a number, not " + json.dump());
    return json.get<double>();
  }
  double factor_of(const Json& json) const {
    const double factor = number(json, "a factor");
    if (!(factor >= 1)) throw wrong("a factor must be at least 1; leave it out to close");
    return factor;
  }

  void read_blend(const Json& json) {
    if (!json.is_object()) throw wrong("'blend' must be an object such as {\"time\": 1}");
    for (const auto& [metric, share] : json.items()) {
      out_.blend.push_back({metric, number(share, "the share of " + metric)});
    }
  }

  void read_vehicle(const Json& json) {
    if (!json.is_object()) throw wrong("'vehicle' must be an object such as {\"height\": 3.8}");
    for (const auto& [key, value] : json.items()) {
      const double size = number(value, key);
      if (key == "height") {
        out_.vehicle.height = size;
      } else if (key == "width") {
        out_.vehicle.width = size;
      } else if (key == "weight") {
        out_.vehicle.weight = size;
      } else {
        throw wrong("a vehicle has no '" + key + "'; it has height, width and weight");
      }
    }
  }

  void read_depart(const Json& json) {
    if (json.is_number()) {
      out_.depart = json.get<double>();  // seconds after midnight
    } else if (json.is_string()) {
      named([&] { out_.depart = TravelTimes::parse_time(json.get_ref<const std::string&>()); });
    } else {
      throw wrong("'depart' must be a time such as \"08:30\"");
    }
  }

  void read_avoided(const Json& json) {
    if (json.is_string()) {
      named([&] { add_avoided(out_, json.get_ref<const std::string&>()); });
      return;
    }
    if (member(json, "type") != nullptr) {
      read_areas(json, kInfinity);
      return;
    }
    const Json* factor_given = member(json, "factor");
    const double factor = factor_given == nullptr ? kInfinity : factor_of(*factor_given);
    std::size_t known = json.is_object() ? json.count("factor") : 0;
    if (const Json* name = member(json, "class"); name != nullptr && name->is_string()) {
      ++known;
      out_.classes.push_back({name->get<std::string>(), factor});
    } else if (const Json* way = member(json, "way"); way != nullptr && way->is_number_integer()) {
      ++known;
      out_.ways.push_back({way->get<std::int64_t>(), factor});
    } else if (const Json* circle = member(json, "circle");
               circle != nullptr && circle->is_array() && circle->size() == 3) {
      ++known;
      const auto part = [&](std::size_t i) { return number((*circle)[i], "a circle's part"); };
      out_.circles.push_back({{part(0), part(1)}, part(2), factor});
    } else if (const Json* arc = member(json, "arc"); arc != nullptr && arc->is_number_unsigned()) {
      ++known;
      const auto index = arc->get<std::uint64_t>();
      if (index > UINT32_MAX) throw wrong("arc " + std::to_string(index) + " is out of range");
      const Json* extra = member(json, "extra");
      known += json.count("extra");
      // Only an extra cost: the arc stays open.
      const bool closes = factor_given == nullptr && extra == nullptr;
      out_.arcs.push_back({static_cast<ArcIndex>(index),
                           factor_given == nullptr && !closes ? 1 : factor,
                           extra == nullptr ? 0 : number(*extra, "an extra cost")});
    }
    if (known == 0 || known != json.size() || (known == 1 && json.contains("factor"))) {
      throw wrong("cannot avoid " + json.dump(-1, ' ', false, Json::error_handler_t::replace) +
                  "; write a class, way/ID, x,y,radius, GeoJSON, or an object with class, way, "
                  "circle or arc");
    }
  }

  void add_polygon(const Json& json, double factor) {
    if (!json.is_array() || json.empty()) {
      throw wrong("the rings of a polygon must be an array with at least one ring");
    }
    Preferences::Polygon polygon;
    polygon.factor = factor;
    for (const Json& ring : json) {
      if (!ring.is_array()) throw wrong("a ring of a polygon must be an array of positions");
      auto& points = polygon.rings.emplace_back();
      for (const Json& position : ring) {
        if (!position.is_array() || position.size() < 2) {
          throw wrong("a position must be an array of two numbers");
        }
        points.push_back(
            {number(position[0], "a coordinate"), number(position[1], "a coordinate")});
      }
    }
    out_.polygons.push_back(std::move(polygon));
  }

  Preferences& out_;
  const std::string& name_;
};

}  // namespace

Preferences parse_preferences(std::string_view json, const std::string& name) {
  Preferences made;
  PreferencesReader(made, name).read(parsed_json(json, name));
  return made;
}

void add_areas(Preferences& preferences, std::string_view geojson, const std::string& name,
               double factor) {
  const std::size_t before = preferences.polygons.size();
  PreferencesReader(preferences, name).read_areas(parsed_json(geojson, name), factor);
  if (preferences.polygons.size() == before) throw Error(name + ": has no polygon");
}

}  // namespace lodestar
