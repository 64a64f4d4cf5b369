// Requests with preferences: what a router prepares for them, and its functions.
#include "requests/engine.h"
#include "requests/knots.h"
#include "router/state.h"

namespace lodestar {

std::unique_ptr<requests::RequestEngine> Router::State::take_request_engine() {
  std::call_once(requests_made, [&] {
    const RouterOptions& options = plan.options;
    auto data =
        std::make_shared<const requests::RequestData>(plan.given, options.metrics, options.shape);
    if (plan.family) {
      family = options.trust ? plan.family : requests::verified(plan.family, *data);
    } else if (plan.potentials) {
      family =
          std::make_shared<const PotentialFamily>(data->metrics().metrics[0].name, plan.potentials);
    }
    request_data = std::move(data);
  });
  auto engine = request_engines.take();
  if (engine) return engine;
  return std::make_unique<requests::RequestEngine>(request_data, family, plan.options.travel_times);
}

void Router::GiveBack::operator()(requests::RequestEngine* engine) const noexcept {
  state->request_engines.give_back(std::unique_ptr<requests::RequestEngine>(engine));
}

Router::Requests::Requests(std::shared_ptr<State> state, const Preferences& preferences)
    : engine_(nullptr, GiveBack{state}) {
  auto engine = state->take_request_engine();
  engine->set(preferences);
  engine_.reset(engine.release());
}

SearchResult Router::Requests::run(Query query) {
  state().check(query);
  return engine_->run(query);
}
std::vector<NodeId> Router::Requests::path() const {
  return engine_->path();
}
std::vector<ArcIndex> Router::Requests::arcs() const {
  return engine_->arcs();
}
bool Router::Requests::has_potentials() const {
  return engine_->has_potentials();
}
Cost Router::Requests::weight(ArcIndex arc) const {
  if (arc >= state().plan.given.arc_count()) {
    throw Error("arc " + std::to_string(arc) + " is out of range");
  }
  return engine_->cost({&arc, 1});
}

RequestRoute Router::Requests::route(Query query) {
  RequestRoute route{run(query), {}, {}, {}, engine_->has_potentials()};
  if (!route.result.reached()) return route;
  route.nodes = engine_->path();
  route.arcs = engine_->arcs();
  route.totals = requests::totals(*engine_, route.arcs);
  return route;
}

std::vector<RequestRoute> Router::Requests::alternatives(Query query,
                                                         const AlternativeOptions& options) {
  state().check(query);
  return requests::alternatives(*engine_, query, options);
}

Router::Requests Router::requests(const Preferences& preferences) const {
  return Requests(state_, preferences);
}

RequestRoute Router::request(Query query, const Preferences& preferences) const {
  return requests(preferences).route(query);
}

std::vector<RequestRoute> Router::alternatives(Query query, const Preferences& preferences,
                                               const AlternativeOptions& options) const {
  return requests(preferences).alternatives(query, options);
}

SearchTrace Router::trace(Query query, const Preferences& preferences) const {
  Requests one = requests(preferences);
  state_->check(query);
  SearchTrace trace;
  trace.route.result =
      one.engine_->run(query, [&](NodeId v, Cost g, NodeId parent, Direction side) {
        trace.settled.push_back({v, g, parent, side});
      });
  if (trace.route.result.reached()) trace.route.nodes = one.path();
  return trace;
}

}  // namespace lodestar
