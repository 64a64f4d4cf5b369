"""Networkx graphs as searches see them: converted per weight, and again whenever they have changed.

A conversion is kept beside what it was made of: nodes, neighbours and weights as lists. Each call
lists them anew, which takes a tenth of a conversion, and uses what is kept only if they are equal.
So neither a changed attribute nor a weight function that answers differently goes unnoticed.
"""

from __future__ import annotations

from typing import Any, Callable, Hashable, Optional, Union
from weakref import WeakKeyDictionary

import numpy as np

from . import _convert, _core

Weight = Union[Hashable, Callable[[Any, Any, Any], Optional[float]], None]


class Unsupported(_core.Error, NotImplementedError):
    """What networkx can do and this package cannot; as NotImplementedError, networkx does it."""


class Search:
    """One graph with one weight."""

    def __init__(self, graph: _core.Graph, whole: bool = False) -> None:
        self.graph = graph
        self.router = _core.Router(graph)
        self.labels = graph.labels if graph.labels is not None else range(graph.nodes)
        self._whole = whole  # every weight is an int, and so are their sums
        self.made_of: Any = None

    def __contains__(self, node: Any) -> bool:
        try:
            known = self.graph._index_of
            return node in (range(self.graph.nodes) if known is None else known)
        except TypeError:  # not hashable
            return False

    def number(self, node: Any) -> int:
        known = self.graph._index_of
        return int(node if known is None else known[node])

    def cost(self, value: float) -> Any:
        return int(value) if self._whole else float(value)

    def path(self, source: Any, target: Any, heuristic: Any = None) -> Optional[_core.Path]:
        """None: there is none."""
        router = self.router
        if heuristic is not None:
            router = _core.Router(self.graph, heuristic=heuristic)
        found = router.path(source, target)
        return found if found.reached else None

    def tree(self, sources: list[Any], cutoff: Optional[float] = None,
             reverse: bool = False) -> Tree:
        """Shortest paths from the nearest source to all nodes, or from all nodes to it."""
        if len(sources) == 1:
            costs, parents = self.router.distances(sources[0], predecessors=True, reverse=reverse)
        else:
            costs, parents = self._from_several([self.number(v) for v in sources])
        return Tree(self, costs, parents, cutoff)

    def arcs(self) -> tuple[Any, Any, Any]:
        first, heads, weights = self.graph.csr()
        tails = np.repeat(np.arange(self.graph.nodes), np.diff(first.astype(np.int64)))
        return tails, heads.astype(np.int64), weights.astype(np.float64)

    def _from_several(self, sources: list[int]) -> tuple[Any, Any]:
        """From one more node, which has an arc of weight 0 to each source."""
        n = self.graph.nodes
        tails, heads, weights = self.arcs()
        tails = np.concatenate([tails, np.full(len(sources), n)])
        heads = np.concatenate([heads, np.array(sources, dtype=np.int64)])
        weights = np.concatenate([weights, np.zeros(len(sources))])
        with_root = _core.from_edges(tails, heads, weights, nodes=n + 1)
        costs, parents = _core.Router(with_root).distances(n, predecessors=True)
        return costs[:n], np.where(parents[:n] == n, -1, parents[:n])


