"""Tables that are not open: those that were replaced, and those that undo closed and redo can reopen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.web.folders import wipe
from shoal.web.open_table import OpenTable
from shoal.web.run import Run
from shoal.web.run_list import RunList

_MOST = 3
"""Number of tables that can be restored; each may be large."""


@dataclass
class Kept:
    """A table with its settings, the import options for the next one, and the runs of that time."""

    table: OpenTable
    reading: dict[str, Any]
    runs: RunList
    has_runs: bool = False
    """Whether its runs were put away with it, as happens when a project replaces everything."""


class Shelf:
    """Keeps the files of each table that was replaced or closed by undo, in a folder per table."""

    def __init__(self, folder: Path, inputs: Path) -> None:
        self._folder, self._inputs = folder, inputs
        self._before: list[tuple[Path, Kept]] = []
        self._after: list[tuple[Path, Kept]] = []
        self._n_put = 0

    @property
    def can_undo(self) -> bool:
        """Whether a replaced table can be restored."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether the replacement of a table was undone."""
        return bool(self._after)

    def runs(self) -> list[Run]:
        """The runs that were put away with tables."""
        return [run for _, kept in (*self._before, *self._after) if kept.has_runs for run in kept.runs.values()]

    def put(self, kept: Kept) -> None:
        """Put the files of the open table here before another is opened; what was undone can no longer be redone."""
        while self._after:
            wipe(self._after.pop()[0])
        self._before.append((self._put_away(), kept))
        while len(self._before) > _MOST:
            wipe(self._before.pop(0)[0])

    def undo(self, current: Kept) -> Kept:
        """Put the open table here, and return the one before it."""
        return self._exchange(self._before, self._after, current)

    def redo(self, current: Kept) -> Kept:
        """Return the table that was open before undo."""
        return self._exchange(self._after, self._before, current)

    def _exchange(self, source: list[tuple[Path, Kept]], target: list[tuple[Path, Kept]], current: Kept) -> Kept:
        folder, kept = source.pop()
        current.has_runs = kept.has_runs
        target.append((self._put_away(), current))
        for path in [*folder.iterdir()]:
            path.replace(self._inputs / path.name)
        wipe(folder)
        return kept

    def _put_away(self) -> Path:
        """Move the files of the open table to a folder of their own."""
        self._n_put += 1
        folder = self._folder / str(self._n_put)
        folder.mkdir(parents=True, mode=0o700)
        for path in [*self._inputs.iterdir()]:
            path.replace(folder / path.name)
        return folder
