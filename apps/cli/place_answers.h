// `lodestar solve` by place: coordinates in, streets and lines out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer.h"
#include "lodestar/graph.h"
#include "lodestar/graph_io.h"
#include "lodestar/itinerary.h"
#include "lodestar/router.h"
#include "lodestar/types.h"

namespace lodestar::cli {

// Queries between places, as `solve` reads them.
struct PlaceQuery {
  std::string from;  // as written
  std::string to;
  Point start;
  Point goal;
  std::optional<Cost> expected = {};
};

// Whether a query file's first line, or the one below a header, names places.
bool names_places(const std::string& path);
// Throws Error with file and line.
std::vector<PlaceQuery> read_place_queries(const std::string& path, CoordinateKind kind);
// One query, or those of a file if its name is not empty.
std::vector<PlaceQuery> place_queries(const std::string& from, const std::string& to,
                                      const std::string& file, CoordinateKind kind);

struct MapOptions {
  std::string geojson;  // files to write; empty: none
  std::string gpx;
  int polyline = 0;  // digits: 5 or 6; 0: none
  double snap = 0;   // how far a road may be from a place; 0: Places' own limit

  bool wanted() const { return !geojson.empty() || !gpx.empty() || polyline != 0; }
};

struct PlaceRequest {
  std::string from;  // two places, or
  std::string to;
  std::string queries;  // a file of them
  AnswerOptions answer;
  MapOptions map;
  bool json = false;
  unsigned threads = 1;
  std::vector<std::string> notes;  // what every answer depends on
};

// Whether the question is about places: "9.52,47.14" where no node is called so, and no cell.
bool asks_by_place(const GraphFile& file, const PlaceRequest& request);
// Answers, prints, writes; returns the exit code.
int solve_places(const GraphFile& file, const Router& router, const PlaceRequest& request);

// Writes the map files.
void write_maps(const std::vector<Itinerary>& trips, const MapOptions& map);
// Writes the map files of paths between nodes and prints polylines. Routes that were not found
// are left out.
void map_paths(const GraphFile& file, const std::vector<Answer>& answers, const MapOptions& map);

// Lengths, times and streets of a route as text.
double tenth(double value);  // with one decimal
std::string length_text(CoordinateKind kind, double length);
std::string duration_text(double seconds);  // "4 min 10 s", "1 h 02 min"
std::string streets_text(const Itinerary& trip);
// Distance, duration and streets.
void add_trip(nlohmann::ordered_json& out, const Itinerary& trip);

}  // namespace lodestar::cli
