"""Graphs of other packages, in and out. None of them is imported before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Hashable, Iterable, Optional, Union

import numpy as np

from . import _core
from ._core import Error, Graph
from ._entrances import tails_of

if TYPE_CHECKING:
    import numpy.typing as npt

_EXACT = 2**53  # beyond it not every whole number is a float

Weight = Union[str, Callable[[Any, Any, Any], Optional[float]], None]


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
    keys: list[Any] = []
    multigraph = graph.is_multigraph()
    for u, v, *key, attributes in graph.edges(data=True, **({"keys": True} if multigraph else {})):
        for a, b in ((u, v), (v, u)) if both_ways and u != v else ((u, v),):
            cost = _cost(a, b, attributes, weight)
            if cost is None and callable(weight):
                continue
            tails.append(index_of[a])
            heads.append(index_of[b])
            weights.append(cost)
            keys += key
            for name, values in further.items():
                values.append(_cost(a, b, attributes, name))
            arc_classes.append(None if classes is None else attributes.get(classes))
    points = _points(graph, xy)
    if coordinates is None:
        coordinates = "degrees" if "4326" in str(graph.graph.get("crs", "")) else "plane"
    numbers = weight_array(weights, tails, heads, labels, weight)
    made = _core.from_edges(np.array(tails, dtype=np.int64), np.array(heads, dtype=np.int64),
                            numbers, xy=points,
                            coordinates=coordinates, directed=directed or both_ways,
                            nodes=len(labels),
                            metrics={name: weight_array(values, tails, heads, labels, name)
                                     for name, values in further.items()} or None,
                            classes=None if classes is None else arc_classes,
                            weight_name=weight if isinstance(weight, str) else "weight")
    made._set_labels(labels, index_of)
    if multigraph:
        made._set_keys(_keys_by_arc(tails, heads, numbers, keys, directed or both_ways))
        ends = np.array(tails, dtype=np.int64) * len(labels) + np.array(heads, dtype=np.int64)
        parallel = (len(ends) - len(np.unique(ends))) // (2 if both_ways else 1)
        if parallel:
            made._add_note(f"{parallel} parallel edges; a search takes the cheapest")
    return made


def _keys_by_arc(tails: list[int], heads: list[int], weights: Any, keys: list[Any],
                 directed: bool) -> list[Any]:
    """In the order of csr(). Without ``directed`` every edge is two arcs, but a loop one."""
    u, v, w = np.array(tails, dtype=np.int64), np.array(heads, dtype=np.int64), weights
    at = np.arange(len(keys))
    if not directed:
        other = u != v
        u, v, w, at = (np.concatenate([u, v[other]]), np.concatenate([v, u[other]]),
                       np.concatenate([w, w[other]]), np.concatenate([at, at[other]]))
    return [keys[i] for i in at[np.lexsort((at, w, v, u))].tolist()]


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


def _hint(value: Any, weight: object) -> str:
    """Graphs read from GraphML have texts, and OSMnx joins several values to a list."""
    if isinstance(value, str):
        return (f". This one is a text: convert it first, for example for *_, d in "
                f"G.edges(data=True): d[{weight!r}] = float(d[{weight!r}])")
    if isinstance(value, list):
        return ". This one is a list: take one of its values, or add travel times with OSMnx"
    return ""


def sorted_keys(first: Any, heads: Any, weights: Any, keys: list[Any]) -> list[Any]:
    """Keys in the order of arcs with other weights: parallel arcs ascend."""
    tails, _ = tails_of(first, len(heads))
    return [keys[i] for i in np.lexsort((weights, heads, tails)).tolist()]


def weight_array(values: list[Any], tails: Any, heads: Any, labels: list[Any],
                 weight: object, infinite: bool = True) -> "npt.NDArray[np.float64]":
    """Weights as an array; the first that is no number is named by its edge. An ``infinite`` one
    closes an arc."""
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
        if not good or not 0 <= float(value) or float(value) == float("inf") and not infinite:
            kind = "numbers" if infinite else "finite numbers"
            raise Error(f"the edge {labels[tails[i]]!r} → {labels[heads[i]]!r} has the weight "
                        f"{value!r} ({weight!r}); weights must be {kind} not below 0"
                        + _hint(value, weight))
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
    tails, _ = tails_of(first, len(heads))
    if len(heads) == 0:
        return tails, np.asarray(heads), np.asarray(weights)
    open_arcs = np.isfinite(weights)
    tails, heads, weights = tails[open_arcs], heads[open_arcs], weights[open_arcs]
    order = np.lexsort((weights, heads, tails))
    tails, heads, weights = tails[order], heads[order], weights[order]
    new = np.ones(len(tails), dtype=bool)
    if len(new) == 0:
        return tails, heads, weights
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
    """As a MultiDiGraph if the graph has roads, parallel arcs or keys, otherwise as a Graph or
    DiGraph. Nodes have x and y, edges their metrics, names and geometry."""
    import networkx as nx

    first, heads, weights = graph.csr()
    tails, _ = tails_of(first, len(heads))
    details, keys = graph._arc_details(), graph._keys
    parallel = len(heads) > 1 and bool(((np.diff(tails) == 0) & (np.diff(heads.astype(np.int64))
                                                                 == 0)).any())
    several = details is not None or keys is not None or parallel
    made = nx.MultiDiGraph() if several else nx.DiGraph() if graph.directed else nx.Graph()
    if graph.coordinates == "degrees":
        made.graph["crs"] = "epsg:4326"
    lines, streets, ways, ids = details if details is not None else ([], [], [], [])
    labels = _unique(ids) if ids and graph.labels is None else \
        graph.labels if graph.labels is not None else range(graph.nodes)
    made.add_nodes_from(labels)
    xy = graph.xy
    if xy is not None:
        for label, (x, y) in zip(labels, xy.tolist()):
            made.nodes[label].update(x=x, y=y)
    scales = graph._scales  # stored tenths of metres and seconds
    columns = {name: (values.astype(np.float64) * scales[name]).round(9).tolist()
               for name, values in graph.metrics.items()}
    columns = columns or {"weight": weights.tolist()}
    line_of = _line_maker()
    for i, (u, v) in enumerate(zip(tails.tolist(), heads.tolist())):
        attributes = {name: values[i] for name, values in columns.items()}
        if attributes[next(iter(columns))] == np.inf:
            continue
        if details is not None:
            attributes.update(osmid=ways[i], geometry=line_of(lines[i]))
            if streets[i]:
                attributes["name"] = streets[i]
        if several:
            made.add_edge(labels[u], labels[v], None if keys is None else keys[i], **attributes)
        else:
            made.add_edge(labels[u], labels[v], **attributes)
    return made


def _unique(ids: list[int]) -> list[Any]:
    """Ids as labels; further nodes with an id are (id, 1), (id, 2), …."""
    times: dict[int, int] = {}
    labels: list[Any] = []
    for number in ids:
        before = times.get(number, 0)
        labels.append((number, before) if before else number)
        times[number] = before + 1
    return labels


def _line_maker() -> Any:
    """Shapely's lines where it is installed, as in OSMnx; otherwise lists of points."""
    try:
        from shapely.geometry import LineString
    except ImportError:
        return list
    return LineString
