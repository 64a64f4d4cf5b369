#include <cstring>

#include "formats/binary.h"

namespace lodestar::formats {
namespace {

struct MetricsHeader {
  std::uint64_t arcs;
  std::uint32_t metrics, classes, kinds, flags;
  std::uint64_t letters, zero[4];
};
static_assert(sizeof(MetricsHeader) == 64);
constexpr std::uint32_t kHasKinds = 1;

struct StoredMetric {
  double scale;
  std::uint32_t name, unit, weight_bytes, zero;
};
static_assert(sizeof(StoredMetric) == 24);

struct StoredKind {
  std::uint64_t classes;
  float max_height, max_width, max_weight;
  std::uint32_t zero;
};
static_assert(sizeof(StoredKind) == 24);

// The offset of each array but the columns, which follow from `columns` on.
struct MetricsLayout {
  explicit MetricsLayout(const MetricsHeader& header) {
    metrics = take(header.metrics * sizeof(StoredMetric));
    classes = take(header.classes * sizeof(std::uint32_t));
    letters = take(header.letters);
    kinds = take(header.kinds * sizeof(StoredKind));
    arc_kind = take((header.flags & kHasKinds) != 0 ? header.arcs * sizeof(std::uint16_t) : 0);
    columns = end;
  }
  // The offset of the next array.
  std::uint64_t take(std::uint64_t bytes) {
    const std::uint64_t at = end;
    end += (bytes + 63) / 64 * 64;
    return at;
  }
  std::uint64_t end = sizeof(MetricsHeader);
  std::uint64_t metrics, classes, letters, kinds, arc_kind, columns;
};

MetricsHeader header_of(const Metrics& metrics, std::size_t arcs) {
  MetricsHeader header = {};
  header.arcs = arcs;
  header.metrics = static_cast<std::uint32_t>(metrics.metrics.size());
  header.classes = static_cast<std::uint32_t>(metrics.classes.size());
  header.kinds = static_cast<std::uint32_t>(metrics.kinds.size());
  header.flags = metrics.arc_kind.empty() ? 0 : kHasKinds;
  for (const Metric& metric : metrics.metrics) {
    header.letters += metric.name.size() + metric.unit.size();
  }
  for (const std::string& name : metrics.classes) header.letters += name.size();
  return header;
}

std::size_t weight_bytes(const MetricColumn& column) {
  return column.wide.empty() ? sizeof(float) : sizeof(double);
}

template <class T>
std::span<const T> part_of(std::string_view image, std::uint64_t at, std::uint64_t count) {
  return {reinterpret_cast<const T*>(image.data() + at), count};
}

}  // namespace

std::uint64_t metrics_bytes(const Metrics& metrics, std::size_t arcs) {
  MetricsLayout layout(header_of(metrics, arcs));
  for (const MetricColumn& column : metrics.columns) layout.take(arcs * weight_bytes(column));
  return layout.end;
}

void store_metrics(const Metrics& metrics, std::size_t arcs, char* out) {
  const MetricsHeader header = header_of(metrics, arcs);
  MetricsLayout layout(header);
  const auto put = [&](std::uint64_t at, const void* data, std::size_t bytes) {
    if (bytes > 0) std::memcpy(out + at, data, bytes);
  };
  put(0, &header, sizeof header);
  std::uint64_t letters = layout.letters;
  const auto put_text = [&](const std::string& text) {
    put(letters, text.data(), text.size());
    letters += text.size();
    return static_cast<std::uint32_t>(text.size());
  };
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    const Metric& metric = metrics.metrics[i];
    const std::uint32_t name = put_text(metric.name), unit = put_text(metric.unit);
    const std::size_t bytes = i == 0 ? 0 : weight_bytes(metrics.columns[i - 1]);
    const StoredMetric stored{metric.scale, name, unit, static_cast<std::uint32_t>(bytes), 0};
    put(layout.metrics + i * sizeof stored, &stored, sizeof stored);
  }
  for (std::size_t i = 0; i < metrics.classes.size(); ++i) {
    const std::uint32_t size = put_text(metrics.classes[i]);
    put(layout.classes + i * sizeof size, &size, sizeof size);
  }
  for (std::size_t i = 0; i < metrics.kinds.size(); ++i) {
    const ArcKind& kind = metrics.kinds[i];
    const StoredKind stored{kind.classes, kind.max_height, kind.max_width, kind.max_weight, 0};
    put(layout.kinds + i * sizeof stored, &stored, sizeof stored);
  }
  put(layout.arc_kind, metrics.arc_kind.data(), metrics.arc_kind.size_bytes());
  for (const MetricColumn& column : metrics.columns) {
    const std::uint64_t at = layout.take(arcs * weight_bytes(column));
    put(at, column.narrow.data(), column.narrow.size_bytes());
    put(at, column.wide.data(), column.wide.size_bytes());
  }
}

