// igraph: igraph_get_shortest_path_dijkstra between two vertices.
#include <igraph/igraph.h>

#include <limits>

#include "peer.h"

namespace peers {
namespace {

class Igraph final : public Peer {
 public:
  Igraph(std::uint32_t nodes, const std::vector<PlainArc>& arcs) {
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, static_cast<igraph_integer_t>(2 * arcs.size()));
    igraph_vector_init(&weights_, static_cast<igraph_integer_t>(arcs.size()));
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      VECTOR(ends)[2 * i] = arcs[i].tail;
      VECTOR(ends)[2 * i + 1] = arcs[i].head;
      VECTOR(weights_)[i] = arcs[i].weight;
    }
    igraph_create(&graph_, &ends, nodes, IGRAPH_DIRECTED);
    igraph_vector_int_destroy(&ends);
    igraph_vector_int_init(&edges_, 0);
    igraph_set_warning_handler(igraph_warning_handler_ignore);
  }
  ~Igraph() override {
    igraph_vector_int_destroy(&edges_);
    igraph_vector_destroy(&weights_);
    igraph_destroy(&graph_);
  }
  std::string name() const override { return "igraph"; }
  double distance(std::uint32_t source, std::uint32_t target) override {
    if (source == target) return 0;
    igraph_get_shortest_path_dijkstra(&graph_, nullptr, &edges_, source, target, &weights_,
                                      IGRAPH_OUT);
    const igraph_integer_t count = igraph_vector_int_size(&edges_);
    if (count == 0) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (igraph_integer_t i = 0; i < count; ++i) sum += VECTOR(weights_)[VECTOR(edges_)[i]];
    return sum;
  }

 private:
  igraph_t graph_;
  igraph_vector_t weights_;
  igraph_vector_int_t edges_;
};

}  // namespace

std::unique_ptr<Peer> make_igraph(std::uint32_t nodes, const std::vector<PlainArc>& arcs) {
  return std::make_unique<Igraph>(nodes, arcs);
}

}  // namespace peers
