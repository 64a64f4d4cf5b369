"""Shortest paths with learned heuristics, and the proof of each answer.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 3.0])
>>> r = lodestar.Router(g)
>>> p = r.path(0, 2)
>>> p.cost, p.nodes.tolist(), p.proven
(2.0, [0, 1, 2], True)
"""

from ._convert import (
    from_csr,
    from_igraph,
    from_networkx,
)
from ._core import (
    Error,
    Graph,
    Index,
    Model,
    Path,
    Place,
    Router,
    Table,
    __version__,
    algorithms,
    fit,
    from_edges,
    generate,
    landmarks,
    models,
    read,
)
from .networkx_backend import astar_path

__all__ = [
    "Error",
    "Graph",
    "Index",
    "Model",
    "Path",
    "Place",
    "Router",
    "Table",
    "__version__",
    "algorithms",
    "astar_path",
    "fit",
    "from_csr",
    "from_edges",
    "from_igraph",
    "from_networkx",
    "generate",
    "landmarks",
    "models",
    "read",
]
