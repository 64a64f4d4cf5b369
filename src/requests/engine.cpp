#include "requests/engine.h"

#include <cmath>

#include "potentials/mixed_bounds.h"

namespace lodestar::requests {
namespace {

// A* from one side settles at most this share of the nodes: a closed area around the target would
// let it settle all of them.
constexpr std::uint64_t kPatience = 16, kLeastPatience = 1000;

struct TellSettled {
  const OnSettle& tell;
  void on_settle(NodeId v, Cost g, NodeId parent) { tell(v, g, parent, Direction::kForward); }
  void on_settle(NodeId v, Cost g, NodeId parent, Direction side) { tell(v, g, parent, side); }
};

// One side of the bounds, for A*. They are admissible, and with 32 bits consistent up to rounding.
struct ToTarget {
  MixedBounds bounds;
  double factor = 1;
  void prefetch(NodeId v) const { bounds.prefetch(v); }
  Cost operator()(NodeId v) const { return factor * bounds.to_target(v); }
  static constexpr Guarantee guarantee() { return Guarantee::kAdmissible; }
};

// The forward rows with travel times at the time when a node is left.
template <class W>
class TimedRows {
 public:
  TimedRows(RequestRows<W> rows, const TravelTimes& times, double depart, double scale, double unit)
      : rows_(rows), times_(times), depart_(depart), scale_(scale), unit_(unit) {}

  auto heads(NodeId u) const { return rows_.heads(u); }
  Cost weight(NodeId u, ArcIndex at, Cost g) const {
    const Cost own = rows_.weight(u, at);
    if (own == kInfinity) return own;
    const double seconds = times_.seconds(at, own * scale_, (depart_ + g) * scale_);
    return std::ceil(seconds / scale_ / unit_) * unit_;
  }
  auto of(NodeId u, Cost g) const {
    return MappedRange(rows_.begin(u), rows_.begin(u + 1), [this, u, g](ArcIndex at) {
      return RequestArc{rows_.head(at), weight(u, at, g)};
    });
  }

