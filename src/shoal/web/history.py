"""What was said so far: every change can be taken back, and made again."""

from __future__ import annotations

import copy
from typing import Any

JobWords = dict[str, Any]

_MOST = 200
"""How many changes are remembered."""


class History:
    """The words of a job as they are now, as they were, and as they were before a change was taken back."""

    def __init__(self, words: JobWords) -> None:
        self._now = words
        self._past: list[JobWords] = []
        self._n_forgotten = 0
        self._future: list[JobWords] = []
        self.version = 0
        """Grows with every change, so that pages know when they show what is no longer so."""

    @property
    def words(self) -> JobWords:
        """What is said now. Change a copy, and give that to ``change``."""
        return self._now

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether a change was taken back that can be made again."""
        return bool(self._future)

    @property
    def depth(self) -> int:
        """How many changes were made and not taken back."""
        return self._n_forgotten + len(self._past)

    def change(self, words: JobWords) -> None:
        """Say this from now on. What is said already is no change."""
        if words != self._now:
            self._past.append(self._now)
            self._n_forgotten += max(0, len(self._past) - _MOST)
            del self._past[:-_MOST]
            self._future.clear()
            self._put(copy.deepcopy(words))

    def settle(self, words: JobWords) -> None:
        """Say this from now on as if it had been said with the last change: nothing to take back by itself."""
        if words != self._now:
            self._put(copy.deepcopy(words))

    def undo(self) -> None:
        """Take the last change back, if there is one."""
        if self._past:
            self._future.append(self._now)
            self._put(self._past.pop())

    def redo(self) -> None:
        """Make the change again that was taken back last, if there is one."""
        if self._future:
            self._past.append(self._now)
            self._put(self._future.pop())

    def forget(self, words: JobWords) -> None:
        """Begin anew."""
        self._past.clear()
        self._future.clear()
        self._put(words)

    def _put(self, words: JobWords) -> None:
        self._now = words
        self.version += 1
