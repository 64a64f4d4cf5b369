// The two passes over an extract. Ways come first: real files are not always sorted, and only the
// nodes of roads are worth keeping.
#pragma once

#include <cstdint>
#include <functional>
#include <osmium/io/file.hpp>
#include <osmium/memory/buffer.hpp>
#include <string>
#include <vector>

#include "lodestar/shape.h"
#include "profile.h"

namespace lodestar::osm {

// libosmium keeps keys and values one after the other, each with a zero byte at its end. A zero
// byte within one makes their number odd, and reading would go on beyond the last. Throws
// std::runtime_error.
void check_tags(const osmium::memory::Buffer& buffer);

struct RawWay {
  std::int64_t id;
  std::uint64_t first;   // of its nodes in RawRoads::refs
  float forward;         // km/h; 0: closed
  float backward;        // km/h
  float duration;        // seconds for the whole way; 0: by speed
  std::uint32_t street;  // index in RawRoads::streets
};

// What ways of one street have in common; texts as in RawRoads::text.
struct RawStreet {
  std::uint32_t name;
  StreetDetail detail;
};

struct RawRestriction {
  std::int64_t from;              // way
  std::vector<std::int64_t> via;  // a node, or ways in order
  bool via_ways;
  std::int64_t to;  // way
  bool only;        // nothing but this turn; otherwise anything but
  bool u_turn;      // it speaks of turning back
};

struct RawRoads {
  std::vector<RawWay> ways;
  std::vector<std::uint16_t> way_kind;  // by way: index in kinds
  KindTable kinds;
  // Nodes of all ways: ids while reading, then places in `ids`.
  std::vector<std::int64_t> refs;
  std::vector<std::int64_t> ids;       // of the nodes of roads, ascending
  std::vector<FixedPoint> points;      // by place in ids; kNowhere when the file has no such node
  std::vector<std::uint8_t> blocked;   // by place in ids: a barrier
  std::vector<std::uint32_t> passing;  // by place in ids: what passing costs, tenths of a second
  std::vector<RawStreet> streets;
  std::vector<std::uint64_t> first_letter = {0};
  std::string letters;
  std::vector<RawRestriction> restrictions;
  std::size_t conditional_restrictions = 0;  // that hold at times
  std::size_t conditional_ways = 0;          // whose access depends on the time
  std::size_t other_restrictions = 0;        // not understood: members missing, another value
  std::size_t odd_speeds = 0;
  std::size_t odd_limits = 0;
  std::size_t missing_nodes = 0;
  std::size_t all_nodes = 0;  // of the file
  std::size_t all_ways = 0;

  std::string_view text(std::uint32_t i) const {
    return std::string_view(letters).substr(first_letter[i], first_letter[i + 1] - first_letter[i]);
  }
  std::uint64_t end(std::size_t way) const {
    return way + 1 < ways.size() ? ways[way + 1].first : refs.size();
  }
};

inline constexpr FixedPoint kNowhere{INT32_MAX, INT32_MAX};

// progress: a share between 0 and 1, from this thread; may be empty. Throws what osmium throws.
RawRoads scan(const osmium::io::File& file, const Profile& profile, unsigned threads,
              const std::function<void(double)>& progress);

}  // namespace lodestar::osm
