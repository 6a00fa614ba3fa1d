"""The open table: its files, the results of its inspection, and its settings."""

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
