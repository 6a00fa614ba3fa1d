"""How a file is read: the options that every command with a table has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import words

_PANEL = "Reading"

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="The table: .csv, .tsv, .txt, .parquet, .arrow, .feather or .xlsx.", show_default=False
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
            "missing_values": words.names("--missing-values", self.missing_values),
        }
