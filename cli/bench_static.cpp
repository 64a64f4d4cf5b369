// `lodestar bench static`: one graph, many queries. Learned potentials beside Dijkstra, search from
// both ends, geometry and ALT landmarks at equal memory.
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lodestar/atomic_file.h"
#include "lodestar/bidirectional.h"
#include "lodestar/graph_io.h"
#include "lodestar/version.h"
#include "progress.h"
#include "reading.h"
#include "static_bench.h"
#include "static_figures.h"
#include "table.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct BenchStatic {
  std::string graph;
  std::string queries;
  std::string potentials_file;
  std::string folder;
  std::size_t count = 1000;
  int passes = 3;
  TrainingTime time;
  double grain = 0;
  bool quick = false;  // only what the ratio needs
  bool memory = false;
  bool ranks = false;
  bool json = false;
  std::string row;  // name of a Markdown row
  std::uint64_t seed = 1;
  FitOptions fit;
  ReadOptions read;
};

// What the figures and the table are made of.
struct Bench {
  const BenchStatic& options;
  Graph graph;
  std::vector<Query> queries;
  Progress progress{"bench static"};
};

// Weights rounded down to multiples of 1 / grain: sums are exact then, and so are ties between
// paths of equal cost, which on a grid of √2 differ in the last bits.
Graph with_grain(const Graph& graph, double grain) {
  GraphBuilder builder(graph.node_count());
  builder.reserve(graph.arc_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      builder.add_arc(u, arc.head, std::floor(arc.weight * grain) / grain);
    }
  }
  builder.set_points(graph.coordinate_kind(), {graph.points().begin(), graph.points().end()});
  return builder.build();
}

PreparedTable learn(Bench& bench, std::uint32_t potentials) {
  FitOptions fit = bench.options.fit;
  fit.potentials = potentials;
  return prepare_learned(bench.graph, fit, bench.options.time, [&](double share) {
    bench.progress.update(share, fmt::format("learning {} potentials", potentials));
  });
}

std::string megabytes(std::size_t bytes) {
  return bytes == 0 ? "–" : fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6);
}

