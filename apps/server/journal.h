// Updates of weights on disk: appended, forced to the disk, read back at the next start.
//
//   Journal journal("state.lsj", graph);             // reads what is there
//   for (const auto& entry : journal.take_entries()) apply(entry);
//   journal.append({version, false, changes});       // on the disk when this returns
//
// A record that is cut off at the end of the file was never acknowledged, and is dropped. Damage
// before the end is an Error. One process at a time may have it open.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "weight_update.h"

namespace lodestar::serve {

struct JournalEntry {
  std::uint64_t version = 0;  // after it
  bool reset = false;         // back to the file's weights first
  std::vector<WeightChange> changes;
};

class Journal {
 public:
  // Throws Error when the file belongs to another graph, is damaged, or open elsewhere.
  Journal(std::string path, const Graph& graph);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  std::vector<JournalEntry> take_entries() { return std::move(entries_); }
  // All of them or, after a crash, the first few. Throws Error when the disk refuses; what was
  // begun is then cut off again.
  void append(std::span<const JournalEntry> entries);
  // Replaces everything by one entry: the weights as they are. Atomic.
  void compact(const JournalEntry& whole);
  std::uint64_t bytes() const { return size_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read();
  void open_and_lock();

  std::string path_;
  std::string header_;
  std::vector<JournalEntry> entries_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;  // of whole records
};

}  // namespace lodestar::serve
