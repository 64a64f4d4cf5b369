#include "index/file/file.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "formats/bytes.h"
#include "index/core_bound.h"
#include "index/core_distances.h"
#include "index/labels/labels.h"
#include "index/path_steps.h"
#include "index/units.h"
#include "lodestar/atomic_file.h"
#include "lodestar/detail/format_version.h"
#include "lodestar/rng.h"

namespace lodestar::index {
namespace {

static_assert(std::endian::native == std::endian::little, "written as it lies in memory");

constexpr std::uint32_t kFormat = 5;
// Ids of 32 bits and arcs of 8 bytes. Format 3 has no lengths, and no labels of doubles.
constexpr std::uint32_t kFormatOfWholeIds = 4;
constexpr std::uint32_t kOldestFormat = 3;
constexpr std::size_t kHeaderBytes = 256;

struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t header_bytes;
  std::uint64_t file_bytes;
  std::uint64_t topology;
  std::uint64_t weights;
  std::uint64_t words;
  std::uint32_t nodes;
  std::uint32_t core;
  std::uint32_t arcs[2];
  std::uint8_t symmetric;
  std::uint8_t wide;
  std::uint8_t exact;
  std::uint8_t paths;
  std::uint8_t both_ways;
  std::uint8_t labelled;
  std::uint8_t has_core_distances;
  std::uint8_t plain;
  std::uint32_t potential_count;
  std::uint32_t row;
  double unit;
  double potential_unit;
  std::uint64_t seed;
  std::uint64_t rounds;
  double contraction_seconds;
  double training_seconds;
  char version[24];
  char commit[48];
  double parts;
  std::uint64_t labels[2];   // headers and items, by side
  std::uint32_t ranges[2];   // shortcuts, by side
  std::uint8_t head_bits;    // of arcs with 32-bit weights
  std::uint8_t arc_bytes;    // of the same
  std::uint8_t has_next;     // the next arcs across the core
  std::uint8_t reserved[5];  // zero
  std::uint64_t body_sum;    // checksum of everything after the header
  std::uint64_t header_sum;  // checksum of the header up to here
};
static_assert(sizeof(Header) == kHeaderBytes);

// Four streams of 8 bytes: as fast as memory, and detects every flipped bit.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t lanes[4] = {1, 2, 3, 4};
  std::size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32) {
    std::uint64_t words[4];
    std::memcpy(words, bytes.data() + at, 32);
    for (int i = 0; i < 4; ++i) {
      lanes[i] = std::rotl(lanes[i] ^ words[i], 29) * 0x9e3779b97f4a7c15ull;
    }
  }
  std::uint64_t sum = bytes.size();
  for (; at < bytes.size(); ++at) sum = mix64(sum ^ static_cast<unsigned char>(bytes[at]));
  for (const std::uint64_t lane : lanes) sum = mix64(sum) ^ lane;
  return sum;
}

std::uint64_t header_checksum(std::string_view image) {
  return checksum(image.substr(0, offsetof(Header, header_sum)));
}

struct Section {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};
struct FileLayout {
  Section place, original, words, potentials;
  std::array<Section, 2> first, arcs, shortcuts, ranges, label_at, labels, label_arcs;
  std::array<Section, 2> length;  // of ranges, in format 4
  Section between, next;
  std::uint64_t end = kHeaderBytes;
};