int compare(Bench& bench) {
  const BenchStatic& options = bench.options;
  const std::uint32_t k = options.fit.potentials;
  StaticBench table(bench.graph, bench.queries);
  Searcher searcher(bench.graph);
  BidirectionalSearcher both(bench.graph);
  std::optional<Geometry> geometry;
  if (bench.graph.has_coordinates()) geometry.emplace(bench.graph);
  if (!options.quick) {
    table.add({.name = "Dijkstra"}, [&](Query q) { return searcher.run(q, Zero{}); });
    table.add({.name = "bidirectional"}, [&](Query q) { return both.run(q); });
    if (geometry && geometry->scale() > 0) {
      table.add({.name = "A* geometric"},
                [&](Query q) { return searcher.run(q, geometry->to(q.target)); });
    }
  }
  std::vector<PreparedTable> prepared;
  prepared.reserve(6);
  const auto add = [&](const std::string& name, PreparedTable made) {
    prepared.push_back(std::move(made));
    const PotentialTable& kept = prepared.back().table;
    table.add({.name = name, .bytes = kept.bytes(), .preparation_seconds = prepared.back().seconds},
              [&](Query q) { return searcher.run(q, kept.to(q.target)); });
  };
  for (const auto method :
       {LandmarkMethod::kFarthest, LandmarkMethod::kAvoid, LandmarkMethod::kGreedy}) {
    if (options.quick && method == LandmarkMethod::kGreedy) continue;
    bench.progress.update(0, "landmarks, " + to_string(method));
    add("ALT " + to_string(method), prepare_landmarks(bench.graph, method, k, options.seed));
  }
  if (options.potentials_file.empty()) {
    add("learned", learn(bench, k));
  } else {
    PotentialTable loaded = PotentialTable::load(options.potentials_file);
    loaded.require_fit(bench.graph);
    const double seconds = loaded.origin().seconds;
    add("learned", {std::move(loaded), seconds});
  }
  const PotentialTable& learned = prepared.back().table;
  const std::size_t violated = learned.verify(bench.graph).violated_arcs;
  if (!options.quick && learned.storage() == TableStorage::k32Bit) {
    add("learned, 16 bits", {learned.in_16_bits(bench.graph), prepared.back().seconds});
    table.add({.name = "learned, bidirectional",
               .bytes = learned.bytes(),
               .preparation_seconds = prepared.back().seconds},
              [&](Query q) { return both.run(q, learned.to(q.target), learned.from(q.source)); });
  }
  table.measure(options.passes,
                [&](double share) { bench.progress.update(share, "answering queries"); });

  const MethodResult& farthest = table.result("ALT farthest");
  const MethodResult& avoid = table.result("ALT avoid");
  const MethodResult& alt = farthest.expansions <= avoid.expansions ? farthest : avoid;
  Table shown({"method", "MB", "preparation", "expansions", "per path node", "fewer than ALT",
               "time per query", "faster than ALT", "wrong"});
  nlohmann::ordered_json out;
  out["graph"] = options.graph;
  out["nodes"] = bench.graph.node_count();
  out["queries"] = bench.queries.size();
  out["potentials"] = k;
  out["path_nodes"] = table.path_nodes();
  out["violated_arcs"] = violated;
  out["version"] = kVersion;
  out["commit"] = kCommit;
  std::size_t wrong = 0;
  for (const MethodResult& method : table.results()) {
    wrong += method.wrong;
    shown.add({method.name, megabytes(method.bytes),
               method.preparation_seconds == 0 ? "–" : format_seconds(method.preparation_seconds),
               fmt::format("{:.0f}", method.expansions),
               fmt::format("{:.2f}", method.expansions / table.path_nodes()),
               fmt::format("{:.2f}×", alt.expansions / method.expansions),
               fmt::format("{:.1f} µs", 1e6 * method.seconds),
               fmt::format("{:.2f}×", alt.seconds / method.seconds), std::to_string(method.wrong)});
    out["methods"].push_back({{"name", method.name},
                              {"bytes", method.bytes},
                              {"preparation_seconds", method.preparation_seconds},
                              {"expansions", method.expansions},
                              {"seconds", method.seconds},
                              {"fewer_than_alt", alt.expansions / method.expansions},
                              {"faster_than_alt", alt.seconds / method.seconds},
                              {"wrong", method.wrong}});
  }
  if (options.json) {
    fmt::print("{}\n", out.dump());
  } else if (!options.row.empty()) {
    const MethodResult& made = table.result("learned");
    fmt::print(
        "| {} | {} | {:.1f} | {:.1f} | {:.0f} | {:.0f} | {:.2f} | {:.2f}× | {:.1f} | {:.1f} | "
        "{:.2f}× | {} | {} |\n",
        options.row, bench.graph.node_count(), made.preparation_seconds,
        static_cast<double>(made.bytes) / 1e6, alt.expansions, made.expansions,
        made.expansions / table.path_nodes(), alt.expansions / made.expansions, 1e6 * alt.seconds,
        1e6 * made.seconds, alt.seconds / made.seconds, wrong, violated);
  } else {
    fmt::print(
        "{}: {} nodes, {} arcs; {} queries of {:.0f} nodes on the path, K = {}, {} arcs "
        "violated\n\n{}",
        options.graph, bench.graph.node_count(), bench.graph.arc_count(), bench.queries.size(),
        table.path_nodes(), k, violated, shown.text());
  }
  if (!options.folder.empty()) {
    AtomicFile markdown((std::filesystem::path(options.folder) / "static.md").string());
    markdown.write(shown.markdown());
    markdown.commit();
    AtomicFile data((std::filesystem::path(options.folder) / "static.json").string());
    data.write(out.dump(2) + "\n");
    data.commit();
  }
  return wrong == 0 && violated == 0 ? 0 : 1;
}

void print(const Figure& figure, const std::string& first) {
  std::vector<std::string> header{first};
  for (const Curve& curve : figure.curves) header.push_back(curve.name);
  Table table(header);
  for (std::size_t i = 0; i < figure.curves.front().x.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:.6g}", figure.curves.front().x[i])};
    for (const Curve& curve : figure.curves) row.push_back(fmt::format("{:.1f}", curve.y[i]));
    table.add(row);
  }
  fmt::print("\n{}\n\n{}", figure.title, table.text());
}

void finish(Bench& bench, const Figure& figure, const std::string& first) {
  print(figure, first);
  if (bench.options.folder.empty()) return;
  if (!draw(figure, bench.options.folder)) {
    bench.progress.note("gnuplot is not installed; " + figure.name + ".gp is ready for it");
  }
}

void against_memory(Bench& bench) {
  Figure figure{"memory",
                "Expansions against memory",
                "bytes per node",
                "expansions per query",
                {{"learned", {}, {}}, {"ALT farthest", {}, {}}, {"ALT avoid", {}, {}}}};
  Searcher searcher(bench.graph);
  for (const std::uint32_t k : {4u, 8u, 16u, 32u, 64u}) {
    const auto put = [&](std::size_t curve, const PotentialTable& table) {
      figure.curves[curve].x.push_back(4.0 * k);
      figure.curves[curve].y.push_back(mean_expansions(searcher, table, bench.queries));
    };
    const auto landmarks = [&](LandmarkMethod method) {
      bench.progress.update(0, fmt::format("{} landmarks", k));
      return prepare_landmarks(bench.graph, method, k, bench.options.seed).table;
    };
    put(0, learn(bench, k).table);
    put(1, landmarks(LandmarkMethod::kFarthest));
    put(2, landmarks(LandmarkMethod::kAvoid));
  }
  finish(bench, figure, "bytes per node");
}

