// A cell: one method on all graphs of one split. And the file that keeps finished ones.
//
//   CellStore store(folder, build);                    // reads what an earlier run left
//   if (!store.find(key)) store.add({key, samples});   // written at once
//
// A cell's key names everything its numbers depend on: the build, the search, the split, the
// method. Counts go to cells.jsonl, which is the same for every run of one build; times, which
// are not, to times.jsonl.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "learn/evaluate/measure.h"
#include "learn/evaluate/method.h"

namespace lodestar::evaluate {

std::string cell_key(const std::string& build, const SearchPlan& search, const Split& split,
                     const Method& method);

class CellStore {
 public:
  // An empty folder: nothing is read or written. Throws Error when the files cannot be opened, or
  // hold something that is not a cell; a last line cut short by a kill is dropped.
  explicit CellStore(const std::string& folder);

  const std::vector<Sample>* find(const std::string& key) const;
  void add(const std::string& key, std::vector<Sample> samples);
  std::size_t size() const { return cells_.size(); }

 private:
  void append(const std::string& file, const std::string& line) const;

  std::string folder_;
  std::map<std::string, std::vector<Sample>> cells_;
};

}  // namespace lodestar::evaluate
