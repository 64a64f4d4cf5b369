#include "index/query/watchable.h"

#include "index/core_distances.h"

namespace lodestar::index {

SearchResult Watchable::run(Query query) {
  searched_ = false;
  const SearchResult result = asked(query);
  if (watch == nullptr || tell(*watch)) return result;
  searched_ = true;
  if (!search_) search_ = std::make_unique<CoreQuery<std::uint32_t>>(data_);
  search_->watch = watch;
  const SearchResult found = search_->run(query);
  search_->watch = nullptr;
  effort = search_->effort;
  return found;
}

SearchResult Watchable::asked(Query query) {
  effort = {};
  const std::uint32_t cost = answer(query);
  reached_ = cost < kFar;
  SearchResult result;
  result.expansions = effort.climbed;
  if (!reached_) return result;
  result.cost = data_.cost_of(cost);
  result.lower_bound = result.cost;
  return result;
}

void Watchable::path(std::vector<NodeId>& nodes) const {
  if (searched_) {
    search_->path(nodes);
    return;
  }
  nodes.clear();
  if (!reached_) return;
  if (!data_.paths) {
    throw Error("the index was built without paths; build it again with paths");
  }
  steps_.clear();
  const NodeId source = steps(steps_);
  writer_.write(data_, source, steps_, nodes);
}

}  // namespace lodestar::index
