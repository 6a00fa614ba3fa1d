"""Look at a table before anything is decided about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.engine.source import load
from shoal.io.inspect import Inspection, inspect_frame


def inspect(data: str | Path | Any, **reading: Any) -> Inspection:
    """What the columns of a path or frame hold, a suggested role for each, and what singles people out.

    Raises:
        InputError: the table cannot be read.
    """
    return inspect_frame(load(data, **reading).frame)
