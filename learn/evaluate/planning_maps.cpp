// The formats of map files: text, .npz of Neural A*, and .map of MovingAI and SaIL.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/npz.h"
#include "formats/bytes.h"
#include "formats/scanner.h"
#include "learn/evaluate/planning.h"
#include "lodestar/search.h"

namespace lodestar::evaluate {
namespace {

namespace fs = std::filesystem;

using formats::Lines;

std::vector<std::int32_t> numbers(std::string_view line, const Lines& lines) {
  std::vector<std::int32_t> out;
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at < end && *at == ' ') ++at;
    if (at == end) return out;
    std::int32_t value = 0;
    const auto [next, code] = std::from_chars(at, end, value);
    if (code != std::errc{}) lines.fail("not a whole number");
    out.push_back(value);
    at = next;
  }
}

// The name up to its first digit; a file that begins with one is named by its folder.
std::string family_of(const fs::path& path) {
  std::string name = path.filename().string();
  name.erase(std::min(name.find_first_of("0123456789."), name.size()));
  if (name.empty()) name = path.parent_path().filename().string();
  while (name.ends_with('_')) name.pop_back();
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::vector<PlanningMap> read_text(const std::string& path) {
  const formats::Bytes bytes = formats::load_bytes(path);
  Lines lines(bytes.text(), path, formats::kMaxRow);
  std::vector<PlanningMap> maps;
  bool more = lines.next_content("#");
  while (more) {
    const std::vector<std::int32_t> head = numbers(lines.line(), lines);
    if (head.size() != 3 || head[1] < 0 || head[2] < 0) {
      lines.fail("expected 'number goal_row goal_column'");
    }
    PlanningMap map;
    map.family = family_of(path);
    for (std::string_view line; (more = lines.next_content("#"));) {
      line = lines.line();
      if (line[0] != '.' && line[0] != '@') break;
      if (map.height > 0 && line.size() != map.width) lines.fail("rows differ in length");
      map.width = static_cast<NodeId>(line.size());
      ++map.height;
      for (const char c : line) {
        if (c != '.' && c != '@') lines.fail("a map has cells . and @ only");
        map.free.push_back(c == '.' ? 1 : 0);
      }
    }
    for (NodeId row = 0; row < map.height; ++row) {
      if (!more) lines.fail("the rows of distances are missing");
      const std::vector<std::int32_t> costs = numbers(lines.line(), lines);
      if (costs.size() != map.width) lines.fail("a row of distances has another length");
      map.cost.insert(map.cost.end(), costs.begin(), costs.end());
      more = lines.next_content("#");
    }
    const auto row = static_cast<NodeId>(head[1]), column = static_cast<NodeId>(head[2]);
    if (row >= map.height || column >= map.width) lines.fail("the goal lies outside the map");
    map.goal = row * map.width + column;
    if (map.free[map.goal] == 0) lines.fail("the goal is blocked");
    maps.push_back(std::move(map));
  }
  if (maps.empty()) throw Error(path + ": holds no maps");
  return maps;
}

// Arrays arr_8 to arr_11 are maps, goals, directions and negative distances of the test split.
std::vector<PlanningMap> read_npz(const std::string& path) {
  const formats::Bytes bytes = formats::load_bytes(path);
  const NpyArray cells = read_npz_array(bytes.text(), "arr_8", path);
  const NpyArray goals = read_npz_array(bytes.text(), "arr_9", path);
  const NpyArray costs = read_npz_array(bytes.text(), "arr_11", path);
  if (cells.shape.size() != 3 || goals.values.size() != cells.values.size() ||
      costs.values.size() != cells.values.size()) {
    throw Error(path + ": arr_8, arr_9 and arr_11 are not maps, goals and distances of one size");
  }
  const std::size_t size = cells.shape[1] * cells.shape[2];
  constexpr double kNoPath = -1024;
  std::vector<PlanningMap> maps;
  for (std::size_t begin = 0; begin < cells.values.size(); begin += size) {
    PlanningMap map;
    map.family = family_of(path);
    map.width = static_cast<NodeId>(cells.shape[2]);
    map.height = static_cast<NodeId>(cells.shape[1]);
    for (NodeId c = 0; c < size; ++c) {
      map.free.push_back(cells.values[begin + c] != 0 ? 1 : 0);
      if (goals.values[begin + c] != 0) map.goal = c;
      const double cost = costs.values[begin + c];
      if (!(cost <= 0)) throw Error(path + ": arr_11 has a distance that is not 0 or negative");
      map.cost.push_back(cost <= kNoPath ? -1 : static_cast<std::int32_t>(-cost));
    }
    if (map.goal == kNoNode || map.free[map.goal] == 0) {
      throw Error(path + ": map " + std::to_string(maps.size()) + " has no goal on a free cell");
    }
    maps.push_back(std::move(map));
  }
  return maps;
}

// MovingAI's format. Maps above kLargest are cut to a window of kWindow; the goal is a random cell
// that at least half of the free cells reach, or of twenty the one that most reach. Both are drawn
// from a seed made of the content.
std::vector<PlanningMap> read_map(const std::string& path) {
  constexpr NodeId kLargest = 256, kWindow = 128;
  const formats::Bytes bytes = formats::load_bytes(path);
  Lines lines(bytes.text(), path, formats::kMaxRow);
  std::vector<std::string_view> rows;
  bool in_map = false;
  std::vector<std::int32_t> height, width;
  while (lines.next_content("#")) {
    const std::string_view line = lines.line();
    if (in_map) {
      if (!rows.empty() && line.size() != rows[0].size()) lines.fail("rows differ in length");
      rows.push_back(line);
    } else if (line.starts_with("height ")) {
      height = numbers(line.substr(7), lines);
    } else if (line.starts_with("width ")) {
      width = numbers(line.substr(6), lines);
    }
    if (line == "map") in_map = true;
  }
  if (rows.empty()) throw Error(path + ": has no map");
  if (height != std::vector{static_cast<std::int32_t>(rows.size())} ||
      width != std::vector{static_cast<std::int32_t>(rows[0].size())}) {
    lines.fail("the map has " + std::to_string(rows.size()) + " rows of " +
               std::to_string(rows[0].size()) + " cells, other than height and width say");
  }
  std::uint64_t seed = rows.size();
  for (const std::string_view row : rows) {
    for (const char c : row) seed = mix64(seed + static_cast<unsigned char>(c));
  }
  Rng rng(seed);
  const auto side = [](std::size_t all) {
    return all > kLargest ? kWindow : static_cast<NodeId>(all);
  };
  PlanningMap map;
  map.family = family_of(path);
  map.width = side(rows[0].size());
  map.height = side(rows.size());
  PlanningMap best;
  std::size_t most = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const auto left = rng.below(static_cast<std::uint32_t>(rows[0].size()) - map.width + 1);
    const auto top = rng.below(static_cast<std::uint32_t>(rows.size()) - map.height + 1);
    map.free.clear();
    for (NodeId y = 0; y < map.height; ++y) {
      for (NodeId x = 0; x < map.width; ++x) {
        map.free.push_back(std::string_view(".GS").find(rows[top + y][left + x]) !=
                           std::string_view::npos);
      }
    }
    std::vector<NodeId> cells;
    for (NodeId c = 0; c < map.free.size(); ++c) {
      if (map.free[c] != 0) cells.push_back(c);
    }
    if (cells.size() < map.free.size() / 10) continue;  // a window of walls
    map.goal = cells[rng.below(static_cast<std::uint32_t>(cells.size()))];
    const PlanningTask task(map);
    std::size_t reached = 0;
    for (NodeId v = 0; v < cells.size(); ++v) reached += task.distance(v) < kInfinity ? 1 : 0;
    if (reached > most) {
      most = reached;
      best = map;
    }
    if (2 * reached >= cells.size()) break;
  }
  if (most < 2) throw Error(path + ": no goal that other cells reach");
  return {best};
}

