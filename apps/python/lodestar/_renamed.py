"""Names of version 0.1, so that an error can say what they are called now."""

from __future__ import annotations

from typing import Any

from . import _core

_INDEX = "indexes are built by lodestar.index({}=…)"
_KEYWORDS = {
    "fit": {
        "core": _INDEX.format("core"),
        "labels": _INDEX.format("labels"),
        "paths": _INDEX.format("paths"),
        "potentials": "it is called per_node",
        "search": _INDEX.format("search"),
        "whole": "lodestar.fit always returns potentials, lodestar.index builds an index",
    },
    "index": {
        "potentials": "it is called per_node",
        "whole": "potentials are made by lodestar.fit",
    },
    "landmarks": {"potentials": "it is called per_node"},
}
_ATTRIBUTES: dict[type, dict[str, str]] = {
    _core.Index: {"potentials": "per_node"},
    _core.Path: {"length": "distance", "proven": "optimal"},
    _core.Potentials: {"potentials": "count"},
}
_MODULE = {"Table": "Potentials"}


def reject_keywords(function: str, unknown: dict[str, Any]) -> None:
    """For keyword arguments that the function does not have."""
    for name in unknown:
        text = f"{function}() got an unexpected keyword argument '{name}'"
        advice = _KEYWORDS[function].get(name)
        raise TypeError(f"{text}; {advice}" if advice else text)


def module_attribute(name: str) -> Any:
    """For names that the package does not have."""
    text = f"module 'lodestar' has no attribute '{name}'"
    raise AttributeError(f"{text}; it is called lodestar.{_MODULE[name]}" if name in _MODULE else text)


def _attribute(made: Any, name: str) -> Any:
    text = f"'{type(made).__name__}' object has no attribute '{name}'"
    now = next((new[name] for owner, new in _ATTRIBUTES.items()
                if isinstance(made, owner) and name in new), None)
    raise AttributeError(f"{text}; it is called {now}" if now else text)


for _owner in _ATTRIBUTES:
    setattr(_owner, "__getattr__", _attribute)
