#include <algorithm>
#include <charconv>
#include <numeric>

#include "lodestar/graph_io.h"

namespace lodestar {
namespace {

// The number that `text` represents in the canonical form of to_string.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return value;
}

}  // namespace

NodeNames NodeNames::numbered(std::uint64_t base, NodeId count) {
  NodeNames names;
  names.base_ = base;
  names.count_ = count;
  return names;
}

NodeNames NodeNames::cells(std::uint32_t width, std::vector<std::uint32_t> cells,
                           std::uint32_t height) {
  NodeNames names;
  names.kind_ = Kind::kCells;
  names.width_ = width;
  const std::uint32_t needed = cells.empty() || width == 0 ? 0 : cells.back() / width + 1;
  names.height_ = std::max(height, needed);
  names.cells_ = std::move(cells);
  return names;
}

NodeNames NodeNames::table(const std::vector<std::string>& names) {
  Table table;
  table.first.reserve(names.size() + 1);
  table.first.push_back(0);
  for (const std::string& name : names) {
    table.text += name;
    table.first.push_back(table.text.size());
  }
  table.by_name.resize(names.size());
  std::iota(table.by_name.begin(), table.by_name.end(), NodeId{0});
  std::sort(table.by_name.begin(), table.by_name.end(),
            [&](NodeId a, NodeId b) { return names[a] < names[b]; });
  const auto twin = std::adjacent_find(table.by_name.begin(), table.by_name.end(),
                                       [&](NodeId a, NodeId b) { return names[a] == names[b]; });
  if (twin != table.by_name.end()) throw Error("two nodes are named '" + names[*twin] + "'");
  return adopt(std::move(table));
}

NodeNames NodeNames::adopt(Table table) {
  NodeNames names;
  names.kind_ = Kind::kTable;
  names.table_ = std::move(table);
  return names;
}

std::string NodeNames::name(NodeId v) const {
  switch (kind_) {
    case Kind::kNumbered:
      return std::to_string(base_ + v);
    case Kind::kCells:
      return std::to_string(cells_[v] % width_) + "," + std::to_string(cells_[v] / width_);
    case Kind::kTable:
      return std::string(table_.name(v));
  }
  return {};
}

NodeId NodeNames::find(std::string_view name) const {
  if (kind_ == Kind::kTable) {
    const auto& nodes = table_.by_name;
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), name,
                                     [&](NodeId v, auto text) { return table_.name(v) < text; });
    return at != nodes.end() && table_.name(*at) == name ? *at : kNoNode;
  }
  if (kind_ == Kind::kCells) {
    const std::size_t comma = name.find(',');
    if (comma == std::string_view::npos) return kNoNode;
    const auto x = whole_number(name.substr(0, comma));
    const auto y = whole_number(name.substr(comma + 1));
    return x && y ? find_cell(*x, *y) : kNoNode;
  }
  const auto number = whole_number(name);
  if (!number || *number < base_ || *number - base_ >= count_) return kNoNode;
  return static_cast<NodeId>(*number - base_);
}

NodeId NodeNames::find_cell(std::uint64_t x, std::uint64_t y) const {
  if (kind_ != Kind::kCells || x >= width_ || y >= height_) return kNoNode;
  const std::uint64_t cell = y * width_ + x;
  const auto at = std::lower_bound(cells_.begin(), cells_.end(), cell);
  return at != cells_.end() && *at == cell ? static_cast<NodeId>(at - cells_.begin()) : kNoNode;
}

}  // namespace lodestar