FileLayout layout_of(const Header& header) {
  FileLayout layout;
  const auto put = [&](Section& section, std::uint64_t bytes) {
    section = {layout.end, bytes};
    layout.end += (bytes + 63) / 64 * 64;
  };
  const std::uint64_t n = header.nodes;
  const bool whole = header.format <= kFormatOfWholeIds;
  const std::uint64_t id = whole ? 4 : id_bytes(header.nodes), slack = whole ? 0 : kSlack;
  put(layout.place, id * n + slack);
  put(layout.original, id * n + slack);
  for (std::size_t side = 0; side < (header.symmetric != 0 ? 1 : 2); ++side) {
    put(layout.first[side], 4 * (n + 1));
    put(layout.arcs[side],
        std::uint64_t{header.arcs[side]} * (header.wide != 0 ? 16 : header.arc_bytes) +
            (header.arc_bytes < 8 ? kArcSlack : 0));
    const std::uint64_t blocks = (std::uint64_t{header.arcs[side]} + 63) / 64;
    put(layout.shortcuts[side], header.paths != 0 ? sizeof(ShortcutBlock) * blocks : 0);
    const std::uint64_t ranges = header.ranges[side];
    if (whole) {
      put(layout.ranges[side], 4 * ranges);
      if (header.format == kFormatOfWholeIds) put(layout.length[side], ranges);
    } else if (ranges > 0) {
      put(layout.ranges[side],
          PathRanges::width_for(header.words) * ranges + PathRanges::kRangeSlack);
    }
  }
  put(layout.words, header.words == 0 ? 0 : id * header.words + slack);
  put(layout.potentials, std::uint64_t{4} * header.core * header.row);
  if (header.labelled != 0 || header.has_core_distances != 0) {
    put(layout.between, std::uint64_t{header.wide != 0 ? 8u : 4u} * header.core * header.core);
    put(layout.next, std::uint64_t{header.has_next} * header.core * header.core);
  }
  if (header.labelled == 0) return layout;
  for (std::size_t side = 0; side < (header.symmetric != 0 ? 1 : 2); ++side) {
    put(layout.label_at[side], 4 * n);
    put(layout.labels[side],
        header.labels[side] *
            (header.wide != 0 ? sizeof(LabelItem<double>) : sizeof(LabelItem<std::uint32_t>)));
    put(layout.label_arcs[side], header.paths != 0 ? header.labels[side] : 0);
  }
  return layout;
}

template <std::size_t kSize>
void put_text(char (&field)[kSize], const std::string& text) {
  std::memcpy(field, text.data(), std::min(text.size(), kSize - 1));
}
template <std::size_t kSize>
std::string take_text(const char (&field)[kSize]) {
  return {field, strnlen(field, kSize)};
}

bool power_of_two(double x) {
  int exponent = 0;
  return std::isfinite(x) && x > 0 && std::frexp(x, &exponent) == 0.5;
}

bool power_of_ten(double x) {
  double ten = 1;
  while (ten < x && ten < kMostParts) ten *= 10;
  return ten == x;
}

class Checker {
 public:
  Checker(const Data& data, const std::uint32_t (&arcs)[2], const std::string& name)
      : data_(data), arcs_{arcs[0], arcs[1]}, name_(name) {}

  void run() const {
    numbers();
    for (int side = 0; side < data_.sides(); ++side) {
      rows(side);
      data_.wide ? arcs<double>(side) : arcs<std::uint32_t>(side);
      for (std::size_t i = 0; i < data_.ranges[side].size(); ++i) {
        const PathRange range = data_.ranges[side][i];
        const std::size_t size = data_.words.size();
        require(range.at < size, "a path");
        require(range.length == kLong ||
                    (range.length > 0 &&
                     range.length <= (range.backward ? range.at : size - 1 - range.at)),
                "a path");
      }
      std::uint64_t shortcuts = 0;
      for (const ShortcutBlock& block : data_.shortcuts[side]) {
        require(block.before == shortcuts, "a path");
        shortcuts += static_cast<std::uint64_t>(std::popcount(block.bits));
      }
      require(shortcuts == data_.ranges[side].size(), "a path");
    }
    for (std::size_t i = 0; i < data_.words.size(); ++i) {
      require(data_.words[i] < data_.nodes, "a node of a path");
    }
    constexpr std::int32_t kMost = 1 << 29;
    for (const std::int32_t f : data_.potentials) {
      require(f >= -kMost && f <= kMost, "a potential");
    }
    data_.wide ? distances<double>() : distances<std::uint32_t>();
  }

