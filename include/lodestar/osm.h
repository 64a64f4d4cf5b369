// Reads OpenStreetMap extracts as graphs: .osm.pbf, .osm, .osm.gz, .osm.bz2. Link lodestar::osm.
//
//   add_osm_format();                                 // once; read_graph then reads extracts
//   const GraphFile town = read_graph("town.osm.pbf", {.profile = "bicycle", .turns = true});
//
// Weights are integers in units of 0.1 s (ReadOptions::weight "time", the default) or 0.1 m
// ("length"). GraphFile::shape has lines, streets and OSM ids. docs/guide/openstreetmap.md has the
// rules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph_io.h"

namespace lodestar {

// Adds the format to the table of graph_formats.h. Further calls do nothing.
void add_osm_format();

GraphFile read_osm(const std::string& path, const ReadOptions& options = {});
// Reads from memory; `name` selects the format and appears in errors.
GraphFile parse_osm(std::string_view bytes, const std::string& name,
                    const ReadOptions& options = {});

// What a map draws below the roads.
struct MapArea {
  enum Kind : std::uint8_t { kWater, kGreen, kWood, kSea, kStream };
  Kind kind = kWater;
  // Closed lines, filled by the even-odd rule. A stream is one open line; the sea is open lines
  // with the water on their right.
  std::vector<std::vector<FixedPoint>> lines;
};
// Water, parks, woods, coasts and streams of an extract. Areas that the extract cuts off are left
// out.
std::vector<MapArea> read_osm_areas(const std::string& path, const ReadOptions& options = {});

}  // namespace lodestar
