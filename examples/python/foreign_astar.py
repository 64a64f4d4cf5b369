"""The network `deep` inside another library's A*: networkx, no torch.

    python3 foreign_astar.py
"""

import networkx as nx

import lodestar


def main():
    maze = nx.grid_2d_graph(24, 24)
    maze.remove_nodes_from([(r, c) for r in range(4, 24, 8) for c in range(20)])
    maze.remove_nodes_from([(r, c) for r in range(8, 24, 8) for c in range(4, 24)])
    nx.set_edge_attributes(maze, 1, "weight")
    source, target = (0, 0), (23, 0)

    graph = lodestar.from_networkx(maze, weight="weight")
    y = lodestar.Model("deep").potentials(graph, source, target, exact=True)
    h = dict(zip(maze, y[list(maze).index(target)] - y))  # consistent: A* stays optimal
    looked = set()

    def learned(v, _):
        looked.add(v)
        return h[v]

    path = nx.astar_path(maze, source, target, heuristic=learned)
    print(f"{len(path)} nodes on the path, {len(looked)} looked at of {len(maze)}")
    assert len(path) == len(nx.shortest_path(maze, source, target))


if __name__ == "__main__":
    main()
