"""Networkx's functions of shortest paths, but those of Bellman and Ford and of all pairs."""

from __future__ import annotations

import functools
import re
from typing import Any, Callable, Container, Iterable, Iterator, Literal, Optional, Union

from . import _core
from ._networkx import Search, Weight, search_of
from ._networkx_tree import Tree
from ._types import FromSources, Lengths, Node, Number, Paths, Route

Guess = Optional[Callable[[Any, Any], float]]


class ConvertedGraph:
    """What networkx passes to this backend: the graph itself. Conversions belong to a weight."""

    __networkx_backend__ = "lodestar"
    __networkx_plugin__ = "lodestar"

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def is_directed(self) -> bool:
        return bool(self.graph.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.graph.is_multigraph())


def _plain(G: Any) -> Any:
    return G.graph if isinstance(G, ConvertedGraph) else G


def _search(G: Any, weight: Weight) -> Search:
    return search_of(_plain(G), weight)


def _nx() -> Any:
    import networkx as nx

    return nx


def _at_least(major: int, minor: int) -> bool:
    """The version of networkx; messages and results differ."""
    return _version(_nx().__version__) >= (major, minor)


@functools.lru_cache
def _version(text: str) -> tuple[int, int]:
    found = re.match(r"(\d+)\.(\d+)", text)  # 3.7rc0 is 3.7
    return (0, 0) if found is None else (int(found[1]), int(found[2]))


def _require(search: Container[Any], node: Any, message: str) -> None:
    if node not in search:
        raise _nx().NodeNotFound(message.format(node))


def _require_both(search: Container[Any], source: Any, target: Any) -> None:
    if _at_least(3, 4):
        _require(search, source, "Source {} is not in G")
        _require(search, target, "Target {} is not in G")
    elif source not in search or target not in search:
        raise _nx().NodeNotFound(f"Either source {source} or target {target} is not in G")


def _no_path(message: str) -> Exception:
    return _nx().NetworkXNoPath(message)  # type: ignore[no-any-return]


# From node to node.


_NEAR = 16  # nodes; searching and comparing a conversion takes as long as looking at these


def _astar(G: Any, source: Any, target: Any, heuristic: Guess, weight: Weight,
           cutoff: Optional[float]) -> "tuple[Route, Number]":
    """The path and its cost."""
    G = _plain(G)
    nodes = search_of(G, weight) if isinstance(G, _core.Graph) else G
    if source not in nodes or target not in nodes:
        _require_both(nodes, source, target)
    if source == target:
        return [source], 0
    found: Union[None, Literal[False], "tuple[Route, Number]"] = False
    if nodes is G:  # without a heuristic only near nodes: others are found faster by a conversion
        found = _core._label_astar(G._adj, source, target, heuristic, weight, G.is_multigraph(),
                                   cutoff or 0, _NEAR if heuristic is None else 0)
    if found is False:
        search = search_of(G, weight) if heuristic is None else nodes.guided(heuristic)
        path = search.path(source, target)
        if path is not None and not (cutoff and path.cost > cutoff):
            return list(path.nodes), search.cost(path.cost)
    elif found is not None:
        return found
    raise _no_path(f"Node {target} not reachable from {source}")


def astar_path(G: Any, source: Any, target: Any, heuristic: Guess = None,
               weight: Weight = "weight", *, cutoff: Optional[float] = None) -> Route:
    """networkx.astar_path with our search: the same arguments, the same kind of answer.

    ``G`` is a networkx graph, or what :func:`from_networkx` made of it, which has its weights
    already and is the faster one for many queries. As in networkx an edge without the attribute
    weighs 1, and the path is optimal if the heuristic is admissible.

    >>> import networkx as nx, lodestar
    >>> lodestar.astar_path(nx.path_graph(4), 0, 3)
    [0, 1, 2, 3]
    """
    return _astar(G, source, target, heuristic, weight, cutoff)[0]


def astar_path_length(G: Any, source: Any, target: Any, heuristic: Guess = None,
                      weight: Weight = "weight", *, cutoff: Optional[float] = None) -> Number:
    return _astar(G, source, target, heuristic, weight, cutoff)[1]


def dijkstra_path(G: Any, source: Any, target: Any, weight: Weight = "weight") -> Route:
    return single_source_dijkstra(G, source, target, weight=weight)[1]  # type: ignore[return-value]


def dijkstra_path_length(G: Any, source: Any, target: Any, weight: Weight = "weight") -> Number:
    search = _search(G, weight)
    _require(search, source, "Node {} not found in graph")
    found = search.path(source, target) if target in search else None
    if found is None:
        raise _no_path(f"Node {target} not reachable from {source}")
    return search.cost(found.cost)


