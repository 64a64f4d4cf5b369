// The verbs that answer for many nodes at once, run as a user runs them; under mpirun, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "lodestar/graph_io.h"
#include "oracle.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::matrix_test {
namespace {

using testing::bellman_ford;
using testing::nasty_graph;
using testing::PlainGraph;
using testing::run_program;

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// A graph file whose nodes are called 1 … n, and lists of some of them.
struct Setting {
  explicit Setting(std::uint64_t seed, std::uint32_t sources, std::uint32_t targets)
      : plain(nasty_graph(seed)) {
    GraphFile file;
    file.graph = plain.graph();
    file.names = NodeNames::numbered(1, plain.nodes);
    graph = folder / "g.gr";
    write_graph(file, graph);
    Rng rng(seed);
    const auto draw = [&](std::uint32_t count, std::vector<NodeId>& nodes) {
      std::string text = "# some nodes\n\n";
      for (std::uint32_t i = 0; i < count; ++i) {
        nodes.push_back(rng.below(plain.nodes));
        text += std::to_string(nodes.back() + 1) + (i % 2 == 0 ? "\r\n" : "\n");
      }
      return text;
    };
    sources_file = folder.write("sources.txt", draw(sources, from));
    targets_file = folder.write("targets.txt", draw(targets, to));
    for (const NodeId s : from) truth.push_back(bellman_ford(plain, s));
  }
  std::string command() const {
    return "matrix " + graph + " --sources " + sources_file + " --targets " + targets_file;
  }
  ScratchFolder folder;
  PlainGraph plain;
  std::string graph, sources_file, targets_file;
  std::vector<NodeId> from, to;
  std::vector<std::vector<double>> truth;  // [from][node]
};

void expect_csv(const Setting& setting, const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  ASSERT_EQ(line, "source,target,cost");
  std::multiset<std::string> found, expected;
  while (std::getline(lines, line)) found.insert(line);
  for (std::size_t i = 0; i < setting.from.size(); ++i) {
    for (const NodeId t : setting.to) {
      const double cost = setting.truth[i][t];
      std::ostringstream row;
      row << setting.from[i] + 1 << ',' << t + 1 << ',';
      std::isfinite(cost) ? row << static_cast<std::uint64_t>(cost) : row << "inf";
      expected.insert(row.str());
    }
  }
  EXPECT_EQ(found, expected);
}

// numpy's format, read by the rules of its documentation.
void expect_npy(const Setting& setting, const std::string& bytes) {
  ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  const std::size_t length =
      static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  ASSERT_EQ((10 + length) % 64, 0u);
  const std::string header = bytes.substr(10, length);
  EXPECT_NE(header.find("'descr': '<f8'"), std::string::npos);
  EXPECT_NE(header.find("'shape': (" + std::to_string(setting.from.size()) + ", " +
                        std::to_string(setting.to.size()) + ")"),
            std::string::npos);
  const bool fortran = header.find("'fortran_order': True") != std::string::npos;
  const std::size_t rows = setting.from.size(), columns = setting.to.size();
  ASSERT_EQ(bytes.size(), 10 + length + 8 * rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < columns; ++k) {
      double cost;
      std::memcpy(&cost, &bytes[10 + length + 8 * (fortran ? k * rows + i : i * columns + k)], 8);
      ASSERT_EQ(cost, setting.truth[i][setting.to[k]]);
    }
  }
}

TEST(Matrix, NarrowTypesHoldTheSameCosts) {
  const Setting setting(2, 4, 6);
  for (const std::string type : {"float32", "uint32"}) {
    const std::string file = setting.folder / ("m-" + type + ".npy");
    const auto run = run_program(setting.command() + " --type " + type + " -o " + file);
    ASSERT_EQ(run.status, 0) << run.out;
    const std::string bytes = contents(file);
    EXPECT_NE(bytes.find(type == "float32" ? "'<f4'" : "'<u4'"), std::string::npos);
    const std::size_t begin = bytes.size() - 4 * 4 * 6;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t k = 0; k < 6; ++k) {
        const double cost = setting.truth[i][setting.to[k]];
        float number = 0;
        std::uint32_t whole = 0;
        std::memcpy(&number, &bytes[begin + 4 * (6 * i + k)], 4);
        std::memcpy(&whole, &bytes[begin + 4 * (6 * i + k)], 4);
        if (type == "float32") {
          EXPECT_EQ(number, cost);
        } else {
          EXPECT_EQ(whole, std::isfinite(cost) ? cost : 4294967295.0);
        }
      }
    }
  }
  EXPECT_EQ(run_program(setting.command() + " --type uint32").status, 2);  // csv
}

