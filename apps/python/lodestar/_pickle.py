"""Makes objects from their pickles. Files are named, not copied, so processes share them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Optional, Union

from . import _core

_SUFFIX = {_core.Graph: ".lsg", _core.Potentials: ".lsp", _core.Index: ".lsi"}


def bytes_of(made: Union[_core.Graph, _core.Potentials, _core.Index]) -> bytes:
    """The bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "made" + _SUFFIX[type(made)])
        made._save_detached(file)
        return file.read_bytes()


def graph(path: Optional[str], labels: Optional[list[Any]], content: Optional[bytes],
          fingerprint: int, keys: Optional[list[Any]] = None,
          closed: float = 0) -> _core.Graph:
    """From its file, or from the bytes of one."""
    if path is not None:
        made = _core.read(path, map=True)
        if made._fingerprint != fingerprint:
            raise _core.Error(f"{path}: this is not the graph that was pickled; the file has been "
                              "replaced since")
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "made.lsg")
            file.write_bytes(content or b"")
            made = _core.read(file)
            made._detach()
    if labels is not None:
        made._set_labels(labels, {label: i for i, label in enumerate(labels)})
    if keys is not None:
        made._set_keys(keys)
    if closed:
        made._set_closed(closed)
    return made


def potentials(path: Optional[str], content: Optional[bytes]) -> _core.Potentials:
    """From its file, or from the bytes of one."""
    if path is not None:
        return _core.Potentials.load(path)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "made.lsp")
        file.write_bytes(content or b"")
        made = _core.Potentials.load(file)
        made._detach()
        return made


def index(path: Optional[str], content: Optional[bytes], made_for: _core.Graph) -> _core.Index:
    """From its file, or from the bytes of one."""
    if path is not None:
        return _core.Index.open(path, made_for, map=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "made.lsi")
        file.write_bytes(content or b"")
        made = _core.Index.open(file, made_for)
        made._detach()
        return made


def path(found: tuple[Any, ...], parts: tuple[Any, ...]) -> _core.Path:
    """Without its graph, which would be large."""
    return _core._make_path(found, parts)


def place(made_for: _core.Graph, asked: tuple[float, float]) -> _core.Place:
    """Found again."""
    return _core._nearest(made_for, asked, float("inf"))


def preferences(text: str) -> _core.Preferences:
    """From their JSON."""
    return _core.Preferences.from_json(text)


def router(*arguments: Any) -> _core.Router:
    """From the arguments of its constructor."""
    return _core._make_router(*arguments)
