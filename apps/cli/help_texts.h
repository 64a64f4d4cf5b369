// What stands below the options in each verb's --help: what to know, and examples. One table, so
// that help, manual pages and tests/apps/cli/options_test.cpp, which looks up every option named
// here, agree.
#pragma once

#include <string_view>

namespace lodestar::cli {

struct HelpText {
  std::string_view verb;  // "bench static" for a subcommand
  std::string_view text;
};

// clang-format off
inline constexpr HelpText kHelpTexts[] = {
{"generate",
R"(Example: lodestar generate road -n 65536 --seed 1 -o roads.lsg
         lodestar generate er -n 16 --trajectories 1000 --seed 1 -o train.npz)"},

{"train",
R"(Example: lodestar train --preset deep -o runs/deep --seed 1
         lodestar train --preset deep --graphs my_graphs/ -o runs/mine
         mpirun -n 4 lodestar train --preset paper -o runs/together
Exit code 1: training diverged.)"},

{"tune",
R"(Example: lodestar tune --preset deep --samples 60 --log --set epochs=10 --jobs 2 -o search
         mpirun -n 9 --enable-recovery lodestar tune --space my_space.json -o search
Killed at any time, the same command goes on where it was.)"},

{"reproduce",
R"(Examples:
  lodestar reproduce -o out/paper
  lodestar reproduce --quick -o out/quick
  lodestar reproduce --seed 7 --draws 5 --strict -o out/seven
  lodestar reproduce --draw or --sizes 32,96,192,256 --graphs 40 -o out/table
  lodestar reproduce --draw or --model mine=runs/mine/model.safetensors -o out/mine
  lodestar reproduce --search focal --bound 0.1 -o out/focal)"},

{"fit",
R"(Ctrl-C keeps the best so far.

Example:
  lodestar generate road -n 65000 -o roads.lsg
  lodestar fit roads.lsg -o roads.lsi
  lodestar solve roads.lsg --index roads.lsi --from 17 --to 4711
  lodestar fit roads.lsg --labels -o roads.lsi
  lodestar fit roads.lsg --time 10 --whole -o roads.lsp
  lodestar solve roads.lsg --potentials roads.lsp --from 17 --to 4711)"},

{"solve",
R"(
Examples:
  lodestar solve roads.gr --from 1 --to 4711 --paths
  lodestar solve arena.map --queries arena.map.scen --heuristic geometric --check
  lodestar solve roads.lsg --potentials roads.lsp --queries today.tsv --threads 2
  lodestar solve g.gr --from 1 --to 9 --heuristic learned --exact --compare
  lodestar solve g.gr --from 1 --to 9 --heuristic learned --bound 0.05
  lodestar solve roads.gr --from 1 --to-all > distances.tsv
  lodestar solve town.lsg --from 1.521,42.507 --to 1.536,42.509 --geojson route.geojson
Exit code: 0 answered, 1 no path, a mismatch or a query skipped, 2 bad input.)"},

{"serve",
R"(Examples:
  lodestar serve town.lsg --index town.lsi --port 5000
  lodestar serve town.osm.pbf --state town.lsj --admin-token-file token
  curl 'localhost:5000/route/v1/car/9.5024,47.1012;9.5178,47.1171?overview=false'
docs/guide/serve.md has every request, and how to run it behind a proxy.)"},

{"view",
R"(Examples:
  lodestar view roads.lsg --index roads.lsi -o roads.html
  lodestar view arena.map --from 3,4 --to 100,90 --methods dijkstra,geometric -o arena.html)"},

{"matrix",
R"(One search per source or per target, whichever are fewer. A few lines are in memory at a
time, however large the matrix. Under mpirun the lines are shared among the ranks, and
rank 0 writes; the file is the same.

csv has source,target,cost for each pair, inf where there is no path; npy is a float64
array [sources, targets] for numpy.load.

Examples:
  lodestar matrix roads.lsg --sources shops.txt --targets homes.txt -o costs.npy
  lodestar matrix roads.lsg --sources shops.txt --threads 4 > costs.csv
  mpirun -n 8 lodestar matrix roads.lsg --sources all --targets shops.txt -o costs.npy)"},

{"certify",
R"(Examples:
  lodestar certify roads.gr --potentials mine.txt
  lodestar certify graphs/ --model deep --exact --tolerance 0
Exit code: 0 consistent, 1 not, 2 bad input.)"},

{"potentials",
R"(Examples:
  lodestar potentials city.gr --from 17 --to 4711 -o y.txt
  lodestar potentials city.gr --from 1 --to 4711 17 --model deep --exact -o y.npy
  lodestar certify city.gr --potentials y.txt)"},

{"convert",
R"(Examples:
  lodestar convert roads.gr.xz roads.lsg
  zcat roads.csv.gz | lodestar convert - --format csv - --output-format gr)"},

{"info",
R"(Example: lodestar info roads.gr.xz)"},

{"bench",
R"(Examples:
  lodestar bench
  lodestar bench --graph roads.lsg --queries 200)"},

{"bench static",
R"(Ratios are against the better of ALT farthest and ALT avoid at equal memory.

Example:
  lodestar generate road -n 65000 -o roads.lsg
  lodestar bench static roads.lsg --time 10
  lodestar bench static roads.lsg --time 10 --ranks --memory -o figures)"},

{"bench traffic",
R"(Every answer is checked, after the change. A method may be listed twice: as it is right after the change, and once it has done more about it.

Example:
  lodestar generate road -n 65000 -o roads.lsg
  lodestar bench traffic roads.lsg --kind clustered)"},
};
// clang-format on

}  // namespace lodestar::cli
