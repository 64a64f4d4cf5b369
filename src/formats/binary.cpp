#include "formats/binary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "formats/format.h"
#include "lodestar/detail/format_version.h"

namespace lodestar::formats {
namespace {

// Uses four independent lanes and is about as fast as memory. It detects damage but not forgery;
// the checks below limit what a forged file can do.
std::uint64_t checksum(std::string_view bytes) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ull;
  std::uint64_t lane[4] = {1, 2, 3, 4};
  const auto mix = [](std::uint64_t state, std::uint64_t word) {
    return std::rotl((state ^ word) * kFactor, 29);
  };
  std::size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32) {
    std::uint64_t word[4];
    std::memcpy(word, bytes.data() + at, 32);
    for (int i = 0; i < 4; ++i) lane[i] = mix(lane[i], word[i]);
  }
  for (; at < bytes.size(); ++at) lane[0] = mix(lane[0], static_cast<unsigned char>(bytes[at]));
  return mix(mix(mix(lane[0], lane[1]), lane[2]), lane[3]) ^ bytes.size();
}

std::uint64_t header_checksum(std::string_view image) {
  return checksum(image.substr(0, offsetof(BinaryHeader, header_sum)));
}

template <class T>
std::span<const T> array_at(std::string_view image, const BinaryLayout::Section& section) {
  return {reinterpret_cast<const T*>(image.data() + section.begin), section.bytes / sizeof(T)};
}

template <class T>
bool ascends_to(std::span<const T> first, std::uint64_t last) {
  if (first.front() != 0 || first.back() != last) return false;
  bool wrong = false;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) wrong |= first[i + 1] < first[i];
  return !wrong;
}

// Checks all arcs in one loop, which vectorises.
template <class W>
const char* what_is_wrong(std::span<const ArcIndex> first, std::span<const StoredArc<W>> arcs,
                          ArcOrder order) {
  using Bits = std::conditional_t<sizeof(W) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits kFinite = std::bit_cast<Bits>(std::numeric_limits<W>::max());
  if (!ascends_to(first, arcs.size())) return "rows do not ascend";
  NodeId head = 0;
  Bits weight = 0;       // negative and not finite ones are above kFinite
  Bits least = kFinite;  // of weight - 1, so that weight 0 wraps to the largest value
  for (const StoredArc<W>& arc : arcs) {
    head = std::max(head, arc.head);
    const Bits bits = std::bit_cast<Bits>(arc.weight);
    weight = std::max(weight, bits);
    least = std::min<Bits>(least, bits - 1);
  }
  if (!arcs.empty() && head >= first.size() - 1) return "a node is out of range";
  if (weight > kFinite) return "a weight is negative or not finite";
  // Every float is in the domain of weights.
  if constexpr (sizeof(W) == sizeof(Weight)) {
    if (weight > std::bit_cast<Bits>(kLargestWeight) ||
        least + 1 < std::bit_cast<Bits>(kLeastWeight)) {
      return "a weight is neither 0 nor from 1.03e-289 to 9.7e288";
    }
  }
  // Rows are sorted if heads descend only where a row begins.
  const auto descends = [&](std::size_t i) {
    const StoredArc<W>& a = arcs[i - 1];
    const StoredArc<W>& b = arcs[i];
    const bool head_less = b.head < a.head;
    const bool weight_less = b.weight < a.weight;
    return order == ArcOrder::kByHead ? head_less | ((b.head == a.head) & weight_less)
                                      : weight_less | ((b.weight == a.weight) & head_less);
  };
  std::size_t descents = 0;
  for (std::size_t i = 1; i < arcs.size(); ++i) descents += descends(i);
  for (std::size_t u = 1; u + 1 < first.size(); ++u) {
    const ArcIndex i = first[u];
    if (i > 0 && i < arcs.size() && i != first[u - 1]) descents -= descends(i);
  }
  return descents == 0 ? nullptr : "the arcs of a node are out of order";
}

