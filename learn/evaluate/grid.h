// The grid: splits × methods, run on all processors. Finished cells are taken from the store.
//
//   Grid grid{splits_with_methods, search};
//   const std::vector<Row> rows = run_grid(grid, store, build, threads, show_progress);
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "learn/evaluate/measure.h"
#include "learn/evaluate/method.h"
#include "learn/evaluate/row.h"

namespace lodestar::evaluate {

// A cell: one method on all graphs of one split. And the file that keeps finished ones.
//
//   CellStore store(folder, build);                    // reads what an earlier run left
//   if (!store.find(key)) store.add({key, samples});   // written at once
//
// A cell's key names everything its numbers depend on: the build, the search, the split, the
// method. Counts go to cells.jsonl, which is the same for every run of one build; times, which
// are not, to times.jsonl.
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

struct GridPart {
  Split split;
  std::vector<Method> methods;                 // trials of one row stand together
  std::vector<std::uint64_t> more_seeds = {};  // of further draws of the split; one row holds all

  std::vector<Split> draws() const;
};

struct Grid {
  std::vector<GridPart> parts;
  SearchPlan search;
};

struct GridProgress {
  double fraction = 0;                 // of the work, by estimate
  std::size_t computed = 0, kept = 0;  // cells
  std::string split;
};

// Rows in the order of parts and methods, then kImitationGain if a part has both. The numbers do
// not depend on `threads`.
std::vector<Row> run_grid(const Grid& grid, CellStore& store, const std::string& build,
                          unsigned threads,
                          const std::function<void(const GridProgress&)>& progress = {});

// The constant c for which the baseline "y(t) = c, 0 elsewhere" is best compared with the published
// table, on validation graphs of its sizes: the most cells no worse, then the widest margin.
// `count` graphs of each size.
double choose_constant(std::uint32_t count, unsigned threads);

}  // namespace lodestar::evaluate
