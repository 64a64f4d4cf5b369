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

#include <bit>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <vector>

#include "lodestar/detail/run_number.h"
#include "lodestar/graph.h"
#include "lodestar/metrics.h"
#include "lodestar/preferences.h"
#include "lodestar/shape.h"
#include "requests/area.h"

namespace lodestar::requests {

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
  RequestRows(Adjacency<W> rows, const RequestWeights* weights, const ArcIndex* forward_arc)
      : rows_(rows), weights_(weights), forward_arc_(forward_arc) {}

  class iterator {
   public:
    iterator(const RequestRows* rows, NodeId u, ArcIndex at) : rows_(rows), u_(u), at_(at) {}
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
  };
  struct Range {
    iterator first, last;
    iterator begin() const { return first; }
    iterator end() const { return last; }
  };
  Range of(NodeId u) const {
    return {iterator(this, u, rows_.first[u]), iterator(this, u, rows_.first[u + 1])};
  }
  // The heads of the arcs of u.
  auto heads(NodeId u) const {
    return std::span(rows_.arcs + rows_.first[u], rows_.arcs + rows_.first[u + 1]) |
           std::views::transform([](const StoredArc<W>& arc) { return arc.head; });
  }
  ArcIndex begin(NodeId u) const { return rows_.first[u]; }
  // Asks for what the weight of an arc to v needs, for the place of u's arcs, and for the arcs.
  void prefetch_head(NodeId v) const;
  void prefetch_first(NodeId u) const { __builtin_prefetch(&rows_.first[u]); }
  void prefetch_arcs(NodeId u) const { __builtin_prefetch(&rows_.arcs[rows_.first[u]]); }
  NodeId head(ArcIndex i) const { return rows_.arcs[i].head; }
  ArcIndex arc(ArcIndex i) const { return forward_arc_ == nullptr ? i : forward_arc_[i]; }
  // The weight of the arc at place i, which is in the row of u.
  Cost weight(NodeId u, ArcIndex i) const;

 private:
  Adjacency<W> rows_;
  const RequestWeights* weights_;
  const ArcIndex* forward_arc_;  // null: these are the forward rows
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
  // until the next set() or forgive(). O(1).
  void penalise(ArcIndex arc, double factor);
  void forgive();
  // While hidden, weights are those of the preferences alone.
  void hide_penalties(bool hide) { penalties_hidden_ = hide; }

  // Shares of the metrics, in units of the graph's own weights.
  std::span<const double> blend() const { return blend_; }
  double unit() const { return unit_; }
  // Whether arcs are closed or have the graph's own weight.
  bool only_closes() const { return own_ && !finite_factors_; }

  template <class W>
  RequestRows<W> rows(Direction direction) const {
    const bool backward = direction == Direction::kBackward;
    return {data_->graph().adjacency<W>(direction), this,
            backward ? data_->forward_arcs() : nullptr};
  }

  void prefetch(NodeId v) const {
    if (!areas_.empty()) __builtin_prefetch(&data_->graph().points()[v]);
  }
  // `own` is the graph's weight of the arc from u to v.
  Cost weight(ArcIndex arc, Weight own, NodeId u, NodeId v) const {
    double value = own;
    if (!own_) {
      value *= blend_[0];
      for (std::size_t k = 1; k < blend_.size(); ++k) value += blend_[k] * columns_[k - 1][arc];
    }
    if (has_rules()) return ruled(arc, own, value, u, v);
    return own_ ? own : round_up(value);
  }
  // The same for an arc given by its index alone.
  Cost weight(ArcIndex arc) const;

 private:
  struct Special {
    std::uint32_t run = 0;
    double factor = 1;
    double extra = 0;
  };

  Cost ruled(ArcIndex arc, Weight own, double value, NodeId u, NodeId v) const;
  bool touches(const Area& area, ArcIndex arc, NodeId u, NodeId v) const;
  Special& special(ArcIndex arc);
  bool has_rules() const { return rules_ || (has_penalties_ && !penalties_hidden_); }
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
  bool rules_ = false;           // something below applies
  bool finite_factors_ = false;  // or extra costs
  std::vector<double> blend_;
  std::vector<MetricColumn> columns_;  // of the blend, without the graph's own
  double unit_ = 1;
  double shift_ = 0;
  std::vector<double> kind_factor_;  // [kinds]; empty if no class or limit matters
  const std::uint16_t* arc_kind_ = nullptr;
  std::vector<Area> areas_;
  std::vector<Special> specials_;  // [m] once needed
  bool has_specials_ = false;
  detail::RunNumber run_;
  std::vector<Special> penalties_;  // [m] once needed
  bool has_penalties_ = false;
  bool penalties_hidden_ = false;
  detail::RunNumber penalty_run_;
};

template <class W>
inline void RequestRows<W>::prefetch_head(NodeId v) const {
  weights_->prefetch(v);
}

template <class W>
inline Cost RequestRows<W>::weight(NodeId u, ArcIndex i) const {
  const StoredArc<W>& arc = rows_.arcs[i];
  if (forward_arc_ == nullptr) return weights_->weight(i, arc.weight, u, arc.head);
  return weights_->weight(forward_arc_[i], arc.weight, arc.head, u);
}

template <class W>
inline RequestArc RequestRows<W>::iterator::operator*() const {
  return {rows_->head(at_), rows_->weight(u_, at_)};
}

}  // namespace lodestar::requests
