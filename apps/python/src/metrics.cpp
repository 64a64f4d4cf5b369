#include "metrics.h"

#include <algorithm>
#include <map>

#include "arrays.h"

namespace lodestar::python {
namespace {

// The classes of every edge as the number of a kind.
class ClassReader {
 public:
  std::uint16_t kind_of(const py::handle& given) {
    ArcKind kind;
    const auto add = [&](std::string_view name) { kind.classes |= bit(name); };
    if (py::isinstance<py::str>(given)) {
      std::string text = given.cast<std::string>();
      std::replace(text.begin(), text.end(), ';', ' ');
      for (const py::handle name : py::str(text).attr("split")()) add(name.cast<std::string>());
    } else if (!given.is_none()) {
      for (const py::handle name : given) {
        if (!py::isinstance<py::str>(name)) {
          throw Error("classes must be texts, not " + py::repr(name).cast<std::string>());
        }
        add(name.cast<std::string>());
      }
    }
    return kinds_.find(kind);
  }
  std::vector<std::string> names() const { return names_; }
  const std::vector<ArcKind>& kinds() const { return kinds_.kinds(); }

 private:
  std::uint64_t bit(std::string_view name) {
    const auto found = number_.find(name);
    if (found != number_.end()) return std::uint64_t{1} << found->second;
    if (!is_class_name(name)) {
      throw Error("'" + std::string(name) +
                  "' is no class: names have no blanks, commas and semicolons");
    }
    if (names_.size() == Metrics::kMostClasses) {
      throw Error("a graph can have at most 64 classes of arcs");
    }
    number_.emplace(name, names_.size());
    names_.emplace_back(name);
    return std::uint64_t{1} << (names_.size() - 1);
  }
  std::map<std::string, std::size_t, std::less<>> number_;
  std::vector<std::string> names_;
  KindTable kinds_;
};

void require_length(std::size_t size, std::size_t edges, const std::string& what) {
  if (size == edges) return;
  throw Error(what + " has " + std::to_string(size) + " entries for " + std::to_string(edges) +
              " arcs");
}

}  // namespace

Metrics metrics_of(const py::object& metrics, const py::object& classes, const std::string& name,
                   const EdgeArrays& edges, const Graph& graph) {
  if (metrics.is_none() && classes.is_none()) return {};
  std::vector<ListedArc> listed;
  listed.reserve(graph.arc_count());
  for (std::size_t i = 0; i < edges.tails.size(); ++i) {
    const NodeId u = edges.tails[i], v = edges.heads[i];
    listed.push_back({u, v, edges.weights[i], i});
    if (!edges.directed && u != v) listed.push_back({v, u, edges.weights[i], i});
  }
  const std::vector<std::size_t> places = places_by_arc(std::move(listed));
  MetricsBuilder builder({name, "", 1});
  if (!metrics.is_none()) {
    if (!py::isinstance<py::dict>(metrics)) {
      throw Error("metrics must be a dict of names and arrays");
    }
    for (const auto& [key, values] : metrics.cast<py::dict>()) {
      if (!py::isinstance<py::str>(key)) throw Error("the names of metrics must be texts");
      const std::string what = "metrics['" + key.cast<std::string>() + "']";
      const auto numbers = number_array(values, what);
      require_length(static_cast<std::size_t>(numbers.size()), edges.tails.size(), what);
      std::vector<Weight> column;
      column.reserve(places.size());
      for (const std::size_t place : places) column.push_back(numbers.data()[place]);
      builder.add({key.cast<std::string>(), "", 1}, std::move(column));
    }
  }
  if (!classes.is_none()) {
    if (py::isinstance<py::str>(classes) || !py::hasattr(classes, "__len__")) {
      throw Error("classes must be a list with one entry for each arc");
    }
    require_length(py::len(classes), edges.tails.size(), "classes");
    ClassReader reader;
    std::vector<std::uint16_t> kinds;
    for (const py::handle given : classes) kinds.push_back(reader.kind_of(given));
    std::vector<std::uint16_t> arc_kind;
    arc_kind.reserve(places.size());
    for (const std::size_t place : places) arc_kind.push_back(kinds[place]);
    builder.set_kinds(reader.names(), reader.kinds(), std::move(arc_kind));
  }
  return std::move(builder).build(graph);
}

py::dict metric_arrays(const GraphHandle& handle) {
  const Metrics& metrics = handle.file.metrics;
  py::dict out;
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    const py::str name(metrics.metrics[i].name);
    if (i == 0) {
      out[name] = csr(handle)[2];
      continue;
    }
    const MetricColumn& column = metrics.columns[i - 1];
    const auto count = static_cast<py::ssize_t>(column.size());
    if (count == 0) {
      out[name] = py::array_t<double>(0);
    } else if (!column.narrow.empty()) {
      out[name] = view(column.narrow.data(), {count}, {sizeof(float)}, metrics.keeper);
    } else {
      out[name] = view(column.wide.data(), {count}, {sizeof(double)}, metrics.keeper);
    }
  }
  return out;
}

py::dict class_arrays(const GraphHandle& handle) {
  const Metrics& metrics = handle.file.metrics;
  py::dict out;
  for (std::size_t i = 0; i < metrics.classes.size(); ++i) {
    py::array_t<bool> has(static_cast<py::ssize_t>(metrics.arc_kind.size()));
    bool* to = has.mutable_data();
    for (const std::uint16_t kind : metrics.arc_kind) {
      *to++ = (metrics.kinds[kind].classes >> i & 1) != 0;
    }
    out[py::str(metrics.classes[i])] = has;
  }
  return out;
}

}  // namespace lodestar::python
