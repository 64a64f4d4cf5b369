// Updates of weights on disk: appended, forced to the disk, read back at the next start.
//
//   Journal journal("state.lsj", graph);             // reads what is there
//   for (const auto& entry : journal.take_entries()) apply(entry);
//   journal.append({version, false, changes});       // on the disk when this returns
//
// The file may end in bytes that are not a whole record: a crash leaves them behind, and so does a
// disk that damages the last record. They are moved to a file of their own, and note() says so. A
// damaged record with whole ones after it is an Error, unless JournalDamage::kCutOff is given. One
// process at a time may have the file open.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lodestar/graph.h"
#include "weight_update.h"

namespace lodestar::serve {

struct JournalEntry {
  std::uint64_t version = 0;  // after it
  bool reset = false;         // back to the file's weights first
  std::vector<WeightChange> changes;
};

// What to do about a damaged record that is not the last one.
enum class JournalDamage : std::uint8_t {
  kRefuse,
  kCutOff  // keep the records before it; move the rest to a file of its own
};

// The disk refused an update.
class JournalWriteError : public Error {
 public:
  JournalWriteError(const std::string& message, std::string reason)
      : Error(message), reason_(std::move(reason)) {}
  const std::string& reason() const { return reason_; }  // names no file

 private:
  std::string reason_;
};

class Journal {
 public:
  // Throws Error when the file belongs to another graph, is damaged, or open elsewhere.
  Journal(std::string path, const Graph& graph, JournalDamage damage = JournalDamage::kRefuse);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  std::vector<JournalEntry> take_entries() { return std::move(entries_); }
  // What the operator should know about the file as it was found; may be empty.
  const std::string& note() const { return note_; }
  // All of them or, after a crash, the first few. Throws JournalWriteError when the disk refuses;
  // what was begun is then cut off again.
  void append(std::span<const JournalEntry> entries);
  // Replaces everything by one entry: the weights as they are. Atomic.
  void compact(const JournalEntry& whole);
  std::uint64_t bytes() const { return size_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read(JournalDamage damage);
  JournalEntry entry_of(std::string_view body, std::uint64_t before) const;
  void cut_off(std::string_view bytes, std::uint64_t version);
  void open_and_lock();

  std::string path_;
  std::string header_;
  std::vector<JournalEntry> entries_;
  std::string note_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;  // of whole records
  bool torn_ = false;       // more than that is in the file, and could not be cut off
};

}  // namespace lodestar::serve