 private:
  RequestRows<W> rows_;
  const TravelTimes& times_;
  double depart_;
  double scale_;
  double unit_;
};

}  // namespace

RequestEngine::RequestEngine(std::shared_ptr<const RequestData> data,
                             std::shared_ptr<const PotentialFamily> family,
                             std::shared_ptr<const TravelTimes> times)
    : data_(std::move(data)),
      family_(std::move(family)),
      times_(std::move(times)),
      weights_(data_) {
  if (times_ && times_->arc_count() != data_->graph().arc_count()) {
    throw Error("the travel times belong to a graph with " + std::to_string(times_->arc_count()) +
                " arcs, and this one has " + std::to_string(data_->graph().arc_count()));
  }
  for (const Metric& metric : data_->metrics().metrics) names_.push_back(metric.name);
  set({});
}

void RequestEngine::set(const Preferences& preferences) {
  depart_.reset();
  weights_.set(preferences);
  mixes_.clear();
  if (family_) mixes_ = family_->mixes(names_, weights_.blend());
  if (!preferences.depart) return;
  const auto refuse = [&](const std::string& why) {
    weights_.reset();
    throw Error(why);
  };
  if (!times_) refuse("a time of departure requires travel times by the time of day");
  if (!(*preferences.depart >= 0) || *preferences.depart >= TravelTimes::kDay) {
    refuse("the time of departure must be within a day, from 00:00 to 23:59:59");
  }
  if (!weights_.only_closes()) {
    refuse(
        "a time of departure cannot be combined with a blend, finite factors or extra costs; close "
        "what is to be avoided");
  }
  const double scale = data_->metrics().metrics[0].scale;
  depart_ = std::floor(*preferences.depart / scale / weights_.unit()) * weights_.unit();
}

bool RequestEngine::serves(Query query, std::size_t knot) const {
  if (mixes_.empty()) return false;
  const PotentialFamily::Mix& mix = family_->best(mixes_, query);
  return std::any_of(mix.terms.begin(), mix.terms.begin() + mix.count,
                     [&](const auto& term) { return term.knot == knot; });
}

Searcher& RequestEngine::one_sided() {
  if (!one_sided_) one_sided_ = std::make_unique<Searcher>(data_->graph());
  return *one_sided_;
}

SearchResult RequestEngine::run(Query query) {
  return search(query, NoObserver{});
}

SearchResult RequestEngine::run(Query query, const OnSettle& on_settle) {
  return search(query, TellSettled{on_settle});
}

template <class Observer>
SearchResult RequestEngine::search(Query query, Observer&& observer) {
  return data_->graph().visit(Direction::kForward, [&]<class W>(Adjacency<W>) {
    if (depart_) return search_by_time<W>(query, observer);
    if (!has_potentials()) return search_plainly<W>(query, observer);
    if (family_->guarantee() == Guarantee::kConsistent) return meet<W>(query, observer);
    const MixedBounds bounds(*family_, family_->best(mixes_, query), query);
    const std::uint64_t patience =
        std::max<std::uint64_t>(kLeastPatience, data_->graph().node_count() / kPatience);
    last_ = Last::kOneSided;
    const SearchResult found =
        one_sided().run_on(weights_.rows<W>(Direction::kForward), query, ToTarget{bounds},
                           {.max_expansions = patience}, observer);
    if (!found.capped) return found;
    SearchResult again = search_plainly<W>(query, observer);
    again.expansions += found.expansions;
    again.evaluations += found.evaluations;
    again.pushes += found.pushes;
    return again;
  });
}

template <class W, class Observer>
SearchResult RequestEngine::meet(Query query, Observer&& observer) {
  if (!meeting_) meeting_ = std::make_unique<MeetingSearcher>(data_->graph().node_count());
  last_ = Last::kMeeting;
  const RequestRows<W> rows[2] = {weights_.rows<W>(Direction::kForward),
                                  weights_.rows<W>(Direction::kBackward)};
  const MixedBounds bounds(*family_, family_->best(mixes_, query), query);
  return meeting_->run(query, rows, bounds, weights_.in_units() ? weights_.unit() : 0,
                       family_->from_source(), observer);
}

template <class W, class Observer>
SearchResult RequestEngine::search_plainly(Query query, Observer&& observer) {
  if (!plain_) plain_ = std::make_unique<BidirectionalSearcher>(data_->graph());
  last_ = Last::kPlain;
  const RequestRows<W> rows[2] = {weights_.rows<W>(Direction::kForward),
                                  weights_.rows<W>(Direction::kBackward)};
  return plain_->run_on(rows, query, observer);
}

// The factor of the potentials is the smallest one that a departure at this time can meet. The
// fastest route by the graph's own weights, driven at this time, bounds how long it can take.
template <class W, class Observer>
SearchResult RequestEngine::search_by_time(Query query, Observer&& observer) {
  last_ = Last::kOneSided;
  const double scale = data_->metrics().metrics[0].scale;
  const RequestRows<W> own = weights_.rows<W>(Direction::kForward);
  const TimedRows<W> rows(own, *times_, *depart_, scale, weights_.unit());
  if (!has_potentials()) return one_sided().run_on(rows, query, Zero{}, {}, observer);
  const MixedBounds bounds(*family_, family_->best(mixes_, query), query);
  const SearchResult usual = one_sided().run_on(own, query, ToTarget{bounds});
  if (!usual.reached()) return usual;
  const double depart = *depart_ * scale;
  const double arrive = depart + cost(arcs()) * scale;
  const double factor = times_->least_factor(depart, arrive) * (1 - 0x1p-40);
  SearchResult found = one_sided().run_on(rows, query, ToTarget{bounds, factor}, {}, observer);
  found.expansions += usual.expansions;
  found.evaluations += usual.evaluations;
  found.pushes += usual.pushes;
  return found;
}

std::vector<NodeId> RequestEngine::path() const {
  switch (last_) {
    case Last::kMeeting:
      return meeting_->path();
    case Last::kPlain:
      return plain_->path();
    case Last::kOneSided:
      return one_sided_->path();
    case Last::kNone:
      break;
  }
  return {};
}

ArcIndex RequestEngine::cheapest_arc(NodeId tail, NodeId head, Cost reached_at) const {
  return data_->graph().visit(Direction::kForward, [&]<class W>(Adjacency<W> plain) {
    const RequestRows<W> rows = weights_.rows<W>(Direction::kForward);
    ArcIndex best = plain.first[tail];
    Cost least = kInfinity;
    for (ArcIndex at = plain.first[tail]; at < plain.first[tail + 1]; ++at) {
      if (plain.arcs[at].head != head) continue;
      const Cost weight = depart_ ? TimedRows<W>(rows, *times_, *depart_,
                                                 data_->metrics().metrics[0].scale, weights_.unit())
                                        .weight(tail, at, reached_at)
                                  : rows.weight(tail, at);
      if (weight < least) {
        least = weight;
        best = at;
      }
    }
    return best;
  });
}

std::vector<ArcIndex> RequestEngine::arcs() const {
  if (last_ == Last::kMeeting) return meeting_->arcs(data_->forward_arcs());
  const std::vector<NodeId> nodes = path();
  std::vector<ArcIndex> arcs;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Cost left_at = depart_ ? one_sided_->distance(nodes[i - 1]) : 0;
    arcs.push_back(cheapest_arc(nodes[i - 1], nodes[i], left_at));
  }
  return arcs;
}

Cost RequestEngine::cost(std::span<const ArcIndex> arcs) const {
  return data_->graph().visit(Direction::kForward, [&]<class W>(Adjacency<W> plain) {
    const RequestRows<W> rows = weights_.rows<W>(Direction::kForward);
    Cost sum = 0;
    NodeId tail = arcs.empty() ? 0 : data_->tail(arcs.front());
    for (const ArcIndex arc : arcs) {
      sum += depart_ ? TimedRows<W>(rows, *times_, *depart_, data_->metrics().metrics[0].scale,
                                    weights_.unit())
                           .weight(tail, arc, sum)
                     : rows.weight(tail, arc);
      tail = plain.arcs[arc].head;
    }
    return sum;
  });
}

}  // namespace lodestar::requests
