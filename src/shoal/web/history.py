"""What can be undone and redone: changes of settings, and other actions such as removing or renaming a run."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

JobWords = dict[str, Any]

_MOST = 200
"""Number of changes that are remembered."""

Act = Callable[[], None]


class History:
    """The current settings of a job, the earlier ones, and those that were undone."""

    def __init__(self, words: JobWords) -> None:
        self._now = words
        self._past: list[JobWords] = []
        self._n_forgotten = 0
        self._future: list[JobWords] = []
        self.version = 0
        """Increases with every change, so that pages know when they are out of date."""

    @property
    def words(self) -> JobWords:
        """The current settings. Modify a copy, and pass it to ``change``."""
        return self._now

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to redo."""
        return bool(self._future)

    @property
    def depth(self) -> int:
        """Number of changes that were made and not undone."""
        return self._n_forgotten + len(self._past)

    def change(self, words: JobWords) -> None:
        """Set these settings. Equal settings are not a change."""
        if words != self._now:
            self._past.append(self._now)
            self._n_forgotten += max(0, len(self._past) - _MOST)
            del self._past[:-_MOST]
            self._future.clear()
            self._put(copy.deepcopy(words))

    def settle(self, words: JobWords) -> None:
        """Set these settings as part of the last change, so that they cannot be undone separately."""
        if words != self._now:
            self._put(copy.deepcopy(words))

    def undo(self) -> None:
        """Undo the last change, if there is one."""
        if self._past:
            self._future.append(self._now)
            self._put(self._past.pop())

    def redo(self) -> None:
        """Redo the change that was undone last, if there is one."""
        if self._future:
            self._past.append(self._now)
            self._put(self._future.pop())

    def forget(self, words: JobWords) -> None:
        """Start over with these settings."""
        self._past.clear()
        self._future.clear()
        self._put(words)

    def _put(self, words: JobWords) -> None:
        self._now = words
        self.version += 1


@dataclass(frozen=True)
class _Deed:
    """How to do and undo an action, and how many changes of settings could be undone at the time."""

    do: Act
    undo: Act
    history: History
    depth: int

    def is_last(self, history: History) -> bool:
        """Whether no setting was changed since that must be undone first."""
        return self.history is history and self.depth == history.depth


class Deeds:
    """Actions other than changes of settings; each can be undone or redone in its turn."""

    def __init__(self) -> None:
        self._done: list[_Deed] = []
        self._undone: list[_Deed] = []

    def do(self, history: History, do: Act, undo: Act) -> None:
        """Perform an action that can be undone."""
        do()
        self._undone.clear()
        self._done.append(_Deed(do, undo, history, history.depth))

    def can_undo(self, history: History) -> bool:
        """Whether the last change was such an action."""
        return bool(self._done) and self._done[-1].is_last(history)

    def can_redo(self, history: History) -> bool:
        """Whether the next change to redo is such an action."""
        return bool(self._undone) and self._undone[-1].is_last(history)

    def undo(self) -> None:
        """Undo the last action; one that can no longer be undone is forgotten, and its error is raised."""
        deed = self._done.pop()
        deed.undo()
        self._undone.append(deed)

    def redo(self) -> None:
        """Redo the action that was undone last."""
        deed = self._undone.pop()
        deed.do()
        self._done.append(deed)

    def say_something_else(self) -> None:
        """Forget undone actions after a new change: they cannot be redone."""
        self._undone.clear()
