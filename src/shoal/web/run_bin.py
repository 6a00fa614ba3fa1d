"""Runs that were removed from the list: undo brings each back in its turn among the other changes."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.web.history import History
from shoal.web.runs import Run


@dataclass(frozen=True)
class _Removed:
    """A run, where it stood in the list, and how many changes there were to take back when it was removed."""

    run: Run
    place: int
    history: History
    depth: int

    def is_last(self, history: History) -> bool:
        """Whether nothing was said since that is to be taken back first."""
        return self.history is history and self.depth == history.depth


class RunBin:
    """Removals that can be undone, and undone ones that can be made again. Runs keep their files."""

    def __init__(self) -> None:
        self._removed: list[_Removed] = []
        self._restored: list[_Removed] = []

    def put(self, runs: dict[str, Run], run: Run, history: History) -> None:
        """Take a run out of the list."""
        self._restored.clear()
        self._take_out(runs, _Removed(run, list(runs).index(run.id), history, history.depth))

    def can_undo(self, history: History) -> bool:
        """Whether the last change was a removal."""
        return bool(self._removed) and self._removed[-1].is_last(history)

    def can_redo(self, history: History) -> bool:
        """Whether the next change to be made again is a removal."""
        return bool(self._restored) and self._restored[-1].is_last(history)

    def undo(self, runs: dict[str, Run]) -> str:
        """Put the run that was removed last back where it stood; its id."""
        back = self._removed.pop()
        self._restored.append(back)
        listed = [*runs.items()]
        listed.insert(back.place, (back.run.id, back.run))
        runs.clear()
        runs.update(listed)
        return back.run.id

    def redo(self, runs: dict[str, Run]) -> None:
        """Remove a run again."""
        self._take_out(runs, self._restored.pop())

    def say_something_else(self) -> None:
        """What was undone before a new change cannot be made again."""
        self._restored.clear()

    def wipe(self) -> None:
        """Wipe every removed run for good."""
        for one in self._removed:
            one.run.wipe()
        self._removed.clear()
        self._restored.clear()

    def _take_out(self, runs: dict[str, Run], one: _Removed) -> None:
        runs.pop(one.run.id, None)
        self._removed.append(one)
