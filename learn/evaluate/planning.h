// The benchmark of learned planners: grid maps with a goal each, and that field's measures.
//
//   const std::vector<PlanningMap> maps = read_planning_maps("mazes_032.test.txt.xz");
//   PlanningTask task(maps[0]);
//   for (const NodeId start : task.starts(rng)) measure(task.graph(), {start, task.goal()});
//
// Maps are those of the "MP" data set (Bhardwaj, Choudhury, Scherer 2017; goals by Yonetani et al.,
// "Path planning using Neural A* search", ICML 2021): eight neighbours, every step costs 1, corners
// may be cut. Starts are drawn as there, one from each of the bands 55-70 %, 70-85 % and 85-100 %
// of the distances to the goal.
//
// Measures, as there: Opt, the share of paths that are shortest; Exp, the mean over queries of the
// expansions saved against A*, max(0, 1 - E / E_A*); Hmean, the harmonic mean of the two. As in
// TransPath (Kirilenko et al., AAAI 2023): the mean ratio of cost to optimum, and of expansions to
// A*'s. A* uses the Chebyshev distance.
#pragma once

#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/rng.h"

namespace lodestar::evaluate {

struct PlanningMap {
  std::string family;
  NodeId width = 0, height = 0;
  std::vector<char> free;          // [height × width], row by row
  NodeId goal = kNoNode;           // a cell
  std::vector<std::int32_t> cost;  // [height × width] to the goal, -1: none; empty if not given
};

// Formats, by the end of the name (each may be followed by .xz or .gz). The family is the name up
// to its first digit, or the folder's name. Throws Error with the file, and the line of text.
//   .test.txt  lines that begin with # are ignored; each instance has a line "i goal_row goal_col",
//              the rows of the map (. free, @ blocked) and as many rows of distances to the goal
//   .npz       the test split of a file of Neural A*
//   .map       MovingAI; a map above 256 cells is cut to 128 × 128; the goal is drawn
std::vector<PlanningMap> read_planning_maps(const std::string& path);
// All such files of a folder and its folders, by family; a family with several files of .test.txt
// or .npz is read from the first.
std::vector<PlanningMap> read_planning_folder(const std::string& folder);

// side × side maps drawn at random, put together; the goal is a random free cell.
PlanningMap tiled_map(const std::vector<PlanningMap>& maps, NodeId side, Rng& rng);

// A map as a graph of its free cells.
class PlanningTask {
 public:
  explicit PlanningTask(const PlanningMap& map);

  const Graph& graph() const { return graph_; }
  NodeId goal() const { return goal_; }
  NodeId cell(NodeId v) const { return cell_[v]; }
  // A start from each band, by true distances; fewer on maps with few reachable cells.
  std::vector<NodeId> starts(Rng& rng) const;
  // The number of steps without obstacles.
  double chebyshev(NodeId v) const;
  // The true distance of v; infinite if there is no path.
  double distance(NodeId v) const { return distance_[v]; }

 private:
  NodeId width_;
  std::vector<NodeId> cell_;  // of each node
  Graph graph_;
  NodeId goal_ = kNoNode;
  std::vector<double> distance_;
};

enum class Planner { kDijkstra, kAStar, kWeighted, kGreedy, kLearned, kPerfect };

// Means over queries.
struct PlanningRow {
  std::string family, planner;
  std::size_t queries = 0;
  double optimal = 0;     // share
  double saved = 0;       // Exp
  double cost_ratio = 0;  // ÷ optimum
  double expansions = 0;
  double expansion_ratio = 0;  // ÷ A*
  double prepared = 0;         // nodes changed by closure, or settled by the backward search
  double saved_in_all = 0;     // Exp with those counted as expansions
  double microseconds = 0;     // heuristic, closure and search
  double harmonic_mean() const {
    return optimal + saved > 0 ? 2 * optimal * saved / (optimal + saved) : 0;
  }
};

struct PlanningPicture {
  PlanningMap map;
  NodeId start = kNoNode;  // a cell
  std::vector<std::string> planners;
  std::vector<std::vector<NodeId>> expanded;  // cells, by planner
  std::vector<NodeId> path;                   // cells of a shortest path
};

struct PlanningReport {
  std::vector<PlanningRow> rows;  // by family, then planner
  std::vector<PlanningPicture> pictures;
};

// Runs all planners on maps of each family, with the seed for starts. Throws Error if a map's own
// distances contradict the graph's, or a planner that promises shortest paths returns another.
PlanningReport run_planning(const std::vector<PlanningMap>& maps, const std::string& model,
                            std::uint64_t seed);

}  // namespace lodestar::evaluate
