"""NetworkX's way of letting another package answer: ``nx.dijkstra_path(G, s, t, backend="lodestar")``.

NetworkX 3 finds :data:`dispatcher` through an entry point, converts the graph once (it keeps what
it converted) and calls the functions here with its own arguments.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

from . import _convert, _core


class ConvertedGraph:
    """What NetworkX keeps of a graph for this backend."""

    __networkx_backend__ = "lodestar"
    __networkx_plugin__ = "lodestar"

    def __init__(self, graph: _core.Graph, directed: bool, multigraph: bool, weight: Any) -> None:
        self.graph = graph
        self.router = _core.Router(graph)
        self.weight = weight
        self._directed = directed
        self._multigraph = multigraph

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph


def _path(G: ConvertedGraph, source: Any, target: Any,
          heuristic: Optional[Callable[[Any, Any], float]] = None) -> _core.Path:
    import networkx as nx

    router = G.router if heuristic is None else _core.Router(G.graph, heuristic=heuristic)
    for node in (source, target):
        if node not in _labels(G.graph):
            raise nx.NodeNotFound(f"Node {node} is not in G")
    found = router.path(source, target)
    if not found.reached:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found


def _labels(graph: _core.Graph) -> Any:
    return graph._index_of


def convert_from_nx(G: Any, edge_attrs: Any = None, weight: Any = None, **_: Any) -> ConvertedGraph:
    """``edge_attrs`` names the weight and the value of an edge that has none."""
    if isinstance(G, ConvertedGraph):
        return G
    name, default = weight, 1
    if edge_attrs:
        name, default = next(iter(edge_attrs.items()))
    cost = None if name is None else (lambda _u, _v, data: data.get(name, default))
    made = _convert.from_networkx(G, weight=cost, xy=None)
    return ConvertedGraph(made, G.is_directed(), G.is_multigraph(), name)


def convert_to_nx(result: Any, **_: Any) -> Any:
    return _convert.to_networkx(result.graph) if isinstance(result, ConvertedGraph) else result


def astar_path(G: ConvertedGraph, source: Any, target: Any, heuristic: Any = None,
               weight: Any = "weight", **_: Any) -> list[Any]:
    return list(_path(G, source, target, heuristic).nodes)


def astar_path_length(G: ConvertedGraph, source: Any, target: Any, heuristic: Any = None,
                      weight: Any = "weight", **_: Any) -> float:
    return _path(G, source, target, heuristic).cost


def dijkstra_path(G: ConvertedGraph, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    return list(_path(G, source, target).nodes)


def dijkstra_path_length(G: ConvertedGraph, source: Any, target: Any,
                         weight: Any = "weight") -> float:
    return _path(G, source, target).cost


def bidirectional_dijkstra(G: ConvertedGraph, source: Any, target: Any,
                           weight: Any = "weight") -> "tuple[float, list[Any]]":
    found = _path(G, source, target)
    return found.cost, list(found.nodes)


_FUNCTIONS = (astar_path, astar_path_length, dijkstra_path, dijkstra_path_length,
              bidirectional_dijkstra)


class _Dispatcher:
    """The functions NetworkX may hand over, as attributes of one object."""

    def __init__(self) -> None:
        self.convert_from_nx = convert_from_nx
        self.convert_to_nx = convert_to_nx
        for function in _FUNCTIONS:
            setattr(self, function.__name__, function)

    @staticmethod
    def can_run(name: str, args: Any, kwargs: Any) -> bool:
        """A weight that is a function would have to be asked again for every search."""
        return not callable(kwargs.get("weight")) and not kwargs.get("cutoff")


dispatcher = _Dispatcher()


def backend_info() -> "dict[str, Any]":
    return {
        "backend_name": "lodestar",
        "project": "lodestar",
        "package": "lodestar",
        "short_summary": "Shortest paths with learned heuristics, and the proof of each answer",
        "functions": {function.__name__: {} for function in _FUNCTIONS},
    }
