// Routes that depend on the time of departure, between places on roads.
//
//   Section route = TimedSection(context, from.place, to.place).run();
//
// A place within a road is left and reached at the time when the vehicle is there, so each pair of
// directions is a search of its own.
#pragma once

#include "request_context.h"

namespace lodestar::server {

class TimedSection {
 public:
  explicit TimedSection(RequestContext& context);

  Section between(const Place& from, const Place& to);
  // The time that each leg of the section takes.
  void set_costs(Section& section) const;

 private:
  // The cost of a part of an arc that is entered at a time in seconds.
  Cost pass(ArcIndex arc, double share, double clock) const;
  PlaceRoute route(const Place& from, const Place& to, Cost exit);

  RequestContext& context_;
  const TravelTimes& times_;
  double scale_;
  double depart_;  // seconds
};

}  // namespace lodestar::server