 private:
  void require(bool good, const char* what) const {
    if (!good) throw Error(name_ + ": is damaged: " + what + " is out of range");
  }

  void numbers() const {
    for (NodeId v = 0; v < data_.nodes; ++v) {
      require(data_.place[v] < data_.nodes && data_.original[data_.place[v]] == v,
              "the number of a node");
    }
  }

  void rows(int side) const {
    const auto first = data_.first[side];
    require(first.front() == 0, "a row");
    bool ascends = true;
    for (NodeId u = 0; u < data_.nodes; ++u) ascends &= first[u] <= first[u + 1];
    require(ascends && first.back() == arcs_[side], "a row");
    if (side == 1) require(first[data_.core] == 0, "a row of the core");
  }

  template <class W>
  static bool sound(W distance) {
    if constexpr (std::is_same_v<W, double>) return distance >= 0 && distance < kInfinity;
    return distance <= kLongest32;
  }

  template <class W>
  void distances() const {
    const std::span between(data_.between_of<W>(), data_.between.size() / sizeof(W));
    for (const W distance : between) {
      require(distance >= 0 && distance <= kUnreached<W>, "a distance of the core");
    }
    for (std::size_t i = 0; i < data_.next.size(); ++i) {
      const std::size_t u = i % data_.core;
      require(data_.next[i] == kNoNext || data_.next[i] < data_.first[0][u + 1] - data_.first[0][u],
              "an arc across the core");
    }
    for (int side = 0; data_.labelled && side < data_.sides(); ++side) labels<W>(side);
  }

  // Every label lies within the array, and every key within its tables.
  template <class W>
  void labels(int side) const {
    const std::size_t size = data_.labels[side].size() / sizeof(LabelItem<W>);
    for (const std::uint32_t at : data_.label_at[side]) {
      require(at < size, "a label");
      const LabelView<W> label{label_items<W>(data_, side) + at};
      require(size - at > std::size_t{label.entries()} + label.hubs(), "a label");
      require(sound(label.reach()), "a label");
      for (const LabelItem<W>* item = label.entry(); item != label.end(); ++item) {
        require(
            sound(item->distance()) && item->key < (item < label.hub() ? data_.core : data_.nodes),
            "a label");
      }
    }
  }

  template <class W>
  void arcs(int side) const {
    for (NodeId u = 0; u < data_.nodes; ++u) {
      const NodeId below = u < data_.core ? data_.core : u;
      for (const UpArc<W>& arc : data_.row_of<W>(u, side)) {
        require(arc.head < below, "the head of an arc");
        if constexpr (std::is_same_v<W, double>) {
          require(arc.weight == 0 || (arc.weight >= kLeastWeight && arc.weight < kInfinity),
                  "the weight of an arc");
        } else {
          require(arc.weight <= kLongest32, "the weight of an arc");
        }
      }
    }
  }

  const Data& data_;
  const std::uint32_t arcs_[2];
  const std::string& name_;
};

// Arcs of undirected graphs and of doubles are structures.
bool sound_arcs(const Header& header) {
  if (header.wide + header.symmetric > 0) return header.head_bits == 32 && header.arc_bytes == 8;
  return header.head_bits <= 32 && header.arc_bytes >= 1 && header.arc_bytes <= 8 &&
         header.head_bits <= 8 * header.arc_bytes;
}

