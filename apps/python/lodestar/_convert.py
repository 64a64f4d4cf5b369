"""Graphs of other packages, in and out. None of them is imported before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Hashable, Iterable, Mapping, Optional, Union

import numpy as np

from . import _core
from ._core import Error, Graph

if TYPE_CHECKING:
    import numpy.typing as npt

_EXACT = 2**53  # beyond it not every whole number is a float

Weight = Union[str, Callable[[Any, Any, Any], Optional[float]], None]


def from_csr(matrix: Any, *, xy: Optional["npt.ArrayLike"] = None, coordinates: str = "plane",
             directed: bool = True, metrics: Optional[Mapping[str, "npt.ArrayLike"]] = None,
             classes: Optional[list[Any]] = None, weight_name: str = "weight") -> Graph:
    """The graph of a square scipy.sparse matrix, or of a tuple (offsets, heads, weights).

    Entry (u, v) is an arc from u to v. A stored zero is an arc that costs nothing, and an entry
    stored twice is two arcs: nothing is added up. ``metrics`` and ``classes`` are those of
    :func:`from_edges`, in the order of the entries; they require a CSR matrix or a tuple.

    >>> import numpy as np, lodestar
    >>> g = lodestar.from_csr((np.array([0, 1, 1]), np.array([1]), np.array([2.0])))
    >>> g.nodes, g.arcs
    (2, 1)
    """
    if isinstance(matrix, tuple):
        if len(matrix) != 3:
            raise Error("from_csr takes a sparse matrix or (offsets, heads, weights)")
        first, heads, weights = (np.asanyarray(part) for part in matrix)  # keeps a mask
        if np.ma.is_masked(first):  # type: ignore[no-untyped-call]
            raise Error("offsets has masked elements; fill them or leave them out first")
        tails, nodes = _tails(first, len(heads))
    elif hasattr(matrix, "tocoo") and hasattr(matrix, "shape"):
        rows, columns = matrix.shape
        if rows != columns:
            raise Error(f"the matrix must be square and is {rows} × {columns}")
        nodes = int(rows)
        if getattr(matrix, "format", "") == "csr":  # as stored: COO would add duplicates up
            tails, _ = _tails(np.asarray(matrix.indptr), len(matrix.indices))
            heads, weights = matrix.indices, matrix.data
        else:
            if metrics is not None or classes is not None:
                raise Error("metrics and classes require a CSR matrix: their order is its entries'")
            entries = matrix.tocoo(copy=False)
            tails, heads, weights = entries.row, entries.col, entries.data
    else:
        raise Error(f"from_csr takes a scipy.sparse matrix, not {type(matrix).__name__}")
    return _core.from_edges(tails, heads, weights, xy=xy, coordinates=coordinates,
                            directed=directed, nodes=nodes, metrics=metrics, classes=classes,
                            weight_name=weight_name)


def _tails(first: "npt.NDArray[Any]", arcs: int) -> "tuple[npt.NDArray[Any], int]":
    """The tail of every arc of compressed rows."""
    if first.ndim != 1 or len(first) == 0 or first.dtype.kind not in "iu":
        raise Error("offsets must be a one-dimensional array of whole numbers, one more than nodes")
    lengths = np.diff(first.astype(np.int64))
    if first[0] != 0 or first[-1] != arcs or (lengths < 0).any():
        raise Error(f"offsets must ascend from 0 to the number of arcs, {arcs}")
    return np.repeat(np.arange(len(lengths), dtype=np.int64), lengths), len(lengths)


def from_networkx(graph: Any, weight: Weight = "weight", *, xy: Union[str, tuple[str, str], None] =
                  ("x", "y"), coordinates: Optional[str] = None, metrics: Iterable[str] = (),
                  classes: Optional[str] = None) -> Graph:
    """A networkx graph of any of its four kinds; nodes keep their labels.

    ``weight`` is an edge attribute, a function (u, v, attributes), or None: every edge costs 1. An
    edge without the attribute is an error that names it. A function is called for each direction
    of an undirected edge and may return None to hide it. Parallel edges are kept; a search takes
    the cheapest, and ``notes`` says how many there are. Coordinates are taken when every node has
    the attributes ``xy``; a graph with a ``crs`` of EPSG:4326, as OSMnx makes them, is taken to be
    in degrees. ``metrics`` are further attributes with numbers, and ``classes`` is the attribute with
    the classes of an edge: a text or a list of texts.

    >>> import networkx as nx, lodestar
    >>> G = nx.Graph()
    >>> G.add_edge("a", "b", weight=2.0)
    >>> lodestar.Router(lodestar.from_networkx(G)).path("b", "a").nodes
    ['b', 'a']
    """
    labels = list(graph.nodes)
    index_of = {label: i for i, label in enumerate(labels)}
    tails: list[int] = []
    heads: list[int] = []
    weights: list[Any] = []
    further: dict[str, list[Any]] = {name: [] for name in _names(metrics)}
    arc_classes: list[Any] = []
    directed = graph.is_directed()
    # A function may weigh the two directions of an edge differently.
    both_ways = callable(weight) and not directed
    for u, v, attributes in graph.edges(data=True):
        for a, b in ((u, v), (v, u)) if both_ways and u != v else ((u, v),):
            cost = _cost(a, b, attributes, weight)
            if cost is None and callable(weight):
                continue
            tails.append(index_of[a])
            heads.append(index_of[b])
            weights.append(cost)
            for name, values in further.items():
                values.append(_cost(a, b, attributes, name))
            arc_classes.append(None if classes is None else attributes.get(classes))
    points = _points(graph, xy)
    if coordinates is None:
        coordinates = "degrees" if "4326" in str(graph.graph.get("crs", "")) else "plane"
    made = _core.from_edges(np.array(tails, dtype=np.int64), np.array(heads, dtype=np.int64),
                            weight_array(weights, tails, heads, labels, weight), xy=points,
                            coordinates=coordinates, directed=directed or both_ways,
                            nodes=len(labels),
                            metrics={name: weight_array(values, tails, heads, labels, name)
                                     for name, values in further.items()} or None,
                            classes=None if classes is None else arc_classes,
                            weight_name=weight if isinstance(weight, str) else "weight")
    made._set_labels(labels, index_of)
    if graph.is_multigraph():
        ends = np.array(tails, dtype=np.int64) * len(labels) + np.array(heads, dtype=np.int64)
        parallel = (len(ends) - len(np.unique(ends))) // (2 if both_ways else 1)
        if parallel:
            made._add_note(f"{parallel} parallel edges; a search takes the cheapest")
    return made


def _names(names: Iterable[str]) -> list[str]:
    """A list of names; one text would be taken for its letters."""
    if isinstance(names, str):
        raise Error(f"metrics must be a list of names: [{names!r}]")
    return list(names)


def _cost(u: Hashable, v: Hashable, attributes: Any, weight: Weight) -> Optional[float]:
    if isinstance(weight, str):
        try:
            return attributes[weight]  # type: ignore[no-any-return]
        except KeyError:
            raise Error(f"the edge {u!r} → {v!r} has no attribute {weight!r}; it has "
                        f"{sorted(map(str, attributes)) or 'none'}. weight=None makes every edge "
                        "cost 1") from None
    return 1.0 if weight is None else weight(u, v, attributes)


def weight_array(values: list[Any], tails: Any, heads: Any, labels: list[Any],
                 weight: object) -> "npt.NDArray[np.float64]":
    """Weights as an array; the first that is no number is named by its edge."""
    array = np.asarray(values if values else [], dtype=object)
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        numbers = np.full(len(values), np.nan)
    if all(type(value) in (int, float) for value in values) and (
            (numbers >= 0) & (numbers <= _EXACT)).all():
        return numbers
    for i, value in enumerate(values):
        good = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(
            value, bool)
        if not good or not 0 <= float(value) < float("inf"):
            raise Error(f"the edge {labels[tails[i]]!r} → {labels[heads[i]]!r} has the weight "
                        f"{value!r} ({weight!r}); weights must be finite numbers not below 0")
        if isinstance(value, (int, np.integer)) and value > _EXACT:
            raise Error(f"the edge {labels[tails[i]]!r} → {labels[heads[i]]!r} has the weight "
                        f"{value!r}; whole numbers are exact up to 2^53")
    return np.array([float(value) for value in values], dtype=np.float64)


def _points(graph: Any, xy: Union[str, tuple[str, str], None]) -> "Optional[npt.NDArray[Any]]":
    if xy is None or len(graph) == 0:
        return None
    try:
        if isinstance(xy, str):  # one attribute that holds a pair
            pairs = [tuple(data[xy]) for _, data in graph.nodes(data=True)]
        else:
            pairs = [(data[xy[0]], data[xy[1]]) for _, data in graph.nodes(data=True)]
        points = np.array(pairs, dtype=np.float64)
    except (KeyError, TypeError, ValueError):
        return None
    return points if points.shape == (len(graph), 2) else None


def from_igraph(graph: Any, weight: Optional[str] = "weight", *, metrics: Iterable[str] = (),
                classes: Optional[str] = None) -> Graph:
    """An igraph graph. Vertices keep their names where they have them, otherwise numbers from 0.

    ``metrics`` and ``classes`` are attributes of edges, as in :func:`from_networkx`.

    >>> import igraph, lodestar
    >>> G = igraph.Graph(edges=[(0, 1), (1, 2)], directed=True)
    >>> lodestar.Router(lodestar.from_igraph(G, weight=None)).path(0, 2).cost
    2.0
    """
    edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    names = list(range(graph.vcount()))

    def column(name: str) -> "npt.NDArray[np.float64]":
        if name not in graph.es.attributes():
            raise Error(f"the edges have no attribute {name!r}; they have "
                        f"{graph.es.attributes() or 'none'}. weight=None makes every edge cost 1")
        return weight_array(list(graph.es[name]), edges[:, 0], edges[:, 1], names, name)

    weights = np.ones(len(edges)) if weight is None else column(weight)
    if classes is not None and classes not in graph.es.attributes():
        raise Error(f"the edges have no attribute {classes!r}")
    points = None
    if {"x", "y"} <= set(graph.vs.attributes()):
        points = np.array([graph.vs["x"], graph.vs["y"]], dtype=np.float64).T
    made = _core.from_edges(edges[:, 0], edges[:, 1], weights, xy=points,
                            directed=graph.is_directed(), nodes=graph.vcount(),
                            metrics={name: column(name) for name in _names(metrics)} or None,
                            classes=None if classes is None else list(graph.es[classes]),
                            weight_name="weight" if weight is None else weight)
    if "name" in graph.vs.attributes():
        labels = list(graph.vs["name"])
        index_of = {label: i for i, label in enumerate(labels)}
        if len(index_of) < len(labels):
            raise Error("two vertices have the same name; rename them or delete the attribute")
        made._set_labels(labels, index_of)
    return made


def _cheapest(graph: Graph) -> "tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]":
    """Tails, heads and weights with one arc, the cheapest, from a node to another."""
    first, heads, weights = graph.csr()
    tails, _ = _tails(first, len(heads))
    if len(heads) == 0:
        return tails, np.asarray(heads), np.asarray(weights)
    order = np.lexsort((weights, heads, tails))
    tails, heads, weights = tails[order], heads[order], weights[order]
    new = np.ones(len(tails), dtype=bool)
    new[1:] = (np.diff(tails) != 0) | (np.diff(heads.astype(np.int64)) != 0)
    return tails[new], heads[new], weights[new]


def to_scipy(graph: Graph) -> Any:
    """The graph as a scipy.sparse CSR matrix; of parallel arcs the cheapest, never their sum."""
    from scipy.sparse import csr_matrix

    tails, heads, weights = _cheapest(graph)
    offsets = np.zeros(graph.nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(tails, minlength=graph.nodes), out=offsets[1:])
    return csr_matrix((weights.astype(np.float64), heads.astype(np.int64), offsets),
                      shape=(graph.nodes, graph.nodes))


def to_networkx(graph: Graph) -> Any:
    """The graph as networkx's Graph or DiGraph; of parallel arcs the cheapest."""
    import networkx as nx

    made = nx.DiGraph() if graph.directed else nx.Graph()
    labels = graph.labels if graph.labels is not None else range(graph.nodes)
    made.add_nodes_from(labels)
    xy = graph.xy
    if xy is not None:
        for label, (x, y) in zip(labels, xy.tolist()):
            made.nodes[label].update(x=x, y=y)
    tails, heads, weights = _cheapest(graph)
    made.add_weighted_edges_from(
        zip((labels[u] for u in tails.tolist()), (labels[v] for v in heads.tolist()),
            weights.tolist()))
    return made
