#include "index/build/core_log.h"

#include <algorithm>

#include "index/data.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {

std::vector<Query> core_log(const Index& index, std::span<const Query> log) {
  constexpr std::size_t kMost = 4000;  // a query without potentials takes a millisecond
  const Data& data = Access::data(index);
  if (!data.paths) throw Error("training for a query log requires an index with paths");
  for (const Query& query : log) {
    if (query.source >= data.nodes || query.target >= data.nodes) {
      throw Error("the query log contains a node that is not in the graph");
    }
  }
  IndexSearcher searcher(index);
  std::vector<NodeId> path;
  std::vector<Query> pairs;
  const std::size_t count = std::min(log.size(), kMost);
  for (std::size_t i = 0; i < count; ++i) {
    check_stop();
    if (!searcher.run(log[i * log.size() / count]).reached()) continue;
    searcher.path(path);
    const auto in_core = [&](NodeId v) { return data.place[v] < data.core; };
    const auto enter = std::find_if(path.begin(), path.end(), in_core);
    if (enter == path.end()) continue;
    const auto leave = std::find_if(path.rbegin(), path.rend(), in_core);
    if (*enter != *leave) pairs.push_back({data.place[*enter], data.place[*leave]});
  }
  return pairs;
}

}  // namespace lodestar::index
