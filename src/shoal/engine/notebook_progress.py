"""A progress bar in notebooks, unless the caller passes ``progress``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from html import escape
from time import monotonic
from typing import Any, ParamSpec, TypeVar

PATIENCE = 1.0
"""Seconds before a bar appears."""

PACE = 0.2
"""Seconds between two updates."""

_Said = ParamSpec("_Said")
_Made = TypeVar("_Made")


def shows_progress(verb: Callable[_Said, _Made]) -> Callable[_Said, _Made]:
    """Let a function that takes ``progress`` show a bar in a notebook, and remove the bar when it is done."""

    @wraps(verb)
    def called(*given: _Said.args, **words: _Said.kwargs) -> _Made:
        if words.get("progress") is not None or not in_notebook():
            return verb(*given, **words)
        bar = NotebookBar()
        try:
            return verb(*given, **{**words, "progress": bar})  # type: ignore[arg-type]
        finally:
            bar.close()

    return called


def in_notebook() -> bool:
    """Whether this runs in the kernel of a notebook, not in a terminal with IPython."""
    known = sys.modules.get("IPython")
    shell: Any = known.get_ipython() if known is not None else None
    return shell is not None and hasattr(shell, "kernel")


class NotebookBar:
    """The current stage and its progress in the running cell; implements ``shoal.core.progress.Progress``.

    It appears after a second of work and leaves nothing behind.
    """

    def __init__(self, patience: float = PATIENCE, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._next = clock, clock() + patience
        self._what, self._done = "", 0.0
        self._total: float | None = None
        self._handle: Any = None

    def stage(self, what: str, total: float | None = None) -> None:
        """Begin a new stage."""
        self._what, self._total, self._done = what, total, 0.0
        self._show()

    def advance(self, amount: float = 1.0) -> None:
        """Report that part of the stage is done."""
        self._done += amount
        self._show()

    def close(self) -> None:
        """Remove the bar."""
        if self._handle is not None:
            self._handle.update(_Html(""))

    def _show(self) -> None:
        if (now := self._clock()) < self._next:
            return
        self._next = now + PACE
        if self._handle is not None:
            self._handle.update(_Html(self._drawn()))
            return
        from IPython import display

        self._handle = display.display(_Html(self._drawn()), display_id=True)  # type: ignore[no-untyped-call]

    def _drawn(self) -> str:
        far = f' value="{min(1.0, self._done / self._total):.3f}"' if self._total else ""
        return f"<div><progress{far}></progress> {escape(self._what)}</div>"


class _Html:
    """A text that a notebook shows as HTML."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_html_(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return ""
