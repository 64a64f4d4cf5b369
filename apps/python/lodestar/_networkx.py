"""Networkx graphs as searches see them: converted per weight, and again whenever they have changed.

A conversion is kept beside what it was made of: neighbours and weights as lists. An answer depends
on the arcs of the nodes that its search expanded, on dead ends beside them, and on no others. So
these are compared with the
graph afterwards; where one differs, the graph is converted again and the search repeated. A changed
attribute is noticed, as is a weight function that answers differently, in less time than networkx
takes to look at the same arcs.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Callable, Hashable, Optional, Sequence, Union

import numpy as np

from . import _convert, _core
from ._networkx_tree import Tree
from ._types import Number

if TYPE_CHECKING:
    import numpy.typing as npt

Weight = Union[Hashable, Callable[[Any, Any, Any], Optional[float]], None]


class Unsupported(_core.Error, NotImplementedError):
    """What networkx can do and this package cannot; as NotImplementedError, networkx does it."""


def _value(weight: Weight, multigraph: bool) -> Callable[[Any, Any, Any], Any]:
    """The weight of an edge by networkx's rules: without the attribute it is 1; a function is given
    what networkx gives it; None hides an edge."""
    if callable(weight):
        return weight
    if multigraph:
        return lambda u, v, edges: min([data.get(weight, 1) for data in edges.values()])
    return lambda u, v, data: data.get(weight, 1)


class Converted:
    """A graph with one weight: arcs as listed in the networkx graph, and a router."""

    def __init__(self, G: Any, weight: Weight) -> None:
        rows = G._adj
        self.labels: Any = list(rows)
        self.index_of: Any = {label: i for i, label in enumerate(self.labels)}
        self.neighbours = [v for row in rows.values() for v in row]
        degrees = np.fromiter(map(len, rows.values()), dtype=np.int64, count=len(rows))
        self.first: list[int] = [0, *np.cumsum(degrees).tolist()]
        self.tails = np.repeat(np.arange(len(rows)), degrees)
        self.weights: Optional[list[Any]] = None
        if weight is not None:
            value = _value(weight, G.is_multigraph())
            self.weights = [value(u, v, data) for u, row in rows.items()
                            for v, data in row.items()]
        index_of = self.index_of
        self.heads = np.array([index_of[v] for v in self.neighbours], dtype=np.int64)
        self.whole = True  # every weight is an int, and so are their sums
        self.graph = self._graph(weight)
        self.router = _core.Router(self.graph)
        self._into: Optional[tuple[list[int], list[int]]] = None
        self._dead_ends: dict[bool, frozenset[Any]] = {}

    def _graph(self, weight: Weight) -> _core.Graph:
        tails, heads = self.tails, self.heads
        numbers: Any = np.ones(len(heads))
        if self.weights is not None:
            values = self.weights
            if None in values:
                shown = np.array([w is not None for w in values], dtype=bool)
                tails, heads = tails[shown], heads[shown]
                values = [w for w in values if w is not None]
            self.whole = all(type(w) is int for w in values)
            try:
                numbers = _convert.weight_array(values, tails, heads, self.labels, weight, False)
            except _core.Error as error:
                raise Unsupported(str(error)) from None
        graph = _core.from_edges(tails, heads, numbers, nodes=len(self.labels))
        graph._set_labels(self.labels, self.index_of)
        return graph

    def dead_ends(self, into: bool) -> frozenset[Any]:
        """Nodes without arcs out, or into them. A search does not expand them."""
        if into not in self._dead_ends:
            ends = self.heads if into else self.tails
            without = np.flatnonzero(np.bincount(ends, minlength=len(self.labels)) == 0)
            self._dead_ends[into] = frozenset(self.labels[v] for v in without.tolist())
        return self._dead_ends[into]

    def into(self) -> tuple[list[int], list[int]]:
        """Arcs by head: offsets, and positions in the lists."""
        if self._into is None:
            counts = np.bincount(self.heads, minlength=len(self.labels))
            self._into = ([0, *np.cumsum(counts).tolist()],
                          np.argsort(self.heads, kind="stable").tolist())
        return self._into


class Search:
    """One call: a graph, a weight, and the conversion that is kept for them."""

    def __init__(self, G: Any, weight: Weight) -> None:
        self._G = G
        self._weight = weight
        self._fresh = False
        self._kept = self._find()

    def _find(self) -> Converted:
        found = _conversions(self._G).get(_key(self._weight))
        return self._convert() if found is None else found

    def _convert(self) -> Converted:
        made = Converted(self._G, self._weight)
        kept = _conversions(self._G)
        kept.pop(_key(self._weight), None)
        while len(kept) >= _MOST_KEPT:
            kept.pop(next(iter(kept)), None)
        kept[_key(self._weight)] = made
        self._fresh = True
        return made

    @property
    def labels(self) -> Any:
        return self._kept.labels

    def __contains__(self, node: Any) -> bool:
        try:
            known = node in self._G._adj
        except TypeError:  # not hashable
            return False
        if known and node not in self._kept.index_of:
            self._kept = self._convert()
        return bool(known)

    def number(self, node: Any) -> int:
        return int(self._kept.index_of[node])

    def cost(self, value: float) -> Number:
        return int(value) if self._kept.whole else float(value)

    def _current(self, forward: Sequence[int], backward: Sequence[int] = ()) -> bool:
        """Whether the arcs of these nodes are those of the networkx graph."""
        kept, G, weight = self._kept, self._G, self._weight
        rows, labels, first = G._adj, kept.labels, kept.first
        value = None if weight is None else _value(weight, G.is_multigraph())
        attribute = weight if value is not None and not callable(weight) and \
            not G.is_multigraph() else None
        dead = kept.dead_ends(into=False)
        for u in forward:
            label, a, b = labels[u], first[u], first[u + 1]
            row = rows.get(label)
            if row is None or kept.neighbours[a:b] != list(row):
                return False
            if dead and any(rows[v] for v in dead.intersection(row)):
                return False
            if attribute is not None and kept.weights is not None:
                if kept.weights[a:b] != [data.get(attribute, 1) for data in row.values()]:
                    return False
            elif value is not None and kept.weights is not None:
                if kept.weights[a:b] != [value(label, v, data) for v, data in row.items()]:
                    return False
        return not backward or self._current_into(backward, value)

    def _current_into(self, nodes: Sequence[int], value: Any) -> bool:
        kept = self._kept
        rows = self._G._pred if self._G.is_directed() else self._G._adj
        dead = kept.dead_ends(into=True)
        for v in nodes:
            first, positions = kept.into()
            label = kept.labels[v]
            row = rows.get(label)
            if row is None or len(row) != first[v + 1] - first[v]:
                return False
            if dead and any(rows[u] for u in dead.intersection(row)):
                return False
            weights = kept.weights
            for i in positions[first[v]:first[v + 1]]:
                u = kept.labels[kept.tails[i]]
                data = row.get(u)
                if data is None or weights is not None and weights[i] != value(u, label, data):
                    return False
        return True

    def path(self, source: Any, target: Any) -> Optional[_core.Path]:
        """None: there is none."""
        while True:
            kept = self._kept
            if source in kept.index_of and target in kept.index_of:
                found, forward, backward = kept.router._searched(source, target)
                if not found.reached:  # a search expands no node if an end has no arcs at all
                    forward.append(self.number(source))
                    backward.append(self.number(target))
                if self._fresh or self._current(forward, backward):
                    return found if found.reached else None
            self._kept = self._convert()

    def tree(self, sources: list[Any], cutoff: Optional[float] = None,
             reverse: bool = False) -> Tree:
        """Shortest paths from the nearest source to all nodes, or from all nodes to it."""
        limit = np.inf if cutoff is None else max(float(cutoff), 0.0)
        while True:
            kept = self._kept
            if all(source in kept.index_of for source in sources):
                nodes, costs, parents = kept.router._tree(sources, limit, reverse)
                order = nodes.tolist()
                if self._fresh or (self._current((), order) if reverse else self._current(order)):
                    return Tree(self, order, costs, parents.tolist())
            self._kept = self._convert()

    def require_current(self) -> None:
        """For many trees: all arcs are compared at once, and not again."""
        if not self._fresh and (self._kept.labels != list(self._G._adj)
                                or not self._current(range(len(self.labels)))):
            self._kept = self._convert()
        self._fresh = True

    def matrix(self, sources: list[Any], targets: list[Any]) -> "npt.NDArray[np.float64]":
        self.require_current()
        return self._kept.router.matrix(sources, targets)

    def arcs(self) -> tuple[Any, Any, Any]:
        first, heads, weights = self._kept.graph.csr()
        tails = np.repeat(np.arange(len(self.labels)), np.diff(first.astype(np.int64)))
        return tails, heads.astype(np.int64), weights.astype(np.float64)


class OwnSearch(Search):
    """On a graph made by from_networkx: it has its weights already and never changes."""

    def __init__(self, graph: _core.Graph) -> None:
        made: Any = Converted.__new__(Converted)
        made.graph, made.router, made.whole = graph, _core.Router(graph), False
        made.labels = graph.labels if graph.labels is not None else range(graph.nodes)
        made.index_of = graph._index_of if graph._index_of is not None else made.labels
        self._kept, self._fresh = made, True

    def guided(self, heuristic: Callable[[Any, Any], float]) -> OwnSearch:
        self._kept.router = _core.Router(
            self._kept.graph, heuristic=lambda u, v: float(heuristic(u, v)))
        return self

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self._kept.index_of
        except TypeError:  # not hashable
            return False

    def number(self, node: Any) -> int:
        known = self._kept.graph._index_of
        return int(node if known is None else known[node])


# By id, which is found faster than by a weak reference; a graph that dies takes its entry along.
_kept: "dict[int, tuple[weakref.ref[Any], dict[Any, Converted]]]" = {}
_MOST_KEPT = 4  # weights a graph


def _conversions(G: Any) -> dict[Any, Converted]:
    key = id(G)
    found = _kept.get(key)
    if found is None or found[0]() is not G:
        found = _kept[key] = weakref.ref(G, lambda _: _kept.pop(key, None)), {}
    return found[1]


def _key(weight: Weight) -> Any:
    return callable if callable(weight) else weight


def search_of(G: Any, weight: Weight) -> Search:
    """A networkx graph, or one made by from_networkx, which has its weights already."""
    if not isinstance(G, _core.Graph):
        return Search(G, weight)
    if not (isinstance(weight, str) and weight == "weight"):
        raise _core.Error(f"this graph has its weights already, and they may not be {weight!r}; "
                          "leave weight out, or give the networkx graph")
    return OwnSearch(G)
