// Options of the verbs that train potentials: `fit` those of a whole graph, `index` those of a
// core.
#pragma once

#include <string>
#include <vector>

#include "lodestar/atomic_file.h"
#include "lodestar/graph_io.h"
#include "reading.h"
#include "verb.h"

namespace lodestar::cli {

struct TrainingFiles {
  std::string graph;
  std::string output;
  std::string queries;  // log to train for
  bool resume = false;
  bool json = false;
  ReadOptions read;
};

constexpr double kSaveSeconds = 10;  // a killed program loses no more than this

// `Options` is FitOptions or IndexOptions. Its defaults are those of the library.
template <class Options>
void add_training_options(Verb& verb, TrainingFiles& files, Options& options) {
  verb.option("--queries", files.queries, "Query log to train for: source and target per line")
      .default_text("random pairs");
  verb.option("-k,--per-node", options.potential_count, "Potentials per node")
      .check(CLI::Range(1, 4096));
  verb.option("--seconds", options.seconds, "Time limit in seconds, reading the graph included")
      .check(above_zero())
      .excludes("--rounds");
  verb.option("--rounds", options.rounds,
              "Training rounds instead of a time: the same result on every machine")
      .default_text("");
  verb.threads(options.threads, "Worker threads, which do not change the result");
  verb.option("--seed", options.seed, "Seed of all random choices");
  verb.flag("--resume", files.resume, "Continue training the output file if it exists");
  verb.flag("--json", files.json, "Print the result as one JSON object");
}

// The graph to train for. Throws Error if the output is of the other kind or cannot be written.
inline GraphFile read_training_graph(const TrainingFiles& files, const char* other_ending,
                                     const char* hint) {
  if (files.output.ends_with(other_ending)) throw Error(files.output + ": " + hint);
  if (files.output == "-") throw Error("the result is saved repeatedly; give -o a file name");
  require_folder_of(files.output);
  return read_graph_with_notes(files.graph, files.read);
}

inline std::vector<Query> read_log(const TrainingFiles& files, const GraphFile& file) {
  std::vector<Query> log;
  if (files.queries.empty()) return log;
  for (const QueryLine& line : read_queries(files.queries, file).lines) log.push_back(line.query);
  return log;
}

}  // namespace lodestar::cli
