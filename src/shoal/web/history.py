"""The settings so far: every change can be undone and redone."""

from __future__ import annotations

import copy
from typing import Any

JobWords = dict[str, Any]

_MOST = 200
"""Number of changes that are remembered."""


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
