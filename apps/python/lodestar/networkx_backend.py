"""Networkx's shortest paths, answered by this package, with networkx's arguments and results.

Networkx 3 finds :data:`dispatcher` through an entry point: ``nx.dijkstra_path(G, s, t,
backend="lodestar")``. With any version the functions can be called instead of networkx's own. They
differ from these in what docs/guide/python.md lists, mainly that weights must not be negative.
"""

from __future__ import annotations

from typing import Any

from ._networkx_more import MORE
from ._networkx_paths import PATHS, ConvertedGraph, astar_path

FUNCTIONS = {function.__name__: function for function in (*PATHS, *MORE)}
globals().update(FUNCTIONS)

__all__ = ["FUNCTIONS", "ConvertedGraph", "astar_path", "backend_info", "convert_from_nx",
           "convert_to_nx", "dispatcher"]


def convert_from_nx(G: Any, **_: Any) -> ConvertedGraph:
    return G if isinstance(G, ConvertedGraph) else ConvertedGraph(G)


def convert_to_nx(result: Any, **_: Any) -> Any:
    return result.graph if isinstance(result, ConvertedGraph) else result


class _Dispatcher:
    """The functions as attributes of one object."""

    def __init__(self) -> None:
        self.convert_from_nx = convert_from_nx
        self.convert_to_nx = convert_to_nx
        for name, function in FUNCTIONS.items():
            setattr(self, name, function)

    @staticmethod
    def can_run(name: str, args: Any, kwargs: Any) -> bool:
        return name in FUNCTIONS


dispatcher = _Dispatcher()


def backend_info() -> "dict[str, Any]":
    return {
        "backend_name": "lodestar",
        "project": "lodestar",
        "package": "lodestar",
        "short_summary": "Shortest paths with learned heuristics, and the proof of each answer",
        "functions": {name: {} for name in FUNCTIONS},
    }
