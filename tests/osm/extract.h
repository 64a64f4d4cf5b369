// A small OpenStreetMap extract, made by hand or by a generator, written as a real file.
//
//   Extract town;
//   town.node(1, 9.520, 47.140).node(2, 9.521, 47.140);
//   town.way(10, {1, 2}, {{"highway", "residential"}, {"name", "Lane"}});
//   town.write("town.osm.pbf");                       // or .osm, .osm.gz, .osm.bz2
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lodestar::osm {

using Tags = std::vector<std::pair<std::string, std::string>>;

struct ExtractMember {
  char type;  // 'n', 'w' or 'r'
  std::int64_t id;
  std::string role;
};

class Extract {
 public:
  Extract& node(std::int64_t id, double lon, double lat, Tags tags = {});
  Extract& way(std::int64_t id, std::vector<std::int64_t> nodes, Tags tags);
  Extract& relation(std::int64_t id, std::vector<ExtractMember> members, Tags tags);
  // type=restriction from way to way at a node.
  Extract& restriction(std::int64_t id, const std::string& what, std::int64_t from,
                       std::int64_t via, std::int64_t to, Tags more = {});

  // Objects in the order they were added unless sorted: nodes, ways, relations.
  void write(const std::string& path, bool sorted = true) const;

 private:
  struct Object {
    char type;
    std::int64_t id;
    double lon, lat;
    std::vector<ExtractMember> members;  // of ways: nodes without roles
    Tags tags;
  };
  std::vector<Object> objects_;
};

}  // namespace lodestar::osm
