#include "matrix_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>

#include "lodestar/atomic_file.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/index.h"
#include "lodestar/itinerary.h"
#include "lodestar/router.h"
#include "matrix_writer.h"
#include "progress.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

// One name per line; empty lines and those that begin with # are skipped.
std::vector<NodeId> read_nodes(const std::string& path, const GraphFile& file) {
  std::vector<NodeId> nodes;
  if (path == "all") {
    nodes.resize(file.graph.node_count());
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    return nodes;
  }
  std::ifstream stream(path);
  if (!stream) throw Error(path + ": cannot be read; give a file with one node per line, or all");
  std::uint64_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    const NodeId v = file.names.find(line);
    if (v >= file.graph.node_count()) {
      throw Error::at(path, number, "there is no node '" + line + "' in the graph");
    }
    nodes.push_back(v);
  }
  return nodes;
}

// The k nearest targets of each source, nearest first.
void write_nearest(const MatrixJob& job, const GraphFile& file, const Router& router,
                   std::span<const NodeId> sources, std::span<const NodeId> targets) {
  Progress progress("matrix");
  const NearestFacilities found = router.nearest(
      sources, targets, job.nearest,
      {job.threads, [&](std::size_t done) {
         progress.update(static_cast<double>(done) / static_cast<double>(sources.size()));
       }});
  const double divisor = cost_divisor(file);
  const std::size_t k = std::min(job.nearest, targets.size());
  AtomicFile out(job.output);
  out.write("source,target,cost\n");
  for (std::size_t i = 0; i < found.costs.size(); ++i) {
    if (found.facilities[i] == kNoNode) continue;
    out.write(fmt::format("{},{},{}\n", csv_field(file.names.name(sources[i / k])),
                          csv_field(file.names.name(targets[found.facilities[i]])),
                          found.costs[i] / divisor));
  }
  out.commit();
}

// Two matrices: costs, and lengths of the routes.
void write_with_lengths(const MatrixJob& job, const std::string& format, const GraphFile& file,
                        const Router& router, const std::vector<NodeId>& sources,
                        const std::vector<NodeId>& targets) {
  if (!file.graph.has_coordinates() && file.shape.empty()) {
    throw Error(job.graph + ": --lengths requires coordinates");
  }
  const std::vector<double> along = lengths_of_arcs(file.graph, file.shape);
  const auto by = MatrixBy::kSource;
  const auto costs_file =
      open_matrix(job.output, format, job.type, file.names, sources, targets, by);
  const auto lengths_file = open_matrix(job.lengths, matrix_format(job.lengths), "float64",
                                        file.names, sources, targets, by);
  const double divisor = cost_divisor(file);
  const std::size_t width = targets.size();
  const std::size_t block = std::clamp<std::size_t>(
      (std::size_t{1} << 21) / std::max<std::size_t>(1, width), 64, sources.size() + 64);
  std::vector<Cost> costs;
  std::vector<double> lengths;
  Progress progress("matrix");
  for (std::size_t begin = 0; begin < sources.size(); begin += block) {
    const auto some = std::span(sources).subspan(begin, std::min(block, sources.size() - begin));
    costs.resize(some.size() * width);
    lengths.resize(costs.size());
    router.matrix(some, targets, along, costs, lengths, {.threads = job.threads});
    for (Cost& cost : costs) cost /= divisor;
    for (std::size_t i = 0; i < some.size(); ++i) {
      costs_file->line(begin + i, std::span(costs).subspan(i * width, width));
      lengths_file->line(begin + i, std::span(lengths).subspan(i * width, width));
    }
    progress.update(static_cast<double>(begin + some.size()) / static_cast<double>(sources.size()));
  }
  costs_file->close();
  lengths_file->close();
}

// Without --index: an index is built first if that is faster.
void choose_method(const MatrixJob& job, const Graph& graph, std::size_t lines,
                   RouterOptions& how) {
  const MatrixPlan plan = plan_matrix(graph, lines, job.threads);
  if (!plan.build) return;
  fmt::print(stderr,
             "note: searches would take about {}, so an index is built first, which takes about "
             "{}; keep one with `lodestar index` and give it with --index\n",
             format_seconds(plan.search_seconds), format_seconds(plan.index_seconds));
  IndexOptions options;
  options.paths = !job.lengths.empty();
  options.rounds = 8;
  options.threads = job.threads;
  how.algorithm = "core";
  how.index = std::make_shared<const Index>(Index::build(graph, options));
}

}  // namespace

