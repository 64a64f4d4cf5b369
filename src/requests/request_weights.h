// The weights of one request, evaluated while searching.
//
//   auto data = std::make_shared<const RequestData>(graph, metrics, shape);   // once per graph
//   RequestWeights weights(data);                      // one per thread, reused
//   weights.set(preferences);                          // throws Error
//   for (const RequestArc arc : weights.rows<float>(Direction::kForward).of(u)) use(arc);
//
// Exactness. A weight that the request does not change is the graph's own. Any other is rounded up
// to a multiple of unit(), a power of two far below the mean weight, so that sums of weights are
// exact in double up to 2^53 units, whatever their order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lodestar/detail/run_number.h"
#include "lodestar/graph.h"
#include "lodestar/metrics.h"
#include "lodestar/preferences.h"
#include "lodestar/shape.h"
#include "lodestar/types.h"
#include "requests/area.h"

namespace lodestar::requests {

// A function of the numbers first … last - 1, as a range. Views of the standard library do the
// same, but clang 14 does not compile those of libstdc++ 12.
template <class F>
class MappedRange {
 public:
  MappedRange(ArcIndex first, ArcIndex last, F f) : first_(first), last_(last), f_(f) {}

  class iterator {
   public:
    iterator(ArcIndex at, const F* f) : at_(at), f_(f) {}
    auto operator*() const { return (*f_)(at_); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const iterator& other) const { return at_ == other.at_; }

   private:
    ArcIndex at_;
    const F* f_;
  };
  iterator begin() const { return {first_, &f_}; }
  iterator end() const { return {last_, &f_}; }

 private:
  ArcIndex first_, last_;
  F f_;
};

// What all threads share.
class RequestData {
 public:
  // Throws Error if the metrics do not fit the graph.
  RequestData(Graph graph, Metrics metrics, Shape shape);

  const Graph& graph() const { return graph_; }
  const Metrics& metrics() const { return metrics_; }
  const Shape& shape() const { return shape_; }
  double mean(std::size_t metric) const { return means_[metric]; }
  // [m]; entry i is the arc of the forward rows that lies at place i of the backward rows.
  const ArcIndex* forward_arcs() const { return forward_arc_.data(); }
  // Whether an arc and its reverse agree in all metrics and in their kind: the place of an arc in
  // the backward rows then serves as its index.
  bool same_both_ways() const { return same_both_ways_; }
  // The largest power of two of which the graph's own weights are multiples.
  double own_unit() const { return own_unit_; }
  // What the lines of all arcs from and to a node lie in, a little larger.
  struct Box {
    float low_x, low_y, high_x, high_y;
  };
  const Box* boxes() const { return boxes_.data(); }
  // The arcs of an OpenStreetMap way.
  std::span<const ArcIndex> arcs_of_way(std::int64_t id) const;
  NodeId tail(ArcIndex arc) const;

 private:
  Graph graph_;
  Metrics metrics_;
  Shape shape_;
  std::vector<double> means_;          // [metrics], of the weights above 0
  std::vector<ArcIndex> forward_arc_;  // [m]
  std::vector<ArcIndex> by_way_;       // [m], sorted by way; empty without a shape
  std::vector<Box> boxes_;             // [n]; empty without coordinates
  bool same_both_ways_ = false;
  double own_unit_ = 1;

  void find_boxes();
  void compare_directions();
};

struct RequestArc {
  NodeId head;
  Cost weight;  // infinite if closed
};

class RequestWeights;

// One direction of the graph with the weights of a request; the counterpart of Adjacency.
template <class W>
class RequestRows {
 public:
  RequestRows(Adjacency<W> rows, const RequestWeights* weights, const ArcIndex* forward_arc,
              const ArcIndex* index);

  class iterator {
   public:
    iterator(const RequestRows* rows, NodeId u, ArcIndex at, bool ruled)
        : rows_(rows), u_(u), at_(at), ruled_(ruled) {}
    RequestArc operator*() const;
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const iterator& other) const { return at_ == other.at_; }

