"""Actions other than changes of settings, such as removing or renaming a run: each can be undone in its turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shoal.web.history import History

Act = Callable[[], None]


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
    """Actions that can be undone or redone."""

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
