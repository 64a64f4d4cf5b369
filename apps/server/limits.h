// What one client may ask for. Everything a request can make large has a number here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lodestar::server {

struct Limits {
  std::size_t header_bytes = 8 << 10;      // of the whole header
  std::size_t url_bytes = 6 << 10;         // long lists are sent by POST
  std::size_t body_bytes = 256 << 10;      // of a request
  std::size_t update_bytes = 256u << 20;   // of new weights, by those who may send them
  std::size_t places = 1000;               // of one route
  std::size_t nearest = 100;               // roads of one place
  std::size_t cells = 10'000;              // of one table
  std::size_t contours = 16;               // of one isochrone
  std::size_t response_bytes = 64u << 20;  // of one response
  std::uint64_t expansions = 20'000'000;   // of one request
  double seconds = 10;                     // of one request
  std::size_t alternatives = 3;            // of one route, beside the best one
  std::size_t areas = 100;                 // to avoid in one request
  std::size_t corners = 2000;              // of all its polygons
  std::size_t ways = 1000;                 // closed by one request
  std::uint64_t trace_steps = 2'000'000;   // of one search shown
};

}  // namespace lodestar::server
