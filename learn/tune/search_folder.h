// The folder of a search: its lock, and the journal, whose first line describes the search.
//
//   SearchFolder folder("search", plan, {{"command", …}});   // a new search, or the same one to
//   resume folder.read_into(search);                                // what earlier runs found
//   run_search(search, folder.journal(), crew, how);
//
//   const StoredSearch stored("search");                     // read-only, without a lock
#pragma once

#include <string>

#include "learn/tune/journal.h"
#include "learn/tune/search.h"

namespace lodestar::tune {

// Locks a folder, which is created, for one search. Throws Error if another search holds it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int descriptor_ = -1;
};

class SearchFolder {
 public:
  // `origin` is recorded in the first line of a new journal. Throws Error if another search holds
  // the folder or the journal is of a search with other settings.
  SearchFolder(const std::string& folder, const SearchPlan& plan, const Json& origin);

  Journal& journal() { return journal_; }
  void read_into(Search& search) const;  // what earlier runs found

 private:
  FolderLock lock_;
  std::string path_;
  Journal journal_;
};

class StoredSearch {
 public:
  explicit StoredSearch(const std::string& folder);  // throws Error when there is none

  const Json& first_line() const { return journal_.lines().front(); }
  Search search() const;

 private:
  std::string path_;
  Journal journal_;
};

}  // namespace lodestar::tune
