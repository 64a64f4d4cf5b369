#include "roads.h"

#include <algorithm>
#include <cmath>

#include "base/hilbert.h"

namespace lodestar::osm {
namespace {

std::uint32_t whole(double value) {
  return static_cast<std::uint32_t>(std::clamp(std::round(value), 1.0, 4294967294.0));
}

double metres(FixedPoint a, FixedPoint b) {
  return distance_between(CoordinateKind::kDegrees, a.degrees(), b.degrees());
}

// How often each node is used, up to 255. Ends of ways count twice: they are always junctions.
std::vector<std::uint8_t> count_uses(const RawRoads& raw) {
  std::vector<std::uint8_t> uses(raw.ids.size());
  const auto use = [&](std::int64_t place, int times) {
    std::uint8_t& count = uses[static_cast<std::size_t>(place)];
    count = static_cast<std::uint8_t>(std::min(255, count + times));
  };
  for (std::size_t w = 0; w < raw.ways.size(); ++w) {
    for (std::uint64_t i = raw.ways[w].first; i < raw.end(w); ++i) {
      const bool end = i == raw.ways[w].first || i + 1 == raw.end(w);
      use(raw.refs[i], end ? 2 : 1);
    }
  }
  return uses;
}

class Cutter {
 public:
  explicit Cutter(RawRoads& raw) : raw_(raw), uses_(count_uses(raw)) {
    node_of_.assign(raw.ids.size(), kNoNode);
  }

  Roads run() {
    for (std::size_t w = 0; w < raw_.ways.size(); ++w) cut(w);
    number_along_curve();
    return std::move(out_);
  }

 private:
  void cut(std::size_t w) {
    const RawWay& way = raw_.ways[w];
    const std::size_t first_segment = out_.segments.size();
    double way_metres = 0;
    lengths_.clear();
    bool open = false;  // a segment has begun
    double length = 0;
    std::size_t start = 0, last = 0;  // places of its first node and of the one before
    std::uint64_t first_point = 0;
    const auto begin = [&](std::size_t place) {
      open = true;
      start = place;
      first_point = out_.points.size();
      length = 0;
    };
    const auto close = [&](std::size_t place) {
      const NodeId from = node_at(start), to = node_at(place);
      out_.segments.push_back({from, to, static_cast<std::uint32_t>(w), 0, 0, 0, first_point});
      lengths_.push_back(length);
      way_metres += length;
    };
    for (std::uint64_t i = way.first; i < raw_.end(w); ++i) {
      const auto place = static_cast<std::size_t>(raw_.refs[i]);
      const FixedPoint point = raw_.points[place];
      if (point == kNowhere) {  // the road leaves the extract: it ends at the node before
        if (open && out_.points.size() > first_point) {
          out_.points.pop_back();
          out_.point_id.pop_back();
          close(last);
        }
        open = false;
        continue;
      }
      if (open && place == last) continue;
      if (!open) {
        begin(place);
      } else {
        length += metres(raw_.points[last], point);
        if (uses_[place] >= 2 || raw_.blocked[place] != 0 || raw_.passing[place] != 0) {
          close(place);
          begin(place);
        } else {
          out_.points.push_back(point);
          out_.point_id.push_back(raw_.ids[place]);
        }
      }
      last = place;
    }
    for (std::size_t s = first_segment; s < out_.segments.size(); ++s) {
      Segment& done = out_.segments[s];
      const double each = lengths_[s - first_segment];
      done.length = whole(10 * each);
      const auto time = [&](double speed) -> std::uint32_t {
        if (!(speed > 0)) return 0;
        if (way.duration > 0 && way_metres > 0) return whole(10 * way.duration * each / way_metres);
        return whole(36 * each / speed);
      };
      done.forward = time(way.forward);
      done.backward = time(way.backward);
    }
  }

  // At a barrier every road that comes along ends in a node of its own.
  NodeId node_at(std::size_t place) {
    if (raw_.blocked[place] != 0) return add_node(place);
    if (node_of_[place] == kNoNode) node_of_[place] = add_node(place);
    return node_of_[place];
  }

  NodeId add_node(std::size_t place) {
    if (out_.node_id.size() >= kNoNode) throw Error("more than 2^32 - 2 junctions");
    out_.node_id.push_back(raw_.ids[place]);
    out_.node_point.push_back(raw_.points[place]);
    out_.barrier.push_back(raw_.blocked[place]);
    out_.passing.push_back(raw_.blocked[place] != 0 ? 0 : raw_.passing[place]);
    return static_cast<NodeId>(out_.node_id.size() - 1);
  }

  void number_along_curve() {
    const std::size_t n = out_.node_id.size();
    FixedPoint low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    for (const FixedPoint& p : out_.node_point) {
      low = {std::min(low.lon, p.lon), std::min(low.lat, p.lat)};
      high = {std::max(high.lon, p.lon), std::max(high.lat, p.lat)};
    }
    const auto cell = [](std::int64_t x, std::int64_t from, std::int64_t to) {
      return static_cast<std::uint32_t>((x - from) * 65535 / std::max<std::int64_t>(1, to - from));
    };
    struct Key {
      std::uint32_t curve;
      NodeId node;
      bool operator<(const Key& other) const {
        return curve != other.curve ? curve < other.curve : node < other.node;
      }
    };
    std::vector<Key> keys(n);
    for (NodeId v = 0; v < n; ++v) {
      const FixedPoint p = out_.node_point[v];
      keys[v] = {hilbert_place(cell(p.lon, low.lon, high.lon), cell(p.lat, low.lat, high.lat)), v};
    }
    std::sort(keys.begin(), keys.end());
    std::vector<NodeId> number(n);
    const std::vector<std::int64_t> node_id = std::move(out_.node_id);
    const std::vector<FixedPoint> node_point = std::move(out_.node_point);
    const std::vector<std::uint8_t> barrier = std::move(out_.barrier);
    const std::vector<std::uint32_t> passing = std::move(out_.passing);
    out_.node_id.resize(n);
    out_.node_point.resize(n);
    out_.barrier.resize(n);
    out_.passing.resize(n);
    for (NodeId v = 0; v < n; ++v) {
      const NodeId old = keys[v].node;
      number[old] = v;
      out_.node_id[v] = node_id[old];
      out_.node_point[v] = node_point[old];
      out_.barrier[v] = barrier[old];
      out_.passing[v] = passing[old];
    }
    for (Segment& segment : out_.segments) {
      segment.from = number[segment.from];
      segment.to = number[segment.to];
    }
  }

  RawRoads& raw_;
  std::vector<std::uint8_t> uses_;
  std::vector<NodeId> node_of_;  // by place in ids
  std::vector<double> lengths_;
  Roads out_;
};

}  // namespace

Roads cut_roads(RawRoads& raw) {
  Roads roads = Cutter(raw).run();
  raw.refs = {};
  raw.points = {};
  raw.blocked = {};
  raw.passing = {};
  raw.ids = {};
  return roads;
}

}  // namespace lodestar::osm
