// A table as aligned text, Markdown or HTML. Numbers are aligned to the right.
//
//   Table table({"algorithm", "expansions", "time"});
//   table.add({"dijkstra", "32283", "4.8 ms"});
//   fmt::print("{}", table.text());
//
// A row of one cell is a heading within the table.
#pragma once

#include <string>
#include <vector>

namespace lodestar {

// Text for HTML, with <, > and & escaped.
std::string html_escaped(const std::string& text);

class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string text() const;      // aligned with spaces; the first column to the left
  std::string markdown() const;  // a GitHub table
  std::string html() const;      // <table> … </table>

 private:
  std::vector<std::size_t> widths() const;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lodestar
