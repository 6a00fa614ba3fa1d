"""Output of commands: for people, for programs, or none. Data goes to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.console import Console, RenderableType

from shoal.cli.faults import one_line

_PANEL = "Printing"
_WIDTH = 120

QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.", rich_help_panel=_PANEL)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.", rich_help_panel=_PANEL)]


@dataclass(frozen=True)
class Shown:
    """Whether to print anything besides data, and whether the output is for people or for programs."""

    quiet: QuietOption = False
    json: JsonOption = False

    @property
    def for_people(self) -> bool:
        """Whether to print tables and sentences on stdout."""
        return not (self.quiet or self.json)

    def notes(self, notes: Iterable[str]) -> None:
        """Print notes on stderr."""
        for note in notes if not self.quiet else ():
            sys.stderr.write(one_line(note) + "\n")


def show(*parts: RenderableType) -> None:
    """Print for people: texts unchanged, the rest as wide as the terminal (120 characters without one)."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    console = Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str))


def show_data(text: str) -> None:
    """Print for programs: UTF-8, whatever the encoding of the terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(errors="replace"))


def show_json(data: object) -> None:
    """Print JSON for programs; dates become texts."""
    show_data(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False, default=str) + "\n")
