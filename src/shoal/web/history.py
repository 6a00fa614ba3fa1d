"""What can be undone and redone: changes of settings, and other actions such as removing or renaming a run."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

JobWords = dict[str, Any]

_MOST = 200
"""Number of changes that are remembered."""

Act = Callable[[], None]

Way = Literal["undo", "redo"]
BACK: dict[Way, Way] = {"undo": "redo", "redo": "undo"}
"""How to take a step back."""


class History:
    """The current settings of a job, the earlier ones, and those that were undone."""

    def __init__(self, words: JobWords) -> None:
        self._now = words
        self._steps: dict[Way, list[JobWords]] = {"undo": [], "redo": []}
        self._n_forgotten = 0
        self.version = 0
        """Increases with every change, so that pages know when they are out of date."""

    @property
    def words(self) -> JobWords:
        """The current settings. Modify a copy, and pass it to ``change``."""
        return self._now

    def can(self, way: Way) -> bool:
        """Whether there is a change to undo, or to redo."""
        return bool(self._steps[way])

    @property
    def depth(self) -> int:
        """Number of changes that were made and not undone."""
        return self._n_forgotten + len(self._steps["undo"])

    def change(self, words: JobWords) -> None:
        """Set these settings. Equal settings are not a change."""
        if words != self._now:
            past = self._steps["undo"]
            past.append(self._now)
            self._n_forgotten += max(0, len(past) - _MOST)
            del past[:-_MOST]
            self._steps["redo"].clear()
            self._put(copy.deepcopy(words))

    def settle(self, words: JobWords) -> None:
        """Set these settings as part of the last change, so that they cannot be undone separately."""
        if words != self._now:
            self._put(copy.deepcopy(words))

    def step(self, way: Way) -> None:
        """Undo the last change, or redo the one that was undone last."""
        self._steps[BACK[way]].append(self._now)
        self._put(self._steps[way].pop())

    def forget(self, words: JobWords) -> None:
        """Start over with these settings."""
        for steps in self._steps.values():
            steps.clear()
        self._put(words)

    def _put(self, words: JobWords) -> None:
        self._now = words
        self.version += 1


@dataclass(frozen=True)
class _Deed:
    """How to do and undo an action, and how many changes of settings could be undone at the time."""

    acts: dict[Way, Act]
    history: History
    depth: int

    def is_last(self, history: History) -> bool:
        """Whether no setting was changed since that must be undone first."""
        return self.history is history and self.depth == history.depth


class Deeds:
    """Actions other than changes of settings; each can be undone or redone in its turn."""

    def __init__(self) -> None:
        self._steps: dict[Way, list[_Deed]] = {"undo": [], "redo": []}

    def do(self, history: History, do: Act, undo: Act) -> None:
        """Perform an action that can be undone."""
        do()
        self.say_something_else()
        self._steps["undo"].append(_Deed({"undo": undo, "redo": do}, history, history.depth))

    def can(self, way: Way, history: History) -> bool:
        """Whether the next change to undo, or to redo, is such an action."""
        return bool(self._steps[way]) and self._steps[way][-1].is_last(history)

    def step(self, way: Way) -> None:
        """Undo or redo an action; one for which that is no longer possible is forgotten, and its error is raised."""
        deed = self._steps[way].pop()
        deed.acts[way]()
        self._steps[BACK[way]].append(deed)

    def say_something_else(self) -> None:
        """Forget undone actions after a new change: they cannot be redone."""
        self._steps["redo"].clear()
