#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bench/harness/gnuplot.h"
#include "learn/tune/report.h"

namespace lodestar::tune {
namespace {

// Trials beyond this quantile are drawn at the edge, so that one bad trial does not flatten the
// others.
constexpr double kShown = 0.8;

// A string for gnuplot: within single quotes only ' is special.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

struct Axis {
  double low = 0, high = 1;
};

// From the best value to that of the worst trial that is shown, with some air.
Axis metric_axis(const std::vector<const Record*>& ranked) {
  std::vector<double> values;
  for (const Record* record : ranked) {
    if (record->metric) values.push_back(*record->metric);
  }
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto last = static_cast<std::size_t>(kShown * static_cast<double>(values.size() - 1));
  const double height = std::max(values[last] - values[0], 1e-9);
  return {values[0] - 0.06 * height, values[last] + 0.12 * height};
}

std::string axis_value(const Range& range, const Json& value) {
  if (range.kind != Range::Kind::kChoice) return fmt::format("{:.10g}", value.get<double>());
  const auto found = std::find(range.choices.begin(), range.choices.end(), value);
  return std::to_string(found - range.choices.begin());
}

std::string data_of(const Search& search, const Range& range, const Axis& axis) {
  // Blocks: one per level, then what lies above the figure, then the best.
  const auto ranked = search.ranking();
  std::vector<std::string> blocks(search.plan().levels + 2);
  for (const Record* record : ranked) {
    if (!record->metric) continue;
    const bool above = *record->metric > axis.high;
    std::string& block = above ? blocks[search.plan().levels] : blocks[record->task.level - 1];
    block += fmt::format("{} {:.10g} {}\n", axis_value(range, record->task.values[range.name]),
                         above ? axis.high : *record->metric, record->task.trial);
    if (record == ranked.front()) {
      blocks.back() = fmt::format(
          "{} {:.10g}\n", axis_value(range, record->task.values[range.name]), *record->metric);
    }
  }
  std::string text;
  for (const std::string& block : blocks) text += (block.empty() ? "nan nan\n" : block) + "\n\n";
  return text;
}

// 1, 2 and 5 of every decade, more of a narrow range; of a wide one the decades alone.
std::string log_tics(const Range& range) {
  const bool wide = range.high / range.low > 300, narrow = range.high / range.low < 10;
  const std::vector<double> steps = wide     ? std::vector<double>{1}
                                    : narrow ? std::vector<double>{1, 1.5, 2, 3, 4, 5, 6, 8}
                                             : std::vector<double>{1, 2, 5};
  std::string tics;
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range.high)));
  for (int decade = first; decade <= last; ++decade) {
    for (const double step : steps) {
      const double value = step * std::pow(10.0, decade);
      if (value < range.low / 1.05 || value > range.high * 1.05) continue;
      const std::string label =
          wide ? fmt::format("10^{{{}}}", decade) : fmt::format("{:g}", value);
      tics += fmt::format("{}'{}' {:.10g}", tics.empty() ? "" : ", ", label, value);
    }
  }
  return tics;
}

std::string script_of(const Search& search, const Range& range, const Axis& axis) {
  const std::string name = "scatter-" + range.name;
  std::string script = fmt::format(
      "set xlabel {} noenhanced\nset ylabel {} noenhanced\n"
      "set yrange [{:.10g}:{:.10g}]\nset grid lc rgb '#dddddd'\n"
      "set key outside bottom center horizontal\nset border 3\nset tics nomirror\n",
      quoted(range.name), quoted(to_string(search.plan().metric)), axis.low, axis.high);
  if (range.kind == Range::Kind::kChoice) {
    std::string tics;
    for (std::size_t i = 0; i < range.choices.size(); ++i) {
      const Json& choice = range.choices[i];
      tics +=
          fmt::format("{}{} {}", i == 0 ? "" : ", ",
                      quoted(choice.is_string() ? choice.get<std::string>() : choice.dump()), i);
    }
    script +=
        fmt::format("set xtics ({})\nset xrange [-0.5:{}.5]\n", tics, range.choices.size() - 1);
  } else if (range.log) {
    script += fmt::format("set logscale x 10\nset xrange [{}:{}]\nset xtics ({})\n",
                          range.low / 1.1, range.high * 1.1, log_tics(range));
  } else {
    const double air = 0.03 * (range.high - range.low);
    script += fmt::format("set xrange [{}:{}]\n", range.low - air, range.high + air);
  }
  const std::uint32_t levels = search.plan().levels;
  for (std::uint32_t level = 0; level < levels; ++level) {
    script += fmt::format("{} '{}.dat' index {} with points pt 7 ps 0.55 lc rgb '{}' title '{}'",
                          level == 0 ? "plot" : ",\\\n    ", name, level,
                          kColours[level % std::size(kColours)],
                          levels > 1 ? fmt::format("level {}", level + 1) : "trials");
  }
  script += fmt::format(
      ",\\\n    '{0}.dat' index {1} with points pt 8 ps 0.7 lc rgb '#888888' title 'above'"
      ",\\\n    '{0}.dat' index {2} with points pt 6 ps 1.4 lw 2 lc rgb 'black' title 'best'\n",
      name, levels, levels + 1);
  return script;
}

}  // namespace

std::vector<ScatterFigure> draw_scatter(const Search& search, const std::string& folder) {
  std::filesystem::create_directories(folder);
  const Axis axis = metric_axis(search.ranking());
  std::vector<ScatterFigure> figures;
  for (const Range& range : search.plan().space.ranges) {
    if (range.kind == Range::Kind::kSame) continue;
    const std::string name = "scatter-" + range.name;
    if (draw_with_gnuplot(folder, name, data_of(search, range, axis),
                          script_of(search, range, axis), {460, 340})) {
      figures.push_back({range.name, folder + "/" + name + ".svg"});
    }
  }
  return figures;
}

}  // namespace lodestar::tune
