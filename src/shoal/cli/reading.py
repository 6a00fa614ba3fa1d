"""How a file is read: the options that every command with a table has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from shoal.cli import words
from shoal.io.places import place_of

_PANEL = "Reading"

File = Annotated[
    Any,
    typer.Argument(
        metavar="FILE",
        parser=place_of,
        help="The table: .csv, .tsv, .txt, .parquet, .arrow, .feather or .xlsx; or postgresql://host/database#table, "
        "sqlite:///file.db#table, duckdb:///file.db#table.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class Reading:
    """What cannot be found out by looking at the file, or was found out wrongly."""

    delimiter: Annotated[
        str | None, typer.Option(help="What separates fields; found if not given.", rich_help_panel=_PANEL)
    ] = None
    encoding: Annotated[
        str | None, typer.Option(help="Such as utf-8 or cp1252; found if not given.", rich_help_panel=_PANEL)
    ] = None
    quote: Annotated[
        str | None,
        typer.Option(help="What quotes fields, empty for nothing; found if not given.", rich_help_panel=_PANEL),
    ] = None
    sheet: Annotated[
        str | None, typer.Option(help="The sheet of a workbook, by name or number.", rich_help_panel=_PANEL)
    ] = None
    query: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="For a database: a query in place of a table.", rich_help_panel=_PANEL),
    ] = None
    missing_values: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXTS", help="Texts that stand for a missing value, as in NA,?.", rich_help_panel=_PANEL),
    ] = None

    def words(self) -> dict[str, Any]:
        """The same in the words of the library."""
        return {
            "delimiter": self.delimiter,
            "encoding": self.encoding,
            "quote": self.quote,
            "sheet": int(self.sheet) if self.sheet and self.sheet.isdecimal() else self.sheet,
            "query": self.query,
            "missing_values": words.names("--missing-values", self.missing_values),
        }
