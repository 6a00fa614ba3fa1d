"""A table and what was published of it: where they are, and how printed labels are to be read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import words
from shoal.cli.columns import Kinds, Orders
from shoal.errors import InputError

_LABELS = "Labels"

Original = Annotated[
    Path, typer.Argument(metavar="ORIGINAL", help="The table the release was made from.", show_default=False)
]
Release = Annotated[Path, typer.Argument(metavar="RELEASE", help="What was published.", show_default=False)]


@dataclass(frozen=True)
class Labels:
    """How the labels of the release are to be read."""

    hierarchy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=SPEC",
            help="Where labels come from: zip=zip.csv, zip=mask; once per column. Also of sensitive columns.",
            rich_help_panel=_LABELS,
        ),
    ] = None
    kind: Kinds = None
    order: Orders = None
    label: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN:LABEL=MEANING",
            help="What a label stands for, as in 'age:young=[..17]'; once per label.",
            rich_help_panel=_LABELS,
        ),
    ] = None

    def words(self) -> dict[str, Any]:
        """The same in the words of the library."""
        return {
            "hierarchies": words.pairs("--hierarchy", self.hierarchy),
            "kinds": words.kinds(self.kind),
            "orders": words.orders(self.order),
            "labels": _labels(self.label or []),
        }


def _labels(said: list[str]) -> dict[str, dict[str, str]]:
    """``age:young=[..17]`` taken apart."""
    labels: dict[str, dict[str, str]] = {}
    for text in said:
        column, colon, rest = text.partition(":")
        label, sign, meaning = rest.partition("=")
        if not (colon and sign and column and label and meaning):
            raise InputError(f"--label is written like 'age:young=[..17]', got {text!r}.")
        labels.setdefault(column, {})[label] = meaning
    return labels
