#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "learn/evaluate/grid.h"

namespace lodestar::evaluate {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Field {
  const char* name;
  double Sample::*member;
};
constexpr Field kCounts[] = {
    {"iterations", &Sample::iterations}, {"reopened", &Sample::reopened},
    {"distance", &Sample::distance},     {"gap", &Sample::gap},
    {"violated", &Sample::violated},     {"arcs", &Sample::arcs},
    {"dijkstra", &Sample::dijkstra},     {"path", &Sample::path},
    {"closed", &Sample::closed},
};
constexpr Field kTimes[] = {
    {"preparation", &Sample::preparation_seconds}, {"heuristic", &Sample::heuristic_seconds},
    {"closure", &Sample::closure_seconds},         {"search", &Sample::search_seconds},
    {"dijkstra", &Sample::dijkstra_seconds},
};
constexpr const char* kCountFile = "cells.jsonl";
constexpr const char* kTimeFile = "times.jsonl";

// Whole numbers without a point.
Json number(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

template <std::size_t N>
Json to_json(const std::string& key, const std::vector<Sample>& samples, const Field (&fields)[N]) {
  Json line;
  line["key"] = key;
  for (const Field& field : fields) {
    Json& values = line[field.name] = Json::array();
    for (const Sample& sample : samples) values.push_back(number(sample.*field.member));
  }
  return line;
}

template <std::size_t N>
void from_json(const Json& line, std::vector<Sample>& samples, const Field (&fields)[N]) {
  for (const Field& field : fields) {
    const Json& values = line.at(field.name);
    samples.resize(values.size());
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].*field.member = values[i];
  }
}

// Calls use(line) for every whole line, and cuts off what a kill left of the last one.
template <class Use>
void each_line(const std::string& path, Use&& use) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return;
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  in.close();
  std::size_t begin = 0, number = 1;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    try {
      use(Json::parse(text.substr(begin, end - begin)));
    } catch (const nlohmann::json::exception&) {
      throw Error::at(
          path, number,
          "this is not a cell of `lodestar reproduce`; choose another folder, or remove the file");
    }
    ++number;
  }
  if (begin < text.size()) fs::resize_file(path, begin);
}

}  // namespace

std::string cell_key(const std::string& build, const SearchPlan& search, const Split& split,
                     const Method& method) {
  return "build " + build + "; search " + search.identity() + "; split " + to_string(split) +
         "; contender " + method.identity();
}

CellStore::CellStore(const std::string& folder) : folder_(folder) {
  if (folder_.empty()) return;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) throw Error(folder_ + ": cannot be made: " + failed.message());
  std::map<std::string, std::vector<Sample>> counts;
  each_line((fs::path(folder_) / kCountFile).string(),
            [&](const Json& line) { from_json(line, counts[line.at("key")], kCounts); });
  // A cell is finished when both its lines are there.
  each_line((fs::path(folder_) / kTimeFile).string(), [&](const Json& line) {
    const auto found = counts.find(line.at("key"));
    if (found == counts.end()) return;
    from_json(line, found->second, kTimes);
    cells_.insert(counts.extract(found));
  });
}

const std::vector<Sample>* CellStore::find(const std::string& key) const {
  const auto found = cells_.find(key);
  return found == cells_.end() ? nullptr : &found->second;
}

void CellStore::append(const std::string& file, const std::string& line) const {
  const std::string path = (fs::path(folder_) / file).string();
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << line << '\n';
  out.flush();
  if (!out) throw Error(path + ": cannot be written; is the disk full?");
}

void CellStore::add(const std::string& key, std::vector<Sample> samples) {
  if (!folder_.empty()) {
    append(kCountFile, to_json(key, samples, kCounts).dump());
    append(kTimeFile, to_json(key, samples, kTimes).dump());
  }
  cells_[key] = std::move(samples);
}

}  // namespace lodestar::evaluate
