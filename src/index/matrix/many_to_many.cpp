#include "index/matrix/many_to_many.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "index/matrix/lane_block.h"
#include "index/matrix/sweeper.h"
#include "lodestar/detail/parallel.h"

namespace lodestar::index {
namespace {

// A second-level cache for the rows of a block: what is looked up once per line, such as hubs, then
// serves many lanes.
constexpr std::size_t kRowBytes = std::size_t{1} << 20;
constexpr std::size_t kMostLanes = 1024;
// Larger results are written past the caches.
constexpr std::size_t kCachedBytes = std::size_t{32} << 20;
constexpr std::size_t kTile = 64;  // cells of a line written together when lanes are lines

// Returns false if a cell is not exact.
template <class T>
bool write_costs(const Data& data, const std::uint32_t* units, std::size_t count, T* cells,
                 bool stream = false) {
  return to_costs(units, count, data.unit, data.parts, cells, stream);
}
template <class T>
bool write_costs(const Data& data, const double* units, std::size_t count, T* cells, bool = false) {
  bool exact = true;
  for (std::size_t i = 0; i < count; ++i) exact &= to_cell(data.cost_of(units[i]), cells[i]);
  return exact;
}

// Nanoseconds, measured. A pass over the graph serves 16 lines, whatever the others. A product
// reads or climbs every other node once, and its cells cost more the more hubs there are.
bool faster_by_sweeps(const Data& data, bool stored, std::size_t line_count,
                      std::size_t other_count) {
  const auto lines = static_cast<double>(line_count), others = static_cast<double>(other_count);
  const double passes = std::ceil(lines / kLaneStep) * data.nodes * 11 + lines * others * 1.2;
  const double climb = data.labelled ? 400 : 3000;
  const double cell = data.labelled || stored ? 2 : 15;
  return passes < others * climb + lines * others * cell;
}

template <class W>
class Product final : public ManyJob {
 public:
  Product(const Data& data, const CoreRows<W>& core_rows, std::span<const NodeId> lines,
          std::span<const NodeId> others, Direction direction, unsigned threads)
      : data_(data),
        core_rows_(core_rows),
        line_ids_(lines),
        other_ids_(others),
        line_end_(direction == Direction::kForward ? 0 : 1),
        sweeps_(faster_by_sweeps(data, core_rows.stored(), lines.size(), others.size())),
        others_(data, sweeps_ ? std::span<const NodeId>() : others, 1 - line_end_, threads) {}

  bool lines(std::size_t begin, std::size_t count, Cells cells, unsigned threads,
             const std::function<void(double)>& report) const override {
    if (count == 0 || other_ids_.empty()) return true;
    return cells.visit([&](auto* costs) {
      return sweeps_ ? sweep(begin, count, costs, threads, report)
                     : multiply(begin, count, costs, threads, report);
    });
  }

 private:
  template <class T>
  bool multiply(std::size_t begin, std::size_t count, T* costs, unsigned threads,
                const std::function<void(double)>& report) const {
    // In the order of the index: neighbours in it have the same entries, whose rows are then in
    // the first-level cache.
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const bool lanes_are_others = prefers_others_as_lanes(count);
    if (lanes_are_others) {
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return data_.place[line_ids_[begin + a]] < data_.place[line_ids_[begin + b]];
      });
    }
    std::vector<NodeId> ids(count);
    for (std::size_t i = 0; i < count; ++i) ids[i] = line_ids_[begin + order[i]];
    const EndList<W> lines(data_, ids, line_end_, threads);

    const std::size_t lanes = lanes_are_others ? others_.size() : count;
    const std::size_t passing = lanes_are_others ? count : others_.size();
    const std::size_t workers = thread_count(threads);
    const std::size_t block = block_size(lanes, workers);
    const std::size_t blocks = (lanes + block - 1) / block;
    // With fewer blocks than threads, threads fill the same block and share what passes by.
    const std::size_t shares =
        std::min(blocks >= workers ? 1 : (workers + blocks - 1) / blocks, (passing + 63) / 64);
    const std::size_t share = ((passing + shares - 1) / shares + kTile - 1) / kTile * kTile;
    std::vector<std::unique_ptr<Worker>> own(workers);
    std::atomic<std::size_t> done{0};
    const auto tell = [&] {
      if (report) report(static_cast<double>(done) / static_cast<double>(blocks * shares));
    };
    parallel_for(
        blocks * shares, threads,
        [&](std::size_t item, std::size_t worker) {
          if (!own[worker]) own[worker] = std::make_unique<Worker>(data_, core_rows_);
          const std::size_t lane = item / shares * block, size = std::min(block, lanes - lane);
          const std::size_t from = std::min(item % shares * share, passing);
          const std::size_t to = std::min(from + share, passing);
          Worker& mine = *own[worker];
          if (lanes_are_others) {
            mine.block.fill(others_, lane, size, 1 - line_end_);
            mine.exact &= pass_lines(mine, lines, order, from, to, costs + lane, size);
          } else {
            mine.block.fill(lines, lane, size, line_end_);
            mine.exact &= pass_others(mine, from, to, costs + lane * others_.size(), size);
          }
          ++done;
          if (worker == 0) tell();
        },
        tell);
    return std::all_of(own.begin(), own.end(), [](const auto& one) { return !one || one->exact; });
  }

