// Nets with one step: selection of the relevant arcs, and evaluation of single nodes.
#include <algorithm>

#include "network/net.h"

namespace lodestar {
namespace detail {
namespace {

struct Message {
  float pos;  // 0 without pos
  float weight;
  NodeId sender;
};

// Twice the signed area of the triangle o, a, b; positive for a left turn.
double turn(const Message& o, const Message& a, const Message& b) {
  const double ax = static_cast<double>(a.pos) - static_cast<double>(o.pos);
  const double ay = static_cast<double>(a.weight) - static_cast<double>(o.weight);
  const double bx = static_cast<double>(b.pos) - static_cast<double>(o.pos);
  const double by = static_cast<double>(b.weight) - static_cast<double>(o.weight);
  return ax * by - ay * bx;
}

bool by_weight(const Message& a, const Message& b) {
  return a.weight < b.weight;
}
bool by_pos(const Message& a, const Message& b) {
  return a.pos != b.pos ? a.pos < b.pos : a.weight < b.weight;
}

// Keeps the messages that can attain the maximum: a linear function of the weight is largest at the
// smallest or the largest weight.
void keep_extremes(std::vector<Message>& messages) {
  if (messages.size() <= 2) return;
  const auto [least, largest] = std::minmax_element(messages.begin(), messages.end(), by_weight);
  messages = {*least, *largest};
}

// The same with pos: a linear function of (pos, weight) is largest at a vertex of the convex hull.
void keep_hull(std::vector<Message>& messages, std::vector<Message>& scratch) {
  if (messages.size() <= 2) return;
  // Arcs mostly come by sender, which is by pos.
  if (!std::is_sorted(messages.begin(), messages.end(), by_pos)) {
    std::stable_sort(messages.begin(), messages.end(), by_pos);
  }
  scratch.clear();
  const auto add_chain = [&](auto begin, auto end) {
    const std::size_t base = scratch.size();
    for (auto it = begin; it != end; ++it) {
      while (scratch.size() >= base + 2 &&
             turn(scratch[scratch.size() - 2], scratch.back(), *it) <= 0) {
        scratch.pop_back();
      }
      scratch.push_back(*it);
    }
    scratch.pop_back();  // the other chain starts with it
  };
  add_chain(messages.begin(), messages.end());
  add_chain(messages.rbegin(), messages.rend());
  // All at one point: both chains are empty.
  if (scratch.empty()) scratch.push_back(messages.front());
  messages.swap(scratch);
}

}  // namespace

Collapse collapse_of(const NetOnGraph& net) {
  const GraphInput& input = net.input;
  const NodeId n = input.nodes;
  Collapse out;

  // Step 1. The arcs that can attain a maximum over plain senders.
  out.first.push_back(0);
  std::vector<Message> messages, scratch;
  for (NodeId v = 0; v < n; ++v) {
    messages.clear();
    for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
      const NodeId u = input.sender[e];
      messages.push_back({net.pos ? net.pos_of(u) : 0, input.weight[e], u});
    }
    if (net.pos) {
      keep_hull(messages, scratch);
    } else {
      keep_extremes(messages);
    }
    out.sender.push_back(v);
    out.weight.push_back(0);
    for (const Message& message : messages) {
      out.sender.push_back(message.sender);
      out.weight.push_back(message.weight);
    }
    out.first.push_back(static_cast<ArcIndex>(out.sender.size()));
  }

  // Step 2. The receivers of each sender u, without self-loops.
  out.listeners_first.assign(std::size_t{n} + 1, 0);
  for (NodeId v = 0; v < n; ++v) {
    for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
      ++out.listeners_first[input.sender[e] + 1];
    }
  }
  for (NodeId u = 0; u < n; ++u) out.listeners_first[u + 1] += out.listeners_first[u];
  out.listener.resize(out.listeners_first[n]);
  out.listener_weight.resize(out.listeners_first[n]);
  std::vector<ArcIndex> next(out.listeners_first.begin(), out.listeners_first.end() - 1);
  for (NodeId v = 0; v < n; ++v) {
    for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
      const ArcIndex at = next[input.sender[e]]++;
      out.listener[at] = v;
      out.listener_weight[at] = input.weight[e];
    }
  }

  // Step 3. y of nodes without messages from source and target, in blocks that fit the cache.
  constexpr NodeId kBlock = 64;
  const auto& w = net.weights;
  Floats message(kBlock * w.message_p), h(kBlock * w.hidden_p);
  out.base.resize(n);
  const kernels::Rows rows{out.first.data(), out.sender.data(), out.weight.data()};
  for (NodeId begin = 0; begin < n; begin += kBlock) {
    const NodeId end = std::min(n, begin + kBlock);
    kernels::max_messages(begin, end, w.message_p, rows, {net.plain.data(), net.plain_stride},
                          {net.plain.data() + w.send_at(), net.plain_stride}, w.edge.data(),
                          w.self.data(), {message.data(), w.message_p});
    kernels::multiply(end - begin, w.message, w.hidden_p, {message.data(), w.message_p},
                      {w.update.data(), w.hidden_p},
                      {net.plain_part(begin) + w.self_at(), net.plain_stride},
                      {h.data(), w.hidden_p}, kernels::Then::kRelu);
    for (NodeId v = begin; v < end; ++v) {
      out.base[v] = net.potential(v, kPlain, h.data() + (v - begin) * w.hidden_p, nullptr);
    }
  }
  return out;
}

}  // namespace detail