Metrics load_metrics(std::string_view image, std::shared_ptr<const void> keeper, std::size_t arcs,
                     const std::string& file) {
  const auto damaged = [&](const std::string& why) { return Error(file + ": is damaged: " + why); };
  const auto another_size = [&] { return damaged("its metrics have another size than they say"); };
  MetricsHeader header;
  if (image.size() < sizeof header) throw damaged("its metrics are cut off");
  std::memcpy(&header, image.data(), sizeof header);
  if (header.arcs != arcs || header.metrics == 0 || header.metrics > Metrics::kMostMetrics ||
      header.classes > Metrics::kMostClasses || header.kinds > Metrics::kMostKinds ||
      header.flags > kHasKinds || header.letters > image.size()) {
    throw damaged("its metrics make no sense");
  }
  MetricsLayout layout(header);
  if (layout.columns > image.size()) throw another_size();
  Metrics out;
  std::string_view letters = image.substr(layout.letters, header.letters);
  bool enough = true;
  const auto take_text = [&](std::uint32_t size) {
    enough = enough && size <= letters.size();
    const std::string text(letters.substr(0, size));
    letters.remove_prefix(std::min<std::size_t>(size, letters.size()));
    return text;
  };
  for (const StoredMetric& stored : part_of<StoredMetric>(image, layout.metrics, header.metrics)) {
    std::string name = take_text(stored.name);
    out.metrics.push_back({std::move(name), take_text(stored.unit), stored.scale});
    if (out.metrics.size() == 1 ? stored.weight_bytes != 0
                                : stored.weight_bytes != 4 && stored.weight_bytes != 8) {
      throw damaged("its metrics make no sense");
    }
    if (out.metrics.size() == 1) continue;
    const std::uint64_t at = layout.take(arcs * stored.weight_bytes);
    if (layout.end > image.size()) throw another_size();
    MetricColumn column;
    if (stored.weight_bytes == 4) {
      column.narrow = part_of<float>(image, at, arcs);
    } else {
      column.wide = part_of<double>(image, at, arcs);
    }
    out.columns.push_back(column);
  }
  for (const std::uint32_t size : part_of<std::uint32_t>(image, layout.classes, header.classes)) {
    out.classes.push_back(take_text(size));
  }
  if (!enough || !letters.empty()) throw damaged("the names of its metrics make no sense");
  if (layout.end != image.size()) throw another_size();
  for (const StoredKind& kind : part_of<StoredKind>(image, layout.kinds, header.kinds)) {
    out.kinds.push_back({kind.classes, kind.max_height, kind.max_width, kind.max_weight});
  }
  if ((header.flags & kHasKinds) != 0) {
    out.arc_kind = part_of<std::uint16_t>(image, layout.arc_kind, arcs);
  }
  out.keeper = std::move(keeper);
  const std::string wrong = what_is_wrong(out, arcs);
  if (!wrong.empty()) throw damaged(wrong);
  return out;
}

}  // namespace lodestar::formats
