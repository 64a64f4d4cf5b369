"""Types of the compiled part. tests/test_types.py compares them with what is there."""

import datetime
import os
from typing import Any, Callable, Iterable, Literal, Mapping, Optional, Sequence, Union, overload

import networkx
import numpy as np
import numpy.typing as npt
import pandas
import scipy.sparse

from ._types import Isochrones, Node, Number, PathFeature

__version__: str

PathLike = Union[str, "os.PathLike[str]"]
Nodes = Any  # an array or sequence of numbers, or of labels
Numbers = npt.ArrayLike
Floats = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]  # -1: none
NodeList = Union[npt.NDArray[np.uint32], list[Node]]  # numbers, or the labels of the graph
ReachedNodes = Union[npt.NDArray[np.int64], list[Node]]
Weights = Union[npt.NDArray[np.float32], npt.NDArray[np.float64]]
Rows = npt.NDArray[np.void]  # with named columns
Classes = Union[None, str, Iterable[str]]  # of one arc
Heuristic = Union[None, str, npt.ArrayLike, Callable[[Any, Any], float]]

class Error(ValueError): ...

class Graph:
    @property
    def nodes(self) -> int: ...
    @property
    def arcs(self) -> int: ...
    @property
    def directed(self) -> bool: ...
    @property
    def xy(self) -> Optional[npt.NDArray[np.float64]]: ...
    @property
    def coordinates(self) -> Optional[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def labels(self) -> Optional[list[Node]]: ...
    @property
    def metrics(self) -> dict[str, Weights]: ...
    @property
    def classes(self) -> dict[str, npt.NDArray[np.bool_]]: ...
    @property
    def file(self) -> str: ...
    @property
    def _index_of(self) -> Optional[dict[Node, int]]: ...
    @property
    def _fingerprint(self) -> int: ...
    def csr(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], Weights]: ...
    def name(self, node: int) -> str: ...
    def find(self, name: str) -> int: ...
    def save(self, path: PathLike) -> None: ...
    def with_weights(self, weights: Numbers, arcs: Optional[Numbers] = None) -> Graph: ...
    def to_scipy(self) -> scipy.sparse.csr_matrix: ...
    def to_networkx(self) -> networkx.Graph: ...
    def _save_detached(self, path: PathLike) -> None: ...
    def _detach(self) -> None: ...
    def _add_note(self, note: str) -> None: ...
    @property
    def _scales(self) -> dict[str, float]: ...
    @property
    def _keys(self) -> Optional[list[Node]]: ...
    def _set_keys(self, keys: list[Any]) -> None: ...
    def _set_closed(self, weight: float) -> None: ...
    def _arc_details(
        self
    ) -> Optional[tuple[list[list[tuple[float, float]]], list[str], list[int], list[int]]]: ...
    def _set_labels(self, labels: list[Any], index_of: dict[Any, int]) -> None: ...

class Path:
    @property
    def cost(self) -> float: ...
    @property
    def lower_bound(self) -> float: ...
    @property
    def gap(self) -> float: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def reached(self) -> bool: ...
    @property
    def nodes(self) -> NodeList: ...
    @property
    def edges(self) -> list[tuple[Node, ...]]: ...
    @property
    def xy(self) -> Optional[npt.NDArray[np.float64]]: ...
    @property
    def expansions(self) -> int: ...
    @property
    def reopened(self) -> int: ...
    @property
    def pushes(self) -> int: ...
    @property
    def capped(self) -> bool: ...
    @property
    def distance(self) -> float: ...
    @property
    def duration(self) -> Optional[float]: ...
    @property
    def streets(self) -> list[tuple[str, float]]: ...
    @property
    def totals(self) -> dict[str, float]: ...
    @property
    def potentials(self) -> Optional[bool]: ...
    def geojson(self) -> PathFeature: ...
    def __len__(self) -> int: ...

class Preferences:
    def __init__(
        self,
        *,
        blend: Optional[Mapping[str, float]] = None,
        avoid: Iterable[Any] = (),
        vehicle: Optional[Mapping[str, float]] = None,
        depart: Union[None, str, float, datetime.time] = None,
    ) -> None: ...
    @property
    def json(self) -> str: ...
    @staticmethod
    def from_json(text: str) -> Preferences: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Place:
    @property
    def asked(self) -> tuple[float, float]: ...
    @property
    def xy(self) -> tuple[float, float]: ...
    @property
    def distance(self) -> float: ...
    @property
    def street(self) -> str: ...
    @property
    def node(self) -> Node: ...

