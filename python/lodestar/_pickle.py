"""What pickled objects are made of again. Files are named, not copied, so processes share them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Optional

from . import _core
from ._convert import from_csr


def graph(path: Optional[str], labels: Optional[list[Any]], arrays: Any) -> _core.Graph:
    """From its file, or from offsets, heads, weights, coordinates and their kind."""
    if path is not None:
        made = _core.read(path)
    else:
        made = from_csr(arrays[:3], xy=arrays[3], coordinates=arrays[4] or "plane")
    if labels is not None:
        made._set_labels(labels, {label: i for i, label in enumerate(labels)})
    return made


def table(path: Optional[str], content: Optional[bytes]) -> _core.Table:
    """From its file, or from the bytes of one."""
    if path is not None:
        return _core.Table.load(path)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.lsp")
        file.write_bytes(content or b"")
        return _core.Table._load_detached(file)


def table_bytes(made: _core.Table) -> bytes:
    """What a file of it would hold."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.lsp")
        made._save_detached(file)
        return file.read_bytes()


def router(*arguments: Any) -> _core.Router:
    """From what it was made of."""
    return _core._make_router(*arguments)
