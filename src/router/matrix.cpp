// Many-to-many: on an index as a (min, +) product, otherwise by one Dijkstra search per line.
#include <algorithm>
#include <atomic>
#include <type_traits>

#include "index/matrix/kernel.h"
#include "lodestar/detail/parallel.h"
#include "router/state.h"

namespace lodestar {
namespace {

// Lines of a streamed matrix are made in blocks of about this size.
constexpr std::size_t kBlockBytes = std::size_t{32} << 20;

// Without an index, as many queries take less time than a search to as many nodes.
constexpr std::size_t kFewQueries = 4;

Direction direction_of(MatrixBy by) {
  return by == MatrixBy::kSource ? Direction::kForward : Direction::kBackward;
}

MatrixBy fewer(std::span<const NodeId> sources, std::span<const NodeId> targets) {
  return sources.size() <= targets.size() ? MatrixBy::kSource : MatrixBy::kTarget;
}

}  // namespace

// Makes the lines of one matrix by the method that is expected to be fastest; `queries` says that
// single queries are exact without an index.
class Router::Lines {
 public:
  Lines(State& state, std::span<const NodeId> lines, std::span<const NodeId> others,
        Direction direction, unsigned threads, bool queries)
      : state_(state), lines_(lines), others_(others), direction_(direction), threads_(threads) {
    if (const index::ManyToMany* many = state.many_to_many()) {
      pairs_ = many->prefers_pairs(lines.size(), others.size());
      if (!pairs_) product_ = many->job(lines, others, direction, threads);
    } else if (queries && others.size() <= kFewQueries && lines.size() <= kFewQueries) {
      pairs_ = true;
    } else {
      wanted_.resize(state.plan.given.node_count());
      for (const NodeId v : others) wanted_[v] = true;
      different_ = static_cast<std::size_t>(std::count(wanted_.begin(), wanted_.end(), true));
    }
  }

  // How many to make at a time: enough to occupy all threads, few enough for memory.
  std::size_t block() const {
    const std::size_t few = std::size_t{4} * thread_count(threads_);
    if (!product_) return few;
    const std::size_t fitting =
        kBlockBytes / sizeof(Cost) / std::max<std::size_t>(1, others_.size());
    return std::max<std::size_t>(fitting, 64);
  }

  // Makes cells[count × others]. `report` receives the number of lines done. Returns false if a
  // cell is not exact.
  template <class T>
  bool make(std::size_t begin, std::size_t count, T* cells,
            const std::function<void(std::size_t)>& report) const {
    const std::size_t width = others_.size();
    std::atomic<bool> exact{true};
    if (product_) {
      exact = product_->lines(begin, count, index::Cells(cells), threads_, [&](double share) {
        if (report && share < 1)
          report(static_cast<std::size_t>(share * static_cast<double>(count)));
      });
    } else {
      std::atomic<std::size_t> done{0};
      const auto tell = [&] {
        if (report && done < count) report(done);
      };
      parallel_for(
          count, threads_,
          [&](std::size_t i, std::size_t worker) {
            const auto fill = [&](Cost* line) {
              pairs_ ? query(lines_[begin + i], line) : search(lines_[begin + i], line);
            };
            T* line = cells + i * width;
            if constexpr (std::is_same_v<T, Cost>) {
              fill(line);
            } else {
              std::vector<Cost> costs(width);
              fill(costs.data());
              bool same = true;
              for (std::size_t k = 0; k < width; ++k) same &= index::to_cell(costs[k], line[k]);
              if (!same) exact = false;
            }
            ++done;
            if (worker == 0) tell();
          },
          tell);
    }
    if (report) report(count);
    return exact;
  }

 private:
  void query(NodeId node, Cost* line) const {
    auto engine = state_.take_engine();
    for (std::size_t k = 0; k < others_.size(); ++k) {
      const NodeId other = others_[k];
      line[k] =
          engine->run(direction_ == Direction::kForward ? Query{node, other} : Query{other, node})
              .cost;
    }
    state_.engines.give_back(std::move(engine));
  }

