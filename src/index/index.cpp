#include "lodestar/index.h"

#include "index/data.h"
#include "index/file/file.h"
#include "index/query/plain_query.h"
#include "index/runner.h"
#include "lodestar/detail/contract.h"

namespace lodestar {

IndexFacts Index::facts() const {
  const index::Data& data = *data_;
  IndexFacts facts;
  facts.nodes = data.nodes;
  facts.core = data.core;
  facts.flexible = data.flexible != nullptr;
  facts.quick = data.metric.has_value();
  if (facts.quick) {
    facts.up_arcs = data.flexible->cch.arc_count();
  } else {
    facts.core_arcs = data.first[0][data.core];
    for (int side = 0; side < data.sides(); ++side) facts.up_arcs += data.first[side].back();
    facts.up_arcs -= facts.core_arcs;
  }
  facts.path_words = data.words.size();
  facts.potential_count = data.potential_count;
  facts.symmetric = data.symmetric;
  facts.whole_numbers = !data.wide;
  facts.exact_sums = data.exact;
  facts.rounded_sums = data.rounded();
  facts.paths = data.paths;
  facts.labels = data.labelled;
  facts.plain = data.plain;
  facts.core_distances = data.has_core_distances;
  facts.path_bytes = data.path_bytes();
  facts.label_bytes = data.label_bytes();
  facts.core_distance_bytes = data.between.size();
  facts.unit = data.unit / data.parts;
  facts.bytes = data.bytes();
  if (facts.flexible) facts.bytes += data.flexible->cch.bytes() + data.flexible->built->bytes();
  if (facts.quick) facts.bytes += data.metric->bytes();
  if (data.sorted != nullptr) facts.bytes += data.sorted->bytes();
  facts.topology = data.topology;
  facts.origin = data.origin;
  return facts;
}

void Index::save(const std::string& path) const {
  if (data_->metric) {  // a file holds what a contraction makes
    customized(data_->graph, {.seconds = 0}).save(path);
    return;
  }
  index::save(*data_, path);
}

Index Index::open(const std::string& path, const Graph& graph, bool map) {
  auto data = std::make_shared<index::Data>(*index::read(path, map));
  index::require_fit(*data, graph, path);
  index::set_graph(*data, graph);
  return Index(std::move(data));
}

IndexFacts Index::read_facts(const std::string& path) {
  return Index(index::read(path)).facts();
}

const Graph& Index::graph() const {
  return data_->graph;
}

const index::Data& index::Access::data(const Index& index) {
  return *index.data_;
}
Index index::Access::index(std::shared_ptr<const Data> data) {
  return Index(std::move(data));
}

IndexSearcher::IndexSearcher(Index index)
    : index_(std::move(index)), runner_(index::make_runner(index::Access::data(index_))) {}
IndexSearcher::~IndexSearcher() = default;
IndexSearcher::IndexSearcher(IndexSearcher&&) noexcept = default;
IndexSearcher& IndexSearcher::operator=(IndexSearcher&&) noexcept = default;

SearchResult IndexSearcher::run(Query query) {
  detail::check_query(query, index::Access::data(index_).nodes);
  return runner_->run(query);
}
SearchResult IndexSearcher::run(Query query, std::vector<IndexStep>& steps) {
  detail::check_query(query, index::Access::data(index_).nodes);
  steps.clear();
  runner_->watch = &steps;
  const SearchResult found = runner_->run(query);
  runner_->watch = nullptr;
  return found;
}
std::vector<NodeId> IndexSearcher::path() const {
  std::vector<NodeId> nodes;
  runner_->path(nodes);
  return nodes;
}
void IndexSearcher::path(std::vector<NodeId>& nodes) const {
  runner_->path(nodes);
}
const IndexEffort& IndexSearcher::effort() const {
  return runner_->effort;
}

}  // namespace lodestar
