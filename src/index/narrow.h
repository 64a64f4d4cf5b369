// Arrays of numbers in as few whole bytes as they need: ids of nodes, arcs and ranges of paths.
//
// A number is read by a load of 4 or 8 bytes and a mask, so kSlack bytes behind an array are
// readable. Paths copy ids in either direction, so as many bytes in front of it are readable, too.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "lodestar/types.h"

namespace lodestar::index {

inline constexpr std::size_t kSlack = 192;

template <class T>
[[gnu::always_inline]] inline T load_as(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// The bytes of numbers below `limit`.
inline unsigned bytes_below(std::uint64_t limit) {
  const int bits = limit == 0 ? 0 : std::bit_width(limit - 1);
  return static_cast<unsigned>((bits + 7) / 8);
}
// Ids have at least two, so that copying has three cases.
inline unsigned id_bytes(NodeId nodes) {
  return nodes <= 1u << 16 ? 2 : bytes_below(nodes);
}

class Ids {
 public:
  Ids() = default;
  Ids(const std::byte* data, std::size_t size, unsigned width)
      : data_(data), size_(size), width_(width), mask_(0xffffffffu >> (32 - 8 * width)) {}
  NodeId operator[](std::size_t i) const {
    return load_as<std::uint32_t>(data_ + i * width_) & mask_;
  }
  const std::byte* at(std::size_t i) const { return data_ + i * width_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  unsigned width() const { return width_; }
  std::size_t size_bytes() const { return size_ == 0 ? 0 : size_ * width_ + kSlack; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  unsigned width_ = 4;
  std::uint32_t mask_ = 0xffffffffu;
};

// Ids in memory of their own.
class OwnedIds {
 public:
  OwnedIds() = default;
  OwnedIds(std::span<const NodeId> ids, NodeId nodes)
      : width_(id_bytes(nodes)), size_(ids.size()), bytes_(ids.size() * width_ + 2 * kSlack) {
    std::byte* to = bytes_.data() + kSlack;
    for (const NodeId id : ids) {
      std::memcpy(to, &id, width_);
      to += width_;
    }
  }
  Ids view() const { return bytes_.empty() ? Ids() : Ids(bytes_.data() + kSlack, size_, width_); }

 private:
  unsigned width_ = 4;
  std::size_t size_ = 0;
  std::vector<std::byte> bytes_;
};

template <class W>
struct UpArc {
  NodeId head = 0;
  W weight = 0;
};
// The padding is defined, because arcs are written to files as they are in memory.
template <>
struct UpArc<double> {
  UpArc() = default;
  UpArc(NodeId to, double cost) : head(to), weight(cost) {}
  NodeId head = 0;
  std::uint32_t zero = 0;
  double weight = 0;
};

// Arcs as structures.
template <class W>
struct PlainArcs {
  const UpArc<W>* arcs = nullptr;
  [[gnu::always_inline]] const UpArc<W>& operator[](std::size_t i) const { return arcs[i]; }
  const void* at(std::size_t i) const { return arcs + i; }
};

// How arcs of 32-bit weights are stored: the head in the low bits, the weight above it.
struct ArcFormat {
  std::uint8_t head_bits = 32;
  std::uint8_t bytes = 8;
  bool narrow() const { return bytes < 8; }
  std::uint32_t most_head() const {
    return static_cast<std::uint32_t>((std::uint64_t{1} << head_bits) - 1);
  }
  std::uint32_t most_weight() const {
    const int bits = std::min(32, 8 * bytes - head_bits);
    return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  }
};

// Readable bytes behind narrow arcs.
inline constexpr std::size_t kArcSlack = 8;

// Arcs of any format; structures have 32 bits each.
struct NarrowArcs {
  const std::byte* arcs = nullptr;
  std::uint32_t bytes = 8;
  std::uint32_t head_bits = 32;
  std::uint32_t most_head = 0xffffffffu;
  std::uint32_t most_weight = 0xffffffffu;

  NarrowArcs() = default;
  NarrowArcs(const std::byte* from, ArcFormat format)
      : arcs(from),
        bytes(format.bytes),
        head_bits(format.head_bits),
        most_head(format.most_head()),
        most_weight(format.most_weight()) {}
  [[gnu::always_inline]] UpArc<std::uint32_t> operator[](std::size_t i) const {
    const auto both = load_as<std::uint64_t>(arcs + i * bytes);
    return {static_cast<std::uint32_t>(both) & most_head,
            static_cast<std::uint32_t>(both >> head_bits) & most_weight};
  }
  const void* at(std::size_t i) const { return arcs + i * bytes; }
};

// The narrow arcs of one node. Iterators return values.
class NarrowRow {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = UpArc<std::uint32_t>;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = UpArc<std::uint32_t>;
    explicit Iterator(NarrowArcs at) : at_(at) {}
    UpArc<std::uint32_t> operator*() const { return at_[0]; }
    Iterator& operator++() {
      at_.arcs += at_.bytes;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_.arcs == other.at_.arcs; }

   private:
    NarrowArcs at_;
  };

  NarrowRow(NarrowArcs arcs, std::size_t begin, std::size_t end) : arcs_(arcs), size_(end - begin) {
    arcs_.arcs += begin * arcs_.bytes;
  }
  Iterator begin() const { return Iterator(arcs_); }
  Iterator end() const {
    NarrowArcs end = arcs_;
    end.arcs += size_ * end.bytes;
    return Iterator(end);
  }
  std::size_t size() const { return size_; }
  UpArc<std::uint32_t> operator[](std::size_t i) const { return arcs_[i]; }

 private:
  NarrowArcs arcs_;  // from the first one on
  std::size_t size_;
};

// The arcs of one node.
template <class W>
std::span<const UpArc<W>> row_between(PlainArcs<W> arcs, std::size_t begin, std::size_t end) {
  return {arcs.arcs + begin, arcs.arcs + end};
}
inline NarrowRow row_between(NarrowArcs arcs, std::size_t begin, std::size_t end) {
  return {arcs, begin, end};
}
template <class Arcs>
using ArcRow = decltype(row_between(std::declval<Arcs>(), 0, 0));

// The words of a shortcut. The first one is at `at`.
struct PathRange {
  std::uint32_t at = 0;
  bool backward = false;
  std::uint8_t length = 0;  // words behind the first one, or kLong
};
inline constexpr std::uint8_t kLong = 255;

// Ranges of 3 to 5 bytes: the length, the direction and the position, from the lowest bit on.
class PathRanges {
 public:
  PathRanges() = default;
  PathRanges(const std::byte* data, std::size_t size, unsigned width)
      : data_(data), size_(size), width_(width) {}
  static unsigned width_for(std::size_t words) {
    return words <= std::size_t{1} << 15 ? 3 : words <= std::size_t{1} << 23 ? 4 : 5;
  }
  PathRange operator[](std::size_t i) const {
    const auto bits = load_as<std::uint64_t>(data_ + i * width_) & mask();
    return {static_cast<std::uint32_t>(bits >> 9), (bits >> 8 & 1) != 0,
            static_cast<std::uint8_t>(bits)};
  }
  static std::uint64_t packed(PathRange range) {
    return std::uint64_t{range.at} << 9 | std::uint64_t{range.backward} << 8 | range.length;
  }
  std::uint64_t mask() const { return (std::uint64_t{1} << 8 * width_) - 1; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  unsigned width() const { return width_; }
  std::size_t size_bytes() const { return size_ == 0 ? 0 : size_ * width_ + kRangeSlack; }
  static constexpr std::size_t kRangeSlack = 8;
  static constexpr std::size_t kMostWords = std::size_t{1} << 31;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  unsigned width_ = 4;
};

}  // namespace lodestar::index