def bidirectional_dijkstra(G: Any, source: Any, target: Any,
                           weight: Weight = "weight") -> "tuple[Number, Route]":
    search = _search(G, weight)
    _require_both(search, source, target)
    found = search.path(source, target)
    if found is None:
        raise _no_path(f"No path between {source} and {target}.")
    return search.cost(found.cost), list(found.nodes)


def bidirectional_shortest_path(G: Any, source: Any, target: Any) -> Route:
    return bidirectional_dijkstra(G, source, target, None)[1]


def has_path(G: Any, source: Any, target: Any) -> bool:
    try:
        bidirectional_shortest_path(G, source, target)
    except _nx().NetworkXNoPath:
        return False
    return True


# From one or several nodes to all.


def multi_source_dijkstra(G: Any, sources: Iterable[Any], target: Any = None,
                          cutoff: Optional[float] = None, weight: Weight = "weight") -> FromSources:
    search, found = _sources(G, sources, weight)
    if target is None:
        tree = search.tree(found, cutoff)
        return tree.lengths(), tree.paths()
    if target in found:
        return 0, [target]
    if target in search and len(found) == 1:
        path = search.path(found[0], target)
        if path is not None and (cutoff is None or path.cost <= cutoff):
            return search.cost(path.cost), list(path.nodes)
    elif target in search:
        tree = search.tree(found, cutoff)
        lengths = tree.lengths()
        if target in lengths:
            return lengths[target], tree.paths()[target]
    raise _no_path(f"No path to {target}.")


def _sources(G: Any, sources: Iterable[Any], weight: Weight) -> "tuple[Search, list[Any]]":
    if not sources:
        raise ValueError("sources must not be empty")
    search = _search(G, weight)
    found = list(sources)
    for source in found:
        _require(search, source, "Node {} not found in graph")
    return search, found


def multi_source_dijkstra_path(G: Any, sources: Iterable[Any], cutoff: Optional[float] = None,
                               weight: Weight = "weight") -> Paths:
    search, found = _sources(G, sources, weight)
    return search.tree(found, cutoff).paths()


def multi_source_dijkstra_path_length(G: Any, sources: Iterable[Any],
                                      cutoff: Optional[float] = None,
                                      weight: Weight = "weight") -> Lengths:
    search, found = _sources(G, sources, weight)
    return search.tree(found, cutoff).lengths()


def single_source_dijkstra(G: Any, source: Any, target: Any = None,
                           cutoff: Optional[float] = None, weight: Weight = "weight"
        ) -> FromSources:
    return multi_source_dijkstra(G, [source], target, cutoff, weight)


def single_source_dijkstra_path(G: Any, source: Any, cutoff: Optional[float] = None,
                                weight: Weight = "weight") -> Paths:
    return multi_source_dijkstra_path(G, [source], cutoff, weight)


def single_source_dijkstra_path_length(G: Any, source: Any, cutoff: Optional[float] = None,
                                       weight: Weight = "weight") -> Lengths:
    return multi_source_dijkstra_path_length(G, [source], cutoff, weight)


def dijkstra_predecessor_and_distance(G: Any, source: Any, cutoff: Optional[float] = None,
                                      weight: Weight = "weight") -> "tuple[Paths, Lengths]":
    search = _search(G, weight)
    _require(search, source, "Node {} is not found in the graph")
    tree = search.tree([source], cutoff)
    return tree.predecessors(), tree.lengths()


def single_source_shortest_path(G: Any, source: Any, cutoff: Optional[float] = None) -> Paths:
    search = _search(G, None)
    _require(search, source, "Source {} not in G")
    return search.tree([source], cutoff).paths()


def single_source_shortest_path_length(G: Any, source: Any,
                                       cutoff: Optional[float] = None) -> Lengths:
    search = _search(G, None)
    _require(search, source, "Source {} is not in G")
    return search.tree([source], cutoff).lengths()


def single_target_shortest_path(G: Any, target: Any, cutoff: Optional[float] = None) -> Paths:
    search = _search(G, None)
    _require(search, target, "Target {} not in G")
    return search.tree([target], cutoff, reverse=True).paths(flipped=True)


def single_target_shortest_path_length(G: Any, target: Any,
                                       cutoff: Optional[float] = None
        ) -> "Union[Lengths, Iterator[tuple[Node, Number]]]":
    search = _search(G, None)
    _require(search, target, "Target {} is not in G")
    lengths = search.tree([target], cutoff, reverse=True).lengths()
    return lengths if _at_least(3, 5) else iter(lengths.items())


