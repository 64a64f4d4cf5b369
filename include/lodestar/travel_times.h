// Travel times that depend on the time of day.
//
//   const TravelTimes times = TravelTimes::load("rush.csv", file.graph, file.metrics, file.shape);
//   Router router(file.graph, {.metrics = file.metrics, .travel_times = times});
//   preferences.depart = 8.5 * 3600;                   // leave at 8:30
//
// A day is cut into slots. In a slot a road takes `factor` times as long as its own weight says: a
// vehicle that enters it covers the share of the road that fits into the slot at that speed, then
// continues at the speed of the next slot. Who leaves later never arrives earlier (FIFO), whatever
// the factors, so earliest arrival is a shortest path.
//
// The file is CSV with a header. The first column says what a row is about, `class`, `way` or
// `arc`; `from` and `to` are times of day (the end may be earlier than the beginning: across
// midnight); the last column is `factor`, or for arcs `seconds`.
//
//   class,from,to,factor
//   motorway,07:00,09:00,1.8
//   *,16:30,18:30,1.25
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/metrics.h"
#include "lodestar/shape.h"

namespace lodestar {

class TravelTimes {
 public:
  static constexpr double kDay = 86400;

  // If an arc has several classes, the largest factor counts; `*` counts where no class of the arc
  // says anything. Throws Error with file and line if a row is
  // malformed, names something the graph does not have, or overlaps an equal row; and if the
  // graph's own weights are not known to be times (Metric::unit "s").
  static TravelTimes load(const std::string& path, const Graph& graph, const Metrics& metrics,
                          const Shape& shape = {});
  static TravelTimes parse(std::string_view text, const std::string& name, const Graph& graph,
                           const Metrics& metrics, const Shape& shape = {});

  // The time of day in seconds, "08:30" or "08:30:15". Throws Error.
  static double parse_time(std::string_view text);

  std::size_t arc_count() const { return pattern_.size(); }

  // The time to pass an arc that takes `seconds` by its own weight and is entered at `clock`,
  // seconds after midnight of the first day.
  double seconds(ArcIndex arc, double seconds, double clock) const;
  // Whether both arcs have the same factors all the day.
  bool same_slots(ArcIndex a, ArcIndex b) const { return pattern_[a] == pattern_[b]; }
  // The smallest factor of any arc between two times.
  double least_factor(double from, double to) const;

 private:
  std::size_t slot_at(double time_of_day) const;

  std::vector<double> starts_;          // [slots] seconds after midnight, the first is 0
  std::vector<double> factors_;         // [patterns][slots]; pattern 0 is 1 everywhere
  std::vector<std::uint32_t> pattern_;  // [m]
  std::vector<double> least_;           // [slots], over the patterns in use
};

}  // namespace lodestar
