"""Preferences as the JSON that all parts of Lodestar read (lodestar/preferences_text.h)."""

from __future__ import annotations

import datetime
import json
import math
from typing import Any

import numpy as np

from ._core import Error


def to_json(blend: Any, avoid: Any, vehicle: Any, depart: Any) -> str:
    """The arguments of Preferences as text."""
    out: dict[str, Any] = {}
    if blend is not None:
        out["blend"] = _mapping(blend, "blend")
    if isinstance(avoid, (str, dict)) or hasattr(avoid, "__geo_interface__"):
        raise Error("avoid must be a list, also of one thing to avoid")
    things = [_avoided(thing) for thing in avoid]
    if things:
        out["avoid"] = things
    if vehicle is not None:
        out["vehicle"] = _mapping(vehicle, "vehicle")
    if depart is not None:
        out["depart"] = _time(depart)
    try:
        return json.dumps(out, default=_plain, allow_nan=False)
    except ValueError:
        raise Error("preferences have a number that is not finite") from None
    except TypeError as error:
        raise Error(f"preferences: {error}") from None


def _mapping(given: Any, name: str) -> dict[str, Any]:
    try:
        return {str(key): value for key, value in dict(given).items()}
    except (TypeError, ValueError):
        raise Error(f"{name} must be a dict, not {given!r}") from None


def _plain(thing: Any) -> Any:
    """NumPy's numbers and arrays, and geometries within a Feature."""
    if hasattr(thing, "__geo_interface__"):
        return thing.__geo_interface__
    if isinstance(thing, (np.ndarray, np.generic)):
        return thing.tolist()
    raise TypeError(f"cannot use {thing!r}")


def _avoided(thing: Any) -> Any:
    if hasattr(thing, "__geo_interface__"):
        thing = thing.__geo_interface__
    if isinstance(thing, str):
        return thing
    if isinstance(thing, dict):  # an infinite factor closes, as no factor does
        return {key: value for key, value in thing.items()
                if not (key == "factor" and isinstance(value, float) and math.isinf(value))}
    if isinstance(thing, tuple) and len(thing) == 2 and np.ndim(thing[1]) == 0:
        return _with_factor(*thing)
    try:
        numbers = np.asarray(thing, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape == (3,):
        return {"circle": numbers.tolist()}
    if numbers.ndim == 2 and numbers.shape[1] == 2:
        return {"type": "Polygon", "coordinates": [numbers.tolist()]}
    raise Error(f"cannot avoid {thing!r}; give a class, 'way/ID', (x, y, radius), corners or GeoJSON")


def _with_factor(thing: Any, factor: Any) -> Any:
    try:
        number = float(factor)
    except (TypeError, ValueError):
        raise Error(f"the factor of {thing!r} must be a number, not {factor!r}") from None
    made = _avoided(thing)
    if math.isinf(number) and number > 0:
        return made
    if isinstance(made, str):
        return f"{made}={number!r}"
    if made.get("type") == "Feature":
        return {**made, "properties": {**(made.get("properties") or {}), "factor": number}}
    return {**made, "factor": number}


def _time(depart: Any) -> Any:
    if isinstance(depart, datetime.datetime):
        depart = depart.time()
    if isinstance(depart, datetime.time):
        return (depart.hour * 3600 + depart.minute * 60 + depart.second
                + depart.microsecond / 1e6)
    return depart