Header checked_header(std::string_view image, const std::string& name) {
  if (image.size() < kHeaderBytes || !image.starts_with(kIndexMagic)) {
    throw Error(name + ": is not an index (.lsi); build one with `lodestar index`");
  }
  Header header;
  std::memcpy(&header, image.data(), sizeof header);
  if (header.format < kOldestFormat || header.format > kFormat) {
    throw Error(name + ": " +
                detail::other_format(header.format, kFormat,
                                     "build the index again with `lodestar index`"));
  }
  if (header.header_sum != header_checksum(image)) {
    throw Error(name + ": is damaged: its header's checksum is wrong");
  }
  if (header.format <= kFormatOfWholeIds) {
    header.head_bits = 32;
    header.arc_bytes = 8;
    header.has_next = 0;
  }
  const bool sound =
      header.header_bytes == kHeaderBytes && header.nodes != kNoNode &&
      header.core <= header.nodes && header.symmetric <= 1 && header.wide <= 1 &&
      header.exact <= 1 && header.paths <= 1 && header.both_ways <= 1 &&
      header.words < PathRanges::kMostWords && header.potential_count <= 4096 &&
      header.row == (header.potential_count + kRowLanes - 1) / kRowLanes * kRowLanes &&
      power_of_two(header.unit) && power_of_two(header.potential_unit) &&
      std::isfinite(header.potential_unit / header.unit * header.parts) &&
      power_of_ten(header.parts) && (header.parts == 1 || header.unit == 1) &&
      (header.symmetric == 0 || header.arcs[1] == 0) && (header.paths == 1 || header.words == 0) &&
      header.labelled <= 1 && header.has_core_distances <= 1 && header.plain <= 1 &&
      (header.plain == 0 || (header.core == header.nodes && header.potential_count == 0 &&
                             header.labelled + header.has_core_distances == 0)) &&
      header.labelled + header.has_core_distances <= 1 &&
      (header.labelled + header.has_core_distances == 0 || header.core < kMostDistances) &&
      header.has_core_distances + header.wide <= 1 && header.labels[0] <= 0xffffffffu &&
      header.labels[1] <= 0xffffffffu && sound_arcs(header) &&
      header.has_next <= header.paths * (header.labelled + header.has_core_distances);
  if (!sound) throw Error(name + ": is damaged: its header is invalid");
  const std::uint64_t expected = layout_of(header).end;
  if (header.file_bytes != expected || image.size() != expected) {
    throw Error(name + ": has " + std::to_string(image.size()) +
                " bytes, but its header requires " + std::to_string(expected) +
                "; is it truncated?");
  }
  if (header.body_sum != checksum(image.substr(kHeaderBytes))) {
    throw Error(name + ": is damaged: its checksum is wrong");
  }
  return header;
}

// Copies ids and ranges of older formats. The paths across the core are searched.
std::shared_ptr<const void> converted(Data& data, const Header& header, const FileLayout& layout,
                                      std::string_view image, std::shared_ptr<const void> keeper,
                                      const std::string& name) {
  struct Kept {
    std::shared_ptr<const void> file;
    OwnedIds place, original, words;
    std::vector<std::byte> ranges[2];
  };
  const auto kept = std::make_shared<Kept>();
  kept->file = std::move(keeper);
  const auto numbers = [&](const Section& section) {
    return std::span(reinterpret_cast<const std::uint32_t*>(image.data() + section.begin),
                     section.bytes / 4);
  };
  const auto ids = [&](const Section& section, const char* what) {
    const auto whole = numbers(section);
    for (const NodeId id : whole) {
      if (id >= header.nodes) throw Error(name + ": is damaged: " + what + " is out of range");
    }
    return OwnedIds(whole, header.nodes);
  };
  data.place = (kept->place = ids(layout.place, "the number of a node")).view();
  data.original = (kept->original = ids(layout.original, "the number of a node")).view();
  data.words = (kept->words = ids(layout.words, "a node of a path")).view();
  const unsigned width = PathRanges::width_for(header.words);
  for (std::size_t side = 0; side < (header.symmetric != 0 ? 1 : 2); ++side) {
    std::vector<std::byte>& to = kept->ranges[side];
    const auto whole = numbers(layout.ranges[side]);
    to.resize(whole.size() * width + PathRanges::kRangeSlack);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      PathRange range{whole[i] & 0x7fffffffu, whole[i] >> 31 != 0, kLong};
      if (header.format == kFormatOfWholeIds) {
        range.length = static_cast<std::uint8_t>(image[layout.length[side].begin + i]);
      }
      if (range.at >= header.words) throw Error(name + ": is damaged: a path is out of range");
      const std::uint64_t bits = PathRanges::packed(range);
      std::memcpy(to.data() + i * width, &bits, width);
    }
    data.ranges[side] = {to.data(), whole.size(), width};
  }
  return kept;
}

}  // namespace