# From all nodes to all: converted once, one node at a time.


def _trees(G: Any, cutoff: Optional[float],
           weight: Weight) -> "Iterator[tuple[Node, Tree]]":
    search = _search(G, weight)
    search.require_current()
    for source in search.labels:
        yield source, search.tree([source], cutoff)


def all_pairs_dijkstra(G: Any, cutoff: Optional[float] = None,
                       weight: Weight = "weight") -> "Iterator[tuple[Node, tuple[Lengths, Paths]]]":
    for source, tree in _trees(G, cutoff, weight):
        yield source, (tree.lengths(), tree.paths())


def all_pairs_dijkstra_path(G: Any, cutoff: Optional[float] = None,
                            weight: Weight = "weight") -> "Iterator[tuple[Node, Paths]]":
    for source, tree in _trees(G, cutoff, weight):
        yield source, tree.paths()


def all_pairs_dijkstra_path_length(G: Any, cutoff: Optional[float] = None,
                                   weight: Weight = "weight") -> "Iterator[tuple[Node, Lengths]]":
    for source, tree in _trees(G, cutoff, weight):
        yield source, tree.lengths()


def all_pairs_shortest_path(G: Any,
                            cutoff: Optional[float] = None) -> "Iterator[tuple[Node, Paths]]":
    return all_pairs_dijkstra_path(G, cutoff, None)


def all_pairs_shortest_path_length(
        G: Any, cutoff: Optional[float] = None) -> "Iterator[tuple[Node, Lengths]]":
    return all_pairs_dijkstra_path_length(G, cutoff, None)


# Whatever is asked for.


def _require_method(method: str) -> None:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")


def _turned(G: Any, weight: Weight, target: Any, missing: str) -> "tuple[Search, bool]":
    """For searches from the target. Networkx asks a weight function about turned edges."""
    G = _plain(G)
    turn = callable(weight) and G.is_directed()
    search = _search(G.reverse(copy=False) if turn else G, weight)
    _require(search, target, missing if weight is None else "Node {} not found in graph")
    return search, not callable(weight)


def shortest_path(G: Any, source: Any = None, target: Any = None, weight: Weight = None,
                  method: str = "dijkstra"
        ) -> "Union[Route, Paths, dict[Node, Paths], Iterator[tuple[Node, Paths]]]":
    _require_method(method)
    if source is not None and target is not None:
        return bidirectional_dijkstra(G, source, target, weight)[1]
    if source is not None:
        return (single_source_shortest_path(G, source) if weight is None
                else single_source_dijkstra_path(G, source, weight=weight))
    if target is not None:
        search, reverse = _turned(G, weight, target, "Source {} not in G")
        return search.tree([target], reverse=reverse).paths(flipped=True)
    pairs = all_pairs_dijkstra_path(G, weight=weight)
    return pairs if _at_least(3, 5) else dict(pairs)


def shortest_path_length(G: Any, source: Any = None, target: Any = None, weight: Weight = None,
                         method: str = "dijkstra"
        ) -> "Union[Number, Lengths, Iterator[tuple[Node, Lengths]]]":
    _require_method(method)
    if source is not None and target is not None:
        if weight is None:
            return bidirectional_dijkstra(G, source, target, None)[0]
        return dijkstra_path_length(G, source, target, weight)
    if source is not None:
        return (single_source_shortest_path_length(G, source) if weight is None
                else single_source_dijkstra_path_length(G, source, weight=weight))
    if target is not None:
        search, reverse = _turned(G, weight, target, "Source {} is not in G")
        return search.tree([target], reverse=reverse).lengths()
    return all_pairs_dijkstra_path_length(G, weight=weight)


PATHS: "tuple[Callable[..., Any], ...]" = (
    all_pairs_dijkstra, all_pairs_dijkstra_path, all_pairs_dijkstra_path_length,
    all_pairs_shortest_path, all_pairs_shortest_path_length, astar_path, astar_path_length,
    bidirectional_dijkstra, bidirectional_shortest_path, dijkstra_path, dijkstra_path_length,
    dijkstra_predecessor_and_distance, has_path, multi_source_dijkstra,
    multi_source_dijkstra_path, multi_source_dijkstra_path_length, shortest_path,
    shortest_path_length, single_source_dijkstra, single_source_dijkstra_path,
    single_source_dijkstra_path_length, single_source_shortest_path,
    single_source_shortest_path_length, single_target_shortest_path,
    single_target_shortest_path_length)
