#include "requests/request_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lodestar::requests {
namespace {

// The mean weight has 20 bits above the unit, so a path of 2^32 mean weights is summed exactly.
constexpr int kBitsOfMean = 20;

// Larger ones could make a sum of weights overflow, and a finite factor would close an arc.
constexpr double kLargestFactor = 1e9, kLargestExtra = 1e200;

constexpr float kFar = std::numeric_limits<float>::infinity();
constexpr RequestData::Box kNowhere = {kFar, kFar, -kFar, -kFar};

// The point is inside, although the box is of narrower numbers.
void include(RequestData::Box& box, Point p) {
  const auto x = static_cast<float>(p.x), y = static_cast<float>(p.y);
  box.low_x = std::min(box.low_x, std::nextafter(x, -kFar));
  box.low_y = std::min(box.low_y, std::nextafter(y, -kFar));
  box.high_x = std::max(box.high_x, std::nextafter(x, kFar));
  box.high_y = std::max(box.high_y, std::nextafter(y, kFar));
}

void check_factor(double factor, const std::string& what) {
  if (factor >= 1 && (factor <= kLargestFactor || factor == kInfinity)) return;
  throw Error("the factor of " + what + " is " + std::to_string(factor) +
              "; factors must be at least 1 and at most 1e9, or infinite to close it");
}

}  // namespace

RequestData::RequestData(Graph graph, Metrics metrics, Shape shape)
    : graph_(std::move(graph)), metrics_(std::move(metrics)), shape_(std::move(shape)) {
  const std::size_t m = graph_.arc_count();
  if (graph_.arc_order() != ArcOrder::kByHead) {
    throw Error("preferences require a graph whose arcs are ordered by head");
  }
  if (metrics_.empty()) metrics_.metrics.push_back({"weight", "", 1});
  if (const std::string wrong = what_is_wrong(metrics_, m); !wrong.empty()) {
    throw Error("the metrics do not fit the graph: " + wrong);
  }
  for (std::size_t i = 0; i < metrics_.metrics.size(); ++i) {
    double sum = 0, count = 0;
    const auto add = [&](Weight w) {
      sum += w;
      count += w > 0;
    };
    if (i > 0) {
      for (std::size_t arc = 0; arc < m; ++arc) add(metrics_.columns[i - 1][arc]);
    } else {
      graph_.visit(Direction::kForward, [&](auto rows) {
        for (std::size_t arc = 0; arc < m; ++arc) add(rows.arcs[arc].weight);
      });
    }
    means_.push_back(count > 0 ? sum / count : 1);
  }
  // Rows are ordered by head and weight in both directions, so counting assigns parallel arcs as
  // well.
  const auto first = graph_.arrays().first[static_cast<int>(Direction::kBackward)];
  forward_arc_.resize(m);
  std::vector<ArcIndex> next(first.begin(), first.end() - 1);
  graph_.visit(Direction::kForward, [&](auto rows) {
    for (ArcIndex arc = 0; arc < m; ++arc) forward_arc_[next[rows.arcs[arc].head]++] = arc;
  });
  compare_directions();
  if (graph_.has_coordinates()) find_boxes();
  if (shape_.empty()) return;
  by_way_.resize(m);
  std::iota(by_way_.begin(), by_way_.end(), ArcIndex{0});
  const auto way = [&](ArcIndex arc) { return shape_.segment_way[shape_.segment(arc)]; };
  std::stable_sort(by_way_.begin(), by_way_.end(),
                   [&](ArcIndex a, ArcIndex b) { return way(a) < way(b); });
}

void RequestData::compare_directions() {
  int least = std::numeric_limits<int>::max();
  graph_.visit(Direction::kForward, [&](auto rows) {
    for (std::size_t arc = 0; arc < graph_.arc_count(); ++arc) {
      const Weight weight = rows.arcs[arc].weight;
      if (weight == 0) continue;
      int exponent = 0;
      const double mantissa = std::frexp(weight, &exponent);
      const auto bits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
      least = std::min(least, exponent - 53 + std::countr_zero(bits));
    }
  });
  own_unit_ = least == std::numeric_limits<int>::max() ? 1 : std::ldexp(1.0, least);
  same_both_ways_ = graph_.symmetric();
  for (ArcIndex arc = 0; same_both_ways_ && arc < forward_arc_.size(); ++arc) {
    const ArcIndex back = forward_arc_[arc];
    same_both_ways_ =
        metrics_.arc_kind.empty() || metrics_.arc_kind[arc] == metrics_.arc_kind[back];
    for (const MetricColumn& column : metrics_.columns) {
      same_both_ways_ = same_both_ways_ && column[arc] == column[back];
    }
  }
}

void RequestData::find_boxes() {
  boxes_.assign(graph_.node_count(), kNowhere);
  const auto add = [&](NodeId v, Point p) { include(boxes_[v], p); };
  ArcIndex index = 0;
  for (NodeId u = 0; u < graph_.node_count(); ++u) {
    for (const Arc arc : graph_.arcs(u)) {
      for (const NodeId end : {u, arc.head}) {
        add(end, graph_.points()[u]);
        add(end, graph_.points()[arc.head]);
        if (shape_.empty()) continue;
        for (const FixedPoint& p : shape_.between(shape_.segment(index))) add(end, p.degrees());
      }
      ++index;
    }
  }
}

