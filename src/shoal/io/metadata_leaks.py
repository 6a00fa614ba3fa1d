"""Unintended content of a file or frame besides its records.

Checked, as far as the file type has them: columns that number the rows, unrounded digits, sets that list their values
in different orders, categories that no record has, dictionaries, metadata, row-group statistics, document properties,
comments, hidden sheets, strings that no cell uses, a frame's own index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal.audit.knowledge import Carried, Leak
from shoal.io.metadata_leaks_arrow import look_at_arrow, look_at_parquet
from shoal.io.metadata_leaks_excel import look_at_excel
from shoal.io.metadata_leaks_frame import look_at_columns, look_at_object
from shoal.io.read import ARROW, EXCEL, PARQUET

Looker = Callable[[Path, pl.DataFrame], tuple[list[Leak], int]]

_BY_ENDING: dict[tuple[str, ...], Looker] = {PARQUET: look_at_parquet, ARROW: look_at_arrow, EXCEL: look_at_excel}


def look_at(path: Path | None, frame: pl.DataFrame, quasi: Sequence[str], given: Any) -> Carried:
    """Check the records, and the file or object they came in. O(cells)."""
    leaks, looked_at = look_at_columns(frame, quasi)
    if path is not None:
        for endings, look in _BY_ENDING.items():
            if path.suffix.lower() in endings:
                more, places = look(path, frame)
                leaks, looked_at = leaks + more, looked_at + places
    else:
        more, places = look_at_object(given)
        leaks, looked_at = leaks + more, looked_at + places
    return Carried(tuple(leaks), looked_at)
