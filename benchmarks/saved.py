"""A file of finished cells, so that a long table can be made in slices and drawn from what is there."""

from __future__ import annotations

import csv
import os
import signal
from _thread import interrupt_main
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from threading import Event, Thread
from time import monotonic, process_time
from types import FrameType

FOLDER = Path(__file__).parent / "results"

Key = tuple[str, str, str, int, str]
"""Section, table, measure, k, line."""


@dataclass(frozen=True)
class Cell:
    """What is told of one release; without a loss where it was stopped after so many CPU seconds."""

    loss: float | None
    likeliest: float
    above: int
    of_rows: int
    of_records: int
    cpu: float
    wall: float

    def __str__(self) -> str:
        if self.loss is None:
            return f"stopped | – | – | – | – | {self.cpu:.0f}"
        return (
            f"{self.loss:.4f} | {self.likeliest:.3f} | {self.above:,} | {self.of_rows:,} | {self.of_records:,} | "
            f"{self.cpu:.1f}"
        )

    @property
    def short(self) -> str:
        """Loss and the likeliest link, or that there is none."""
        if self.loss is None:
            return f"stopped, {self.cpu:.0f} s"
        return f"{self.loss:.4f} ({self.likeliest:.2f})"

    @classmethod
    def read(cls, line: dict[str, str]) -> Cell:
        """From a line of the file."""
        loss = float(line["loss"]) if line["loss"] else None
        above, of_rows, of_records = (int(line[name]) for name in ("above", "of_rows", "of_records"))
        return cls(loss, float(line["likeliest"]), above, of_rows, of_records, float(line["cpu"]), float(line["wall"]))


NAMES = ("section", "table", "measure", "k", "line", *(field.name for field in fields(Cell)))


class TimeIsUp(Exception):
    """A cell took more CPU seconds than it may."""


class Saved:
    """The cells in a file; those that are missing are made, if there is time, and added to it."""

    def __init__(self, file: Path | None, *, again: bool = False, minutes: float = 1e9, most: float = 300) -> None:
        self.file, self.again, self.most = file, again, most
        self.until = monotonic() + 60 * minutes
        self.cells = self._read() if file and file.exists() else {}

    def cell(self, key: Key, make: Callable[[], Cell]) -> Cell | None:
        """The cell of the file, or a new one; None where there is no time to make it."""
        if key in self.cells and not self.again:
            return self.cells[key]
        if monotonic() > self.until:
            return self.cells.get(key)
        self.cells[key] = limited(make, self.most)
        self._write()
        return self.cells[key]

    def _read(self) -> dict[Key, Cell]:
        with self.file.open(encoding="utf-8") as lines:  # type: ignore[union-attr]
            return {_key(line): Cell.read(line) for line in csv.DictReader(lines)}

    def _write(self) -> None:
        """All cells, sorted, by renaming a finished file: two runs may have added cells."""
        if self.file is None:
            return
        known = {**(self._read() if self.file.exists() else {}), **self.cells}
        draft = self.file.with_suffix(f".{os.getpid()}")
        with draft.open("w", newline="", encoding="utf-8") as lines:
            writer = csv.writer(lines, lineterminator="\n")
            writer.writerow(NAMES)
            writer.writerows([*key, *map(_told, asdict(known[key]).values())] for key in sorted(known))
        draft.replace(self.file)


def limited(make: Callable[[], Cell], most: float) -> Cell:
    """Make a cell, unless that takes more CPU seconds than it may; looked at between calls of kernels."""
    wall, cpu = monotonic(), process_time()
    over = Event()
    before = signal.signal(signal.SIGPROF, _stop)
    watch = Thread(target=_interrupt_after, args=(cpu + most, over), daemon=True)
    watch.start()
    try:
        return make()
    except TimeIsUp:
        return Cell(None, 1.0, 0, 0, 0, process_time() - cpu, monotonic() - wall)
    finally:
        over.set()
        watch.join()
        signal.signal(signal.SIGPROF, before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise TimeIsUp


def _interrupt_after(until: float, over: Event) -> None:
    """Interrupt the main thread at so many CPU seconds: a thread looks, as profiling timers can come seconds late."""
    while not over.wait(0.05):
        if process_time() > until:
            interrupt_main(signal.SIGPROF)
            return


def _key(line: dict[str, str]) -> Key:
    return line["section"], line["table"], line["measure"], int(line["k"]), line["line"]


def _told(value: float | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.6f}"