  void search(NodeId node, Cost* line) const {
    const auto searcher = state_.borrow_dijkstra();
    searcher->set_direction(direction_);
    if (different_ > 0) searcher->run_all(node, UntilAllSettled{wanted_, different_});
    for (std::size_t k = 0; k < others_.size(); ++k) line[k] = searcher->distance(others_[k]);
  }

  State& state_;
  std::span<const NodeId> lines_, others_;
  Direction direction_;
  unsigned threads_;
  std::unique_ptr<const index::ManyJob> product_;  // on an index
  bool pairs_ = false;                             // one query per cell
  std::vector<char> wanted_;                       // by node: is it among the others?
  std::size_t different_ = 0;                      // others
};

std::vector<Cost> Router::matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                                 const BatchOptions& batch) const {
  std::vector<Cost> costs(sources.size() * targets.size());
  matrix(sources, targets, std::span<Cost>(costs), batch);
  return costs;
}

template <class T>
void Router::fill_matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                         std::span<T> cells, const BatchOptions& batch) const {
  if (cells.size() != sources.size() * targets.size()) {
    throw Error("a matrix of " + std::to_string(sources.size()) + " × " +
                std::to_string(targets.size()) + " needs memory for as many costs; there are " +
                std::to_string(cells.size()));
  }
  for (const NodeId v : sources) state_->check(v);
  for (const NodeId v : targets) state_->check(v);
  if (cells.empty()) return;
  const MatrixBy by = fewer(sources, targets);
  bool exact = true;
  // On an index the lanes are chosen inside, but passes down the hierarchy belong to lines. A
  // search or a pass per target has its lines transposed.
  const index::ManyToMany* many = state_->many_to_many();
  const bool sweeps_back = many != nullptr &&
                           many->prefers_sweeps(targets.size(), sources.size()) &&
                           !many->prefers_sweeps(sources.size(), targets.size());
  if (by == MatrixBy::kSource || (many != nullptr && !sweeps_back)) {
    const Lines lines(*state_, sources, targets, Direction::kForward, batch.threads,
                      answers_optimally(*this));
    exact = lines.make(0, sources.size(), cells.data(), batch.progress);
  } else {
    matrix(
        sources, targets,
        [&](std::size_t index, std::span<const Cost> line) {
          for (std::size_t i = 0; i < line.size(); ++i) {
            exact &= index::to_cell(line[i], cells[i * targets.size() + index]);
          }
        },
        by, batch);
  }
  if (!exact) {
    throw Error(std::is_same_v<T, float>
                    ? "a cost is not exact as float32; compute the matrix as float64"
                    : "a cost is not a whole number below 2^32 - 1; compute the matrix as float64");
  }
}

void Router::matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                    std::span<Cost> costs, const BatchOptions& batch) const {
  fill_matrix(sources, targets, costs, batch);
}

void Router::matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                    std::span<float> costs, const BatchOptions& batch) const {
  fill_matrix(sources, targets, costs, batch);
}

void Router::matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                    std::span<std::uint32_t> costs, const BatchOptions& batch) const {
  fill_matrix(sources, targets, costs, batch);
}

MatrixBy Router::matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                        const MatrixLine& line, MatrixBy by, const BatchOptions& batch) const {
  for (const NodeId v : sources) state_->check(v);
  for (const NodeId v : targets) state_->check(v);
  if (by == MatrixBy::kFewer) by = fewer(sources, targets);
  const auto roots = by == MatrixBy::kSource ? sources : targets;
  const auto others = by == MatrixBy::kSource ? targets : sources;
  const Lines lines(*state_, roots, others, direction_of(by), batch.threads,
                    answers_optimally(*this));
  // A block of lines is made in parallel, then passed to the caller in order.
  const std::size_t block = std::min(lines.block(), roots.size());
  std::vector<Cost> costs(block * others.size());
  for (std::size_t begin = 0; begin < roots.size(); begin += block) {
    const std::size_t count = std::min(block, roots.size() - begin);
    lines.make(begin, count, costs.data(), {});
    for (std::size_t i = 0; i < count; ++i) {
      line(begin + i, std::span(costs).subspan(i * others.size(), others.size()));
      if (batch.progress) batch.progress(begin + i + 1);
    }
  }
  return by;
}

}  // namespace lodestar
