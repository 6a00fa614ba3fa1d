"""Progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, Timer
from typing import TYPE_CHECKING, Any

from shoal.cli.faults import Interrupted
from shoal.kernels.compiled import when_compiling
from shoal.kernels.machine_code import note

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 1.0
"""Seconds before a bar appears."""

WRITING = "writing"
"""The stage in which files are written."""


class Reporter:
    """A progress bar on a terminal after one second of work; a line on stderr when kernels are compiled.

    Implements ``shoal.core.progress.Progress``.
    """

    def __init__(self, quiet: bool = False, patience: float = PATIENCE) -> None:
        self.current = ""
        self._quiet = quiet
        self._total: float | None = None
        self._done = 0.0
        self._bar: Bar | None = None
        self._task: Any = None
        self._closed = False
        self._lock = RLock()
        self._timer = Timer(patience, self._open)
        self._timer.daemon = True
        if not quiet and sys.stderr.isatty():
            self._timer.start()

    def stage(self, what: str, total: float | None = None) -> None:
        """Begin a new stage."""
        with self._lock:
            self.current, self._total, self._done = what, total, 0.0
            if self._bar is not None:
                self._bar.reset(self._task, description=what, total=total, completed=0)

    def advance(self, amount: float = 1.0) -> None:
        """Report that part of the stage is done."""
        with self._lock:
            self._done += amount
            if self._bar is not None:
                self._bar.update(self._task, completed=self._done)

    def tell_of_compiling(self) -> None:
        """Say, on a terminal or not, why this run takes longer than later ones."""
        if not self._quiet:
            sys.stderr.write(note() + "\n")

    def close(self) -> None:
        """Remove the bar."""
        self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()

    def _open(self) -> None:
        from rich import progress
        from rich.console import Console

        text, line = progress.TextColumn("{task.description}", markup=False), progress.BarColumn()
        times = progress.TimeElapsedColumn(), progress.TextColumn("left:"), progress.TimeRemainingColumn()
        parts = progress.SpinnerColumn(), text, line, *times
        bar = progress.Progress(*parts, console=Console(stderr=True), transient=True)
        with self._lock:
            if not self._closed:
                self._task = bar.add_task(self.current, total=self._total, completed=int(self._done))
                bar.start()
                self._bar = bar


@contextmanager
def reporting(quiet: bool) -> Iterator[Reporter]:
    """A reporter for some work; Ctrl-C while files are being written is reported as such."""
    reporter = Reporter(quiet)
    try:
        with when_compiling(reporter.tell_of_compiling):
            yield reporter
    except KeyboardInterrupt:
        if reporter.current != WRITING:
            raise
        raise Interrupted("Interrupted while writing; every output file is either complete or unchanged.") from None
    finally:
        reporter.close()