void seal(std::span<char> image) {
  if (image.size() < kHeaderBytes) return;
  const std::string_view text(image.data(), image.size());
  const std::uint64_t body = checksum(text.substr(kHeaderBytes));
  std::memcpy(image.data() + offsetof(Header, body_sum), &body, sizeof body);
  const std::uint64_t header = header_checksum(text);
  std::memcpy(image.data() + offsetof(Header, header_sum), &header, sizeof header);
}

void save(const Data& data, const std::string& path) {
  Header header = {};
  std::memcpy(header.magic, kIndexMagic.data(), sizeof header.magic);
  header.format = kFormat;
  header.header_bytes = kHeaderBytes;
  header.topology = data.topology;
  header.weights = data.weights;
  header.words = data.words.size();
  header.nodes = data.nodes;
  header.core = data.core;
  for (int side = 0; side < data.sides(); ++side) header.arcs[side] = data.first[side].back();
  header.head_bits = data.arc_format.head_bits;
  header.arc_bytes = data.arc_format.bytes;
  header.has_next = data.next.empty() ? 0 : 1;
  header.symmetric = data.symmetric ? 1 : 0;
  header.wide = data.wide ? 1 : 0;
  header.exact = data.exact ? 1 : 0;
  header.paths = data.paths ? 1 : 0;
  header.both_ways = data.both_ways ? 1 : 0;
  header.labelled = data.labelled ? 1 : 0;
  header.plain = data.plain ? 1 : 0;
  header.has_core_distances = data.has_core_distances ? 1 : 0;
  for (int side = 0; side < data.sides(); ++side) {
    header.labels[side] = data.labels[side].size() / (data.wide ? sizeof(LabelItem<double>)
                                                                : sizeof(LabelItem<std::uint32_t>));
    header.ranges[side] = static_cast<std::uint32_t>(data.ranges[side].size());
  }
  header.potential_count = data.potential_count;
  header.row = data.row;
  header.unit = data.unit;
  header.parts = data.parts;
  header.potential_unit = data.potential_unit;
  header.seed = data.origin.seed;
  header.rounds = data.origin.rounds;
  header.contraction_seconds = data.origin.contraction_seconds;
  header.training_seconds = data.origin.training_seconds;
  put_text(header.version, data.origin.version);
  put_text(header.commit, data.origin.commit);
  const FileLayout layout = layout_of(header);
  header.file_bytes = layout.end;

  std::string image(layout.end, '\0');
  const auto store = [&](const Section& section, const auto& array) {
    if (section.bytes > 0) std::memcpy(image.data() + section.begin, array.data(), section.bytes);
  };
  const auto store_some = [&](const Section& section, const std::byte* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(image.data() + section.begin, from, bytes);
  };
  const auto store_ids = [&](const Section& section, const Ids& ids) {
    store_some(section, ids.data(), ids.size() * ids.width());
  };
  std::memcpy(image.data(), &header, sizeof header);
  store_ids(layout.place, data.place);
  store_ids(layout.original, data.original);
  for (std::size_t side = 0; side < (data.symmetric ? 1 : 2); ++side) {
    store(layout.first[side], data.first[side]);
    store(layout.arcs[side], data.arcs[side]);
    store(layout.shortcuts[side], data.shortcuts[side]);
    store_some(layout.ranges[side], data.ranges[side].data(),
               data.ranges[side].size() * data.ranges[side].width());
    store(layout.label_at[side], data.label_at[side]);
    store(layout.labels[side], data.labels[side]);
    store(layout.label_arcs[side], data.label_arcs[side]);
  }
  store_ids(layout.words, data.words);
  store(layout.potentials, data.potentials);
  store(layout.between, data.between);
  store(layout.next, data.next);
  seal(image);
  replace_file(path, image);
}

