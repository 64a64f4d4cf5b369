// Checks an index against its graph, arc by arc.
#include <cmath>

#include "index/data.h"
#include "lodestar/index.h"
#include "lodestar/search.h"

namespace lodestar {
namespace {

using index::Data;
using index::UpArc;

template <class W>
class Verifier {
 public:
  explicit Verifier(const Data& data) : data_(data) {}

  std::size_t run() {
    std::size_t wrong = 0;
    for (int side = 0; side < data_.sides(); ++side) {
      for (NodeId u = 0; u < data_.nodes; ++u) {
        std::uint32_t arc = data_.first[side][u];
        for (const UpArc<W>& up : data_.row_of<W>(u, side)) {
          const bool good = weighs(u, arc++, up, side) && (u >= data_.core || feasible(u, up));
          wrong += good ? 0 : 1;
        }
      }
    }
    return wrong;
  }

 private:
  Cost cost_of(W weight) const {
    return data_.wide ? static_cast<double>(weight) : data_.unit * static_cast<double>(weight);
  }

  // Do the arcs of the graph that it stands for add up to it?
  bool weighs(NodeId u, std::uint32_t arc, const UpArc<W>& up, int side) {
    const NodeId tail = data_.original[side == 0 ? u : up.head];
    const NodeId end = data_.original[side == 0 ? up.head : u];
    path_.assign(1, tail);
    if (!data_.paths) return true;  // nothing to compare with
    const std::uint32_t range = data_.range[side][arc];
    if (range == index::kDirect) {
      path_.push_back(end);
    } else {
      const std::int64_t step = (range & index::kBackward) != 0 ? -1 : 1;
      std::int64_t at = range & ~index::kBackward;
      if (data_.words[static_cast<std::size_t>(at)] != tail) return false;
      while (path_.back() != end) {
        at += step;
        if (at < 0 || at >= static_cast<std::int64_t>(data_.words.size())) return false;
        path_.push_back(data_.words[static_cast<std::size_t>(at)]);
      }
    }
    const Cost sum = path_cost(data_.graph, path_), said = cost_of(up.weight);
    return data_.exact ? sum == said : std::abs(sum - said) <= 1e-9 * said;
  }

  bool feasible(NodeId u, const UpArc<W>& up) const {
    for (std::uint32_t i = 0; i < data_.potentials; ++i) {
      const std::int32_t rise = data_.table[std::size_t{up.head} * data_.row + i] -
                                data_.table[std::size_t{u} * data_.row + i];
      const double steep = data_.table_unit * (data_.both_ways ? std::abs(rise) : rise);
      if (steep > cost_of(up.weight)) return false;
    }
    return true;
  }

  const Data& data_;
  std::vector<NodeId> path_;
};

}  // namespace

std::size_t Index::verify() const {
  return data_->wide ? Verifier<double>(*data_).run() : Verifier<std::uint32_t>(*data_).run();
}

}  // namespace lodestar