TEST(Matrix, NearestAreTheFirstOfEachSource) {
  const Setting setting(3, 5, 8);
  const auto run = run_program(setting.command() + " --nearest 2");
  ASSERT_EQ(run.status, 0) << run.out;
  std::istringstream lines(run.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "source,target,cost");
  for (std::size_t i = 0; i < setting.from.size(); ++i) {
    std::vector<double> costs;
    for (const NodeId t : setting.to) costs.push_back(setting.truth[i][t]);
    std::sort(costs.begin(), costs.end());
    for (std::size_t k = 0; k < 2 && std::isfinite(costs[k]); ++k) {
      ASSERT_TRUE(std::getline(lines, line));
      EXPECT_EQ(line.substr(0, line.find(',')), std::to_string(setting.from[i] + 1));
      EXPECT_EQ(std::stod(line.substr(line.rfind(',') + 1)), costs[k]);
    }
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Matrix, LengthsAreThoseOfTheRoutes) {
  ScratchFolder folder;
  const std::string graph = folder / "r.lsg", nodes = folder.write("n.txt", "3\n77\n200\n");
  ASSERT_EQ(run_program("generate road -n 400 --seed 3 -o " + graph).status, 0);
  const auto run =
      run_program("matrix " + graph + " --sources " + nodes + " --lengths " + (folder / "l.csv"));
  ASSERT_EQ(run.status, 0) << run.out;
  const GraphFile file = read_graph(graph);
  std::istringstream lines(contents(folder / "l.csv"));
  std::string line;
  std::getline(lines, line);
  for (const NodeId s : {3u, 77u, 200u}) {
    for (const NodeId t : {3u, 77u, 200u}) {
      ASSERT_TRUE(std::getline(lines, line));
      const double length = std::stod(line.substr(line.rfind(',') + 1));
      const Point a = file.graph.points()[s], b = file.graph.points()[t];
      const double straight = std::hypot(a.x - b.x, a.y - b.y);
      EXPECT_GE(length, straight * (1 - 1e-9));
      EXPECT_EQ(length == 0, s == t);
    }
  }
}

TEST(Matrix, CsvAndNpyAgreeWithTheOracle) {
  for (const auto& [sources, targets] :
       {std::pair(3, 7), std::pair(7, 3), std::pair(1, 1), std::pair(20, 20), std::pair(0, 4)}) {
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      const Setting setting(seed, static_cast<std::uint32_t>(sources),
                            static_cast<std::uint32_t>(targets));
      const auto run = run_program(setting.command() + " --threads 3");
      ASSERT_EQ(run.status, 0);
      expect_csv(setting, run.out);
      const std::string file = setting.folder / "m.npy";
      ASSERT_EQ(run_program(setting.command() + " -o " + file).status, 0);
      expect_npy(setting, contents(file));
    }
  }
}

TEST(Matrix, OnAnIndexIsTheSame) {
  for (const auto& [sources, targets] : {std::pair(30, 40), std::pair(40, 30), std::pair(2, 0)}) {
    for (const std::string kind : {"", " --labels"}) {
      const Setting setting(6, static_cast<std::uint32_t>(sources),
                            static_cast<std::uint32_t>(targets));
      const std::string index = setting.folder / "g.lsi";
      ASSERT_EQ(run_program("index " + setting.graph + " --rounds 1 -o " + index + kind).status, 0);
      const auto run = run_program(setting.command() + " --threads 2 --index " + index);
      ASSERT_EQ(run.status, 0);
      expect_csv(setting, run.out);
      const std::string file = setting.folder / "m.npy";
      ASSERT_EQ(run_program(setting.command() + " --index " + index + " -o " + file).status, 0);
      expect_npy(setting, contents(file));
    }
  }
}

TEST(Matrix, AllNodesAndBadInput) {
  const Setting setting(2, 3, 3);
  const auto all = run_program("matrix " + setting.graph + " --sources all");
  EXPECT_EQ(all.status, 0);
  EXPECT_EQ(static_cast<std::size_t>(std::count(all.out.begin(), all.out.end(), '\n')),
            std::size_t{setting.plain.nodes} * setting.plain.nodes + 1);
  const std::string wrong = setting.folder.write("wrong.txt", "1\n99999\n");
  const auto refused = run_program("matrix " + setting.graph + " --sources " + wrong, true);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.out.find("wrong.txt:2"), std::string::npos);
  EXPECT_EQ(run_program("matrix " + setting.graph + " --sources none.txt").status, 2);
  EXPECT_EQ(run_program(setting.command() + " -o " + (setting.folder / "m.xyz")).status, 2);
}

// The same bytes from one process and from several that share the lines.
TEST(Matrix, UnderMpirun) {
  if (std::system("command -v mpirun > /dev/null") != 0 ||
      !std::filesystem::exists(std::filesystem::path(LODESTAR_BINARY).parent_path() /
                               "lodestar-mpi")) {
    GTEST_SKIP() << "no MPI";
  }
  for (const auto& [sources, targets] : {std::pair(23, 31), std::pair(31, 23), std::pair(1, 5)}) {
    const Setting setting(5, static_cast<std::uint32_t>(sources),
                          static_cast<std::uint32_t>(targets));
    for (const std::string ending : {".npy", ".csv"}) {
      const std::string alone = setting.folder / ("alone" + ending);
      const std::string shared = setting.folder / ("shared" + ending);
      ASSERT_EQ(run_program(setting.command() + " -o " + alone).status, 0);
      const std::string command = "mpirun --allow-run-as-root --oversubscribe -n 3 " +
                                  std::string(LODESTAR_BINARY) + " " + setting.command() + " -o " +
                                  shared + " 2> /dev/null";
      ASSERT_EQ(std::system(command.c_str()), 0);
      EXPECT_EQ(contents(shared), contents(alone));
    }
  }
}

