"""Where a table comes from: a path or a frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal.io.frames import to_polars
from shoal.io.fresh import fresh
from shoal.io.read import read_frame


@dataclass(frozen=True, eq=False)
class Loaded:
    """A frame, its path if it has one, remarks, and how to give a frame back as the kind that came in."""

    frame: pl.DataFrame
    path: Path | None
    notes: tuple[str, ...]
    restore: Callable[[pl.DataFrame], Any]


def load(data: str | Path | Any, **reading: Any) -> Loaded:
    """Read a path, or take a pandas, polars or pyarrow table; from a path the frame comes back as polars."""
    if isinstance(data, str | Path):
        source = read_frame(data, **reading)
        return Loaded(source.frame, source.path, source.notes, fresh)
    frame, restore = to_polars(data)
    return Loaded(frame, None, (), restore)
