#include "lodestar/router.h"

#include "lodestar/detail/clock.h"
#include "router/state.h"

namespace lodestar {

PotentialArray::PotentialArray(std::vector<double> y) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(y));
  values = *kept;
  keeper = kept;
}

void Router::State::check(NodeId v) const {
  const NodeId n = plan.given.node_count();
  if (v < n) return;
  throw Error("node " + std::to_string(v) + " is out of range; the graph has " + std::to_string(n) +
              " nodes" + (n == 0 ? "" : ", 0 to " + std::to_string(n - 1)));
}

Router::Router(Graph graph, RouterOptions options) : state_(std::make_shared<State>()) {
  const auto start = Clock::now();
  detail::RouterPlan& plan = state_->plan;
  plan.given = std::move(graph);
  plan.options = std::move(options);
  detail::prepare(plan);
  state_->preparation_seconds = seconds_since(start);
  // Made here, so that errors occur in the constructor and the first query is not delayed.
  state_->engines.give_back(detail::make_engine(*plan.row, plan));
}

const Graph& Router::graph() const {
  return state_->plan.given;
}
const RouterOptions& Router::options() const {
  return state_->plan.options;
}
const AlgorithmRow& Router::algorithm() const {
  return *state_->plan.row;
}
Guarantee Router::guarantee() const {
  return state_->plan.guarantee;
}
double Router::preparation_seconds() const {
  return state_->preparation_seconds;
}
const std::string& Router::note() const {
  return state_->plan.note;
}

Router::Lease Router::lease() const {
  return Lease(state_);
}

void Router::GiveBack::operator()(detail::Engine* engine) const noexcept {
  state->engines.give_back(std::unique_ptr<detail::Engine>(engine));
}

Router::Lease::Lease(std::shared_ptr<State> state)
    : engine_(state->take_engine().release(), GiveBack{state}) {}

SearchResult Router::Lease::run(Query query) {
  state().check(query);
  return engine_->run(query);
}
SearchResult Router::Lease::run(Query query, const std::function<void(const Settled&)>& on_settle) {
  state().check(query);
  return engine_->run(query, on_settle);
}
std::vector<NodeId> Router::Lease::path() const {
  return engine_->path();
}

Route Router::path(Query query) const {
  Lease one = lease();
  Route route{one.run(query), {}};
  if (route.result.reached()) route.nodes = one.path();
  return route;
}

SearchTrace Router::trace(Query query) const {
  SearchTrace trace;
  Lease one = lease();
  trace.route.result =
      one.run(query, [&](const Settled& settled) { trace.settled.push_back(settled); });
  if (trace.route.result.reached()) trace.route.nodes = one.path();
  return trace;
}

SearchResult Router::trace(Query query,
                           const std::function<void(const Settled&)>& on_settle) const {
  return lease().run(query, on_settle);
}

}  // namespace lodestar
