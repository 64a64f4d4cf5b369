"""Shortest paths, exact and fast: indexes, learned potentials and trained models.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 3.0])
>>> r = lodestar.Router(g)
>>> p = r.path(0, 2)
>>> p.cost, p.nodes.tolist(), p.optimal
(2.0, [0, 1, 2], True)
"""

from typing import TYPE_CHECKING

from ._compare import Comparison, compare
from ._convert import from_igraph, from_networkx
from ._core import (
    Error,
    Graph,
    Index,
    Model,
    Path,
    Place,
    Potentials,
    Preferences,
    Router,
    __version__,
    algorithms,
    fit,
    generate,
    index,
    landmarks,
    models,
    read,
)
from ._entrances import from_csr, from_edges, from_grid, from_pandas
from .networkx_backend import astar_path

if not TYPE_CHECKING:  # type checkers know the names that exist
    from ._renamed import module_attribute as __getattr__

__all__ = [
    "Comparison",
    "Error",
    "Graph",
    "Index",
    "Model",
    "Path",
    "Place",
    "Potentials",
    "Preferences",
    "Router",
    "__version__",
    "algorithms",
    "astar_path",
    "compare",
    "fit",
    "from_csr",
    "from_edges",
    "from_grid",
    "from_igraph",
    "from_networkx",
    "from_pandas",
    "generate",
    "index",
    "landmarks",
    "models",
    "read",
]
