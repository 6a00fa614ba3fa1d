"""What is done beside the words of the job, such as removing or naming a run: each can be undone in its turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shoal.web.history import History

Act = Callable[[], None]


@dataclass(frozen=True)
class _Deed:
    """How to do something and how to undo it, and how many changes of words there were to take back at the time."""

    do: Act
    undo: Act
    history: History
    depth: int

    def is_last(self, history: History) -> bool:
        """Whether nothing was said since that is to be taken back first."""
        return self.history is history and self.depth == history.depth


class Deeds:
    """What was done and can be undone, and what was undone and can be done again."""

    def __init__(self) -> None:
        self._done: list[_Deed] = []
        self._undone: list[_Deed] = []

    def do(self, history: History, do: Act, undo: Act) -> None:
        """Do something that can be undone."""
        do()
        self._undone.clear()
        self._done.append(_Deed(do, undo, history, history.depth))

    def can_undo(self, history: History) -> bool:
        """Whether the last change was one of these."""
        return bool(self._done) and self._done[-1].is_last(history)

    def can_redo(self, history: History) -> bool:
        """Whether the next change to be made again is one of these."""
        return bool(self._undone) and self._undone[-1].is_last(history)

    def undo(self) -> None:
        """Undo the last of them; one that cannot be undone any more is forgotten, and says why."""
        deed = self._done.pop()
        deed.undo()
        self._undone.append(deed)

    def redo(self) -> None:
        """Do the one again that was undone last."""
        deed = self._undone.pop()
        deed.do()
        self._done.append(deed)

    def say_something_else(self) -> None:
        """What was undone before a new change cannot be done again."""
        self._undone.clear()
