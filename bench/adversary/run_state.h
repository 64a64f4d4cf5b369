// What a run has done so far: counts by method and the next graph, as a small text file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace adversary {

// Plain memory, so that two processes can share it.
struct RunState {
  static constexpr std::size_t kMost = 64;  // methods

  std::uint64_t seed = 0;
  std::uint64_t next = 0;  // seed of the next graph
  std::uint64_t graphs = 0;
  std::uint64_t wrong = 0, hung = 0;
  double seconds = 0;  // of the processor
  std::uint64_t answers[kMost] = {}, refused[kMost] = {};

  std::uint64_t sum() const;  // of answers, without cells of matrices and the like
  std::string table() const;
  // Counts of another run of the same program.
  void add(const RunState& other);
};

// Replaces the file in one step. Throws lodestar::Error.
void save(const RunState& state, const std::string& path);
// Throws lodestar::Error if the file is malformed or names unknown methods.
RunState load_state(const std::string& path);

}  // namespace adversary
