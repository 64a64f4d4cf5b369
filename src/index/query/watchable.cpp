#include "index/query/watchable.h"

#include "index/core_distances.h"
#include "index/query/core_query.h"

namespace lodestar::index {

template <class W>
SearchResult Watchable<W>::run(Query query) {
  searched_ = false;
  const SearchResult result = asked(query);
  if (watch == nullptr || tell(*watch)) return result;
  searched_ = true;
  if (!search_) search_ = make_core_query(data_);
  search_->watch = watch;
  const SearchResult found = search_->run(query);
  search_->watch = nullptr;
  effort = search_->effort;
  return found;
}

template <class W>
SearchResult Watchable<W>::asked(Query query) {
  effort = {};
  const W cost = answer(query);
  reached_ = cost < kUnreached<W>;
  SearchResult result;
  result.expansions = effort.climbed;
  if (!reached_) return result;
  result.cost = data_.cost_of(static_cast<double>(cost));
  if (data_.rounded() && data_.paths) {
    path(added_up_);
    result.cost = path_cost(data_.graph, added_up_);
  }
  result.lower_bound = result.cost;
  return result;
}

template <class W>
void Watchable<W>::path(std::vector<NodeId>& nodes) const {
  if (searched_) {
    search_->path(nodes);
    return;
  }
  if (!reached_) {
    nodes.clear();
    return;
  }
  if (!data_.paths) {
    throw Error("the index was built without paths; build it again with paths");
  }
  steps_.clear();
  steps(steps_);
  writer_.write(data_, steps_, nodes);
}

template class Watchable<std::uint32_t>;
template class Watchable<double>;

}  // namespace lodestar::index