   private:
    const RequestRows* rows_;
    NodeId u_;
    ArcIndex at_;
    bool ruled_;
  };
  struct Range {
    iterator first, last;
    iterator begin() const { return first; }
    iterator end() const { return last; }
  };
  Range of(NodeId u) const {
    const bool is_ruled = ruled(u);
    return {iterator(this, u, rows_.first[u], is_ruled),
            iterator(this, u, rows_.first[u + 1], is_ruled)};
  }
  // The heads of the arcs of u.
  auto heads(NodeId u) const {
    return MappedRange(rows_.first[u], rows_.first[u + 1],
                       [arcs = rows_.arcs](ArcIndex at) { return arcs[at].head; });
  }
  ArcIndex begin(NodeId u) const { return rows_.first[u]; }
  // Asks for what is needed first to expand u; then for its arcs, whose place must be known.
  void prefetch(NodeId u) const;
  void prefetch_arcs(NodeId u) const;
  NodeId head(ArcIndex i) const { return rows_.arcs[i].head; }
  ArcIndex arc(ArcIndex i) const { return forward_arc_ == nullptr ? i : forward_arc_[i]; }
  // The weight of the arc at place i, which is in the row of u.
  Cost weight(NodeId u, ArcIndex i) const { return weights_of(u)(i); }
  // The same as a function of the place, for all arcs of u.
  auto weights_of(NodeId u) const;

 private:
  // Whether areas, or what is said of single arcs, can change the weight of an arc of u.
  bool ruled(NodeId u) const;
  Cost ruled_weight(NodeId u, ArcIndex i) const;
  Cost plain_weight(ArcIndex i) const;

  Adjacency<W> rows_;
  const RequestWeights* weights_;
  const ArcIndex* forward_arc_;  // null: these are the forward rows
  const ArcIndex* index_;        // of arcs in metrics and kinds; null: their place
  bool own_;                     // where no rule applies, weights are the graph's own
};

class RequestWeights {
 public:
  explicit RequestWeights(std::shared_ptr<const RequestData> data);

  const RequestData& data() const { return *data_; }
  // Throws Error if the preferences are malformed or name what the graph does not have; the weights
  // are then those of the graph.
  void set(const Preferences& preferences);
  void reset();

  // Multiplies the weight of an arc by a factor of at least 1, in addition to the preferences,
  // until the next set() or forgive(). O(log n).
  void penalise(ArcIndex arc, double factor);
  void forgive();
  // While hidden, weights are those of the preferences alone.
  void hide_penalties(bool hide) { penalties_hidden_ = hide; }

  // Shares of the metrics, in units of the graph's own weights.
  std::span<const double> blend() const { return blend_; }
  double unit() const { return unit_; }
  // Whether all weights are multiples of unit().
  bool in_units() const { return !own_ || data_->own_unit() >= unit_; }
  // Whether arcs are closed or have the graph's own weight.
  bool only_closes() const { return own_ && !finite_factors_; }

  template <class W>
  RequestRows<W> rows(Direction direction) const {
    const ArcIndex* forward_arc =
        direction == Direction::kBackward ? data_->forward_arcs() : nullptr;
    return {data_->graph().adjacency<W>(direction), this, forward_arc,
            data_->same_both_ways() ? nullptr : forward_arc};
  }

  void prefetch(NodeId u) const {
    if (!areas_.empty()) __builtin_prefetch(&data_->boxes()[u]);
  }
  void prefetch_arc(ArcIndex arc) const {
    for (const MetricColumn& column : columns_) {
      __builtin_prefetch(column.narrow.empty() ? static_cast<const void*>(&column.wide[arc])
                                               : &column.narrow[arc]);
    }
    if (arc_kind_ != nullptr) __builtin_prefetch(&arc_kind_[arc]);
  }
  // Whether the weights of arcs from and to u can differ from plain_weight().
  bool ruled(NodeId u) const {
    if (!has_marks_ && areas_.empty()) return false;
    if (has_marks_ && marked(u)) return true;
    if (areas_.empty()) return false;
    const RequestData::Box& box = data_->boxes()[u];
    return (box.low_x <= all_areas_.high_x) & (box.high_x >= all_areas_.low_x) &
           (box.low_y <= all_areas_.high_y) & (box.high_y >= all_areas_.low_y);
  }
  // By the blend, classes and limits alone. `own` is the graph's weight of the arc.
  Cost plain_weight(ArcIndex arc, Weight own) const {
    const double value = blended(arc, own);
    if (arc_kind_ != nullptr) {
      const double factor = kind_factor_[arc_kind_[arc]];
      if (factor != 1) return factor == kInfinity ? kInfinity : round_up(value * factor);
    }
    return own_ ? own : round_up(value);
  }
  // Whether plain_weight() is the graph's own weight.
  bool plainly_own() const { return own_ && arc_kind_ == nullptr; }
  // By everything; the arc leads from u to v.
  Cost ruled_weight(ArcIndex arc, Weight own, NodeId u, NodeId v) const;

