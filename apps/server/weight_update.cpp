#include "weight_update.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "message.h"
#include "target.h"

namespace lodestar::server {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_item(std::size_t item, const std::string& why) {
  refuse("InvalidValue", "update " + std::to_string(item) + ": " + why);
}

}  // namespace

// Collects updates one by one.
class ArcFinder::Collector {
 public:
  Collector(const ArcFinder& finder, WeightUpdate& out) : finder_(finder), out_(out) {}

  struct Value {
    double number = 0;
    bool factor = false;
  };

  void arc(std::uint64_t arc, Value value) {
    if (arc >= finder_.weights_.size()) {
      refuse_item(item_, "the graph has no arc " + std::to_string(arc) + "; it has " +
                             std::to_string(finder_.weights_.size()));
    }
    set(static_cast<ArcIndex>(arc), value);
    ++item_;
  }

  void between(std::string_view from, std::string_view to, Value value) {
    const Graph& graph = finder_.file_.graph;
    const NodeId u = node(from), v = node(to);
    const ArcIndex first = graph.arrays().first[0][u];
    const ArcRange arcs = graph.arcs(u);
    bool found = false;
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      if (arcs[i].head != v) continue;
      set(first + static_cast<ArcIndex>(i), value);
      found = true;
    }
    if (!found) refuse_item(item_, "there is no arc between these two nodes");
    ++item_;
  }

  void way(std::int64_t way, Value value) {
    const auto [begin, end] = std::equal_range(
        finder_.by_way_.begin(), finder_.by_way_.end(), std::pair<std::int64_t, ArcIndex>{way, 0},
        [](const auto& a, const auto& b) { return a.first < b.first; });
    if (begin == end) refuse_item(item_, "the graph has no way " + std::to_string(way));
    for (auto it = begin; it != end; ++it) set(it->second, value);
    ++item_;
  }

  std::size_t item() const { return item_; }

 private:
  NodeId node(std::string_view name) const {
    const NodeId v = finder_.file_.names.find(name);
    if (v >= finder_.file_.graph.node_count()) {
      refuse_item(item_, "there is no node '" + std::string(name.substr(0, 100)) + "'");
    }
    return v;
  }

  void set(ArcIndex arc, Value value) {
    const double weight = value.factor ? finder_.weights_[arc] * value.number : value.number;
    if (!(value.number >= 0) || !is_weight(weight)) {
      refuse_item(item_, "weights and factors are finite numbers of at least 0");
    }
    out_.changes.push_back({arc, weight});
  }

  const ArcFinder& finder_;
  WeightUpdate& out_;
  std::size_t item_ = 0;
};

namespace {

using Value = std::pair<double, bool>;  // number, is a factor

Value value_of(const Json& update, std::size_t item) {
  const auto weight = update.find("weight"), factor = update.find("factor");
  if ((weight == update.end()) == (factor == update.end())) {
    refuse_item(item, "give a weight or a factor");
  }
  const Json& value = weight == update.end() ? *factor : *weight;
  if (!value.is_number()) refuse_item(item, "weight and factor are numbers");
  return {value.get<double>(), weight == update.end()};
}

std::string name_of(const Json& value, std::size_t item) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return value.dump();
  refuse_item(item, "nodes are names or numbers");
}

// Calls line(text) for each line that is not blank, without its end.
template <class F>
void for_lines(std::string_view text, F&& line) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view one = text.substr(0, end);
    if (one.ends_with('\r')) one.remove_suffix(1);
    if (!one.empty()) line(one);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

ArcFinder::ArcFinder(const GraphFile& file) : file_(file), weights_(file.graph.weights()) {
  if (file.shape.empty()) return;
  by_way_.reserve(weights_.size());
  for (ArcIndex arc = 0; arc < weights_.size(); ++arc) {
    by_way_.emplace_back(file.shape.segment_way[file.shape.segment(arc)], arc);
  }
  std::sort(by_way_.begin(), by_way_.end());
}