  struct Worker {
    Worker(const Data& data, const CoreRows<W>& core_rows) : block(data, core_rows) {}
    LaneBlock<W> block;
    std::vector<W> least;
    bool exact = true;
  };

  template <class T>
  bool sweep(std::size_t begin, std::size_t count, T* costs, unsigned threads,
             const std::function<void(double)>& report) const {
    const std::size_t groups = (count + kLaneStep - 1) / kLaneStep, width = other_ids_.size();
    sweepers_.resize(std::max<std::size_t>(sweepers_.size(), thread_count(threads)));
    std::atomic<std::size_t> done{0};
    std::atomic<bool> exact{true};
    const auto tell = [&] {
      if (report) report(static_cast<double>(done) / static_cast<double>(groups));
    };
    parallel_for(
        groups, threads,
        [&](std::size_t group, std::size_t worker) {
          auto& sweeper = sweepers_[worker];
          if (!sweeper) sweeper = std::make_unique<Sweeper<W>>(data_, core_rows_);
          const std::size_t first = group * kLaneStep, size = std::min(kLaneStep, count - first);
          sweeper->run_each(line_ids_.subspan(begin + first, size), line_end_);
          W lines[kLaneStep][kTile];
          for (std::size_t i = 0; i < width; i += kTile) {
            const std::size_t cells = std::min(kTile, width - i);
            for (std::size_t k = 0; k < cells; ++k) {
              const W* lanes = sweeper->at(other_ids_[i + k]);
              for (std::size_t l = 0; l < kLaneStep; ++l) lines[l][k] = lanes[l];
            }
            for (std::size_t l = 0; l < size; ++l) {
              if (!write_costs(data_, lines[l], cells, costs + (first + l) * width + i)) {
                exact = false;
              }
            }
          }
          ++done;
          if (worker == 0) tell();
        },
        tell);
    return exact;
  }

  // Filling a lane costs as much as some hundred cells; writing lines from lanes that are lines
  // costs half a cell more each.
  bool prefers_others_as_lanes(std::size_t count) const {
    const double fill = data_.core * (core_rows_.stored() ? 0.6 : 100) + 100;
    const auto lines = static_cast<double>(count), others = static_cast<double>(others_.size());
    return others * fill < lines * fill + lines * others * 0.5;
  }

  std::size_t block_size(std::size_t lanes, std::size_t workers) const {
    const std::size_t fitting = kRowBytes / sizeof(W) / std::max<std::size_t>(1, data_.core);
    std::size_t most = std::clamp(fitting / kLaneStep * kLaneStep, kLaneStep, kMostLanes);
    if (workers > 1) most = std::min(most, std::max<std::size_t>(64, padded(lanes / workers)));
    const std::size_t blocks = (lanes + most - 1) / most;
    return padded((lanes + blocks - 1) / blocks);
  }

  template <class T>
  bool pass_lines(Worker& mine, const EndList<W>& lines, const std::vector<std::size_t>& order,
                  std::size_t from, std::size_t to, T* costs, std::size_t lanes) const {
    bool exact = true;
    const bool stream = order.size() * others_.size() * sizeof(T) > kCachedBytes;
    mine.least.resize(mine.block.stride());
    for (std::size_t i = from; i < to; ++i) {
      if (i % 256 == 0) check_stop();
      mine.block.distances(lines[i], mine.least.data());
      exact &=
          write_costs(data_, mine.least.data(), lanes, costs + order[i] * others_.size(), stream);
    }
    if (stream) finish_streams();
    return exact;
  }