NodeNames read_names(const BinaryHeader& header, const BinaryLayout& layout, std::string_view image,
                     const std::string& file) {
  const auto damaged = [&] { return Error(file + ": is damaged: its node names are wrong"); };
  if (header.names == static_cast<int>(NodeNames::Kind::kNumbered)) {
    if (header.base > std::numeric_limits<std::uint64_t>::max() - header.nodes) throw damaged();
    return NodeNames::numbered(header.base, header.nodes);
  }
  if (header.names == static_cast<int>(NodeNames::Kind::kCells)) {
    const auto cells = array_at<std::uint32_t>(image, layout.names[0]);
    const std::uint64_t size = std::uint64_t{header.width} * header.height;
    bool wrong = !cells.empty() && cells.back() >= size;
    for (std::size_t i = 1; i < cells.size(); ++i) wrong |= cells[i] <= cells[i - 1];
    if (wrong) throw damaged();
    return NodeNames::cells(header.width, {cells.begin(), cells.end()}, header.height);
  }
  const auto first = array_at<std::uint64_t>(image, layout.names[0]);
  const auto by_name = array_at<NodeId>(image, layout.names[1]);
  if (!ascends_to(first, header.text_bytes)) throw damaged();
  NodeNames::Table table;
  table.first.assign(first.begin(), first.end());
  table.by_name.assign(by_name.begin(), by_name.end());
  table.text = image.substr(layout.names[2].begin, layout.names[2].bytes);
  for (std::size_t i = 0; i < by_name.size(); ++i) {
    if (by_name[i] >= header.nodes) throw damaged();
    if (i > 0 && table.name(by_name[i - 1]) >= table.name(by_name[i])) throw damaged();
  }
  return NodeNames::adopt(std::move(table));
}

template <class W>
void check_arcs(const GraphArrays& arrays, const std::string& file) {
  for (int d = 0; d < (arrays.symmetric ? 1 : 2); ++d) {
    const std::span<const StoredArc<W>> arcs(
        reinterpret_cast<const StoredArc<W>*>(arrays.arcs[d].data()),
        arrays.arcs[d].size() / sizeof(StoredArc<W>));
    if (const char* wrong = what_is_wrong<W>(arrays.first[d], arcs, arrays.order)) {
      throw Error(file + ": is damaged: " + wrong);
    }
  }
}

BinaryHeader checked_header(std::string_view image, const std::string& file) {
  BinaryHeader header;
  if (image.size() < kHeaderBytes || !image.starts_with(kBinaryMagic)) {
    throw Error(file + ": is not a .lsg file");
  }
  std::memcpy(&header, image.data(), sizeof header);
  if (header.endian != kEndianMark) {
    throw Error(file +
                ": was written on a machine with another byte order; convert it on that machine");
  }
  if (header.version < kBinaryVersion || header.version > kBinaryVersionWithMetrics) {
    throw Error(file + ": " +
                detail::other_format(header.version, kBinaryVersionWithMetrics,
                                     "convert the original again"));
  }
  if (header.header_sum != header_checksum(image)) {
    throw Error(file + ": is damaged: its header's checksum is wrong");
  }
  if (header.nodes == kNoNode || header.arcs >= std::numeric_limits<ArcIndex>::max() ||
      header.text_bytes > image.size() || header.symmetric > 1 || header.narrow > 1 ||
      header.order > static_cast<int>(ArcOrder::kByWeight) ||
      header.coordinates > static_cast<int>(CoordinateKind::kGrid) ||
      header.names > static_cast<int>(NodeNames::Kind::kTable) ||
      (header.version != kBinaryVersionWithMetrics &&
       (header.shape_blocks > 0) != (header.version == kBinaryVersionWithShape))) {
    throw Error(file + ": is damaged: its header is invalid");
  }
  const std::uint64_t expected = binary_layout(header).end;
  if (header.file_bytes != expected || image.size() != expected) {
    throw Error(file + ": has " + std::to_string(image.size()) +
                " bytes, but its header requires " + std::to_string(expected) +
                "; is it truncated?");
  }
  return header;
}

}  // namespace