WeightUpdate ArcFinder::parse(std::string_view body, std::string_view content_type) const {
  WeightUpdate out;
  Collector collect(*this, out);
  if (content_type.starts_with("text/")) {
    std::string_view header;
    for_lines(body, [&](std::string_view line) {
      if (header.empty()) {
        header = line;
        return;
      }
      const std::size_t item = collect.item();
      const auto cells = split(line, ',');
      const auto number = parse_number(cells.back());
      if (!number) refuse_item(item, "the last column must be a number");
      const Collector::Value value{*number, header.ends_with("factor")};
      if (cells.size() != split(header, ',').size())
        refuse_item(item, "columns unlike the header's");
      if (header == "weight") {
        collect.arc(item, value);
      } else if (header == "arc,weight" || header == "arc,factor") {
        const auto arc = parse_count(cells[0]);
        if (!arc) refuse_item(item, "arcs are numbers from 0");
        collect.arc(*arc, value);
      } else if (header == "from,to,weight" || header == "from,to,factor") {
        collect.between(cells[0], cells[1], value);
      } else if (header == "way,weight" || header == "way,factor") {
        const auto way = parse_count(cells[0]);
        if (!way) refuse_item(item, "ways are numbers");
        collect.way(static_cast<std::int64_t>(*way), value);
      } else {
        refuse("InvalidQuery",
               "the first line names the columns: arc,weight or from,to,weight or "
               "way,weight; factor instead of weight; or weight alone");
      }
    });
    if (header == "weight" && collect.item() != weights_.size()) {
      refuse("InvalidValue", "a whole file has one weight for each of the " +
                                 std::to_string(weights_.size()) + " arcs, this has " +
                                 std::to_string(collect.item()));
    }
    return out;
  }
  const Json root = Json::parse(body.begin(), body.end(), nullptr, false);
  const auto malformed = [](const std::string& why) { return Refusal(400, "InvalidQuery", why); };
  if (!root.is_object()) throw malformed("the body must be a JSON object with \"updates\"");
  for (const auto& [name, value] : root.items()) {
    if (name == "expect") {
      if (!value.is_number_unsigned()) throw malformed("\"expect\" is a version");
      out.expect = value.get<std::uint64_t>();
    } else if (name == "reset") {
      if (!value.is_boolean()) throw malformed("\"reset\" is true or false");
      out.reset = value.get<bool>();
    } else if (name != "updates" || !value.is_array()) {
      throw malformed("the body may have \"updates\", a list; \"reset\"; and \"expect\"");
    }
  }
  const auto updates = root.find("updates");
  if (updates == root.end()) {
    if (!out.reset) throw malformed("there are no \"updates\" in the body");
    return out;
  }
  for (const Json& update : *updates) {
    const std::size_t item = collect.item();
    if (!update.is_object()) refuse_item(item, "each update is an object");
    const auto [number, factor] = value_of(update, item);
    const Collector::Value value{number, factor};
    if (update.contains("arc") && update.size() == 2) {
      if (!update["arc"].is_number_unsigned()) refuse_item(item, "arcs are numbers from 0");
      collect.arc(update["arc"].get<std::uint64_t>(), value);
    } else if (update.contains("from") && update.contains("to") && update.size() == 3) {
      collect.between(name_of(update["from"], item), name_of(update["to"], item), value);
    } else if (update.contains("way") && update.size() == 2) {
      if (!update["way"].is_number_integer()) refuse_item(item, "ways are numbers");
      collect.way(update["way"].get<std::int64_t>(), value);
    } else {
      refuse_item(item, "name an arc, from and to, or a way, and one weight or factor");
    }
  }
  return out;
}

std::string weights_csv(const std::vector<Weight>& given, const std::vector<Weight>& now,
                        bool all) {
  std::string out = "arc,weight\n";
  char text[64];
  for (std::size_t arc = 0; arc < now.size(); ++arc) {
    if (!all && given[arc] == now[arc]) continue;
    const auto [end, failed] = std::to_chars(text, text + sizeof text, now[arc]);
    out += std::to_string(arc) + ',' + std::string(text, end) + '\n';
  }
  return out;
}

}  // namespace lodestar::server
