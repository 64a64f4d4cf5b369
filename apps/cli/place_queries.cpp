#include <charconv>
#include <fstream>

#include "lodestar/places.h"
#include "place_answers.h"

namespace lodestar::cli {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  const char separator = line.find('\t') != std::string::npos ? '\t' : ' ';
  std::size_t at = 0;
  while (at <= line.size()) {
    const std::size_t stop = std::min(line.find(separator, at), line.size());
    if (stop > at) fields.push_back(line.substr(at, stop - at));
    at = stop + 1;
  }
  return fields;
}

// The next line with something on it; false at the end.
bool next_line(std::ifstream& in, std::string& line, std::uint64_t& number) {
  while (std::getline(in, line)) {
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty() && line.front() != '#') return true;
  }
  return false;
}

}  // namespace

bool names_places(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::uint64_t number = 0;
  if (!next_line(in, line, number)) return false;
  const std::vector<std::string> fields = fields_of(line);
  if (!fields.empty() && looks_like_place(fields[0])) return true;
  // A header may stand above.
  if (!next_line(in, line, number)) return false;
  const std::vector<std::string> second = fields_of(line);
  return !second.empty() && looks_like_place(second[0]);
}

std::vector<PlaceQuery> read_place_queries(const std::string& path, CoordinateKind kind) {
  std::ifstream in(path);
  if (!in) throw Error(path + ": cannot be read");
  std::vector<PlaceQuery> out;
  std::string line;
  std::uint64_t number = 0;
  while (next_line(in, line, number)) {
    const std::vector<std::string> fields = fields_of(line);
    if (out.empty() && !fields.empty() && (fields[0] == "from" || fields[0] == "source")) continue;
    if (fields.size() < 2) {
      throw Error::at(path, number, "`LON,LAT LON,LAT [COST]` expected");
    }
    PlaceQuery query{fields[0], fields[1], {}, {}};
    try {
      query.start = parse_place(query.from, kind);
      query.goal = parse_place(query.to, kind);
    } catch (const Error& error) {
      throw Error::at(path, number, error.what());
    }
    if (fields.size() > 2) {
      double cost = 0;
      const char* end = fields[2].data() + fields[2].size();
      const auto [stop, failed] = std::from_chars(fields[2].data(), end, cost);
      if (failed != std::errc() || stop != end || !(cost >= 0)) {
        throw Error::at(path, number, "'" + fields[2] + "' is no cost");
      }
      query.expected = cost;
    }
    out.push_back(std::move(query));
  }
  return out;
}

std::vector<PlaceQuery> place_queries(const std::string& from, const std::string& to,
                                      const std::string& file, CoordinateKind kind) {
  if (!file.empty()) return read_place_queries(file, kind);
  return {{from, to, parse_place(from, kind), parse_place(to, kind)}};
}

}  // namespace lodestar::cli
