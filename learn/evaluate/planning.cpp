#include "learn/evaluate/planning.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "formats/bytes.h"
#include "lodestar/search.h"

namespace lodestar::evaluate {
namespace {

namespace fs = std::filesystem;

class Lines {
 public:
  Lines(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {}

  bool next(std::string_view& line) {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty() && !line.starts_with('#')) return true;
    }
    return false;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(name_ + ":" + std::to_string(number_) + ": " + what);
  }

 private:
  std::string_view rest_;
  std::string name_;
  std::size_t number_ = 0;
};

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

std::string family_of(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  name.erase(std::min(name.find_first_of("0123456789."), name.size()));
  while (name.ends_with('_')) name.pop_back();
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

std::vector<PlanningMap> read_planning_maps(const std::string& path) {
  const formats::Bytes bytes = formats::load_bytes(path);
  Lines lines(bytes.text(), path);
  std::vector<PlanningMap> maps;
  std::string_view line;
  bool more = lines.next(line);
  while (more) {
    const std::vector<std::int32_t> head = numbers(line, lines);
    if (head.size() != 3 || head[1] < 0 || head[2] < 0) {
      lines.fail("expected 'number goal_row goal_column'");
    }
    PlanningMap map;
    map.family = family_of(path);
    while ((more = lines.next(line)) && (line[0] == '.' || line[0] == '@')) {
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
      const std::vector<std::int32_t> costs = numbers(line, lines);
      if (costs.size() != map.width) lines.fail("a row of distances has another length");
      map.cost.insert(map.cost.end(), costs.begin(), costs.end());
      more = lines.next(line);
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

std::vector<PlanningMap> read_planning_folder(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string path = entry.path().string();
    if (formats::without_compression(path).ends_with(".test.txt")) files.push_back(path);
  }
  if (failed) throw Error(folder + ": " + failed.message());
  if (files.empty()) throw Error(folder + ": has no files *.test.txt, *.test.txt.xz or .gz");
  std::sort(files.begin(), files.end());
  std::vector<PlanningMap> maps;
  for (const std::string& file : files) {
    for (PlanningMap& map : read_planning_maps(file)) maps.push_back(std::move(map));
  }
  return maps;
}

PlanningMap tiled_map(const std::vector<PlanningMap>& maps, NodeId side, Rng& rng) {
  PlanningMap out;
  const NodeId width = maps.at(0).width, height = maps[0].height;
  out.width = side * width;
  out.height = side * height;
  out.family = "tiled " + std::to_string(out.width) + " × " + std::to_string(out.height);
  out.free.resize(std::size_t{out.width} * out.height);
  for (NodeId i = 0; i < side * side; ++i) {
    const PlanningMap& tile = maps[rng.below(static_cast<std::uint32_t>(maps.size()))];
    if (tile.width != width || tile.height != height) {
      throw Error("maps to be tiled must have one size");
    }
    for (NodeId row = 0; row < height; ++row) {
      const NodeId to = ((i / side) * height + row) * out.width + (i % side) * width;
      std::copy_n(tile.free.data() + std::size_t{row} * width, width, out.free.data() + to);
    }
  }
  do {
    out.goal = rng.below(static_cast<std::uint32_t>(out.free.size()));
  } while (out.free[out.goal] == 0);
  return out;
}

PlanningTask::PlanningTask(const PlanningMap& map) : width_(map.width) {
  std::vector<NodeId> node(map.free.size(), kNoNode);
  for (NodeId c = 0; c < map.free.size(); ++c) {
    if (map.free[c] == 0) continue;
    node[c] = static_cast<NodeId>(cell_.size());
    cell_.push_back(c);
  }
  GraphBuilder builder(static_cast<NodeId>(cell_.size()));
  const auto join = [&](NodeId from, NodeId x, NodeId y) {
    if (x >= map.width || y >= map.height) return;
    const NodeId to = node[y * map.width + x];
    if (to != kNoNode) builder.add_edge(node[from], to, 1);
  };
  for (const NodeId c : cell_) {
    const NodeId x = c % map.width, y = c / map.width;
    join(c, x + 1, y);
    join(c, x, y + 1);
    join(c, x + 1, y + 1);
    join(c, x - 1, y + 1);  // wraps beyond the width when x is 0
  }
  graph_ = builder.build();
  goal_ = node[map.goal];
  Searcher searcher(graph_);
  searcher.run_all(goal_);
  for (NodeId v = 0; v < graph_.node_count(); ++v) {
    distance_.push_back(searcher.distance(v));
    if (map.cost.empty()) continue;
    const std::int32_t given = map.cost[cell_[v]];
    if (given < 0 ? distance_[v] < kInfinity : distance_[v] != given) {
      throw Error(map.family + ": a distance of the file differs from the graph's");
    }
  }
}

std::vector<NodeId> PlanningTask::starts(Rng& rng) const {
  std::vector<NodeId> order;
  for (NodeId v = 0; v < graph_.node_count(); ++v) {
    if (v != goal_ && distance_[v] < kInfinity) order.push_back(v);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return distance_[a] < distance_[b]; });
  std::vector<NodeId> out;
  constexpr double kBands[] = {0.55, 0.70, 0.85, 1.0};
  for (int band = 0; band < 3; ++band) {
    const auto at = [&](double share) {
      return static_cast<std::uint32_t>(share * static_cast<double>(order.size()));
    };
    const std::uint32_t low = at(kBands[band]), high = at(kBands[band + 1]);
    if (high > low) out.push_back(order[low + rng.below(high - low)]);
  }
  return out;
}

double PlanningTask::chebyshev(NodeId v) const {
  const auto apart = [](NodeId a, NodeId b) { return a > b ? a - b : b - a; };
  const NodeId c = cell_[v], g = cell_[goal_];
  return std::max(apart(c % width_, g % width_), apart(c / width_, g / width_));
}

}  // namespace lodestar::evaluate