BinaryLayout binary_layout(const BinaryHeader& header) {
  BinaryLayout layout;
  const auto place = [&](BinaryLayout::Section& section, std::uint64_t bytes) {
    section = {layout.end, bytes};
    layout.end += (bytes + 63) / 64 * 64;
  };
  const std::uint64_t n = header.nodes;
  const std::uint64_t arc_bytes =
      header.narrow != 0 ? sizeof(StoredArc<float>) : sizeof(StoredArc<double>);
  for (int d = 0; d < (header.symmetric != 0 ? 1 : 2); ++d) {
    place(layout.first[d], (n + 1) * sizeof(ArcIndex));
    place(layout.arcs[d], header.arcs * arc_bytes);
  }
  const bool has_points = header.coordinates != static_cast<int>(CoordinateKind::kNone);
  place(layout.points, has_points ? n * sizeof(Point) : 0);
  if (header.names == static_cast<int>(NodeNames::Kind::kCells)) {
    place(layout.names[0], n * sizeof(std::uint32_t));
  } else if (header.names == static_cast<int>(NodeNames::Kind::kTable)) {
    place(layout.names[0], (n + 1) * sizeof(std::uint64_t));
    place(layout.names[1], n * sizeof(NodeId));
    place(layout.names[2], header.text_bytes);
  }
  place(layout.shape, std::uint64_t{header.shape_blocks} * 64);
  const bool has_metrics =
      header.version == kBinaryVersionWithMetrics && header.file_bytes > layout.end;
  place(layout.metrics, has_metrics ? header.file_bytes - layout.end : 0);
  return layout;
}

void seal_binary(std::span<char> image) {
  if (image.size() < kHeaderBytes) return;
  const std::string_view text(image.data(), image.size());
  const std::uint64_t body = checksum(text.substr(kHeaderBytes));
  std::memcpy(image.data() + offsetof(BinaryHeader, body_sum), &body, sizeof body);
  const std::uint64_t header = header_checksum(text);
  std::memcpy(image.data() + offsetof(BinaryHeader, header_sum), &header, sizeof header);
}

GraphFile read_binary(const Input& input) {
  const std::string_view image = input.text();
  const BinaryHeader header = checked_header(image, input.name);
  if (header.body_sum != checksum(image.substr(kHeaderBytes))) {
    throw Error(input.name + ": is damaged: its checksum is wrong");
  }
  const BinaryLayout layout = binary_layout(header);
  GraphArrays arrays;
  arrays.nodes = header.nodes;
  arrays.symmetric = header.symmetric != 0;
  arrays.narrow = header.narrow != 0;
  arrays.order = static_cast<ArcOrder>(header.order);
  arrays.coordinates = static_cast<CoordinateKind>(header.coordinates);
  for (int d = 0; d < 2; ++d) {
    const int stored = arrays.symmetric ? 0 : d;
    arrays.first[d] = array_at<ArcIndex>(image, layout.first[stored]);
    arrays.arcs[d] = array_at<std::byte>(image, layout.arcs[stored]);
  }
  arrays.points = array_at<Point>(image, layout.points);
  arrays.keeper = input.bytes.keeper();
  if (arrays.narrow) {
    check_arcs<float>(arrays, input.name);
  } else {
    check_arcs<double>(arrays, input.name);
  }
  for (const Point& p : arrays.points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      throw Error(input.name + ": is damaged: a coordinate is not finite");
    }
  }
  NodeNames names = read_names(header, layout, image, input.name);
  GraphFile file{Graph::adopt(std::move(arrays)), std::move(names), "Lodestar binary", {}};
  if (layout.shape.bytes > 0) {
    file.shape = load_shape(image.substr(layout.shape.begin, layout.shape.bytes),
                            input.bytes.keeper(), header.nodes, header.arcs, input.name);
    if (header.order != static_cast<int>(ArcOrder::kByHead)) {
      throw Error(input.name + ": is damaged: its shape requires arcs ordered by head");
    }
    file.notes = file.shape.notes();
  }
  if (header.version == kBinaryVersionWithMetrics) {
    file.metrics = load_metrics(image.substr(layout.metrics.begin, layout.metrics.bytes),
                                input.bytes.keeper(), header.arcs, input.name);
    if (header.order != static_cast<int>(ArcOrder::kByHead)) {
      throw Error(input.name + ": is damaged: its metrics require arcs ordered by head");
    }
  }
  return file;
}

