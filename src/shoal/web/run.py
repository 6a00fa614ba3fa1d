"""A run: started, watched, cancelled, remembered."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, Literal

from shoal.engine.job import Job
from shoal.engine.script import script_text
from shoal.errors import InputError
from shoal.report.figures import seconds
from shoal.web.faults import ENDED
from shoal.web.folders import wipe
from shoal.web.job_words import JOB, SCRIPT, files_of, job_text, laid_out
from shoal.web.processes import start, stop
from shoal.web.run_folder import INPUTS, OUTPUTS, RunFolder
from shoal.web.run_process import RECODING, do_apply, do_run

State = Literal["running", "done", "failed", "cancelled"]

NO_RECODING = (
    "Only a full-domain release of rows as they come has a recoding that fits other rows; run with the algorithm "
    "lattice, samarati or incognito, and without preparation."
)
_PATIENCE = 5
"""Runs let pages go first, so that a click is answered while one takes every processor there is."""


class Run:
    """One run: its job, how far it is, and when it is done what it came to."""

    def __init__(self, name: str, job: Job, words: dict[str, Any], folder: Path) -> None:
        self.id = secrets.token_hex(8)
        self.name, self.job, self.words = name, job, words
        self.folder = RunFolder(folder / self.id)
        self.written: dict[str, str] = {}
        """What can be taken away, and the hash of each as it was written."""
        self.packing = asyncio.Lock()
        """Held while something is made that can be taken away, so that it is made once."""
        self.state: State = "running"
        self.stage, self.done, self.total, self.note = "starting", 0.0, 0.0, ""
        self.figures: dict[str, Any] = {}
        self.sentence = ""
        self.applied = ""
        """The run whose recoding it is made by, where it is of later rows."""
        self.only_here: dict[str, Any] = {}
        """Words that were said for this run alone, such as the levels of a node that was chosen."""
        self.table_key = ""
        """Of which table of its session it was made."""
        self.accepted: dict[str, str] = {}
        """Findings about the release that somebody has accepted, by their keys, and the reasons that were given."""
        self.pieces: set[str] = set()
        self.is_preparing = True
        self._began, self._ended, self._stage_began = monotonic(), 0.0, monotonic()
        self._process: BaseProcess | None = None

    @property
    def elapsed(self) -> float:
        """Seconds from the start, to the end where there is one."""
        return (self._ended or monotonic()) - self._began

    @property
    def estimate(self) -> str:
        """How long the stage it is in may still take, where that can be told."""
        if self.state != "running" or not 0 < self.done < self.total:
            return ""
        share = self.done / self.total
        return f"about {seconds((monotonic() - self._stage_began) * (1 - share) / share)} left in this stage"

    def begin(self, folder: Path, changed: Callable[[], None]) -> None:
        """Lay everything out in a folder of its own, inputs and outputs apart, and start.

        Args:
            folder: where the files that the job reads are.
            changed: called whenever there is something new to tell.
        """
        self.folder.make()
        for name in {self.job.input, *files_of(self.job)}:
            self.folder.take_in(folder / name)
        (self.folder.path / JOB).write_text(job_text(laid_out(self.job, INPUTS, OUTPUTS)), "utf-8")
        for name, text in {JOB: job_text(self.job), SCRIPT: script_text(self.job)}.items():
            self.written[name] = self.folder.put(name, text)
        self._start(changed, do_run)

    def begin_by(self, earlier: Run, table: Path, changed: Callable[[], None]) -> None:
        """Publish the rows of a file by the recoding of an earlier run.

        Raises:
            InputError: that run has none.
        """
        if RECODING not in earlier.written:
            raise InputError(NO_RECODING)
        self.applied = earlier.name
        self.folder.make()
        self.folder.take_in(table)
        self.folder.take_in(earlier.folder.fetch(RECODING, earlier.written[RECODING]))
        self._start(changed, do_apply, table.name, {word: said for word, said in self.job.reading.items() if said})

    def _start(self, changed: Callable[[], None], target: Callable[..., None], *more: Any) -> None:
        self._process, line = start(target, str(self.folder.path), *more, patience=_PATIENCE)
        Thread(target=self._watch, args=(line, changed), daemon=True).start()

    def restore(self, said: Mapping[str, Any], inputs: Path) -> None:
        """Be a run that was finished before: what it came to, and what it read."""
        self.id, self.applied = str(said["id"]), str(said.get("applied", ""))
        self.only_here = dict(said.get("only_here", {}))
        self.folder = RunFolder(self.folder.path.with_name(secrets.token_hex(8)))
        self.folder.make()
        for name in {self.job.input, *files_of(self.job)}:
            self.folder.take_in(inputs / name)
        self.figures, self.written = dict(said["figures"]), dict(said["written"])
        self.accepted, self.pieces = dict(said["accepted"]), {*said["pieces"]}
        self.is_preparing = False
        self._close("done")

    def cancel(self) -> None:
        """End it; what it made so far is gone, unless the release was there already."""
        if self.state == "running":
            self._close("cancelled")
            self.sentence = "Cancelled; nothing was written."
        self.is_preparing = False
        if self._process is not None:
            stop(self._process)

    def piece(self, name: str) -> dict[str, Any] | None:
        """What pages show of it, by name; None while it is not there."""
        if name not in self.pieces:
            return None
        found: dict[str, Any] = json.loads((self.folder.shown / f"{name}.json").read_text("utf-8"))
        return found

    @property
    def is_being_attacked(self) -> bool:
        """Whether it is done, but not every attack has been tried yet."""
        return self.is_preparing and "audit" not in self.pieces

    @property
    def is_in_pieces(self) -> bool:
        """Whether it has a memory limit, so that its release is on disk alone."""
        return self.job.memory is not None

    def has_read(self, folder: Path) -> bool:
        """Whether the files beside its table are still those that it was made with."""
        return all(self.folder.has_as_it_is(folder / name) for name in files_of(self.job))

    def wipe(self) -> None:
        """End it and remove all it made."""
        self.cancel()
        wipe(self.folder.path)

    def as_data(self) -> dict[str, Any]:
        """What the API says about it."""
        return {
            "id": self.id,
            "name": self.name,
            "state": self.state,
            "stage": self.stage,
            "share": min(1.0, self.done / self.total) if self.total else None,
            "seconds": round(self.elapsed, 3),
            "sentence": self.sentence,
            "figures": self.figures,
            "pieces": sorted(self.pieces),
        }

    def _watch(self, line: Connection, changed: Callable[[], None]) -> None:
        """Take the messages of the process until it ends."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._take(*line.recv())
                changed()
        if self.state == "running":
            self.sentence = ENDED
            self._close("failed")
        self.is_preparing = False
        changed()

    def _take(self, kind: str, *said: Any) -> None:
        if kind == "stage":
            if said[0] != self.stage:
                self._stage_began, self.note = monotonic(), ""
            self.stage, self.done, self.total = said
        elif kind == "note":
            self.note = said[0]
        elif kind == "findings":
            self.figures["findings"] = said[0]
        elif kind == "piece":
            self.pieces.add(said[0])
        elif self.state == "running":
            self._finish(kind, *said)

    def _finish(self, kind: str, said: Any, written: dict[str, str] | None = None) -> None:
        if kind == "done":
            self.figures = said
            self.written |= written or {}
        else:
            self.sentence = said
        self._close("done" if kind == "done" else "failed")

    def _close(self, state: State) -> None:
        self._ended = monotonic()
        self.state = state
