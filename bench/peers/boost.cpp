// Boost.Graph: dijkstra_shortest_paths on a compressed_sparse_row_graph, ended at the target by
// the way its documentation gives, an exception from the visitor. Buffers are kept between runs.
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <limits>

#include "peer.h"

namespace peers {
namespace {

struct Arc {
  double weight;
};
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Arc,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;
struct Found {};

struct StopAt : boost::default_dijkstra_visitor {
  explicit StopAt(std::uint32_t t) : target(t) {}
  void examine_vertex(std::uint32_t v, const Graph&) const {
    if (v == target) throw Found{};
  }
  std::uint32_t target;
};

class Boost final : public Peer {
 public:
  Boost(std::uint32_t nodes, const std::vector<PlainArc>& arcs) : parent_(nodes), distance_(nodes) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    std::vector<Arc> weights;
    for (const PlainArc& arc : arcs) {
      ends.emplace_back(arc.tail, arc.head);
      weights.push_back({arc.weight});
    }
    graph_ = Graph(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), weights.begin(),
                   nodes);
  }
  std::string name() const override { return "Boost.Graph CSR"; }
  double distance(std::uint32_t source, std::uint32_t target) override {
    const auto index = boost::get(boost::vertex_index, graph_);
    try {
      boost::dijkstra_shortest_paths(
          graph_, source,
          boost::predecessor_map(boost::make_iterator_property_map(parent_.begin(), index))
              .distance_map(boost::make_iterator_property_map(distance_.begin(), index))
              .weight_map(boost::get(&Arc::weight, graph_))
              .visitor(StopAt(target)));
    } catch (const Found&) {
    }
    const double d = distance_[target];
    return d == std::numeric_limits<double>::max() ? std::numeric_limits<double>::infinity() : d;
  }

 private:
  Graph graph_;
  std::vector<std::uint32_t> parent_;
  std::vector<double> distance_;
};

}  // namespace

std::unique_ptr<Peer> make_boost(std::uint32_t nodes, const std::vector<PlainArc>& arcs) {
  return std::make_unique<Boost>(nodes, arcs);
}

}  // namespace peers