struct MapFormat {
  const char* ending;
  std::vector<PlanningMap> (*read)(const std::string&);
};
constexpr MapFormat kMapFormats[] = {
    {".test.txt", read_text}, {".npz", read_npz}, {".map", read_map}};

const MapFormat* map_format(const std::string& path) {
  for (const MapFormat& format : kMapFormats) {
    if (formats::without_compression(path).ends_with(format.ending)) return &format;
  }
  return nullptr;
}

}  // namespace

std::vector<PlanningMap> read_planning_maps(const std::string& path) {
  const MapFormat* format = map_format(path);
  if (format == nullptr) throw Error(path + ": maps are files *.test.txt, *.npz or *.map");
  return format->read(path);
}

std::vector<PlanningMap> read_planning_folder(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; at != end; at.increment(failed)) {
    if (map_format(at->path().string()) != nullptr) files.push_back(at->path().string());
  }
  if (failed) throw Error(folder + ": " + failed.message());
  if (files.empty()) throw Error(folder + ": has no files *.test.txt, *.npz or *.map");
  std::sort(files.begin(), files.end());
  std::vector<PlanningMap> maps;
  std::set<std::string> whole;  // families of which a file with many maps was read
  for (const std::string& file : files) {
    const std::string family = family_of(file);
    if (whole.contains(family)) continue;
    if (!formats::without_compression(file).ends_with(".map")) whole.insert(family);
    for (PlanningMap& map : read_planning_maps(file)) maps.push_back(std::move(map));
  }
  std::stable_sort(maps.begin(), maps.end(),
                   [](const PlanningMap& a, const PlanningMap& b) { return a.family < b.family; });
  return maps;
}

}  // namespace lodestar::evaluate