std::span<const ArcIndex> RequestData::arcs_of_way(std::int64_t id) const {
  const auto way = [&](ArcIndex arc) { return shape_.segment_way[shape_.segment(arc)]; };
  const auto begin = std::partition_point(by_way_.begin(), by_way_.end(),
                                          [&](ArcIndex arc) { return way(arc) < id; });
  const auto end =
      std::partition_point(begin, by_way_.end(), [&](ArcIndex arc) { return way(arc) <= id; });
  return {begin, end};
}

NodeId RequestData::tail(ArcIndex arc) const {
  const auto first = graph_.arrays().first[0];
  return static_cast<NodeId>(std::upper_bound(first.begin(), first.end(), arc) - first.begin() - 1);
}

RequestWeights::RequestWeights(std::shared_ptr<const RequestData> data) : data_(std::move(data)) {
  reset();
}

void RequestWeights::reset() {
  blend_.assign(data_->metrics().metrics.size(), 0);
  blend_[0] = 1;
  columns_.clear();
  own_ = true;
  specials_.any = finite_factors_ = false;
  unmark();
  forgive();
  kind_factor_.clear();
  arc_kind_ = nullptr;
  areas_.clear();
  all_areas_ = kNowhere;
  set_blend({});
}

void RequestWeights::set_blend(const Preferences& preferences) {
  const Metrics& metrics = data_->metrics();
  if (!preferences.blend.empty()) std::fill(blend_.begin(), blend_.end(), 0.0);
  for (const auto& [name, share] : preferences.blend) {
    const auto i = metrics.find(name);
    if (!i) {
      throw Error("the graph has no metric '" + name + "'; it has " + metrics.names());
    }
    if (!(share >= 0) || !std::isfinite(share)) {
      throw Error("the share of " + name + " must be finite and at least 0");
    }
    blend_[*i] += share * (metrics.metrics[*i].scale / metrics.metrics[0].scale);
  }
  double mean = 0;
  for (std::size_t i = 0; i < blend_.size(); ++i) mean += blend_[i] * data_->mean(i);
  if (!(mean > 0) || !std::isfinite(mean)) {
    throw Error("the blend must have a share above 0; every path would cost nothing");
  }
  own_ = blend_[0] == 1 &&
         std::all_of(blend_.begin() + 1, blend_.end(), [](double share) { return share == 0; });
  for (std::size_t i = 1; !own_ && i < blend_.size(); ++i) {
    columns_.push_back(metrics.columns[i - 1]);
  }
  int exponent = 0;
  std::frexp(mean, &exponent);
  unit_ = std::ldexp(1.0, std::clamp(exponent - kBitsOfMean, -960, 900));
  shift_ = std::ldexp(1.5, 52) * unit_;
}

void RequestWeights::set_kinds(const Preferences& preferences) {
  const Metrics& metrics = data_->metrics();
  const Preferences::Vehicle& vehicle = preferences.vehicle;
  for (const double size : {vehicle.height, vehicle.width, vehicle.weight}) {
    if (!(size >= 0)) throw Error("the height, width and weight of a vehicle must not be negative");
  }
  const bool limited = vehicle.height > 0 || vehicle.width > 0 || vehicle.weight > 0;
  if (preferences.classes.empty() && !limited) return;
  std::vector<double> of_class(metrics.classes.size(), 1);
  for (const auto& [name, factor] : preferences.classes) {
    const auto i = metrics.find_class(name);
    if (!i) {
      throw Error(
          "the graph has no class '" + name + "'" +
          (metrics.classes.empty() ? "; it has no classes" : "; it has " + metrics.class_names()));
    }
    check_factor(factor, "class " + name);
    note_factor(factor);
    of_class[*i] *= factor;
  }
  if (metrics.arc_kind.empty()) {
    throw Error("the graph has no classes and no limits of roads; import it from OpenStreetMap");
  }
  for (const ArcKind& kind : metrics.kinds) {
    double factor = 1;
    for (std::size_t i = 0; i < of_class.size(); ++i) {
      if ((kind.classes >> i & 1) != 0) factor *= of_class[i];
    }
    if (vehicle.height > kind.max_height || vehicle.width > kind.max_width ||
        vehicle.weight > kind.max_weight) {
      factor = kInfinity;
    }
    kind_factor_.push_back(factor);
  }
  arc_kind_ = metrics.arc_kind.data();
}

RequestWeights::Special& RequestWeights::rule_of(ArcIndex arc, Specials& rules) {
  if (rules.rows.empty()) rules.rows.resize(data_->graph().arc_count());
  if (!rules.any) {
    rules.run.next([&] {
      for (Special& old : rules.rows) old.run = 0;
    });
    rules.any = true;
  }
  Special& one = rules.rows[arc];
  if (one.run != rules.run) {
    one = {rules.run, 1, 0};
    mark(arc);
  }
  return one;
}

