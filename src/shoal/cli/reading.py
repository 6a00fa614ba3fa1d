"""The tables that commands take as arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shoal.io.places import place_of

_KINDS = (
    ".csv, .tsv, .txt, .parquet, .arrow, .feather or .xlsx; or postgresql://host/database#table, "
    "sqlite:///file.db#table, duckdb:///file.db#table."
)


def _table(metavar: str, what: str) -> Any:
    return typer.Argument(metavar=metavar, parser=place_of, help=what, show_default=False)


File = Annotated[Any, _table("FILE", f"The table: {_KINDS}")]
Original = Annotated[Any, _table("ORIGINAL", "The table the release was made from.")]
Release = Annotated[Any, _table("RELEASE", "What was published.")]