using detail::kind_of;

LazyPotential::LazyPotential(const PotentialNet& net) : net_(net.net_) {
  detail::require_net(net_.get());
  if (!net_->collapses) {
    throw Error(
        "the model has more than one step, layer or head and cannot be evaluated lazily; use "
        "PotentialNet::potentials");
  }
  const auto& w = net_->weights;
  base_ = net_->collapse.base.data();
  hears_.resize(net_->input.nodes);
  memory_ = std::make_unique<detail::NetMemory>();
  memory_->ends.resize(2 * w.width);
  memory_->message.resize(w.message_p);
  memory_->next.resize(w.hidden_p);
  memory_->used.resize(w.message + 1);  // one is written behind the last
  // A row is taken whole, or what is left of it with the ends on top. Rounding may leave more than
  // the row had: a corner of both chains of the hull.
  const auto& all = net_->input.first;
  const auto& kept = net_->collapse.first;
  ArcIndex longest = 0;
  for (NodeId v = 0; v < net_->input.nodes; ++v) {
    longest = std::max({longest, all[v + 1] - all[v], kept[v + 1] - kept[v]});
  }
  memory_->heard_send.resize(longest + 2);
  memory_->heard_weight.resize(longest + 2);
}
LazyPotential::~LazyPotential() = default;
LazyPotential::LazyPotential(LazyPotential&&) noexcept = default;
LazyPotential& LazyPotential::operator=(LazyPotential&&) noexcept = default;

LazyPotential::Heard& LazyPotential::heard(NodeId v) {
  Heard& hears = hears_[v];
  if (hears.run != run_) hears = {run_, false, kNot, kNot};
  return hears;
}

void LazyPotential::mark(NodeId sender, float Heard::*weight) {
  const auto& collapse = net_->collapse;
  for (ArcIndex i = collapse.listeners_first[sender]; i < collapse.listeners_first[sender + 1];
       ++i) {
    Heard& hears = heard(collapse.listener[i]);
    hears.twice = hears.twice || hears.*weight != kNot;
    hears.*weight = collapse.listener_weight[i];
  }
}

NodeId LazyPotential::node_count() const {
  return net_ ? net_->input.nodes : 0;
}

void LazyPotential::begin(Query query) {
  detail::require_net(net_.get());
  net_->check(query);
  run_.next([&] { std::fill(hears_.begin(), hears_.end(), Heard{}); });
  query_ = query;
  heard(query.source);  // both differ from plain nodes
  heard(query.target);
  mark(query.source, &Heard::of_source);
  if (query.target != query.source) mark(query.target, &Heard::of_target);
  float* ends = memory_->ends.data();
  net_->write_part(query.source, kind_of(query.source, query), ends);
  net_->write_part(query.target, kind_of(query.target, query), ends + net_->weights.width);
  at_target_ = potential(query.target);
}

double LazyPotential::evaluate(NodeId v) {
  const auto& w = net_->weights;
  const Heard& hears = hears_[v];
  const auto part_of = [&](NodeId u) {
    if (u == query_.source) return static_cast<const float*>(memory_->ends.data());
    if (u == query_.target) return static_cast<const float*>(memory_->ends.data() + w.width);
    return net_->plain_part(u);
  };
  std::size_t count = 0;
  const auto take = [&](NodeId u, float weight) {
    memory_->heard_send[count] = part_of(u) + w.send_at();
    memory_->heard_weight[count++] = weight;
  };

  // The selected arcs are valid only for plain senders. If one of them comes from the source or the
  // target, another arc may attain the maximum, and all arcs must be scanned.
  const auto& collapse = net_->collapse;
  bool all = hears.twice;
  for (ArcIndex i = collapse.first[v] + 1; i < collapse.first[v + 1]; ++i) {
    const NodeId u = collapse.sender[i];
    all = all || u == query_.source || u == query_.target;
  }
  if (all) {
    const GraphInput& input = net_->input;
    for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
      take(input.sender[e], input.weight[e]);
    }
  } else {
    for (ArcIndex i = collapse.first[v] + 1; i < collapse.first[v + 1]; ++i) {
      take(collapse.sender[i], collapse.weight[i]);
    }
    if (hears.of_source != kNot) take(query_.source, hears.of_source);
    if (hears.of_target != kNot) take(query_.target, hears.of_target);
  }
  const float* own = part_of(v);
  float* message = memory_->message.data();
  float* h = memory_->next.data();
  kernels::max_listed(w.message_p, count, memory_->heard_send.data(), memory_->heard_weight.data(),
                      w.edge.data(), own + w.send_at(), w.self.data(), own, message);
  kernels::multiply_sparse(w.message, w.hidden_p, message, {w.update.data(), w.hidden_p},
                           own + w.self_at(), memory_->used.data(), h, kernels::Then::kRelu);
  return net_->potential(v, kind_of(v, query_), h, nullptr);
}

}  // namespace lodestar
