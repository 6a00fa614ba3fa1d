"""A run: start, watch, cancel, restore."""

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
from shoal.web.folders import wipe
from shoal.web.job_words import JOB, SCRIPT, files_of, job_text, laid_out
from shoal.web.processes import ENDED, start, stop
from shoal.web.run_folder import INPUTS, OUTPUTS, RunFolder
from shoal.web.run_process import RECODING, do_apply, do_run

State = Literal["running", "done", "failed", "cancelled"]

NO_RECODING = (
    "Only a full-domain release of rows as they come has a recoding that fits other rows; run with the algorithm "
    "lattice, samarati or incognito, and without preparation."
)
_PATIENCE = 5
"""Runs have lower priority than pages, so that clicks are answered while a run uses every processor."""


class Run:
    """One run: its job, its progress, and finally its results."""

    def __init__(self, name: str, job: Job, words: dict[str, Any], folder: Path) -> None:
        self.id = secrets.token_hex(8)
        self.name, self.job, self.words = name, job, words
        self.folder = RunFolder(folder / self.id)
        self.written: dict[str, str] = {}
        """The files that can be downloaded, and the hash of each when it was written."""
        self.packing = asyncio.Lock()
        """Held while a download is created, so that it is created only once."""
        self.state: State = "running"
        self.stage, self.done, self.total, self.note = "starting", 0.0, 0.0, ""
        self.figures: dict[str, Any] = {}
        self.sentence = ""
        self.applied = ""
        """The name of the run whose recoding was applied, for later rows."""
        self.only_here: dict[str, Any] = {}
        """Settings for this run only, such as the levels of a chosen node."""
        self.table_key = ""
        """The key of the table that it used."""
        self.accepted: dict[str, str] = {}
        """The accepted findings about the release, by their keys, with the reasons."""
        self.pieces: set[str] = set()
        self.is_preparing = True
        self._began, self._ended, self._stage_began = monotonic(), 0.0, monotonic()
        self._process: BaseProcess | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the start, or until the end."""
        return (self._ended or monotonic()) - self._began

    @property
    def estimate(self) -> str:
        """The estimated remaining time of the current stage; empty if unknown."""
        if self.state != "running" or not 0 < self.done < self.total:
            return ""
        share = self.done / self.total
        return f"about {seconds((monotonic() - self._stage_began) * (1 - share) / share)} left in this stage"

    def begin(self, folder: Path, changed: Callable[[], None]) -> None:
        """Set up a folder for the run, with separate inputs and outputs, and start.

        Args:
            folder: the folder with the files that the job reads.
            changed: called whenever there is news.
        """
        self.folder.make()
        for name in {self.job.input, *files_of(self.job)}:
            self.folder.take_in(folder / name)
        (self.folder.path / JOB).write_text(job_text(laid_out(self.job, INPUTS, OUTPUTS)), "utf-8")
        for name, text in {JOB: job_text(self.job), SCRIPT: script_text(self.job)}.items():
            self.written[name] = self.folder.put(name, text)
        self._start(changed, do_run)

    def begin_by(self, earlier: Run, table: Path, changed: Callable[[], None]) -> None:
        """Publish the rows of a file with the recoding of an earlier run."""
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
        """Become a run that was finished before, with its results and inputs."""
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
        """Cancel the run; its files are lost, unless the release is complete."""
        if self.state == "running":
            self._close("cancelled")
            self.sentence = "Cancelled; nothing was written."
        self.is_preparing = False
        if self._process is not None:
            stop(self._process)

    def piece(self, name: str) -> dict[str, Any] | None:
        """The data of a part of the pages, by name; None if not available yet."""
        if name not in self.pieces:
            return None
        found: dict[str, Any] = json.loads((self.folder.shown / f"{name}.json").read_text("utf-8"))
        return found

    @property
    def is_being_attacked(self) -> bool:
        """Whether it is done, but the audit is still running."""
        return self.is_preparing and "audit" not in self.pieces

    @property
    def is_in_pieces(self) -> bool:
        """Whether it has a memory limit, so that its release is only on disk."""
        return self.job.memory is not None

    def has_read(self, folder: Path) -> bool:
        """Whether the other files it read besides its table are still the same."""
        return all(self.folder.has_as_it_is(folder / name) for name in files_of(self.job))

    def wipe(self) -> None:
        """Cancel the run and remove its files."""
        self.cancel()
        wipe(self.folder.path)

    def as_data(self) -> dict[str, Any]:
        """The run as the API shows it."""
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
        """Process the messages of the process until it ends."""
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
        elif self.state == "running" and kind == "done":
            self.figures, written = said
            self.written |= written
            self._close("done")
        elif self.state == "running":
            self.sentence = said[0]
            self._close("failed")

    def _close(self, state: State) -> None:
        self._ended = monotonic()
        self.state = state
