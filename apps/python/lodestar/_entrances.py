"""Graphs from arrays, tables and grids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Union

import numpy as np

from . import _core
from ._core import Error, Graph

if TYPE_CHECKING:
    import numpy.typing as npt


def from_edges(tails: "npt.ArrayLike", heads: "npt.ArrayLike", weights: "npt.ArrayLike", *,
               xy: Any = None, coordinates: str = "plane", directed: bool = True,
               nodes: Optional[int] = None,
               metrics: "Optional[Mapping[str, npt.ArrayLike]]" = None,
               classes: Optional[Any] = None, weight_name: str = "weight",
               labels: bool = False) -> Graph:
    """A graph from arrays: arc i leads from tails[i] to heads[i] and costs weights[i].

    Nodes are numbered from 0 to the largest id in use, or to ``nodes`` - 1; ids with large gaps are
    refused. With ``labels`` tails and heads are labels of any kind, such as the ids of
    OpenStreetMap or texts: all results have labels too. Without ``directed`` every arc leads both
    ways. An infinite weight closes an arc.

    ``xy`` has the shape (nodes, 2); with ``labels`` it may be a dict {label: (x, y)}.
    ``coordinates`` is its kind: "plane", "degrees" (longitude, latitude) or "grid". ``metrics`` are
    further weights, a dict of names and arrays; ``weight_name`` names the weights themselves.
    ``classes`` has one entry per arc: None, a text such as "motorway toll", or a list of names.

    >>> import lodestar
    >>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0], weight_name="time",
    ...                         metrics={"length": [30, 70]}, classes=["motorway toll", None])
    >>> g.nodes, g.arcs
    (3, 2)
    >>> {name: weights.tolist() for name, weights in g.metrics.items()}
    {'time': [2.5, 4.0], 'length': [30.0, 70.0]}
    >>> g.classes["toll"].tolist()
    [True, False]
    >>> g = lodestar.from_edges([7000000001, 42], [42, 9000000009], [1.0, 2.0], labels=True)
    >>> lodestar.Router(g).path(7000000001, 9000000009).nodes
    [7000000001, 42, 9000000009]
    """
    if not labels:
        return _core.from_edges(tails, heads, weights, xy=xy, coordinates=coordinates,
                                directed=directed, nodes=nodes, metrics=metrics, classes=classes,
                                weight_name=weight_name)
    if nodes is not None:
        raise Error("with labels, nodes are those of the arcs; leave out nodes")
    names, ends = _numbered(tails, heads)
    if isinstance(xy, Mapping):
        missing = next((name for name in names if name not in xy), None)
        if missing is not None:
            raise Error(f"xy has no entry for the node {missing!r}")
        xy = np.array([xy[name] for name in names], dtype=np.float64).reshape(-1, 2)
    made = _core.from_edges(ends[0], ends[1], weights, xy=xy, coordinates=coordinates,
                            directed=directed, nodes=len(names), metrics=metrics, classes=classes,
                            weight_name=weight_name)
    made._set_labels(names, {name: i for i, name in enumerate(names)})
    return made


def _numbered(tails: Any, heads: Any) -> "tuple[list[Any], npt.NDArray[np.int64]]":
    """The labels, sorted where they are numbers or texts, and the ends of arcs as numbers."""
    columns = []
    for column in (tails, heads):
        listed = isinstance(column, (list, tuple))
        if listed and len({type(name) for name in column}) > 1 or listed and column and isinstance(
                column[0], tuple):  # NumPy would make texts of numbers, and rows of tuples
            array = np.empty(len(column), dtype=object)
            array[:] = column
        else:
            array = np.asarray(column)
        columns.append(array)
    if len(columns[0]) != len(columns[1]):
        raise Error("tails and heads must be of one length; they have "
                    f"{len(columns[0])} and {len(columns[1])}")
    if all(array.dtype.kind in "iuUS" for array in columns):
        both = np.concatenate(columns)
        names, ends = np.unique(both, return_inverse=True)
        return names.tolist(), ends.reshape(2, -1).astype(np.int64)
    index_of: dict[Any, int] = {}
    numbers = [index_of.setdefault(name, len(index_of))
               for array in columns for name in array.tolist()]
    if any(name is None or name != name for name in index_of):
        raise Error("an end of an arc is missing")
    return list(index_of), np.array(numbers, dtype=np.int64).reshape(2, -1)


def from_pandas(table: Any, source: str = "source", target: str = "target",
                weight: Optional[str] = "weight", *, directed: bool = True,
                metrics: Iterable[str] = (), classes: Optional[str] = None,
                nodes: Any = None, x: str = "x", y: str = "y",
                coordinates: str = "plane") -> Graph:
    """A graph from a pandas DataFrame with one row per arc; labels are those of the table.

    ``source``, ``target``, ``weight`` (None: every arc costs 1), ``metrics`` and ``classes`` are
    columns. ``nodes`` is a DataFrame of coordinates with the labels as index and the columns ``x``
    and ``y``. The nullable types of pandas are accepted if nothing is missing.

    >>> import pandas as pd, lodestar
    >>> table = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.5, 2]})
    >>> lodestar.Router(lodestar.from_pandas(table)).path("a", "c").nodes
    ['a', 'b', 'c']
    """
    if isinstance(metrics, str):
        raise Error(f"metrics must be a list of names: [{metrics!r}]")
    wanted = [source, target, *([] if weight is None else [weight]), *metrics,
              *([] if classes is None else [classes])]
    for name in wanted:
        if name not in table.columns:
            raise Error(f"the table has no column {name!r}; it has {list(table.columns)}")
    ends = []
    for name in (source, target):
        if table[name].isna().any():
            raise Error(f"the column {name!r} has missing values; drop these rows first")
        column = table[name]
        whole = str(column.dtype).startswith(("Int", "UInt"))
        ends.append(column.to_numpy(dtype="int64") if whole else column.to_numpy())
    xy = None
    if nodes is not None:
        xy = dict(zip(nodes.index.tolist(), zip(nodes[x].tolist(), nodes[y].tolist())))
    kinds = None
    if classes is not None:
        kinds = [None if value is None or value != value else value for value in table[classes]]
    return from_edges(ends[0], ends[1], np.ones(len(table)) if weight is None else table[weight],
                      xy=xy, coordinates=coordinates, directed=directed, labels=True,
                      metrics={name: table[name] for name in metrics} or None, classes=kinds,
                      weight_name="weight" if weight is None else weight)


def from_grid(costs: "npt.ArrayLike", *, connectivity: int = 4, diagonal: float = 2**0.5,
              blocked: Any = None, corners: bool = False, labels: bool = False) -> Graph:
    """A graph of the cells of a grid: a step costs the mean of the two cells, times ``diagonal`` if
    it is one.

    ``costs`` is a two-dimensional array of the cost to cross each cell; np.ones(shape) makes every
    step cost 1. ``blocked`` marks cells that no path enters: an array of booleans, or a value of
    ``costs``. Cells of infinite cost are blocked as well. ``connectivity`` is 4 or 8; a diagonal
    step needs both cells beside it to be free unless ``corners`` may be cut. Cell (row, column) is
    node row * columns + column, or with ``labels`` the pair itself.

    >>> import numpy as np, lodestar
    >>> g = lodestar.from_grid(np.ones((2, 3)), blocked=[[0, 1, 0], [0, 0, 0]], labels=True)
    >>> lodestar.Router(g).path((0, 0), (0, 2)).nodes
    [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)]
    """
    cells = np.asarray(costs)
    if cells.ndim != 2 or cells.dtype.kind not in "iufb":
        raise Error("costs must be a two-dimensional array of numbers")
    if connectivity not in (4, 8):
        raise Error("connectivity must be 4 or 8")
    cells = cells.astype(np.float64)
    free = np.isfinite(cells)
    if np.isnan(cells).any() or (cells < 0).any():
        raise Error("costs must be numbers not below 0")
    if blocked is not None:
        walls = np.asarray(blocked)
        if walls.ndim == 0:
            free &= cells != float(walls)
        elif walls.shape == cells.shape:
            free &= ~walls.astype(bool)
        else:
            raise Error(f"blocked must have the shape of costs, {cells.shape}")
    tails, heads, weights = _steps(cells, free, connectivity, diagonal, corners)
    rows, columns = cells.shape
    at_row, at_column = np.divmod(np.arange(rows * columns), max(columns, 1))
    made = _core.from_edges(tails, heads, weights, directed=False, nodes=rows * columns,
                            xy=np.stack([at_column, at_row], axis=1), coordinates="plane")
    if labels:
        names = list(zip(at_row.tolist(), at_column.tolist()))
        made._set_labels(names, {name: i for i, name in enumerate(names)})
    return made


def _steps(cells: Any, free: Any, connectivity: int, diagonal: float, corners: bool) -> Any:
    """Both ends and the costs of all steps to the right and down."""
    rows, columns = cells.shape
    number = np.arange(rows * columns).reshape(rows, columns)
    everything = slice(None)
    up, down = slice(None, -1), slice(1, None)
    steps: list[tuple[Any, Any, Union[int, float], Any]] = [
        ((everything, up), (everything, down), 1, None),
        ((up, everything), (down, everything), 1, None)]
    if connectivity == 8:
        steps += [((up, up), (down, down), diagonal, ((up, down), (down, up))),
                  ((up, down), (down, up), diagonal, ((up, up), (down, down)))]
    tails, heads, weights = [], [], []
    for here, there, factor, beside in steps:
        open_step = free[here] & free[there]
        if beside is not None and not corners:
            open_step = open_step & free[beside[0]] & free[beside[1]]
        tails.append(number[here][open_step])
        heads.append(number[there][open_step])
        weights.append((cells[here][open_step] + cells[there][open_step]) * (factor / 2))
    return np.concatenate(tails), np.concatenate(heads), np.concatenate(weights)


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
        tails, nodes = tails_of(first, len(heads))
    elif hasattr(matrix, "tocoo") and hasattr(matrix, "shape"):
        rows, columns = matrix.shape
        if rows != columns:
            raise Error(f"the matrix must be square and is {rows} × {columns}")
        nodes = int(rows)
        if getattr(matrix, "format", "") == "csr":  # as stored: COO would add duplicates up
            tails, _ = tails_of(np.asarray(matrix.indptr), len(matrix.indices))
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


def tails_of(first: "npt.NDArray[Any]", arcs: int) -> "tuple[npt.NDArray[Any], int]":
    """The tail of every arc of compressed rows."""
    if first.ndim != 1 or len(first) == 0 or first.dtype.kind not in "iu":
        raise Error("offsets must be a one-dimensional array of whole numbers, one more than nodes")
    lengths = np.diff(first.astype(np.int64))
    if first[0] != 0 or first[-1] != arcs or (lengths < 0).any():
        raise Error(f"offsets must ascend from 0 to the number of arcs, {arcs}")
    return np.repeat(np.arange(len(lengths), dtype=np.int64), lengths), len(lengths)
