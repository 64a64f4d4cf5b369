"""More of networkx's functions of shortest paths: those named after Bellman and Ford, Johnson,
Goldberg and Radzik, Floyd and Warshall, which compute the same by other algorithms, all shortest
paths, and averages. Negative weights are left to networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Union

from ._networkx import Search, Weight
from ._networkx_paths import (_at_least, _no_path, _nx, _plain, _require, _search,
                              all_pairs_dijkstra_path, all_pairs_dijkstra_path_length)
from ._types import FromSources, Lengths, Node, Number, Paths, Route

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_NOT_IN_G = "Source {} not in G"
_NOT_FOUND = "Node {} is not found in the graph"


def bellman_ford_path(G: Any, source: Any, target: Any, weight: Weight = "weight") -> Route:
    return single_source_bellman_ford(G, source, target, weight)[1]  # type: ignore[return-value]


def bellman_ford_path_length(G: Any, source: Any, target: Any, weight: Weight = "weight") -> Number:
    search = _search(G, weight)
    _require(search, source, "Node {} not found in graph" if source == target else _NOT_IN_G)
    found = search.path(source, target) if target in search else None
    if found is None:
        raise _no_path(f"node {target} not reachable from {source}")
    return search.cost(found.cost)


def single_source_bellman_ford(G: Any, source: Any, target: Any = None,
                               weight: Weight = "weight") -> FromSources:
    search = _search(G, weight)
    _require(search, source, _NOT_FOUND if source == target else _NOT_IN_G)
    if target is None:
        tree = search.tree([source])
        return tree.lengths(), tree.paths()
    found = search.path(source, target) if target in search else None
    if found is None:
        raise _no_path(f"Target {target} cannot be reached from given sources")
    return search.cost(found.cost), list(found.nodes)


def single_source_bellman_ford_path(G: Any, source: Any, weight: Weight = "weight") -> Paths:
    return single_source_bellman_ford(G, source, weight=weight)[1]  # type: ignore[return-value]


def single_source_bellman_ford_path_length(G: Any, source: Any,
                                           weight: Weight = "weight") -> Lengths:
    return single_source_bellman_ford(G, source, weight=weight)[0]  # type: ignore[return-value]


def all_pairs_bellman_ford_path(G: Any,
                                weight: Weight = "weight") -> "Iterator[tuple[Node, Paths]]":
    return all_pairs_dijkstra_path(G, weight=weight)


def all_pairs_bellman_ford_path_length(G: Any, weight: Weight = "weight"
                                       ) -> "Iterator[tuple[Node, Lengths]]":
    return all_pairs_dijkstra_path_length(G, weight=weight)


def bellman_ford_predecessor_and_distance(G: Any, source: Any, target: Any = None,
                                          weight: Weight = "weight", heuristic: bool = False
                                          ) -> "tuple[Paths, Lengths]":
    search = _search(G, weight)
    _require(search, source, _NOT_FOUND)
    tree = search.tree([source])
    return tree.predecessors(), tree.lengths()


def goldberg_radzik(G: Any, source: Any,
                    weight: Weight = "weight") -> "tuple[dict[Node, Optional[Node]], Lengths]":
    search = _search(G, weight)
    _require(search, source, _NOT_FOUND)
    tree = search.tree([source])
    return tree.parents(), tree.lengths()


def johnson(G: Any, weight: Weight = "weight") -> "dict[Node, Paths]":
    plain = _plain(G)
    if not _at_least(3, 0) and not _nx().is_weighted(plain, weight=weight):
        raise _nx().NetworkXError("Graph is not weighted.")
    return dict(all_pairs_dijkstra_path(plain, weight=weight))


def negative_edge_cycle(G: Any, weight: Weight = "weight", heuristic: bool = True) -> bool:
    _search(G, weight).require_current()  # which rejects negative weights
    return False


def find_negative_cycle(G: Any, source: Any, weight: Weight = "weight") -> Route:
    search = _search(G, weight)
    _require(search, source, _NOT_FOUND)
    search.require_current()
    raise _nx().NetworkXError("No negative cycles detected.")


# Floyd and Warshall.


def _numbers(search: Search, row: Any) -> list[Any]:
    inf = float("inf")
    return [inf if d == inf else search.cost(d) for d in row.tolist()]


def floyd_warshall(G: Any, weight: Weight = "weight") -> "dict[Node, Lengths]":
    search = _search(G, weight)
    search.require_current()
    labels = list(search.labels)
    costs = search.matrix(labels, labels)
    return {u: dict(zip(labels, _numbers(search, row))) for u, row in zip(labels, costs)}


def floyd_warshall_predecessor_and_distance(
        G: Any, weight: Weight = "weight"
        ) -> "tuple[dict[Node, dict[Node, Node]], dict[Node, Lengths]]":
    plain, search = _plain(G), _search(G, weight)
    search.require_current()
    before: dict[Any, Any] = {}
    for u in search.labels:
        parents = search.tree([u]).parents()
        if not plain.has_edge(u, u):  # of a loop networkx notes the node itself
            del parents[u]
        else:
            parents[u] = u
        if parents:
            before[u] = parents
    return before, floyd_warshall(plain, weight)


def floyd_warshall_numpy(G: Any, nodelist: Any = None, weight: Weight = "weight"
        ) -> "npt.NDArray[np.float64]":
    plain, search = _plain(G), _search(G, weight)
    nodes = list(plain) if nodelist is None else list(nodelist)
    if nodelist is not None and not len(nodes) == len(plain) == len(set(nodes)):
        raise _nx().NetworkXError("nodelist must contain every node in G with no repeats."
                                  "If you wanted a subgraph of G use G.subgraph(nodelist)")
    for node in nodes:
        _require(search, node, "Node {} not found in graph")
    return search.matrix(nodes, nodes)


def average_shortest_path_length(G: Any, weight: Weight = None,
                                 method: Optional[str] = None) -> float:
    if method not in (None, "unweighted", "dijkstra", "bellman-ford", "floyd-warshall",
                      "floyd-warshall-numpy"):
        raise ValueError(f"method not supported: {method}")
    nx, plain = _nx(), _plain(G)
    if len(plain) == 0:
        space = " " if _at_least(3, 4) else ""
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average"
                                          f"{space}shortest path length")
    if len(plain) == 1:
        return 0
    strongly = _at_least(3, 2)
    if plain.is_directed():
        connected = nx.is_strongly_connected if strongly else nx.is_weakly_connected
        if not connected(plain):
            raise nx.NetworkXError(f"Graph is not {'strong' if strongly else 'weak'}ly connected.")
    elif not nx.is_connected(plain):
        raise nx.NetworkXError("Graph is not connected.")
    search = _search(plain, None if method == "unweighted" else weight)
    search.require_current()
    total = sum(search.tree([u]).costs.sum() for u in search.labels)
    return search.cost(total) / (len(plain) * (len(plain) - 1))


# All of the shortest paths.


def predecessor(G: Any, source: Any, target: Any = None, cutoff: Optional[float] = None,
                return_seen: Optional[bool] = None
                ) -> "Union[Paths, Route, tuple[Paths, Lengths], tuple[Route, Number]]":
    search = _search(G, None)
    _require(search, source, _NOT_IN_G)
    tree = search.tree([source], cutoff or None)
    before, seen = tree.predecessors(), tree.lengths()
    if target is None:
        return (before, seen) if return_seen else before
    if target not in before:
        nowhere: Route = []
        return (nowhere, -1) if return_seen else nowhere
    return (before[target], seen[target]) if return_seen else before[target]


def _predecessors(G: Any, source: Any, weight: Weight, method: str) -> Paths:
    if weight is None or method == "unweighted":
        return predecessor(G, source)  # type: ignore[return-value]
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    return bellman_ford_predecessor_and_distance(G, source, weight=weight)[0]


def _walks(source: Any, target: Any, before: Paths) -> "Iterator[Route]":
    from networkx.algorithms.shortest_paths.generic import _build_paths_from_predecessors

    return _build_paths_from_predecessors({source}, target, before)  # type: ignore[no-any-return]


def all_shortest_paths(G: Any, source: Any, target: Any, weight: Weight = None,
                       method: str = "dijkstra") -> "Iterator[Route]":
    return _walks(source, target, _predecessors(G, source, weight, method))


def single_source_all_shortest_paths(G: Any, source: Any, weight: Weight = None,
                                     method: str = "dijkstra"
                                     ) -> "Iterator[tuple[Node, list[Route]]]":
    before = _predecessors(G, source, weight, method)
    for target in before:
        yield target, list(_walks(source, target, before))


def all_pairs_all_shortest_paths(G: Any, weight: Weight = None, method: str = "dijkstra"
                                 ) -> "Iterator[tuple[Node, dict[Node, list[Route]]]]":
    for source in _plain(G):
        yield source, dict(single_source_all_shortest_paths(G, source, weight, method))


MORE: "tuple[Callable[..., Any], ...]" = (
    all_pairs_all_shortest_paths, all_pairs_bellman_ford_path, all_pairs_bellman_ford_path_length,
    all_shortest_paths, average_shortest_path_length, bellman_ford_path, bellman_ford_path_length,
    bellman_ford_predecessor_and_distance, find_negative_cycle, floyd_warshall,
    floyd_warshall_numpy, floyd_warshall_predecessor_and_distance, goldberg_radzik, johnson,
    negative_edge_cycle, predecessor, single_source_all_shortest_paths, single_source_bellman_ford,
    single_source_bellman_ford_path, single_source_bellman_ford_path_length)
