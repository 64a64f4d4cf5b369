// The journal of weight updates: appended, synced to the disk, and read at the next start.
//
//   Journal journal("state.lsj", graph);             // reads existing entries
//   for (const auto& entry : journal.take_entries()) apply(entry);
//   journal.append({version, false, changes});       // durable when this returns
//
// After a crash or damage to the last record, the file may end in bytes that are not a whole
// record. They are moved to a file of their own, and note() reports it. A damaged record with whole
// ones after it is an Error, unless JournalDamage::kCutOff is given. Only one process at a time may
// open the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lodestar/graph.h"
#include "weight_update.h"

namespace lodestar::server {

struct JournalEntry {
  std::uint64_t version = 0;  // after it
  bool reset = false;         // back to the file's weights first
  std::vector<WeightChange> changes;
};

// How to handle a damaged record that is not the last one.
enum class JournalDamage : std::uint8_t {
  kRefuse,
  kCutOff  // keep the records before it; move the rest to a file of its own
};

// An update could not be written.
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
  // A message for the operator about the state of the file; may be empty.
  const std::string& note() const { return note_; }
  // Writes all entries; after a crash, the first few may be there. Throws JournalWriteError if
  // writing fails, and then truncates what was begun.
  void append(std::span<const JournalEntry> entries);
  // Replaces all entries by one with the current weights, atomically.
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
  bool torn_ = false;       // the file has further bytes that could not be truncated
};

// Renames the journal of a graph that is being replaced to FILE.old, and back unless the
// replacement succeeds. Without a path it does nothing.
class JournalAside {
 public:
  explicit JournalAside(std::string path);  // throws Error if it cannot be renamed
  ~JournalAside();
  JournalAside(const JournalAside&) = delete;
  JournalAside& operator=(const JournalAside&) = delete;
  void keep() { moved_ = false; }

 private:
  std::string path_;
  bool moved_ = false;
};

}  // namespace lodestar::server
