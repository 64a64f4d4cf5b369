"""Heuristics beside each other on the same queries."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

import numpy as np

from . import _core
from ._core import Error, Graph

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Measured:
    """One heuristic. ``opt`` and ``exp`` are percentages: of optimal paths, and of the expansions
    of Dijkstra's algorithm that are saved, by query. ``microseconds`` is the mean time of a query."""

    heuristic: str
    opt: float
    exp: float
    expansions: float
    cost_ratio: float
    microseconds: float


@dataclass(frozen=True)
class Comparison:
    """A table of heuristics; prints as text.

    >>> import lodestar
    >>> lodestar.Comparison(queries=0).rows
    []
    """

    queries: int
    rows: list[Measured] = field(default_factory=list)

    def __getitem__(self, heuristic: str) -> Measured:
        found = {row.heuristic: row for row in self.rows}
        if heuristic not in found:
            raise KeyError(f"{heuristic!r} is not among {list(found)}")
        return found[heuristic]

    def to_frame(self) -> "pd.DataFrame":
        """As a pandas DataFrame by heuristic.

        >>> import lodestar
        >>> table = lodestar.compare(lodestar.generate("road", 300, seed=1), 5)
        >>> table.to_frame().loc["dijkstra", "opt"]
        100.0
        """
        import pandas as pd

        return pd.DataFrame([asdict(row) for row in self.rows]).set_index("heuristic")

    def __str__(self) -> str:
        width = max([9, *(len(row.heuristic) for row in self.rows)])
        lines = [f"{'heuristic':{width}}  {'Opt %':>6}  {'Exp %':>6}  {'expansions':>10}  "
                 f"{'cost ratio':>10}  {'µs':>9}"]
        lines += [f"{row.heuristic:{width}}  {row.opt:6.1f}  {row.exp:6.1f}  "
                  f"{row.expansions:10.1f}  {row.cost_ratio:10.4f}  {row.microseconds:9.1f}"
                  for row in self.rows]
        return "\n".join(lines)

    __repr__ = __str__


Queries = Union[int, tuple[Any, Any], Sequence[tuple[Any, Any]]]


def compare(graph: Graph, queries: Queries = 100,
            heuristics: "Union[Mapping[str, Any], Sequence[str], None]" = None, *,
            seed: int = 1) -> Comparison:
    """Search the same queries with several heuristics: expansions, quality and time of each.

    ``queries`` is a number of uniform pairs that are connected, a pair (sources, targets) of arrays,
    or a list of pairs. ``heuristics`` maps names to what is compared: a function (node, target); a
    name of a heuristic such as "geometric", or of a model such as "deep"; :class:`Potentials`; an
    :class:`Index`; a :class:`Router`; or None for A* without a heuristic. By default "geometric",
    if the graph has coordinates, and ALT. An array belongs to one target and is accepted if all
    queries have the same one.

    The first row is Dijkstra's algorithm, which is also the measure of optimal costs. The time of a
    model includes its inference.

    >>> import lodestar
    >>> g = lodestar.generate("road", 500, seed=1)
    >>> table = lodestar.compare(g, 20, {"ALT": lodestar.landmarks(g, per_node=8)})
    >>> table["ALT"].opt, table["ALT"].expansions < table["dijkstra"].expansions
    (100.0, True)
    """
    dijkstra = _core.Router(graph, algorithm="dijkstra")
    sources, targets = _pairs(graph, queries, seed, dijkstra)
    if heuristics is None:
        heuristics = {"ALT": _core.landmarks(graph)}
        if graph.xy is not None:
            heuristics = {"geometric": "geometric", **heuristics}
    elif not isinstance(heuristics, Mapping):
        heuristics = {str(name): name for name in heuristics}
    base, optimum, before = _measure("dijkstra", dijkstra, sources, targets)
    rows = [base]
    for name, given in heuristics.items():
        router = _router(graph, given, targets)
        rows.append(_measure(name, router, sources, targets, optimum, before)[0])
    return Comparison(len(sources), rows)


def _pairs(graph: Graph, queries: Queries, seed: int,
           dijkstra: _core.Router) -> "tuple[list[Any], list[Any]]":
    if isinstance(queries, int):
        labels = graph.labels if graph.labels is not None else range(graph.nodes)
        rng = np.random.default_rng(seed)
        found: tuple[list[Any], list[Any]] = ([], [])
        for s, t in rng.integers(0, max(graph.nodes, 1), (20 * queries + 20, 2)).tolist():
            if len(found[0]) == queries:
                break
            if s != t and dijkstra.path(labels[s], labels[t]).reached:
                found[0].append(labels[s])
                found[1].append(labels[t])
        if len(found[0]) < queries:
            raise Error(f"only {len(found[0])} of {20 * queries + 20} random pairs are connected; "
                        "give queries")
        return found
    listed = [list(part) for part in queries]
    if len(listed) == 2 and isinstance(queries, tuple):
        if len(listed[0]) != len(listed[1]):
            raise Error("sources and targets must be of one length")
        return listed[0], listed[1]
    return [s for s, _ in listed], [t for _, t in listed]


def _router(graph: Graph, given: Any, targets: list[Any]) -> _core.Router:
    if isinstance(given, _core.Router):
        return given
    if isinstance(given, (_core.Potentials, _core.Index)):
        return _core.Router(graph, given)
    if given is None:
        return _core.Router(graph, algorithm="astar")
    if isinstance(given, str) and given not in ("zero", "geometric", "learned"):
        return _core.Router(graph, heuristic="learned", model=given)
    if not isinstance(given, str) and not callable(given) and len(set(targets)) > 1:
        raise Error("an array h[v] belongs to one target and the queries have several; give a "
                    "function (node, target)")
    return _core.Router(graph, heuristic=given)


def _measure(name: str, router: _core.Router, sources: list[Any], targets: list[Any],
             optimum: Any = None, before: Any = None) -> "tuple[Measured, Any, Any]":
    """Also the costs, and the expansions of every query."""
    start = time.perf_counter()
    paths = [router.path(s, t) for s, t in zip(sources, targets)]
    seconds = time.perf_counter() - start
    costs = np.array([path.cost for path in paths])
    expansions = np.array([path.expansions for path in paths], dtype=np.float64)
    optimum, before = (costs, expansions) if optimum is None else (optimum, before)
    good = (optimum > 0) & np.isfinite(optimum)
    saved = np.maximum(0.0, 1 - expansions / np.maximum(before, 1))
    optimal = (costs == optimum) | (costs <= optimum * (1 + 1e-9))
    measured = Measured(name, 100 * _mean(optimal, 1.0), 100 * _mean(saved, 0.0),
                        _mean(expansions, 0.0), _mean(costs[good] / optimum[good], 1.0),
                        1e6 * seconds / max(len(paths), 1))
    return measured, costs, expansions


def _mean(values: Any, otherwise: float) -> float:
    return float(np.mean(values)) if len(values) else otherwise
