// A random number generator with the same results on every machine, compiler and standard library.
//
//   Rng rng(seed);
//   const double u = rng.uniform();          // [0, 1), 53 bits
//   const NodeId v = rng.below(n);           // 0 … n-1, no modulo bias
//   Rng other = rng.fork(7);                 // an independent stream; rng is unchanged
//
// xoshiro256** seeded by splitmix64 (Blackman, Vigna 2018).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace lodestar {

// One step of splitmix64; also a good hash of a counter.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed = 0) {
    for (auto& word : state_) word = mix64(seed++ * 0x9e3779b97f4a7c15ull + 1);
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // [0, 1) with 53 random bits.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  constexpr double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // [0, 1) with 24 random bits: exactly a float32, so a graph of such weights stays narrow.
  constexpr float uniform24() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

  // 0 … bound-1, without bias (Lemire 2019). bound > 0.
  constexpr std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t reject = (0u - bound) % bound;
      while (static_cast<std::uint32_t>(product) < reject) product = (next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  constexpr bool chance(double p) { return uniform() < p; }

  // Irwin-Hall: twelve uniforms. Near normal, and made of exact operations only, since libm's
  // log and cos differ in the last bit between systems.
  constexpr double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

  template <class T>
  constexpr void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

  constexpr Rng fork(std::uint64_t stream) const {
    return Rng(mix64(state_[0] ^ mix64(state_[3] + stream)));
  }

  // For checkpoints.
  constexpr std::span<std::uint64_t, 4> state() { return state_; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
  }
  std::uint64_t state_[4];
};

}  // namespace lodestar