TEST(Matrix, BenchmarkChecksEveryMethod) {
  const ScratchFolder folder;
  const std::string graph = folder / "road.lsg";
  ASSERT_EQ(run_program("generate road -n 400 --seed 3 -o " + graph).status, 0);
  const auto run = run_program("bench matrix " + graph + " --sizes 5,40 --passes 1 --json");
  ASSERT_EQ(run.status, 0) << run.out;
  const auto found = nlohmann::json::parse(run.out);
  EXPECT_EQ(found["wrong"], 0);
  EXPECT_EQ(found["methods"].size(), 8u);
  EXPECT_GE(found["checked"], 2 * (5 + 40));            // two rows of a matrix, against Dijkstra
  EXPECT_GE(found["compared"], 6 * (5 * 5 + 40 * 40));  // all cells, with the first method
  for (const auto& method : found["methods"]) EXPECT_GT(method["ns_per_cell"]["40"], 0);
  EXPECT_EQ(run_program("bench matrix " + graph + " --methods label").status, 2);  // labels
}

TEST(Matrix, OneToAllAndAllToOne) {
  const Setting setting(5, 1, 0);
  const NodeId root = setting.from[0];
  const std::string name = std::to_string(root + 1);
  const auto to_all =
      run_program("solve " + setting.graph + " --from " + name + " --to-all --json");
  const auto from_all =
      run_program("solve " + setting.graph + " --to " + name + " --from-all --json --paths");
  ASSERT_EQ(to_all.status, 0);
  ASSERT_EQ(from_all.status, 0);
  std::istringstream forward(to_all.out), backward(from_all.out);
  const auto expect_line = [](std::istringstream& lines, NodeId v, double cost) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const auto found = nlohmann::json::parse(line);
    EXPECT_EQ(found["node"], std::to_string(v + 1));
    if (std::isfinite(cost)) {
      EXPECT_EQ(found["cost"], cost);
    } else {
      EXPECT_TRUE(found["cost"].is_null());
    }
  };
  for (NodeId v = 0; v < setting.plain.nodes; ++v) {
    expect_line(forward, v, setting.truth[0][v]);
    expect_line(backward, v, bellman_ford(setting.plain, v)[root]);
  }
  // Within a limit, on an index and without.
  const std::string index = setting.folder / "g.lsi";
  ASSERT_EQ(run_program("index " + setting.graph + " --rounds 1 -o " + index).status, 0);
  for (const std::string& how : {std::string(), " --index " + index}) {
    const auto near = run_program("solve " + setting.graph + " --from " + name +
                                  " --to-all --json --limit 700" + how);
    ASSERT_EQ(near.status, 0);
    std::istringstream lines(near.out);
    for (NodeId v = 0; v < setting.plain.nodes; ++v) {
      if (setting.truth[0][v] <= 700) expect_line(lines, v, setting.truth[0][v]);
    }
    std::string rest;
    EXPECT_FALSE(std::getline(lines, rest)) << rest;
  }
  EXPECT_EQ(run_program("solve " + setting.graph + " --from 1 --to 1 --limit 5").status, 2);
  EXPECT_EQ(run_program("solve " + setting.graph + " --from 1 --to 1 --to-all").status, 2);
  EXPECT_EQ(run_program("solve " + setting.graph + " --to-all").status, 2);
  EXPECT_EQ(run_program("solve " + setting.graph + " --from 1 --to-all --from-all").status, 2);
}

TEST(IsochroneProgram, WritesGeojson) {
  const Setting setting(2, 1, 1);
  const std::string name = std::to_string(setting.from[0] + 1);
  const auto run = run_program("isochrone " + setting.graph + " --from " + name +
                               " --limits 0,1e9 --show nodes");
  ASSERT_EQ(run.status, 0) << run.out;
  const auto out = nlohmann::json::parse(run.out);
  ASSERT_EQ(out["features"].size(), 2u);
  std::size_t reached = 0;
  for (const double cost : setting.truth[0]) reached += std::isfinite(cost);
  EXPECT_EQ(out["features"][1]["properties"]["nodes"].size(), reached);
  EXPECT_EQ(out["features"][0]["properties"]["nodes"][0], name);
  EXPECT_EQ(run_program("isochrone " + setting.graph + " --limits 5").status, 2);
}

}  // namespace
}  // namespace lodestar::matrix_test
