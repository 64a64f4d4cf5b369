// Verbs and options of version 0.1 that have other names now. Using one is an error that names the
// new one. tests/apps/cli/options_test.cpp checks that no old name works and every new one exists.
#pragma once

#include <string_view>

namespace lodestar::cli {

struct OldName {
  std::string_view verb;    // "bench static" for a subcommand
  std::string_view option;  // empty: the verb itself
  std::string_view now;     // verb and option
};

inline constexpr OldName kOldNames[] = {
    {"potentials", "", "predict"},

    {"fit", "--whole", "fit"},
    {"fit", "--labels", "index --labels"},
    {"fit", "--no-paths", "index --no-paths"},
    {"fit", "--search", "index --search"},
    {"fit", "--core", "index --core"},
    {"fit", "--memory", "index --memory"},
    {"fit", "--time", "fit --seconds"},
    {"fit", "--potentials", "fit --per-node"},

    {"solve", "--table", "solve --potentials"},
    {"certify", "--table", "certify --potentials"},

    {"bench", "--queries", "bench --count"},
    {"bench static", "--table", "bench static --potentials"},
    {"bench static", "--time", "bench static --seconds"},
    {"bench static", "--memory", "bench static --memory-curve"},
    {"bench static", "--ranks", "bench static --rank-curve"},
    {"bench traffic", "--time", "bench traffic --seconds"},
    {"bench traffic", "--potentials", "bench traffic --per-node"},
    {"bench traffic", "--refit", "bench traffic --refit-seconds"},

    {"reproduce", "--search", "reproduce --algorithm"},
    {"reproduce", "--weight", "reproduce --h-weight"},

    {"train", "--graphs", "train --graph-folder"},
    {"train", "--queries", "train --queries-per-graph"},
    {"tune", "--log", "tune --log-uniform"},
    {"tune", "--samples", "tune --trials"},
    {"tune", "--patience", "tune --rank-timeout"},
};

}  // namespace lodestar::cli