 private:
  struct Special {
    std::uint32_t run = 0;
    double factor = 1;
    double extra = 0;
  };
  // Rules of single arcs that end with the request, or before.
  struct Specials {
    std::vector<Special> rows;  // [m] once needed
    bool any = false;
    detail::RunNumber run;

    const Special* find(ArcIndex arc) const {
      return any && rows[arc].run == run ? &rows[arc] : nullptr;
    }
  };

  double blended(ArcIndex arc, Weight own) const {
    double value = own;
    if (own_) return value;
    value *= blend_[0];
    for (std::size_t k = 1; k < blend_.size(); ++k) value += blend_[k] * columns_[k - 1][arc];
    return value;
  }
  bool marked(NodeId u) const { return (marks_[u >> 6] >> (u & 63) & 1) != 0; }
  void mark(ArcIndex arc);
  void unmark();
  bool touches(const Area& area, ArcIndex arc, NodeId u, NodeId v) const;
  Special& rule_of(ArcIndex arc, Specials& rules);
  void note_factor(double factor) { finite_factors_ |= factor != 1 && factor != kInfinity; }
  void set_blend(const Preferences& preferences);
  void set_kinds(const Preferences& preferences);
  void set_specials(const Preferences& preferences);

  // The sum with `shift_` has no bits below the unit.
  double round_up(double value) const {
    const double rounded = (value + shift_) - shift_;
    return rounded < value ? rounded + unit_ : rounded;
  }

  std::shared_ptr<const RequestData> data_;
  bool own_ = true;              // the blend is the graph's own weights
  bool finite_factors_ = false;  // or extra costs
  std::vector<double> blend_;
  std::vector<MetricColumn> columns_;  // of the blend, without the graph's own
  double unit_ = 1;
  double shift_ = 0;
  std::vector<double> kind_factor_;  // [kinds]; empty if no class or limit matters
  const std::uint16_t* arc_kind_ = nullptr;
  std::vector<Area> areas_;
  RequestData::Box all_areas_;        // what they lie in
  std::vector<std::uint64_t> marks_;  // bits of nodes: ends of arcs with a rule of their own
  std::vector<NodeId> marked_;
  bool has_marks_ = false;
  NodeId last_tail_ = 0;  // of the arc marked last
  Specials specials_;
  Specials penalties_;
  bool penalties_hidden_ = false;
};

template <class W>
inline RequestRows<W>::RequestRows(Adjacency<W> rows, const RequestWeights* weights,
                                   const ArcIndex* forward_arc, const ArcIndex* index)
    : rows_(rows),
      weights_(weights),
      forward_arc_(forward_arc),
      index_(index),
      own_(weights->plainly_own()) {}

template <class W>
inline void RequestRows<W>::prefetch(NodeId u) const {
  __builtin_prefetch(&rows_.first[u]);
  weights_->prefetch(u);
}

template <class W>
inline void RequestRows<W>::prefetch_arcs(NodeId u) const {
  const ArcIndex first = rows_.first[u];
  __builtin_prefetch(&rows_.arcs[first]);
  if (own_ || first == rows_.first[u + 1]) return;
  weights_->prefetch_arc(index_ == nullptr ? first : index_[first]);
}

template <class W>
inline bool RequestRows<W>::ruled(NodeId u) const {
  return weights_->ruled(u);
}

template <class W>
inline Cost RequestRows<W>::plain_weight(ArcIndex i) const {
  return weights_->plain_weight(index_ == nullptr ? i : index_[i], rows_.arcs[i].weight);
}

template <class W>
inline Cost RequestRows<W>::ruled_weight(NodeId u, ArcIndex i) const {
  const StoredArc<W>& arc = rows_.arcs[i];
  if (forward_arc_ == nullptr) return weights_->ruled_weight(i, arc.weight, u, arc.head);
  return weights_->ruled_weight(forward_arc_[i], arc.weight, arc.head, u);
}

template <class W>
inline auto RequestRows<W>::weights_of(NodeId u) const {
  return [this, u, is_ruled = ruled(u)](ArcIndex i) -> Cost {
    if (is_ruled) return ruled_weight(u, i);
    return own_ ? static_cast<Cost>(rows_.arcs[i].weight) : plain_weight(i);
  };
}

template <class W>
inline RequestArc RequestRows<W>::iterator::operator*() const {
  return {rows_->head(at_), ruled_ ? rows_->ruled_weight(u_, at_) : rows_->plain_weight(at_)};
}

}  // namespace lodestar::requests
