"""The runs of a session in their order, the one that pages show, and the clipboard."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.web.run import Run
from shoal.web.undoable_actions import Act

MOST_AT_ONCE = 2
_LONGEST_NAME = 80


@dataclass(frozen=True)
class Candidate:
    """A node of the lattice of a run that somebody wants to come back to.

    Its levels, what it loses by which metric, its risk, the rows it leaves out.
    """

    run: str
    levels: tuple[int, ...]
    metric: str
    loss: float
    risk: float
    n_suppressed: int


class RunList(dict[str, Run]):
    """Runs by their ids. Removing, naming and pinning can be undone.

    Args:
        folder: where the folders of runs are made.
        do: does something that can be undone.
        changed: tells every page.
    """

    def __init__(self, folder: Path, do: Callable[[Act, Act], None], changed: Act) -> None:
        super().__init__()
        self._folder, self._do, self._changed = folder, do, changed
        self.shown: str | None = None
        """The run that pages show."""
        self.pinned: dict[str, Candidate] = {}
        """The clipboard: candidates for a release, by run and levels."""

    @property
    def is_busy(self) -> bool:
        """Whether a run is under way."""
        return any(run.state == "running" for run in self.values())

    def check_room(self) -> None:
        """Refuse one more run while enough are under way.

        Raises:
            InputError: two are.
        """
        if sum(run.state == "running" for run in self.values()) >= MOST_AT_ONCE:
            raise InputError(f"{MOST_AT_ONCE} runs are already running; wait for one of them, or cancel it.")

    def new(self, name: str, job: Job, words: dict[str, Any], table_key: str) -> Run:
        """A run that has not begun and is not in the list yet."""
        run = Run(_short(name) or f"Run {len(self) + 1}", job, copy.deepcopy(words), self._folder)
        run.table_key = table_key
        return run

    def add(self, run: Run) -> None:
        """Have a run in the list."""
        self[run.id] = run

    def chosen(self) -> Run | None:
        """The run that pages show: the one that was chosen, if it is done."""
        chosen = self.get(self.shown or "")
        return chosen if chosen and chosen.state == "done" else None

    def remove(self, run: str) -> None:
        """Take a run from the list; undo brings it back, and its files stay until the session ends."""
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
        """Call a run something else; an empty name leaves it as it is."""
        before, after = run.name, _short(name)
        if after and after != before:
            self._do(partial(setattr, run, "name", after), partial(setattr, run, "name", before))

    def pin(self, key: str, kept: Candidate | None) -> None:
        """Put a candidate on the clipboard, or take it off."""
        before = self.pinned.get(key)
        self._do(partial(self._pin, key, kept), partial(self._pin, key, before))

    def _pin(self, key: str, kept: Candidate | None) -> None:
        self.pinned.pop(key, None)
        if kept is not None:
            self.pinned[key] = kept

    def forget(self, run: str) -> None:
        """Wipe a run and all it made, for good."""
        self.pop(run).wipe()
        self._show(None)

    def cancel(self) -> None:
        """End those that are under way."""
        for run in self.values():
            if run.state == "running":
                run.cancel()

    def _show(self, run: str | None) -> None:
        """Have pages show a run that is there."""
        wanted = run or self.shown
        self.shown = wanted if wanted in self else next(reversed(self), None)
        self._changed()


def _short(name: str) -> str:
    return name.strip()[:_LONGEST_NAME]