  template <class T>
  bool pass_others(Worker& mine, std::size_t from, std::size_t to, T* costs,
                   std::size_t lanes) const {
    bool exact = true;
    const std::size_t stride = mine.block.stride();
    mine.least.resize(kTile * stride);
    W lines[kLaneStep][kTile];
    for (std::size_t i = from; i < to; i += kTile) {
      if (i % 256 == 0) check_stop();
      const std::size_t size = std::min(kTile, to - i);
      for (std::size_t k = 0; k < size; ++k) {
        mine.block.distances(others_[i + k], mine.least.data() + k * stride);
      }
      for (std::size_t lane = 0; lane < lanes; lane += kLaneStep) {
        for (std::size_t k = 0; k < size; ++k) {
          const W* cells = mine.least.data() + k * stride + lane;
          for (std::size_t l = 0; l < kLaneStep; ++l) lines[l][k] = cells[l];
        }
        for (std::size_t l = 0; l < kLaneStep && lane + l < lanes; ++l) {
          exact &= write_costs(data_, lines[l], size, costs + (lane + l) * others_.size() + i);
        }
      }
    }
    return exact;
  }

  const Data& data_;
  const CoreRows<W>& core_rows_;
  std::span<const NodeId> line_ids_, other_ids_;
  int line_end_;
  bool sweeps_;  // passes down the hierarchy, no product
  EndList<W> others_;
  // By thread, kept from one block of lines to the next: a job is used by one caller at a time.
  mutable std::vector<std::unique_ptr<Sweeper<W>>> sweepers_;
};

template <class W>
class Sweep final : public OneToAll {
 public:
  Sweep(const Data& data, const CoreRows<W>& core_rows)
      : data_(data), core_rows_(core_rows), sweeper_(data, core_rows) {}

  void run(std::span<const NodeId> starts, Direction direction, Cost* costs) override {
    sweeper_.run(starts, direction == Direction::kForward ? 0 : 1);
    write(costs, [&](NodeId id) { return *sweeper_.at(id); });
  }

  bool run(std::span<const NodeId> starts, Direction direction, Cost* costs,
           NodeId* nearest) override {
    if constexpr (std::is_same_v<W, std::uint32_t>) {
      if (!nearest_) nearest_ = std::make_unique<NearestSweeper>(data_, core_rows_);
      nearest_->run(starts, direction == Direction::kForward ? 0 : 1);
      write(costs, [&](NodeId id) { return nearest_->distance(id); });
      for (NodeId v = 0; v < data_.nodes; ++v) {
        nearest[v] = nearest_->distance(v) < kFar ? nearest_->start(v) : kNoNode;
      }
      return true;
    }
    return false;
  }

 private:
  template <class At>
  void write(Cost* costs, const At& at) const {
    constexpr NodeId kSome = 256;
    W units[kSome];
    for (NodeId begin = 0; begin < data_.nodes; begin += kSome) {
      const NodeId count = std::min(kSome, data_.nodes - begin);
      for (NodeId i = 0; i < count; ++i) units[i] = at(begin + i);
      write_costs(data_, units, count, costs + begin);
    }
  }

  const Data& data_;
  const CoreRows<W>& core_rows_;
  Sweeper<W> sweeper_;
  std::unique_ptr<NearestSweeper> nearest_;  // made when needed
};

template <class W>
class Products final : public ManyToMany {
 public:
  explicit Products(const Index& index)
      : index_(index), data_(Access::data(index_)), core_rows_(data_) {}

  std::unique_ptr<const ManyJob> job(std::span<const NodeId> lines, std::span<const NodeId> others,
                                     Direction direction, unsigned threads) const override {
    return std::make_unique<Product<W>>(data_, core_rows_, lines, others, direction, threads);
  }

  std::unique_ptr<OneToAll> one_to_all() const override {
    return std::make_unique<Sweep<W>>(data_, core_rows_);
  }

  bool exact_sums() const override { return data_.exact; }
  double parts() const override { return data_.parts; }

  // Without core distances, a lane costs a search of the core, about as much as a single query per
  // hundred nodes of the core.
  bool prefers_pairs(std::size_t lines, std::size_t others) const override {
    const auto cells = static_cast<double>(lines) * static_cast<double>(others);
    // Microseconds, measured: a query by labels, against reading labels into lists and lanes.
    if (data_.labelled) return 0.15 * cells < 15 + 0.3 * static_cast<double>(lines + others);
    if (core_rows_.stored()) return cells <= 4;
    return 100 * std::max(lines, others) < data_.core;
  }

  bool prefers_sweeps(std::size_t lines, std::size_t others) const override {
    return faster_by_sweeps(data_, core_rows_.stored(), lines, others);
  }

 private:
  const Index index_;  // keeps the arrays alive
  const Data& data_;
  const CoreRows<W> core_rows_;
};

}  // namespace

std::unique_ptr<const ManyToMany> ManyToMany::make(const Index& index) {
  const Data& data = Access::data(index);
  if (data.metric || data.rounded()) return nullptr;
  if (data.wide) return std::make_unique<Products<double>>(index);
  return std::make_unique<Products<std::uint32_t>>(index);
}

}  // namespace lodestar::index
