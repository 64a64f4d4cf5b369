#!/usr/bin/env python3
"""networkx on the graphs of `peers --dump DIR`: prints its median time per query.

    build/bench/peers --dump DIR > peers.md
    python3 bench/peers/networkx_peer.py DIR

The C++ times stand in peers.md of the same run; divide to get the ratio.
"""
import csv
import pathlib
import statistics
import sys
import time

import networkx


def main(folder):
    for edges in sorted(pathlib.Path(folder).glob("*.csv")):
        if edges.name.endswith(".queries.csv"):
            continue
        graph = networkx.DiGraph()
        with open(edges, newline="") as file:
            for tail, head, weight in csv.reader(file):
                graph.add_edge(int(tail), int(head), weight=float(weight))
        seconds = []
        with open(edges.with_suffix(".queries.csv"), newline="") as file:
            queries = [(int(s), int(t)) for s, t in csv.reader(file)][:30]
        for source, target in queries:
            begin = time.perf_counter()
            try:
                networkx.single_source_dijkstra(graph, source, target)
            except networkx.NetworkXNoPath:
                pass
            seconds.append(time.perf_counter() - begin)
        print(f"{edges.stem}: networkx {1e6 * statistics.mean(seconds):.0f} µs/query, "
              f"{len(queries)} queries")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