void against_rank(Bench& bench) {
  constexpr std::size_t kPerRank = 100;
  const std::uint32_t k = bench.options.fit.potentials;
  const PotentialTable alt =
      prepare_landmarks(bench.graph, LandmarkMethod::kFarthest, k, bench.options.seed).table;
  const PotentialTable learned = learn(bench, k).table;
  Figure figure{"rank",
                "Expansions against Dijkstra rank",
                "Dijkstra rank",
                "expansions per query",
                {{"learned", {}, {}}, {"ALT farthest", {}, {}}, {"nodes on the path", {}, {}}}};
  Searcher searcher(bench.graph);
  for (int exponent = 8;; ++exponent) {
    const auto queries = rank_queries(bench.graph, exponent, kPerRank, bench.options.seed);
    if (queries.size() < kPerRank) break;
    double nodes = 0;
    for (const Query& query : queries) {
      searcher.run(query, learned.to(query.target));
      nodes += static_cast<double>(searcher.path().size());
    }
    const double values[] = {mean_expansions(searcher, learned, queries),
                             mean_expansions(searcher, alt, queries), nodes / kPerRank};
    for (std::size_t c = 0; c < 3; ++c) {
      figure.curves[c].x.push_back(std::ldexp(1.0, exponent));
      figure.curves[c].y.push_back(values[c]);
    }
  }
  if (figure.curves[0].x.empty()) throw Error("the graph is too small for ranks of 256 and above");
  finish(bench, figure, "Dijkstra rank");
}

int run_bench_static(BenchStatic& options) {
  GraphFile file = read_graph(options.graph, options.read);
  Bench bench{options, options.grain > 0 ? with_grain(file.graph, options.grain) : file.graph, {}};
  options.fit.seed = options.seed;
  if (!options.folder.empty()) std::filesystem::create_directories(options.folder);
  if (options.queries.empty()) {
    // Another seed than training's: no query is trained on but by chance.
    bench.queries = uniform_queries(bench.graph, options.count, mix64(options.seed + 1));
  } else {
    // Every other query of the log is trained on, the rest measured.
    options.fit.kind = QueryKind::kLog;
    bool measured = false;
    for (const QueryLine& line : read_queries(options.queries, file).lines) {
      (measured ? bench.queries : options.fit.log).push_back(line.query);
      measured = !measured;
    }
    if (bench.queries.size() > options.count) bench.queries.resize(options.count);
  }
  if (options.memory) against_memory(bench);
  if (options.ranks) against_rank(bench);
  return options.memory || options.ranks ? 0 : compare(bench);
}

}  // namespace

void add_bench_static(CLI::App& bench, int* status) {
  auto options = std::make_shared<BenchStatic>();
  CLI::App* app = bench.add_subcommand(
      "static", "One graph, many queries: learned potentials beside ALT and the rest");
  app->add_option("graph", options->graph, "Graph file, any format")->required();
  app->add_option("-k,--potentials", options->fit.potentials, "Values per node, for all tables")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_option("--time", options->time.seconds, "Seconds of training")->capture_default_str();
  app->add_option("--rounds", options->time.rounds, "Rounds of training instead of a time");
  app->add_flag("--processor-time", options->time.processor,
                "Count the training's processor time, for a machine that is busy otherwise");
  app->add_option("--table", options->potentials_file, "A fitted table instead of training (.lsp)");
  app->add_option("--queries", options->queries,
                  "Log of queries: every other one is trained on, the rest measured");
  app->add_option("--count", options->count, "Queries measured")->capture_default_str();
  app->add_option("--passes", options->passes, "Times are medians over this many passes")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--grain", options->grain,
                  "Round weights down to multiples of 1/GRAIN first; with 65536 the equal paths of "
                  "a .map are equal to the last bit");
  app->add_option("--threads", options->fit.threads, "Threads of training")->capture_default_str();
  app->add_option("--seed", options->seed, "Seed of all random choices")->capture_default_str();
  app->add_option("-o,--output", options->folder, "Folder for static.md, static.json and figures");
  app->add_flag("--quick", options->quick, "Only ALT farthest, ALT avoid and learned");
  app->add_flag("--memory", options->memory, "Instead: expansions against memory, K = 4 to 64");
  app->add_flag("--ranks", options->ranks, "Instead: expansions against Dijkstra rank");
  add_reading_options(*app, options->read);
  app->add_flag("--json", options->json, "The comparison as one JSON object");
  app->add_option("--row", options->row,
                  "Print learned against ALT as one Markdown row of this name: nodes, seconds, MB, "
                  "expansions of ALT and learned, per path node, fewer, µs of both, faster, wrong, "
                  "violated");
  app->footer(
      "Ratios are against the better of ALT farthest and ALT avoid at equal memory.\n\n"
      "Example:\n"
      "  lodestar generate road -n 65000 -o roads.lsg\n"
      "  lodestar bench static roads.lsg --time 10\n"
      "  lodestar bench static roads.lsg --time 10 --ranks --memory -o figures");
  app->callback([options, status] { *status = run_bench_static(*options); });
}

}  // namespace lodestar::cli
