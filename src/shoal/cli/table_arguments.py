"""The tables that commands take as arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shoal.io.location import location_of

_KINDS = (
    ".csv, .tsv, .txt, .parquet, .arrow, .feather, .xlsx, .sav, .zsav, .dta, .sas7bdat or .xpt; or "
    "postgresql://host/database#table, sqlite:///file.db#table, duckdb:///file.db#table."
)


File = Annotated[Any, typer.Argument(metavar="FILE", help=f"The table: {_KINDS}", show_default=False), location_of]
Original = Annotated[
    Any,
    typer.Argument(metavar="ORIGINAL", help="The table the release was made from.", show_default=False),
    location_of,
]
Release = Annotated[Any, typer.Argument(metavar="RELEASE", help="What was published.", show_default=False), location_of]
