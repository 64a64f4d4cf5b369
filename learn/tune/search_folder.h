// A search's folder: its lock, and the journal, which begins with what the search is.
//
//   SearchFolder folder("search", plan, {{"command", …}});   // a new one, or the same to go on
//   folder.read_into(search);                                // what earlier runs found
//   run_search(search, folder.journal(), crew, how);
//
//   const StoredSearch stored("search");                     // to look at only: no lock, no change
#pragma once

#include <string>

#include "learn/tune/journal.h"
#include "learn/tune/search.h"

namespace lodestar::tune {

// Held while a search is at work in a folder, which is made; another one is told so by an Error.
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
  // `origin` is noted in the first line of a new journal. Throws Error when another search is at
  // work in the folder, or the journal is of a search with other settings.
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
