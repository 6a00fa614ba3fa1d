"""The runs of a session in order, the one shown on pages, and the clipboard."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.web.history import Act
from shoal.web.run import Run

MOST_AT_ONCE = 2
_LONGEST_NAME = 80


@dataclass(frozen=True)
class Candidate:
    """A node of the lattice of a run, kept on the clipboard.

    Its levels, its loss by which metric, its risk, and its suppressed rows.
    """

    run: str
    levels: tuple[int, ...]
    metric: str
    loss: float
    risk: float
    n_suppressed: int


class RunList(dict[str, Run]):
    """Runs by their ids. Removing, renaming and pinning can be undone.

    Args:
        folder: the parent of the runs' folders.
        do: performs an action that can be undone.
        changed: notifies every page.
    """

    def __init__(self, folder: Path, do: Callable[[Act, Act], None], changed: Act) -> None:
        super().__init__()
        self._folder, self._do, self._changed = folder, do, changed
        self.shown: str | None = None
        """The run shown on pages."""
        self.pinned: dict[str, Candidate] = {}
        """The clipboard: candidates for a release, by run and levels."""

    @property
    def is_busy(self) -> bool:
        """Whether a run is in progress."""
        return any(run.state == "running" for run in self.values())

    def check_room(self) -> None:
        """Refuse another run while the maximum number is in progress."""
        if sum(run.state == "running" for run in self.values()) >= MOST_AT_ONCE:
            raise InputError(f"{MOST_AT_ONCE} runs are already running; wait for one of them, or cancel it.")

    def new(self, name: str, job: Job, words: dict[str, Any], table_key: str) -> Run:
        """Create a run that is neither started nor in the list yet."""
        run = Run(_short(name) or f"Run {len(self) + 1}", job, copy.deepcopy(words), self._folder)
        run.table_key = table_key
        return run

    def chosen(self) -> Run | None:
        """The run shown on pages: the selected one, if it is done."""
        chosen = self.get(self.shown or "")
        return chosen if chosen and chosen.state == "done" else None

    def remove(self, run: str) -> None:
        """Remove a run from the list; undo restores it, and its files stay until the session ends."""
        gone, place = self[run], [*self].index(run)

        def take_out() -> None:
            self.pop(run, None)
            self._show(None)

        def put_back() -> None:
            listed = [*self.items()]
            listed.insert(place, (run, gone))
            self.clear()
            self.update(listed)
            self._show(run)

        self._do(take_out, put_back)

    def rename(self, run: Run, name: str) -> None:
        """Rename a run; an empty name changes nothing."""
        before, after = run.name, _short(name)
        if after and after != before:
            self._do(partial(setattr, run, "name", after), partial(setattr, run, "name", before))

    def pin(self, key: str, kept: Candidate | None) -> None:
        """Put a candidate on the clipboard, or remove it."""
        before = self.pinned.get(key)
        self._do(partial(self._pin, key, kept), partial(self._pin, key, before))

    def _pin(self, key: str, kept: Candidate | None) -> None:
        self.pinned.pop(key, None)
        if kept is not None:
            self.pinned[key] = kept

    def forget(self, run: str) -> None:
        """Delete a run and its files for good."""
        self.pop(run).wipe()
        self._show(None)

    def cancel(self) -> None:
        """Cancel the runs in progress."""
        for run in self.values():
            if run.state == "running":
                run.cancel()

    def _show(self, run: str | None) -> None:
        """Show a run on pages, or the last one if it is not in the list."""
        wanted = run or self.shown
        self.shown = wanted if wanted in self else next(reversed(self), None)
        self._changed()


def _short(name: str) -> str:
    return name.strip()[:_LONGEST_NAME]
