"""Tables that are not open: those that were replaced, and those that undo closed and redo can reopen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.web.folders import wipe
from shoal.web.history import BACK, Way
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
        self._steps: dict[Way, list[tuple[Path, Kept]]] = {"undo": [], "redo": []}
        self._n_put = 0

    def can(self, way: Way) -> bool:
        """Whether the replacement of a table can be undone, or redone."""
        return bool(self._steps[way])

    def runs(self) -> list[Run]:
        """The runs that were put away with tables."""
        return [
            run for steps in self._steps.values() for _, kept in steps if kept.has_runs for run in kept.runs.values()
        ]

    def put(self, kept: Kept) -> None:
        """Put the files of the open table here before another is opened; what was undone can no longer be redone."""
        before, after = self._steps["undo"], self._steps["redo"]
        while after:
            wipe(after.pop()[0])
        before.append((self._put_away(), kept))
        while len(before) > _MOST:
            wipe(before.pop(0)[0])

    def step(self, way: Way, current: Kept) -> Kept:
        """Put the open table here, and return the one before it; or, to redo that, the one after it."""
        folder, kept = self._steps[way].pop()
        current.has_runs = kept.has_runs
        self._steps[BACK[way]].append((self._put_away(), current))
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