class Potentials:
    @property
    def nodes(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def method(self) -> str: ...
    @property
    def expansions(self) -> float: ...
    @property
    def file(self) -> str: ...
    @property
    def knots(self) -> list[dict[str, float]]: ...
    def column(self, potential: int) -> Floats: ...
    def save(self, path: PathLike) -> None: ...
    @staticmethod
    def load(path: PathLike) -> Potentials: ...
    def _save_detached(self, path: PathLike) -> None: ...
    def _detach(self) -> None: ...

class Index:
    @property
    def graph(self) -> Graph: ...
    @property
    def file(self) -> str: ...
    @property
    def nodes(self) -> int: ...
    @property
    def core(self) -> int: ...
    @property
    def per_node(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def plain(self) -> bool: ...
    def query_times(self) -> dict[str, float]: ...
    def save(self, path: PathLike) -> None: ...
    def _save_detached(self, path: PathLike) -> None: ...
    def _detach(self) -> None: ...
    @staticmethod
    def open(path: PathLike, graph: Graph, *, map: bool = False) -> Index: ...
    def customized(self, graph: Graph, *, seconds: float = 0.3) -> Index: ...

class Router:
    def __init__(
        self,
        graph: Graph,
        index: Union[None, Index, Potentials, PathLike] = None,
        *,
        heuristic: Heuristic = None,
        algorithm: str = "auto",
        bound: float = 0.0,
        exact: bool = False,
        model: str = "deep",
        weight: float = 1.5,
        max_expansions: Optional[int] = None,
        guarantee: Optional[str] = None,
        potentials: Union[None, Potentials, PathLike] = None,
        travel_times: Optional[PathLike] = None,
        potential: Optional[Numbers] = None,
    ) -> None: ...
    @property
    def graph(self) -> Graph: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def note(self) -> str: ...
    def nearest(self, lonlat: Numbers, *, limit: Optional[float] = None) -> Place: ...
    def nearest_nodes(self, lonlats: Numbers, *, limit: Optional[float] = None) -> NodeList: ...
    def path(
        self,
        source: Node,
        target: Node,
        *,
        bound: Optional[float] = None,
        preferences: Optional[Preferences] = None,
    ) -> Path: ...
    def costs(
        self,
        sources: Nodes,
        targets: Nodes,
        *,
        threads: int = 1,
        bound: Optional[float] = None,
        preferences: Optional[Preferences] = None,
    ) -> Floats: ...
    def paths(
        self,
        sources: Nodes,
        targets: Nodes,
        *,
        threads: int = 1,
        bound: Optional[float] = None,
        preferences: Optional[Preferences] = None,
    ) -> list[Path]: ...
    def alternatives(
        self,
        source: Node,
        target: Node,
        k: int = 3,
        *,
        preferences: Optional[Preferences] = None,
        stretch: float = 0.25,
        sharing: float = 0.7,
        local: float = 0.1,
    ) -> list[Path]: ...
    @overload
    def matrix(
        self,
        sources: Nodes,
        targets: Nodes,
        *,
        threads: int = 1,
        out: Optional[npt.NDArray[Any]] = None,
        frame: Literal[False] = False,
        dtype: None = None,
        lengths: Literal[False] = False,
    ) -> Floats: ...
    @overload
    def matrix(
        self,
        sources: Nodes,
        targets: Nodes,
        *,
        threads: int = 1,
        out: Optional[npt.NDArray[Any]] = None,
        frame: Literal[False] = False,
        dtype: npt.DTypeLike,
        lengths: Literal[False] = False,
    ) -> Union[Floats, npt.NDArray[np.float32], npt.NDArray[np.uint32]]: ...
    @overload
    def matrix(
        self,
        sources: Nodes,
        targets: Nodes,
        *,
        threads: int = 1,
        out: Optional[npt.NDArray[Any]] = None,
        frame: Literal[True],
        dtype: npt.DTypeLike = None,
        lengths: Literal[False] = False,
    ) -> pandas.DataFrame: ...
    @overload
    def matrix(
        self,
        sources: Nodes,
        targets: Nodes,
        *,
        threads: int = 1,
        out: Optional[npt.NDArray[Any]] = None,
        frame: Literal[False] = False,
        dtype: None = None,
        lengths: Literal[True],
    ) -> tuple[Floats, Floats]: ...
    def trace(
        self, source: Node, target: Node, *, preferences: Optional[Preferences] = None
    ) -> Rows: ...
    @overload
    def distances(
        self,
        node: Union[Node, Nodes],
        *,
        predecessors: Literal[False] = False,
        nearest: Literal[False] = False,
        frame: Literal[False] = False,
        reverse: bool = False,
        limit: Optional[float] = None,
    ) -> Floats: ...
    @overload
    def distances(
        self,
        node: Union[Node, Nodes],
        *,
        predecessors: Literal[True],
        nearest: Literal[False] = False,
        frame: Literal[False] = False,
        reverse: bool = False,
        limit: Optional[float] = None,
    ) -> tuple[Floats, Positions]: ...
    @overload
    def distances(
        self,
        node: Union[Node, Nodes],
        *,
        predecessors: Literal[False] = False,
        nearest: Literal[True],
        frame: Literal[False] = False,
        reverse: bool = False,
        limit: Optional[float] = None,
    ) -> tuple[Floats, Positions]: ...
    @overload
    def distances(
        self,
        node: Union[Node, Nodes],
        *,
        predecessors: Literal[True],
        nearest: Literal[True],
        frame: Literal[False] = False,
        reverse: bool = False,
        limit: Optional[float] = None,
    ) -> tuple[Floats, Positions, Positions]: ...
    @overload
    def distances(
        self,
        node: Union[Node, Nodes],
        *,
        predecessors: bool = False,
        nearest: bool = False,
        frame: Literal[True],
        reverse: bool = False,
        limit: Optional[float] = None,
    ) -> pandas.DataFrame: ...
    @overload
    def isochrone(
        self,
        node: Union[Node, Nodes],
        limit: float,
        *,
        reverse: bool = False,
        arcs: Literal[False] = False,
    ) -> tuple[ReachedNodes, Floats]: ...
    @overload
    def isochrone(
        self, node: Union[Node, Nodes], limit: float, *, reverse: bool = False, arcs: Literal[True]
    ) -> tuple[ReachedNodes, Floats, Rows]: ...
    def isochrone_geojson(
        self,
        start: Union[Node, Nodes, Place],
        limits: Any,
        *,
        reverse: bool = False,
        show: Sequence[str] = ["polygons"],
        concavity: float = 0.2,
    ) -> Isochrones: ...
    def reach(
        self,
        values: Numbers,
        limit: float,
        *,
        sources: Optional[Nodes] = None,
        aggregate: str = "sum",
        reverse: bool = False,
        threads: int = 1,
    ) -> Floats: ...
    def update(self, arcs: Numbers, weights: Numbers) -> None: ...
    def _tree(
        self, node: Nodes, limit: float, reverse: bool
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.int64]]: ...
    def _searched(
        self, source: Node, target: Node
    ) -> tuple[Path, list[int], list[int]]: ...
    def nearest_facilities(
        self, sources: Nodes, facilities: Nodes, k: int = 1, *, threads: int = 1
    ) -> tuple[Positions, Floats]: ...

class Model:
    def __init__(self, name: PathLike = "deep") -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def preset(self) -> str: ...
    @property
    def parameters(self) -> int: ...
    def potentials(
        self, graph: Graph, source: Node, target: Node, *, exact: bool = False
    ) -> Floats: ...

def read(
    path: PathLike,
    *,
    weight: str = "",
    undirected: bool = False,
    coordinates: str = "",
    unit_diagonals: bool = False,
    exact_diagonals: bool = False,
    corner_cutting: bool = False,
    profile: Optional[PathLike] = None,
    turns: bool = False,
    all: bool = False,
    threads: int = 0,
    map: bool = False,
    metrics: Sequence[str] = [],
) -> Graph: ...
def from_edges(
    tails: Numbers,
    heads: Numbers,
    weights: Numbers,
    *,
    xy: Optional[Numbers] = None,
    coordinates: str = "plane",
    directed: bool = True,
    nodes: Optional[int] = None,
    metrics: Optional[Mapping[str, Numbers]] = None,
    classes: Optional[Sequence[Classes]] = None,
    weight_name: str = "weight",
) -> Graph: ...
def fit(
    graph: Graph,
    *,
    seconds: float = 30,
    rounds: int = 0,
    queries: Optional[tuple[Nodes, Nodes]] = None,
    per_node: int = 16,
    seed: int = 1,
    threads: int = 1,
    progress: Union[None, bool, Callable[..., object]] = None,
    metrics: Sequence[str] = [],
    knots: Optional[int] = None,
    bits: int = 32,
) -> Potentials: ...
def index(
    graph: Graph,
    *,
    seconds: Optional[float] = None,
    rounds: int = 0,
    queries: Optional[tuple[Nodes, Nodes]] = None,
    labels: bool = False,
    paths: bool = True,
    search: bool = False,
    core: Optional[int] = None,
    per_node: int = 16,
    seed: int = 1,
    threads: int = 1,
    progress: Union[None, bool, Callable[[int, float, float], object]] = None,
) -> Index: ...
def landmarks(
    graph: Graph, *, per_node: int = 16, method: str = "avoid", seed: int = 1
) -> Potentials: ...
def generate(
    family: str,
    nodes: int,
    *,
    seed: int = 0,
    density: str = "dense",
    draw: str = "or",
    obstacles: float = 0.2,
    degree: float = 8.0,
) -> Graph: ...
def models() -> list[str]: ...
def algorithms() -> dict[str, str]: ...
def _make_path(found: tuple[Any, ...], parts: tuple[Any, ...]) -> Path: ...
def _make_router(*arguments: Any) -> Router: ...
def _nearest(graph: Graph, lonlat: Numbers, limit: Optional[float]) -> Place: ...
def _label_astar(
    rows: object, source: Node, target: Node, heuristic: Optional[Callable[[Any, Any], float]],
    weight: object, multigraph: bool, cutoff: float, most: int,
) -> Union[None, Literal[False], tuple[list[Node], Number]]: ...
