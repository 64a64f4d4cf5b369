// The results of a search, one JSON object per line. Lines are only appended.
//
//   Journal journal("search/journal.jsonl");
//   for (const Json& line : journal.lines()) …       // what earlier runs found
//   journal.append({{"trial", 7}, …});               // on the disk when it returns
//
// A process that is killed while it writes leaves a torn last line; that line does not count and
// the next append takes its place. Damage anywhere else is an Error and changes nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lodestar::tune {

using Json = nlohmann::ordered_json;

class Journal {
 public:
  explicit Journal(std::string path);  // the file is made by the first append
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  const std::vector<Json>& lines() const { return lines_; }
  // Throws Error if it cannot be written; the file is then unchanged.
  void append(const Json& line);

 private:
  void read();
  void open_for_writing();

  std::string path_;
  std::vector<Json> lines_;
  long whole_bytes_ = 0;  // up to the end of the last whole line
  int descriptor_ = -1;
};

}  // namespace lodestar::tune
