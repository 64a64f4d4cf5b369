// What a driver is told where one leg of a route ends and the next begins, in the words of OSRM.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "request_context.h"

namespace lodestar::server {

// The roads that meet where one leg of a route ends and the next begins.

// A road seen from the junction.
struct Branch {
  int bearing = 0;     // clockwise from north, in whole degrees
  bool entry = false;  // may be entered by a vehicle that comes along the route
  bool in = false;     // the route comes from here
  bool out = false;    // and leaves there
};

// Clockwise from north, in whole degrees.
int bearing_of(Point from, Point to, CoordinateKind kind);

// Ordered by bearing. Needs coordinates, and in.head == out.tail.
std::vector<Branch> branches_between(const GraphFile& file, const Leg& in, const Leg& out);

struct Maneuver {
  std::string_view type;      // empty: nothing is said
  std::string_view modifier;  // "slight left"
  std::size_t exit = 0;       // of a roundabout; 0: the route ends on it
};

// Legs [begin, end) under one instruction; `road` is the leg whose names the step has.
struct Step {
  std::size_t begin, end, road;
  Maneuver maneuver;
};

class Guidance {
 public:
  explicit Guidance(const RequestContext& context);

  std::vector<Step> steps(std::span<const Leg> legs) const;
  std::string_view street(const Leg& leg) const;
  std::string_view mode(const Leg& leg) const;
  // The classes of a road that OSRM knows.
  std::vector<std::string_view> classes(const Leg& leg) const;

 private:
  Maneuver between(const Leg& in, const Leg& out) const;
  bool has(const Leg& leg, std::uint64_t classes) const { return (bits(leg) & classes) != 0; }
  std::uint64_t bits(const Leg& leg) const;
  std::uint64_t bit(std::string_view name) const;
  std::size_t exits_before(std::span<const Leg> legs, std::size_t begin, std::size_t end) const;

  const RequestContext& context_;
  const GraphFile& file_;
  std::uint64_t link_, fast_, roundabout_;
};

const char* modifier_of(int before, int after);

}  // namespace lodestar::server