void run_matrix(const MatrixJob& job, MatrixCrew& crew) {
  const std::string format = job.format.empty() ? matrix_format(job.output) : job.format;
  if (job.nearest > 0 && format != "csv") throw Error("--nearest writes csv");
  const GraphFile file = read_graph(job.graph, job.read);
  if (crew.rank() == 0) print_notes(file, job.graph);
  const std::vector<NodeId> sources = read_nodes(job.sources, file);
  const std::vector<NodeId> targets = job.targets.empty() ? sources : read_nodes(job.targets, file);
  RouterOptions how;
  how.algorithm = job.index.empty() ? "dijkstra" : "core";
  how.index_file = job.index;
  if (job.index.empty() && crew.size() == 1) {
    choose_method(job, file.graph, std::min(sources.size(), targets.size()), how);
  }
  const Router router(file.graph, how);
  if (crew.rank() == 0 && !router.note().empty()) fmt::print(stderr, "note: {}\n", router.note());
  if (job.nearest > 0 || !job.lengths.empty()) {
    if (crew.size() > 1) throw Error("--nearest and --lengths are computed by one process");
    if (job.nearest > 0) {
      write_nearest(job, file, router, sources, targets);
    } else {
      write_with_lengths(job, format, file, router, sources, targets);
    }
    return;
  }
  const MatrixBy by = sources.size() <= targets.size() ? MatrixBy::kSource : MatrixBy::kTarget;
  const std::vector<NodeId>& roots = by == MatrixBy::kSource ? sources : targets;
  const std::size_t width = (by == MatrixBy::kSource ? targets : sources).size();

  // The ranks take turns, a few lines each: rank 0 writes its own, then what the others send.
  // While it writes they are at their next lines.
  const bool writes = crew.rank() == 0;
  std::unique_ptr<MatrixWriter> writer;
  if (writes) writer = open_matrix(job.output, format, job.type, file.names, sources, targets, by);
  const double divisor = cost_divisor(file);
  std::vector<Cost> shown(width);
  const auto write = [&](std::size_t i, std::span<const Cost> line) {
    if (divisor == 1) {
      writer->line(i, line);
      return;
    }
    std::transform(line.begin(), line.end(), shown.begin(), [&](Cost c) { return c / divisor; });
    writer->line(i, shown);
  };
  Progress progress("matrix");
  // On an index every turn reads the labels of all others, so turns are longer.
  const std::size_t few = how.algorithm == "dijkstra" ? 4 * thread_count(job.threads) : 256;
  const std::size_t turn = crew.size() == 1 ? roots.size() : few;
  std::vector<Cost> kept(writes ? width : width * turn);
  const auto lines_of = [&](unsigned rank, std::size_t begin) {
    const std::size_t first = std::min(begin + rank * turn, roots.size());
    return std::span(roots).subspan(first, std::min(turn, roots.size() - first));
  };
  for (std::size_t begin = 0; begin < roots.size(); begin += turn * crew.size()) {
    const auto mine = lines_of(crew.rank(), begin);
    const auto take = [&](std::size_t i, std::span<const Cost> line) {
      if (!writes) {
        std::copy(line.begin(), line.end(), kept.begin() + static_cast<std::ptrdiff_t>(i * width));
        return;
      }
      write(begin + i, line);
      progress.update(static_cast<double>(begin + i + 1) / static_cast<double>(roots.size()));
    };
    router.matrix(by == MatrixBy::kSource ? mine : std::span(sources),
                  by == MatrixBy::kSource ? std::span(targets) : mine, take, by,
                  {.threads = job.threads});
    if (!writes) {
      for (std::size_t i = 0; i < mine.size(); ++i) {
        crew.send(std::span(kept).subspan(i * width, width));
      }
      continue;
    }
    for (unsigned rank = 1; rank < crew.size(); ++rank) {
      const std::size_t count = lines_of(rank, begin).size();
      for (std::size_t i = 0; i < count; ++i) {
        crew.receive(rank, kept);
        write(begin + rank * turn + i, kept);
      }
    }
  }
  if (writes) writer->close();
}

void add_matrix_verb(Verb& program, std::function<void(const MatrixJob&)> run) {
  auto [verb, job] = program.verb<MatrixJob>("matrix", kMatrixText, run, kQueryVerbs);
  verb.option("graph", job.graph, "Graph file, any format").required();
  verb.option("--sources", job.sources, "File with a node name per line, or all").required();
  verb.option("--targets", job.targets, "File with a node name per line, or all")
      .default_text("the sources");
  verb.option("--index", job.index,
              "Index built by `lodestar index` (.lsi); customized if the weights have changed");
  verb.option("-o,--output", job.output, "File to write (.csv or .npy); -: standard output");
  verb.option("--output-format", job.format, "Format of the output")
      .check(CLI::IsMember({"csv", "npy"}))
      .default_text("by the file name");
  verb.option("--type", job.type, "Type of the cells of npy; must hold every cost exactly")
      .check(CLI::IsMember({"float64", "float32", "uint32"}));
  verb.option(
      "--lengths", job.lengths,
      "File for a second matrix (.csv or .npy): lengths of the routes in metres, or in units "
      "of the plane");
  verb.option("--nearest", job.nearest,
              "Write only this many targets of each source, the nearest ones, as csv")
      .check(above_zero())
      .excludes("--lengths", "--type")
      .default_text("all");
  verb.threads(job.threads);
  add_reading_options(verb, job.read);
  verb.footer(
      R"(Without an index the program runs one search per source or per target, whichever are fewer. If all
of them would take more than ten seconds, and twice as long as an index, it builds one first and says
so. An index computes cells in nanoseconds; it is fastest with labels. A block of lines of at most 32 MB or
64 lines is in memory at a time. Under mpirun the ranks share the lines and rank 0 writes the same
file.

csv has a line source,target,cost for each pair, with inf where there is no path. npy is an array
[sources, targets] for numpy.load; uint32 has 4294967295 where there is no path.

Examples:
  lodestar matrix roads.lsg --sources shops.txt --targets homes.txt -o costs.npy
  lodestar matrix roads.lsg --sources shops.txt --threads 4 > costs.csv
  lodestar index roads.lsg --labels -o roads.lsi
  lodestar matrix roads.lsg --index roads.lsi --sources all -o costs.npy
  mpirun -n 8 lodestar matrix roads.lsg --sources all --targets shops.txt -o costs.npy)");
}

bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* size = std::getenv(name);
    if (size != nullptr && std::atoi(size) > 1) return true;
  }
  return false;
}

}  // namespace lodestar::cli