Omissions write_binary(const GraphFile& file, const Destination& to) {
  const GraphArrays& arrays = file.graph.arrays();
  BinaryHeader header = {};
  std::memcpy(header.magic, kBinaryMagic.data(), sizeof header.magic);
  // Shapes and metrics count arcs in the order of their heads.
  const bool by_head = arrays.order == ArcOrder::kByHead;
  const bool with_shape = !file.shape.empty() && by_head;
  const bool with_metrics = !file.metrics.empty() && by_head;
  header.version = with_metrics ? kBinaryVersionWithMetrics
                   : with_shape ? kBinaryVersionWithShape
                                : kBinaryVersion;
  header.endian = kEndianMark;
  header.arcs = file.graph.arc_count();
  header.nodes = arrays.nodes;
  header.symmetric = arrays.symmetric ? 1 : 0;
  header.narrow = arrays.narrow ? 1 : 0;
  header.order = static_cast<std::uint8_t>(arrays.order);
  header.coordinates = static_cast<std::uint8_t>(arrays.coordinates);
  header.names = static_cast<std::uint8_t>(file.names.kind());
  header.width = file.names.width();
  header.height = file.names.height();
  header.base = file.names.base();
  header.text_bytes = file.names.table().text.size();
  if (with_shape) header.shape_blocks = static_cast<std::uint32_t>(shape_bytes(file.shape) / 64);
  header.file_bytes = binary_layout(header).end;
  if (with_metrics) header.file_bytes += metrics_bytes(file.metrics, header.arcs);
  const BinaryLayout layout = binary_layout(header);

  std::string image(layout.end, '\0');
  const auto store = [&](const BinaryLayout::Section& section, const void* data) {
    if (section.bytes > 0) std::memcpy(image.data() + section.begin, data, section.bytes);
  };
  std::memcpy(image.data(), &header, sizeof header);
  for (int d = 0; d < (arrays.symmetric ? 1 : 2); ++d) {
    store(layout.first[d], arrays.first[d].data());
    if (arrays.narrow) {
      store(layout.arcs[d], arrays.arcs[d].data());
      continue;
    }
    // Member by member, because the padding between head and weight is undefined.
    const auto* arcs = reinterpret_cast<const StoredArc<double>*>(arrays.arcs[d].data());
    char* out = image.data() + layout.arcs[d].begin;
    for (std::size_t i = 0; i < header.arcs; ++i, out += sizeof(StoredArc<double>)) {
      std::memcpy(out, &arcs[i].head, sizeof arcs[i].head);
      std::memcpy(out + offsetof(StoredArc<double>, weight), &arcs[i].weight, sizeof(double));
    }
  }
  store(layout.points, arrays.points.data());
  if (file.names.kind() == NodeNames::Kind::kCells) {
    store(layout.names[0], file.names.cells().data());
  } else if (file.names.kind() == NodeNames::Kind::kTable) {
    store(layout.names[0], file.names.table().first.data());
    store(layout.names[1], file.names.table().by_name.data());
    store(layout.names[2], file.names.table().text.data());
  }
  if (with_shape) store_shape(file.shape, image.data() + layout.shape.begin);
  if (with_metrics) {
    store_metrics(file.metrics, header.arcs, image.data() + layout.metrics.begin);
  }
  seal_binary(image);
  TextWriter out(to.path, to.kind);
  out.put(image);
  out.commit();
  Omissions omissions;
  if (!with_shape && !file.shape.empty()) {
    omissions.push_back("the lines, streets and ids of arcs, which need arcs ordered by head");
  }
  if (!with_metrics && !file.metrics.empty()) {
    omissions.push_back("metrics and classes, which need arcs ordered by head");
  }
  return omissions;
}

}  // namespace lodestar::formats
