// Another library's point-to-point search behind a plain interface. Each lives in its own file,
// since each wants its own language standard and flags.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace peers {

struct PlainArc {
  std::uint32_t tail;
  std::uint32_t head;
  double weight;
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  virtual double distance(std::uint32_t source, std::uint32_t target) = 0;
};

// nullptr when the library was not there at build time.
std::unique_ptr<Peer> make_boost(std::uint32_t nodes, const std::vector<PlainArc>& arcs);
std::unique_ptr<Peer> make_lemon(std::uint32_t nodes, const std::vector<PlainArc>& arcs);
std::unique_ptr<Peer> make_igraph(std::uint32_t nodes, const std::vector<PlainArc>& arcs);

}  // namespace peers
