// LEMON: Dijkstra on a StaticDigraph, started at the source and stopped at the target.
#include <lemon/dijkstra.h>
#include <lemon/static_graph.h>

#include <algorithm>
#include <limits>

#include "peer.h"

namespace peers {
namespace {

class Lemon final : public Peer {
 public:
  Lemon(std::uint32_t nodes, std::vector<PlainArc> arcs) {
    std::stable_sort(arcs.begin(), arcs.end(), [](const PlainArc& a, const PlainArc& b) {
      return a.tail != b.tail ? a.tail < b.tail : a.head < b.head;
    });
    std::vector<std::pair<int, int>> ends;
    for (const PlainArc& arc : arcs) {
      ends.emplace_back(static_cast<int>(arc.tail), static_cast<int>(arc.head));
    }
    graph_.build(static_cast<int>(nodes), ends.begin(), ends.end());
    length_ = std::make_unique<Length>(graph_);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      (*length_)[graph_.arc(static_cast<int>(i))] = arcs[i].weight;
    }
    dijkstra_ = std::make_unique<lemon::Dijkstra<lemon::StaticDigraph, Length>>(graph_, *length_);
  }
  std::string name() const override { return "LEMON static"; }
  double distance(std::uint32_t source, std::uint32_t target) override {
    const auto s = graph_.node(static_cast<int>(source));
    const auto t = graph_.node(static_cast<int>(target));
    return dijkstra_->run(s, t) ? dijkstra_->dist(t) : std::numeric_limits<double>::infinity();
  }

 private:
  using Length = lemon::StaticDigraph::ArcMap<double>;
  lemon::StaticDigraph graph_;
  std::unique_ptr<Length> length_;
  std::unique_ptr<lemon::Dijkstra<lemon::StaticDigraph, Length>> dijkstra_;
};

}  // namespace

std::unique_ptr<Peer> make_lemon(std::uint32_t nodes, const std::vector<PlainArc>& arcs) {
  return std::make_unique<Lemon>(nodes, arcs);
}

}  // namespace peers
