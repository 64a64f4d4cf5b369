"""Shortest path trees in the form of networkx's results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._networkx import Search
    from ._types import Lengths, Paths


class Tree:
    """A shortest path tree; nodes by cost, as networkx lists them."""

    def __init__(self, search: Search, order: list[int], costs: Any, parents: list[int]) -> None:
        self._search = search
        self.order = order
        self.costs = costs
        self.parent_of = dict(zip(order, parents))

    def lengths(self) -> Lengths:
        labels, cost = self._search.labels, self._search.cost
        return {labels[v]: cost(d) for v, d in zip(self.order, self.costs.tolist())}

    def parents(self) -> dict[Any, Any]:
        """None for the root."""
        labels = self._search.labels
        return {labels[v]: None if p < 0 else labels[p] for v, p in self.parent_of.items()}

    def paths(self, flipped: bool = False) -> Paths:
        """By the node at the other end; ``flipped`` paths lead to the root."""
        labels, parents = self._search.labels, self.parent_of
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
        rank = np.full(len(labels), -1)
        rank[self.order] = np.arange(len(self.order))
        tight = (rank[tails] >= 0) & (rank[heads] >= 0)
        tails, heads, weights = tails[tight], heads[tight], weights[tight]
        tight = self.costs[rank[tails]] + weights == self.costs[rank[heads]]
        tails, heads = tails[tight], heads[tight]
        by_rank = np.argsort(rank[tails], kind="stable")
        before: dict[Any, list[Any]] = {labels[v]: [] for v in self.order}
        for u, v in zip(tails[by_rank].tolist(), heads[by_rank].tolist()):
            before[labels[v]].append(labels[u])
        return before
