"""The tables of a session: the open one, those that were replaced, and those that undo closed and redo can reopen."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from shoal.core.domain import Kind
from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.web.column_words import fitting_hierarchies, has_roles, role, with_hierarchies, with_suggested_roles
from shoal.web.folders import wipe
from shoal.web.history import BACK, History, Way
from shoal.web.job_words import checked_job
from shoal.web.run import Run
from shoal.web.run_list import RunList

_MOST = 3
"""Number of tables that can be restored; each may be large."""

NO_TABLE = "There is no table yet; open one under Prepare."


@dataclass
class OpenTable:
    """A table with its settings; ``name`` is None while no table is open, but settings can still be made."""

    history: History
    name: str | None = None
    key: str = ""
    """A new key for every opened table, whatever its name."""
    size: dict[str, Any] = field(default_factory=dict)
    inspection: dict[str, Any] | None = None
    files: set[str] = field(default_factory=set)
    offered: set[str] = field(default_factory=set)
    """Columns for which a hierarchy was suggested; that happens only once per column."""
    column: str | None = None
    """The column shown on pages."""

    @property
    def words(self) -> dict[str, Any]:
        """The current settings of the job."""
        return self.history.words

    @property
    def reading(self) -> dict[str, Any]:
        """The import options that are not left to detection."""
        said: dict[str, Any] = self.words.get("reading", {})
        return said

    def job(self, words: dict[str, Any] | None = None) -> Job:
        """The job with the current settings.

        Raises:
            InputError: no table is open, or the settings are invalid.
        """
        if self.name is None:
            raise InputError(NO_TABLE)
        return checked_job(self.words if words is None else words, self.name, self.files)

    def least_job(self) -> Job:
        """The job with the current settings, even without quasi-identifiers or privacy models."""
        return self.job({"quasi_identifiers": [], "privacy": {}, **self.words})

    def role(self, column: str) -> str:
        """The role of a column."""
        return role(self.words, column)

    def kind(self, column: str) -> Kind | None:
        """The kind chosen for a column, if any."""
        return cast("Kind | None", self.words.get("kinds", {}).get(column))

    def hierarchy(self, column: str) -> object:
        """The hierarchy of a column as a setting of a job; None if it has none."""
        return self.words.get("hierarchies", {}).get(column)

    def found(self, inspection: dict[str, Any]) -> None:
        """Store the inspection; apply suggested roles if the user set none, and suggested hierarchies."""
        self.inspection = inspection
        if not has_roles(self.words):
            n_rows = self.size.get("n_rows", 0)
            self.history.settle(with_suggested_roles(self.words, inspection["columns"], n_rows))
        fitting = fitting_hierarchies(self.words, inspection)
        new = {name: one for name, one in fitting.items() if name not in self.offered}
        self.offered |= {*new}
        self.history.settle(with_hierarchies(self.words, new) if new else self.words)


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
