#include "lodestar/travel_times.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "formats/bytes.h"

namespace lodestar {
namespace {

constexpr std::size_t kMostSlots = 1440;

struct Interval {
  double from;
  double to;  // above `from`, at most a day
  double value;
};

// A row of the file.
struct Rule {
  std::string what;  // the class, way or arc
  Interval when;
  std::uint64_t line;
};

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

double TravelTimes::parse_time(std::string_view text) {
  const auto wrong = [&] {
    return Error("'" + std::string(text) + "' is no time of day; write 08:30 or 08:30:15");
  };
  std::array<int, 3> parts = {0, 0, 0};
  std::size_t count = 0;
  std::string_view rest = trimmed(text);
  while (true) {
    const std::size_t colon = rest.find(':');
    const auto value = number<int>(rest.substr(0, colon));
    if (!value || *value < 0 || *value > (count == 0 ? 24 : 59) || count == 3) throw wrong();
    parts[count++] = *value;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  const int seconds = parts[0] * 3600 + parts[1] * 60 + parts[2];
  if (count < 2 || seconds > kDay) throw wrong();
  return seconds;
}

TravelTimes TravelTimes::load(const std::string& path, const Graph& graph, const Metrics& metrics,
                              const Shape& shape) {
  const formats::Bytes bytes = formats::load_bytes(path);
  return parse(bytes.text(), path, graph, metrics, shape);
}

TravelTimes TravelTimes::parse(std::string_view text, const std::string& name, const Graph& graph,
                               const Metrics& metrics, const Shape& shape) {
  if (metrics.empty() || metrics.metrics[0].unit != "s") {
    throw Error(name +
                ": travel times require a graph whose own weights are times in seconds; import it "
                "from OpenStreetMap by time");
  }
  // Read the rows.
  std::vector<Rule> rules;
  std::string subject;
  bool by_seconds = false;
  std::uint64_t line = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view row = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line;
    if (row.empty() || row.front() == '#') continue;
    std::vector<std::string_view> fields;
    for (std::string_view rest = row;;) {
      const std::size_t comma = rest.find(',');
      fields.push_back(trimmed(rest.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    if (fields.size() != 4) {
      throw Error::at(name, line, "a row must have four fields: what, from, to, factor");
    }
    if (subject.empty()) {
      subject = fields[0];
      by_seconds = fields[3] == "seconds";
      const bool known = subject == "class" || subject == "way" || subject == "arc";
      if (!known || fields[1] != "from" || fields[2] != "to" ||
          !(fields[3] == "factor" || (by_seconds && subject == "arc"))) {
        throw Error::at(name, line,
                        "the header must be class,from,to,factor (or way or arc instead of class, "
                        "and seconds instead of factor for arcs)");
      }
      continue;
    }
    Rule rule{std::string(fields[0]), {}, line};
    try {
      rule.when.from = parse_time(fields[1]);
      rule.when.to = parse_time(fields[2]);
    } catch (const Error& error) {
      throw Error::at(name, line, error.what());
    }
    const auto value = number<double>(fields[3]);
    if (!value || !(*value > 0) || !std::isfinite(*value) || *value > 1e6) {
      throw Error::at(name, line,
                      "the " + std::string(by_seconds ? "time" : "factor") +
                          " must be a number above 0 and at most 1e6");
    }
    rule.when.value = *value;
    if (rule.when.from == rule.when.to || rule.when.from >= kDay) {
      throw Error::at(name, line, "the slot is empty; for a whole day write 00:00 to 24:00");
    }
    rules.push_back(std::move(rule));
  }
  if (subject.empty()) throw Error(name + ": has no header");

  // Slots that cross midnight become two. Then the boundaries of all of them cut the day.
  TravelTimes times;
  std::vector<Rule> cut;
  for (const Rule& rule : rules) {
    if (rule.when.from < rule.when.to) {
      cut.push_back(rule);
      continue;
    }
    cut.push_back({rule.what, {rule.when.from, kDay, rule.when.value}, rule.line});
    if (rule.when.to > 0) cut.push_back({rule.what, {0, rule.when.to, rule.when.value}, rule.line});
  }
  times.starts_ = {0};
  for (const Rule& rule : cut) {
    times.starts_.push_back(rule.when.from);
    if (rule.when.to < kDay) times.starts_.push_back(rule.when.to);
  }
  std::sort(times.starts_.begin(), times.starts_.end());
  times.starts_.erase(std::unique(times.starts_.begin(), times.starts_.end()), times.starts_.end());
  const std::size_t slots = times.starts_.size();
  if (slots > kMostSlots) {
    throw Error(name + ": cuts the day into " + std::to_string(slots) +
                " slots; at most 1440 are allowed, one for each minute");
  }

  // The values of each class, way or arc by slot; 0 where the file says nothing.
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, std::uint64_t> line_of;  // where each is named first
  for (const Rule& rule : cut) {
    line_of.try_emplace(rule.what, rule.line);
    auto& row = values.try_emplace(rule.what, slots, 0.0).first->second;
    for (std::size_t i = 0; i < slots; ++i) {
      if (times.starts_[i] < rule.when.from || times.starts_[i] >= rule.when.to) continue;
      if (row[i] != 0) {
        throw Error::at(name, rule.line, "this slot overlaps another one of " + rule.what);
      }
      row[i] = rule.when.value;
    }
  }

  // The pattern of each arc.
  const std::size_t m = graph.arc_count();
  times.factors_.assign(slots, 1.0);
  times.pattern_.assign(m, 0);
  std::map<std::vector<double>, std::uint32_t> patterns = {{times.factors_, 0}};
  const auto pattern_of = [&](std::vector<double> row) {
    for (double& factor : row) factor = factor == 0 ? 1 : factor;
    const auto [at, is_new] =
        patterns.try_emplace(row, static_cast<std::uint32_t>(patterns.size()));
    if (is_new) times.factors_.insert(times.factors_.end(), row.begin(), row.end());
    return at->second;
  };
  if (subject == "class") {
    if (metrics.arc_kind.empty() && !(values.size() == 1 && values.contains("*"))) {
      throw Error(name + ": the graph has no classes of roads");
    }
    std::vector<std::vector<double>> of_class(metrics.classes.size());
    for (const auto& [what, row] : values) {
      if (what == "*") continue;
      const auto i = metrics.find_class(what);
      if (!i) {
        throw Error::at(name, line_of[what],
                        "the graph has no class '" + what + "'; it has " + metrics.class_names());
      }
      of_class[*i] = row;
    }
    const auto everything = values.find("*");
    const auto row_of = [&](std::uint64_t classes) {
      std::vector<double> row(slots, 0.0);
      for (std::size_t i = 0; i < of_class.size(); ++i) {
        if ((classes >> i & 1) == 0 || of_class[i].empty()) continue;
        for (std::size_t s = 0; s < slots; ++s) row[s] = std::max(row[s], of_class[i][s]);
      }
      // What no class of the arc says, the row of everything does.
      for (std::size_t s = 0; everything != values.end() && s < slots; ++s) {
        if (row[s] == 0) row[s] = everything->second[s];
      }
      return row;
    };
    std::vector<std::uint32_t> of_kind;
    for (const ArcKind& kind : metrics.kinds) of_kind.push_back(pattern_of(row_of(kind.classes)));
    const std::uint32_t of_none = pattern_of(row_of(0));
    for (std::size_t arc = 0; arc < m; ++arc) {
      times.pattern_[arc] = metrics.arc_kind.empty() ? of_none : of_kind[metrics.arc_kind[arc]];
    }
  } else if (subject == "way") {
    if (shape.empty()) throw Error(name + ": the graph has no OpenStreetMap ways");
    std::map<std::int64_t, std::uint32_t> of_way;
    for (const auto& [what, row] : values) {
      const auto id = number<std::int64_t>(what);
      if (!id) {
        throw Error::at(name, line_of[what],
                        "'" + what + "' is no way; write its OpenStreetMap id");
      }
      of_way[*id] = pattern_of(row);
    }
    std::map<std::int64_t, bool> seen;
    for (ArcIndex arc = 0; arc < m; ++arc) {
      const auto at = of_way.find(shape.segment_way[shape.segment(arc)]);
      if (at == of_way.end()) continue;
      times.pattern_[arc] = at->second;
      seen[at->first] = true;
    }
    for (const auto& [id, pattern] : of_way) {
      if (!seen.contains(id)) {
        throw Error::at(name, line_of[std::to_string(id)],
                        "the graph has no way " + std::to_string(id));
      }
    }
  } else {
    for (const auto& [what, row] : values) {
      const auto arc = number<std::uint32_t>(what);
      if (!arc || *arc >= m) {
        throw Error::at(name, line_of[what],
                        "'" + what + "' is no arc; arcs are numbered from 0 to " +
                            std::to_string(m == 0 ? 0 : m - 1));
      }
      std::vector<double> factors = row;
      const double own = metrics.weight(graph, 0, *arc) * metrics.metrics[0].scale;
      for (double& value : factors) {
        if (by_seconds && value > 0) {
          if (!(own > 0)) {
            throw Error::at(name, line_of[what],
                            "arc " + what + " has no time of its own; give factors");
          }
          value /= own;
        }
      }
      times.pattern_[*arc] = pattern_of(factors);
    }
  }
  std::vector<bool> used(patterns.size(), false);
  for (const std::uint32_t pattern : times.pattern_) used[pattern] = true;
  times.least_.assign(slots, kInfinity);
  for (std::size_t p = 0; p < used.size(); ++p) {
    for (std::size_t s = 0; used[p] && s < slots; ++s) {
      times.least_[s] = std::min(times.least_[s], times.factors_[p * slots + s]);
    }
  }
  return times;
}

std::size_t TravelTimes::slot_at(double time_of_day) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), time_of_day);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

double TravelTimes::seconds(ArcIndex arc, double seconds, double clock) const {
  const std::uint32_t pattern = pattern_[arc];
  if (pattern == 0) return seconds;
  const double* factors = factors_.data() + pattern * starts_.size();
  double time = std::fmod(clock, kDay);
  double spent = 0;
  for (std::size_t slot = slot_at(time);; slot = slot + 1 < starts_.size() ? slot + 1 : 0) {
    const double end = slot + 1 < starts_.size() ? starts_[slot + 1] : kDay;
    const double possible = (end - time) / factors[slot];
    if (seconds <= possible) return spent + seconds * factors[slot];
    seconds -= possible;
    spent += end - time;
    time = slot + 1 < starts_.size() ? end : 0;
    // A whole day passes at a time on roads that take longer than that.
    if (slot + 1 == starts_.size() && seconds > 100 * kDay) {
      double per_day = 0;
      for (std::size_t s = 0; s < starts_.size(); ++s) {
        per_day += ((s + 1 < starts_.size() ? starts_[s + 1] : kDay) - starts_[s]) / factors[s];
      }
      const double days = std::floor(seconds / per_day);
      seconds -= days * per_day;
      spent += days * kDay;
    }
  }
}

double TravelTimes::least_factor(double from, double to) const {
  if (!(to - from < kDay)) return *std::min_element(least_.begin(), least_.end());
  double least = kInfinity;
  const double begin = std::fmod(from, kDay);
  const std::size_t last = slot_at(std::fmod(to, kDay));
  for (std::size_t slot = slot_at(begin), steps = 0; steps <= starts_.size(); ++steps) {
    least = std::min(least, least_[slot]);
    if (slot == last && (steps > 0 || std::fmod(to, kDay) >= begin)) break;
    slot = (slot + 1) % starts_.size();
  }
  return least;
}

}  // namespace lodestar
