"""The table that is open: its files, what was found in it, and what was said about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from shoal.core.domain import Kind
from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.web.column_words import fitting_hierarchies, has_roles, role, with_hierarchies, with_suggested_roles
from shoal.web.history import History
from shoal.web.job_words import checked_job

NO_TABLE = "There is no table yet; open one under Prepare."


@dataclass
class OpenTable:
    """A table with all that belongs to it; without a name while none is open, and words may be said even so."""

    history: History
    name: str | None = None
    key: str = ""
    """Another for every table that is opened, whatever its name."""
    size: dict[str, Any] = field(default_factory=dict)
    inspection: dict[str, Any] | None = None
    files: set[str] = field(default_factory=set)
    offered: set[str] = field(default_factory=set)
    """Columns for which a hierarchy was offered; each is offered one once."""
    column: str | None = None
    """The column that pages show."""

    @property
    def words(self) -> dict[str, Any]:
        """What is said about the job now."""
        return self.history.words

    @property
    def reading(self) -> dict[str, Any]:
        """How it is read, where that is not found out."""
        said: dict[str, Any] = self.words.get("reading", {})
        return said

    def job(self, words: dict[str, Any] | None = None) -> Job:
        """The job as it is said now.

        Raises:
            InputError: no table is open, or as for job files.
        """
        if self.name is None:
            raise InputError(NO_TABLE)
        return checked_job(self.words if words is None else words, self.name, self.files)

    def least_job(self) -> Job:
        """The job as it is said now, also where no quasi-identifier or privacy model is."""
        return self.job({"quasi_identifiers": [], "privacy": {}, **self.words})

    def role(self, column: str) -> str:
        """The role of a column."""
        return role(self.words, column)

    def kind(self, column: str) -> Kind | None:
        """The kind that was chosen for a column, if any was."""
        return cast("Kind | None", self.words.get("kinds", {}).get(column))

    def hierarchy(self, column: str) -> object:
        """The hierarchy of a column in the words of a job; None where it has none."""
        return self.words.get("hierarchies", {}).get(column)

    def found(self, inspection: dict[str, Any]) -> None:
        """Know what the columns are; suggested roles are taken where none were given, and hierarchies that suit."""
        self.inspection = inspection
        if not has_roles(self.words):
            n_rows = self.size.get("n_rows", 0)
            self.history.settle(with_suggested_roles(self.words, inspection["columns"], n_rows))
        fitting = fitting_hierarchies(self.words, inspection)
        new = {name: one for name, one in fitting.items() if name not in self.offered}
        self.offered |= {*new}
        self.history.settle(with_hierarchies(self.words, new) if new else self.words)
