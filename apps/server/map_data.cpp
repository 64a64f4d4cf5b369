// The viewer's base map: names of streets, water, parks and woods, the sea.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "served_graph.h"
#include "viewer_data.h"
#include "viewer_frame.h"

namespace lodestar::server {
namespace {

using Line = std::vector<Point>;

// Around the box of 1, with a margin that no screen shows at rest.
constexpr double kLow = -4, kHigh = 5, kSide = kHigh - kLow;

bool is_inside(Point p) {
  return p.x > kLow && p.x < kHigh && p.y > kLow && p.y < kHigh;
}

// Clockwise along the frame from its lower left corner, 0 … 4: the place next to p.
double along_frame(Point p) {
  const double left = p.x - kLow, right = kHigh - p.x, down = p.y - kLow, up = kHigh - p.y;
  const double least = std::min({left, right, down, up});
  const auto share = [](double d) { return std::clamp(d / kSide, 0.0, 1.0); };
  if (least == left) return share(down);
  if (least == up) return 1 + share(left);
  if (least == right) return 2 + share(up);
  return 3 + share(right);
}

Point on_frame(double at) {
  const double t = at - std::floor(at);
  switch (static_cast<int>(std::floor(at)) % 4) {
    case 0:
      return {kLow, kLow + t * kSide};
    case 1:
      return {kLow + t * kSide, kHigh};
    case 2:
      return {kHigh, kHigh - t * kSide};
    default:
      return {kHigh - t * kSide, kLow};
  }
}

// The part of a line from p to q within the frame, as shares of it (Liang, Barsky 1984).
std::optional<std::pair<double, double>> clipped(Point p, Point q) {
  double from = 0, to = 1;
  const double dx = q.x - p.x, dy = q.y - p.y;
  for (const auto& [slope, room] : {std::pair{-dx, p.x - kLow}, std::pair{dx, kHigh - p.x},
                                    std::pair{-dy, p.y - kLow}, std::pair{dy, kHigh - p.y}}) {
    if (slope == 0 && room < 0) return std::nullopt;
    if (slope < 0) from = std::max(from, room / slope);
    if (slope > 0) to = std::min(to, room / slope);
  }
  if (from >= to) return std::nullopt;
  return std::pair{from, to};
}

// The sea lies on the right of a coast: lines that leave the frame are joined clockwise along it.
std::vector<Line> sea_of(const std::vector<Line>& coasts) {
  std::vector<Line> out, open;
  bool enclosed = false;
  for (const Line& coast : coasts) {
    const bool ring = coast.front().x == coast.back().x && coast.front().y == coast.back().y;
    if (ring && std::all_of(coast.begin(), coast.end(), is_inside)) {
      double area = 0;
      for (std::size_t i = 0; i + 1 < coast.size(); ++i) {
        area += coast[i].x * coast[i + 1].y - coast[i + 1].x * coast[i].y;
      }
      enclosed = enclosed || area < 0;
      out.push_back(coast);
      continue;
    }
    Line part;
    for (std::size_t i = 0; i + 1 < coast.size(); ++i) {
      const auto inner = clipped(coast[i], coast[i + 1]);
      if (!inner) continue;
      const auto [from, to] = *inner;
      const Point p = coast[i], q = coast[i + 1];
      const auto at = [&](double t) { return Point{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)}; };
      if (part.empty()) part.push_back(at(from));
      part.push_back(at(to));
      if (to < 1) open.push_back(std::exchange(part, {}));
    }
    if (part.size() > 1) open.push_back(std::move(part));
  }
  // Islands alone: everything around them is water.
  if (open.empty() && !out.empty() && !enclosed) {
    out.push_back({on_frame(0), on_frame(1), on_frame(2), on_frame(3)});
  }
  std::vector<char> used(open.size(), 0);
  for (std::size_t first = 0; first < open.size(); ++first) {
    if (used[first]) continue;
    Line ring;
    std::size_t i = first;
    do {
      used[i] = 1;
      const double begin = along_frame(open[i].front()), end = along_frame(open[i].back());
      ring.push_back(on_frame(begin));
      ring.insert(ring.end(), open[i].begin(), open[i].end());
      ring.push_back(on_frame(end));
      std::size_t next = first;
      double least = 5;
      for (std::size_t k = 0; k < open.size(); ++k) {
        if (used[k] && k != first) continue;
        double ahead = along_frame(open[k].front()) - end;
        if (ahead < 0) ahead += 4;
        if (ahead < least) {
          least = ahead;
          next = k;
        }
      }
      for (double corner = std::floor(end) + 1; corner < end + least; ++corner) {
        ring.push_back(on_frame(std::fmod(corner, 4)));
      }
      i = next;
    } while (i != first);
    out.push_back(std::move(ring));
  }
  return out;
}

}  // namespace

std::string map_json(const World& world, const std::vector<BaseArea>& areas) {
  const GraphFile& file = world.file;
  JsonText json;
  json.open('{').key("streets").open('[');
  if (!file.shape.empty()) {
    const auto& streets = file.shape.segment_street;
    const std::uint32_t last = *std::max_element(streets.begin(), streets.end());
    for (std::uint32_t i = 0; i <= last; ++i) json.text(file.shape.text(i));
  }
  json.close(']').key("areas").open('[');
  const Frame frame(file.graph, file.graph.coordinate_kind());
  for (const BaseArea& area : areas) {
    std::vector<Line> lines;
    for (const Line& line : area.lines) {
      Line drawn;
      for (const Point& p : line) drawn.push_back(frame(p));
      lines.push_back(std::move(drawn));
    }
    if (area.kind == "sea") lines = sea_of(lines);
    json.open('{').key("kind").text(area.kind).key("lines").open('[');
    for (const Line& line : lines) {
      json.open('[');
      constexpr double kNear = 3e-5;  // a metre or so in a city: too close to be seen
      std::optional<Point> last;
      for (std::size_t i = 0; i < line.size(); ++i) {
        const Point p = line[i];
        if (last && i + 1 < line.size() && std::hypot(p.x - last->x, p.y - last->y) < kNear)
          continue;
        json.rounded(p.x, 6).rounded(p.y, 6);
        last = p;
      }
      json.close(']');
    }
    json.close(']').close('}');
  }
  json.close(']').close('}');
  return json.take();
}

}  // namespace lodestar::server
