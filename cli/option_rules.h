// Which options mean something together: every option of every verb has a row. What means nothing
// is refused before the verb runs, never passed over. tests/options_test.cpp walks the table, and
// --help, so that no option is without a row. What a file format can obey is in graph_formats.h,
// what an algorithm can in algorithms.h.
//
//   {"solve", "--constant", kNeeds, "--heuristic=constant"}
//
// The last column lists alternatives between |: an option that is given, an option with a value,
// or a subcommand.
#pragma once

#include <string_view>

namespace lodestar::cli {

enum class Rule {
  kAlways,  // means something whatever else is given
  kNeeds,   // one of the others must be given
  kNotWith  // none of the others may be given
};

struct OptionRule {
  std::string_view verb;  // "bench static" for a subcommand
  std::string_view option;
  Rule rule = Rule::kAlways;
  std::string_view others = {};
};

inline constexpr OptionRule kOptionRules[] = {
    {"generate", "--nodes"},
    {"generate", "--output"},
    {"generate", "--output-format"},
    {"generate", "--seed"},
    {"generate", "--density", Rule::kNeeds, "family=er"},
    {"generate", "--draw", Rule::kNeeds, "family=er"},
    {"generate", "--obstacles", Rule::kNeeds, "family=grid"},
    {"generate", "--degree", Rule::kNeeds, "family=geometric"},
    {"generate", "--trajectories", Rule::kNeeds, "family=er"},
    {"generate", "--trajectories", Rule::kNotWith, "--output-format"},

    {"convert", "--output-format"},

    {"info", "--json"},

    {"fit", "--output"},
    {"fit", "--queries"},
    {"fit", "--distribution", Rule::kNotWith, "--queries"},
    {"fit", "--potentials"},
    {"fit", "--time", Rule::kNotWith, "--rounds"},
    {"fit", "--rounds"},
    {"fit", "--threads"},
    {"fit", "--seed"},
    {"fit", "--start"},
    {"fit", "--bits"},
    {"fit", "--resume", Rule::kNotWith, "--bits=16"},
    {"fit", "--json"},
    {"fit", "--core"},
    {"fit", "--no-paths"},
    {"fit", "--whole"},

    {"solve", "--index"},
    {"solve", "--snap"},
    {"solve", "--geojson"},
    {"solve", "--gpx"},
    {"solve", "--polyline"},
    {"solve", "--to-all", Rule::kNotWith,
     "--to|--from-all|--queries|--algorithm|--heuristic|--potentials|--bound|--max-expansions|"
     "--times|--compare|--threads"},
    {"solve", "--from-all", Rule::kNotWith,
     "--from|--to-all|--queries|--algorithm|--heuristic|--potentials|--bound|--max-expansions|"
     "--times|--compare|--threads"},
    {"solve", "--from", Rule::kNeeds, "--to|--to-all"},
    {"solve", "--from", Rule::kNotWith, "--queries"},
    {"solve", "--to", Rule::kNeeds, "--from|--from-all"},
    {"solve", "--to-all", Rule::kNeeds, "--from"},
    {"solve", "--from-all", Rule::kNeeds, "--to"},
    {"solve", "--queries"},
    {"solve", "--skip-unknown", Rule::kNeeds, "--queries"},
    {"solve", "--algorithm"},
    {"solve", "--heuristic"},
    {"solve", "--potentials"},
    {"solve", "--model", Rule::kNeeds, "--heuristic=learned"},
    {"solve", "--steps", Rule::kNeeds, "--heuristic=learned"},
    {"solve", "--scale", Rule::kNeeds, "--heuristic=learned"},
    {"solve", "--exact", Rule::kNeeds, "--heuristic=learned"},
    {"solve", "--bound", Rule::kNotWith, "--exact"},
    {"solve", "--h-weight", Rule::kNeeds, "--algorithm=weighted"},
    {"solve", "--constant", Rule::kNeeds, "--heuristic=constant"},
    {"solve", "--seed", Rule::kNeeds, "--heuristic=random"},
    {"solve", "--no-reopen", Rule::kNeeds,
     "--algorithm=astar|--algorithm=weighted|--algorithm=greedy|--heuristic|--potentials"},
    {"solve", "--no-reopen", Rule::kNotWith,
     "--bound|--exact|--algorithm=focal|--algorithm=bidirectional-astar"},
    {"solve", "--max-expansions"},
    {"solve", "--paths"},
    {"solve", "--times"},
    {"solve", "--compare"},
    {"solve", "--json"},
    {"solve", "--check", Rule::kNeeds, "--queries"},
    {"solve", "--threads"},

    {"matrix", "--sources"},
    {"matrix", "--targets"},
    {"matrix", "--output"},
    {"matrix", "--output-format"},
    {"matrix", "--threads"},

    {"certify", "--potentials"},
    {"certify", "--heuristic"},
    {"certify", "--model"},
    {"certify", "--table"},
    {"certify", "--steps", Rule::kNeeds, "--model"},
    {"certify", "--scale", Rule::kNeeds, "--model"},
    {"certify", "--exact", Rule::kNeeds, "--model"},
    {"certify", "--constant", Rule::kNeeds, "--heuristic=constant"},
    {"certify", "--samples", Rule::kNotWith, "--queries"},
    {"certify", "--queries"},
    {"certify", "--seed"},
    {"certify", "--tolerance"},
    {"certify", "--json"},
    {"certify", "--index"},

    {"bench", "--graph", Rule::kNotWith, "--signature|static"},
    {"bench", "--queries", Rule::kNeeds, "--graph"},
    {"bench", "--seed", Rule::kNeeds, "--graph"},
    {"bench", "--signature", Rule::kNotWith, "static"},
    {"bench", "--format", Rule::kNeeds, "--graph"},
    {"bench", "--undirected", Rule::kNeeds, "--graph"},
    {"bench", "--weight", Rule::kNeeds, "--graph"},
    {"bench", "--coordinates", Rule::kNeeds, "--graph"},
    {"bench", "--unit-diagonals", Rule::kNeeds, "--graph"},
    {"bench", "--exact-diagonals", Rule::kNeeds, "--graph"},
    {"bench", "--corner-cutting", Rule::kNeeds, "--graph"},
    {"bench", "--profile", Rule::kNeeds, "--graph"},
    {"bench", "--turns", Rule::kNeeds, "--graph"},
    {"bench", "--all", Rule::kNeeds, "--graph"},
    {"bench static", "--table"},
    {"bench static", "--queries"},
    {"bench static", "--count"},
    {"bench static", "--passes"},
    {"bench static", "--seed"},
    {"bench static", "--output"},
    {"bench static", "--methods"},
    {"bench static", "--fresh"},
    {"bench static", "--paths"},
    {"bench static", "--ranks"},
    {"bench static", "--potentials", Rule::kNotWith, "--table|--memory"},
    {"bench static", "--time", Rule::kNotWith, "--rounds|--table"},
    {"bench static", "--rounds", Rule::kNotWith, "--table"},
    {"bench static", "--processor-time", Rule::kNotWith, "--rounds|--table"},
    {"bench static", "--threads", Rule::kNotWith, "--table"},
    {"bench static", "--memory", Rule::kNotWith, "--table"},
    {"bench static", "--quick", Rule::kNotWith, "--memory|--ranks"},
    {"bench static", "--json", Rule::kNotWith, "--memory|--ranks|--row"},
    {"bench static", "--row", Rule::kNotWith, "--memory|--ranks"},
};

}  // namespace lodestar::cli