class Tree:
    """A shortest path tree; nodes by cost, as networkx lists them."""

    def __init__(self, search: Search, costs: Any, parents: Any, cutoff: Optional[float]) -> None:
        self._search = search
        self.costs = costs
        self._parents = parents
        order = np.argsort(costs, kind="stable")
        limit = np.inf if cutoff is None else cutoff
        reached = np.isfinite(costs[order]) & (costs[order] <= limit)
        self.order: list[int] = order[reached].tolist()

    def lengths(self) -> dict[Any, Any]:
        labels, cost = self._search.labels, self._search.cost
        return {labels[v]: cost(d) for v, d in zip(self.order, self.costs[self.order].tolist())}

    def paths(self, flipped: bool = False) -> dict[Any, list[Any]]:
        """By the node at the other end; ``flipped`` paths lead to the root."""
        labels, parents = self._search.labels, self._parents.tolist()
        found: dict[int, list[Any]] = {}
        for v in self.order:
            waiting = []  # a node may come before its parent where arcs have weight 0
            while v not in found and parents[v] >= 0:
                waiting.append(v)
                v = parents[v]
            if v not in found:
                found[v] = [labels[v]]
            for u in reversed(waiting):
                before = found[parents[u]]
                found[u] = [labels[u], *before] if flipped else [*before, labels[u]]
        return {labels[v]: found[v] for v in self.order}

    def predecessors(self) -> dict[Any, list[Any]]:
        """All nodes before each on some shortest path."""
        labels = self._search.labels
        tails, heads, weights = self._search.arcs()
        rank = np.full(len(self.costs), -1)
        rank[self.order] = np.arange(len(self.order))
        tight = (rank[tails] >= 0) & (rank[heads] >= 0)
        tight &= self.costs[tails] + weights == self.costs[heads]
        tails, heads = tails[tight], heads[tight]
        by_rank = np.argsort(rank[tails], kind="stable")
        before: dict[Any, list[Any]] = {labels[v]: [] for v in self.order}
        for u, v in zip(tails[by_rank].tolist(), heads[by_rank].tolist()):
            before[labels[v]].append(labels[u])
        return before


_kept: "WeakKeyDictionary[Any, dict[Any, Search]]" = WeakKeyDictionary()
_MOST_KEPT = 4  # weights a graph


def search_of(G: Any, weight: Weight) -> Search:
    """A networkx graph, or one made by from_networkx, which has its weights already."""
    if isinstance(G, _core.Graph):
        if not (isinstance(weight, str) and weight == "weight"):
            raise _core.Error(f"this graph has its weights already, and they may not be {weight!r}; "
                              "leave weight out, or give the networkx graph")
        return Search(G)
    made_of = _listed(G, weight)
    kept = _kept.setdefault(G, {})
    key = callable if callable(weight) else weight
    found = kept.get(key)
    if found is None or found.made_of != made_of:
        found = _converted(made_of, weight)
        kept.pop(key, None)
        while len(kept) >= _MOST_KEPT:
            kept.pop(next(iter(kept)), None)
        kept[key] = found
    return found


def _listed(G: Any, weight: Weight) -> tuple[list[Any], list[int], list[Any], Optional[list[Any]]]:
    """Nodes, degrees, neighbours and weights, with networkx's rules: one arc to each neighbour; an
    edge without the attribute weighs 1; a function is asked once per direction and is given what
    networkx gives it; None hides an edge."""
    rows = G._adj
    weights: Optional[list[Any]]
    if weight is None:
        weights = None
    elif callable(weight):
        weights = [weight(u, v, data) for u, row in rows.items() for v, data in row.items()]
    elif G.is_multigraph():
        weights = [min([data.get(weight, 1) for data in edges.values()])
                   for row in rows.values() for edges in row.values()]
    else:
        weights = [data.get(weight, 1) for row in rows.values() for data in row.values()]
    return (list(rows), [len(row) for row in rows.values()],
            [v for row in rows.values() for v in row], weights)


def _converted(made_of: Any, weight: Weight) -> Search:
    labels, degrees, neighbours, weights = made_of
    index_of = {label: i for i, label in enumerate(labels)}
    tails = np.repeat(np.arange(len(labels)), degrees)
    heads = np.array([index_of[v] for v in neighbours], dtype=np.int64)
    whole = weights is None
    if weights is None:
        numbers = np.ones(len(heads))
    else:
        shown = np.array([w is not None for w in weights], dtype=bool)
        tails, heads = tails[shown], heads[shown]
        weights = [w for w in weights if w is not None]
        whole = all(type(w) is int for w in weights)
        try:
            numbers = _convert.weight_array(weights, tails, heads, labels, weight)
        except _core.Error as error:
            raise Unsupported(str(error)) from None
    graph = _core.from_edges(tails, heads, numbers, nodes=len(labels))
    graph._set_labels(labels, index_of)
    search = Search(graph, whole)
    search.made_of = made_of
    return search