void RequestWeights::mark(ArcIndex arc) {
  if (marks_.empty()) marks_.resize(data_->graph().node_count() / 64 + 1);
  has_marks_ = true;
  const NodeId head = data_->graph().visit(
      Direction::kForward, [&](auto rows) -> NodeId { return rows.arcs[arc].head; });
  // Arcs are often named in a row, with one tail.
  const auto first = data_->graph().arrays().first[0];
  if (arc < first[last_tail_] || arc >= first[last_tail_ + 1]) last_tail_ = data_->tail(arc);
  for (const NodeId end : {last_tail_, head}) {
    if (marked(end)) continue;
    marks_[end >> 6] |= std::uint64_t{1} << (end & 63);
    marked_.push_back(end);
  }
}

void RequestWeights::unmark() {
  for (const NodeId v : marked_) marks_[v >> 6] = 0;
  marked_.clear();
  has_marks_ = false;
}

void RequestWeights::penalise(ArcIndex arc, double factor) {
  rule_of(arc, penalties_).factor *= factor;
}

void RequestWeights::forgive() {
  penalties_.any = penalties_hidden_ = false;
}

void RequestWeights::set_specials(const Preferences& preferences) {
  for (const auto& [id, factor] : preferences.ways) {
    check_factor(factor, "way " + std::to_string(id));
    note_factor(factor);
    if (data_->shape().empty()) {
      throw Error("the graph has no OpenStreetMap ways; import it from OpenStreetMap");
    }
    const auto arcs = data_->arcs_of_way(id);
    if (arcs.empty()) throw Error("the graph has no way " + std::to_string(id));
    for (const ArcIndex arc : arcs) rule_of(arc, specials_).factor *= factor;
  }
  const std::size_t m = data_->graph().arc_count();
  for (const auto& [arc, factor, extra] : preferences.arcs) {
    if (arc >= m) {
      throw Error("arc " + std::to_string(arc) + " is out of range; the graph has " +
                  std::to_string(m) + " arcs");
    }
    check_factor(factor, "arc " + std::to_string(arc));
    note_factor(factor);
    finite_factors_ |= extra > 0;
    if (!(extra >= 0) || !(extra <= kLargestExtra)) {
      throw Error("the extra cost of arc " + std::to_string(arc) +
                  " must not be negative, and at most 1e200");
    }
    Special& one = rule_of(arc, specials_);
    one.factor *= factor;
    one.extra += extra / data_->metrics().metrics[0].scale;
  }
}

void RequestWeights::set(const Preferences& preferences) {
  reset();
  try {
    set_blend(preferences);
    set_kinds(preferences);
    const CoordinateKind kind = data_->graph().coordinate_kind();
    if (kind == CoordinateKind::kNone &&
        !(preferences.circles.empty() && preferences.polygons.empty())) {
      throw Error("areas to avoid require coordinates, and the graph has none");
    }
    for (const auto& circle : preferences.circles) {
      check_factor(circle.factor, "a circle");
      note_factor(circle.factor);
      areas_.emplace_back(kind, circle);
    }
    for (const auto& polygon : preferences.polygons) {
      check_factor(polygon.factor, "a polygon");
      note_factor(polygon.factor);
      areas_.emplace_back(kind, polygon);
    }
    for (const Area& area : areas_) {
      include(all_areas_, area.low());
      include(all_areas_, area.high());
    }
    set_specials(preferences);
  } catch (...) {
    reset();
    throw;
  }
}

bool RequestWeights::touches(const Area& area, ArcIndex arc, NodeId u, NodeId v) const {
  const auto points = data_->graph().points();
  const Shape& shape = data_->shape();
  if (shape.empty()) return area.touches(points[u], points[v]);
  const auto between = shape.between(shape.segment(arc));
  if (between.empty()) return area.touches(points[u], points[v]);
  const Point ends[2] = {points[u], points[v]};
  const bool turned = shape.against(arc);
  Point last = ends[turned ? 1 : 0];
  for (const FixedPoint& fixed : between) {
    const Point p = fixed.degrees();
    if (area.touches(last, p)) return true;
    last = p;
  }
  return area.touches(last, ends[turned ? 0 : 1]);
}

Cost RequestWeights::ruled_weight(ArcIndex arc, Weight own, NodeId u, NodeId v) const {
  double factor = arc_kind_ != nullptr ? kind_factor_[arc_kind_[arc]] : 1;
  double extra = 0;
  if (const Special* rule = specials_.find(arc)) {
    factor *= rule->factor;
    extra = rule->extra;
  }
  if (const Special* rule = penalties_hidden_ ? nullptr : penalties_.find(arc)) {
    factor *= rule->factor;
  }
  for (const Area& area : areas_) {
    if (touches(area, arc, u, v)) factor *= area.factor();
  }
  if (factor == kInfinity) return kInfinity;
  if (own_ && factor == 1 && extra == 0) return own;
  return round_up(blended(arc, own) * factor + extra);
}

}  // namespace lodestar::requests
