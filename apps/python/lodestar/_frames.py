"""Results as pandas tables with the labels of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


def _names(nodes: Any) -> list[Any]:
    listed = nodes.tolist() if hasattr(nodes, "tolist") else list(nodes)
    return [node.node if isinstance(node, _core.Place) else node for node in listed]


def _index(names: list[Any], name: str) -> Any:
    import pandas as pd

    return pd.Index(names, name=name, tupleize_cols=False)


def matrix(costs: Any, sources: Any, targets: Any) -> Any:
    """Rows are sources, columns are targets."""
    import pandas as pd

    return pd.DataFrame(costs, _index(_names(sources), "source"), _index(_names(targets), "target"))


def distances(graph: _core.Graph, costs: Any, parents: Any, nearest: Any, roots: Any) -> Any:
    """The nodes that are reached, with what was requested as columns."""
    import pandas as pd

    labels = graph.labels if graph.labels is not None else range(graph.nodes)
    reached = np.flatnonzero(np.isfinite(costs)).tolist()
    columns: dict[str, Any] = {"cost": costs[reached]}
    if len(parents):
        columns["predecessor"] = pd.Series(
            [None if p < 0 else labels[p] for p in parents[reached].tolist()], dtype=object)
    if len(nearest):
        names = _names(roots if isinstance(roots, (list, range, set, np.ndarray))
                       or hasattr(roots, "to_numpy") else [roots])
        columns["nearest"] = pd.Series([names[i] for i in nearest[reached].tolist()], dtype=object)
    table = pd.DataFrame(columns)
    table.index = _index([labels[v] for v in reached], "node")
    return table