std::shared_ptr<Data> parse(std::string_view image, std::shared_ptr<const void> keeper,
                            const std::string& name) {
  const Header header = checked_header(image, name);
  const FileLayout layout = layout_of(header);
  auto data = std::make_shared<Data>();
  data->nodes = header.nodes;
  data->core = header.core;
  data->symmetric = header.symmetric != 0;
  data->wide = header.wide != 0;
  data->exact = header.exact != 0;
  data->paths = header.paths != 0;
  data->unit = header.unit;
  data->parts = header.parts;
  data->topology = header.topology;
  data->weights = header.weights;
  const auto take = [&]<class T>(std::span<const T>& array, const Section& section) {
    array = {reinterpret_cast<const T*>(image.data() + section.begin), section.bytes / sizeof(T)};
  };
  const auto take_ids = [&](Ids& ids, const Section& section, std::size_t size) {
    ids = {reinterpret_cast<const std::byte*>(image.data() + section.begin), size,
           id_bytes(header.nodes)};
  };
  data->arc_format = {header.head_bits, header.arc_bytes};
  take_ids(data->place, layout.place, header.nodes);
  take_ids(data->original, layout.original, header.nodes);
  for (std::size_t side = 0; side < (data->symmetric ? 1 : 2); ++side) {
    take(data->first[side], layout.first[side]);
    take(data->arcs[side], layout.arcs[side]);
    take(data->shortcuts[side], layout.shortcuts[side]);
    data->ranges[side] = {
        reinterpret_cast<const std::byte*>(image.data() + layout.ranges[side].begin),
        header.ranges[side], PathRanges::width_for(header.words)};
  }
  take_ids(data->words, layout.words, header.words);
  take(data->potentials, layout.potentials);
  data->labelled = header.labelled != 0;
  data->plain = header.plain != 0;
  data->has_core_distances = header.has_core_distances != 0;
  for (std::size_t side = 0; side < (data->symmetric ? 1 : 2); ++side) {
    take(data->label_at[side], layout.label_at[side]);
    take(data->labels[side], layout.labels[side]);
    take(data->label_arcs[side], layout.label_arcs[side]);
  }
  take(data->between, layout.between);
  take(data->next, layout.next);
  data->potential_count = header.potential_count;
  data->row = header.row;
  data->potential_unit = header.potential_unit;
  data->both_ways = header.both_ways != 0;
  data->origin = {take_text(header.version),  take_text(header.commit), header.seed, header.rounds,
                  header.contraction_seconds, header.training_seconds};
  if (header.format <= kFormatOfWholeIds) {
    keeper = converted(*data, header, layout, image, std::move(keeper), name);
  }
  data->keeper = std::move(keeper);
  Checker(*data, header.arcs, name).run();
  add_core_pieces(*data);
  return data;
}

std::shared_ptr<const Data> read(const std::string& path, bool map) {
  const formats::Bytes bytes = map ? formats::map_bytes(path) : formats::load_bytes(path);
  return parse(bytes.text(), bytes.keeper(), path);
}

void require_fit(const Data& data, const Graph& graph, const std::string& name) {
  if (data.nodes != graph.node_count() || data.symmetric != graph.symmetric() ||
      data.topology != topology_hash(graph)) {
    throw Error(name + ": was built for a graph with other nodes or arcs (" +
                std::to_string(data.nodes) + " nodes; this graph has " +
                std::to_string(graph.node_count()) + "); build a new index with `lodestar index`");
  }
  if (data.weights != weights_hash(graph)) {
    throw Error(
        name +
        ": was built for other weights; customize it, or build it again with `lodestar index`");
  }
}

}  // namespace lodestar::index
