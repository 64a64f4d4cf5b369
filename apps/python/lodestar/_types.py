"""Types of results."""

from __future__ import annotations

from typing import Hashable, Literal, Optional, TypedDict, Union

Node = Hashable  # a number, or the label of a node
Number = Union[int, float]  # whole where all weights are
Route = list[Node]
Paths = dict[Node, Route]
Lengths = dict[Node, Number]
# Without a target all nodes have a length and a path, with a target it alone.
FromSources = Union[tuple[Lengths, Paths], tuple[Number, Route]]


class Line(TypedDict):
    type: Literal["LineString"]
    coordinates: list[list[float]]


class PathProperties(TypedDict, total=False):
    cost: float
    lower_bound: float
    optimal: bool
    distance: float
    duration: Optional[float]
    streets: list[dict[str, Union[str, float]]]


class PathFeature(TypedDict):
    """A path as GeoJSON."""

    type: Literal["Feature"]
    geometry: Line
    properties: PathProperties


class Shape(TypedDict):
    """A polygon, lines or points."""

    type: str
    coordinates: Union[list[list[float]], list[list[list[float]]], list[list[list[list[float]]]]]


class IsochroneProperties(TypedDict, total=False):
    kind: str
    contour: float
    unit: str
    nodes: list[str]
    costs: list[float]


class IsochroneFeature(TypedDict):
    type: Literal["Feature"]
    geometry: Shape
    properties: IsochroneProperties


class Isochrones(TypedDict):
    """Isochrones as GeoJSON."""

    type: Literal["FeatureCollection"]
    features: list[IsochroneFeature]
