#include "bench/harness/table.h"

#include <algorithm>

namespace lodestar {
namespace {

// Columns on screen: UTF-8 continuation bytes take none.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string pad(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return left ? text + space : space + text;
}

}  // namespace

std::string html_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const std::string& cell : header_) widths.push_back(width_of(cell));
  for (const auto& row : rows_) {
    if (row.size() == 1) continue;
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  return widths;
}

std::string Table::text() const {
  const auto width = widths();
  const auto line = [&](const std::vector<std::string>& row) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += "  ";
      out += pad(row[i], width[i], i == 0);
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out + "\n";
  };
  std::string out = line(header_);
  std::size_t total = 0;
  for (const std::size_t w : width) total += w + 2;
  for (std::size_t i = 0; i + 2 < total; ++i) out += "─";
  out += "\n";
  for (const auto& row : rows_) out += line(row);
  return out;
}

std::string Table::markdown() const {
  const auto width = widths();
  const auto line = [&](const std::vector<std::string>& row) {
    std::string out = "|";
    for (std::size_t i = 0; i < width.size(); ++i) {
      out += " " + pad(i < row.size() ? row[i] : "", width[i], i == 0) + " |";
    }
    return out + "\n";
  };
  std::string out = line(header_) + "|";
  for (std::size_t i = 0; i < width.size(); ++i) {
    out +=
        i == 0 ? ":" + std::string(width[i] + 1, '-') + "|" : std::string(width[i] + 1, '-') + ":|";
  }
  out += "\n";
  for (const auto& row : rows_) {
    out += row.size() == 1 ? line({"**" + row[0] + "**"}) : line(row);
  }
  return out;
}

std::string Table::html() const {
  std::string out = "<table>\n<thead><tr>";
  for (const std::string& cell : header_) out += "<th>" + html_escaped(cell) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows_) {
    if (row.size() == 1) {
      out += "<tr><th colspan=\"" + std::to_string(header_.size()) + "\">" + html_escaped(row[0]) +
             "</th></tr>\n";
      continue;
    }
    out += "<tr>";
    for (const std::string& cell : row) out += "<td>" + html_escaped(cell) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace lodestar
