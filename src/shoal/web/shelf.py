"""The table before this one, so that replacing a table can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from shoal.web.folders import wipe
from shoal.web.history import History


@dataclass
class Kept:
    """A table with all that was said about it."""

    table: str
    table_key: str
    inspection: dict[str, Any] | None
    files: set[str]
    history: History
    reading: dict[str, Any]
    offered: set[str]


class Shelf:
    """Room for one table that is not open, in a folder of its own: the one before, or the one that was undone."""

    def __init__(self, folder: Path, inputs: Path) -> None:
        self._folder, self._inputs = folder, inputs
        self.kept: Kept | None = None
        self.holds: Literal["", "before", "after"] = ""

    def put(self, kept: Kept, holds: Literal["before", "after"]) -> None:
        """Put the files of the open table here, in place of what was here before."""
        wipe(self._folder)
        self._folder.mkdir(mode=0o700)
        for path in [*self._inputs.iterdir()]:
            path.replace(self._folder / path.name)
        self.kept, self.holds = kept, holds

    def swap(self, current: Kept) -> Kept:
        """Take what is here out, and put the open table here.

        Raises:
            LookupError: nothing is here.
        """
        if self.kept is None:
            raise LookupError("nothing was kept")
        taken, holds = self.kept, self.holds
        aside = self._folder.with_name(f"{self._folder.name}-aside")
        wipe(aside)
        self._folder.replace(aside)
        self.put(current, "after" if holds == "before" else "before")
        for path in [*aside.iterdir()]:
            path.replace(self._inputs / path.name)
        wipe(aside)
        return taken
