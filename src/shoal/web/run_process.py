"""The process of a run: does what its job file says, as ``shoal run`` does, then prepares what pages show."""

from __future__ import annotations

import dataclasses
import io
import json
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic

from shoal.engine.job import read_job, run_job
from shoal.engine.result import Result
from shoal.engine.run_view import PIECES, figures, nodes_piece, piece_or_sentence, rows_piece
from shoal.errors import InputError
from shoal.io.write import write_frame, write_text
from shoal.kernels.compiled import when_compiling
from shoal.kernels.machine_code import note
from shoal.report.dossier.statement import Statement
from shoal.web.dossier_process import keep_documents
from shoal.web.faults import sentence_of
from shoal.web.job_words import JOB, OUTPUTS
from shoal.web.run_folder import RunFolder

ROWS = "rows.arrow"
"""Rows beside their records, which pages show."""

RECORD = "release.run.json"
"""The private record of a run, which the run itself writes beside the release."""


def table_file(table: str, ending: str) -> str:
    """What a table of the release is called: the first by nothing else, others by what is in them."""
    return f"release.{table}{ending}" if table else f"release{ending}"


_PAUSE = 0.1
"""Seconds between two messages about progress."""


def do_run(line: Connection, folder: str) -> None:
    """Run the job; send ``("stage", name, done, total)``, then what came of it.

    That is ``("done", figures, hashes)``, with the hash of each file that it wrote, or ``("sorry", sentence)``.
    """
    progress, place = _Telling(line), RunFolder(Path(folder))
    try:
        with when_compiling(progress.tell_of_compiling):
            result = run_job(place.path / JOB, progress)
            if not isinstance(result, Result):
                raise InputError("Memory limits and Spark are for the command line; leave them out here.")
            for name, frame in result.tables.items():
                write_frame(frame, place.shown / table_file(name, ".arrow"))
            names = [*OUTPUTS.values(), RECORD, *(table_file(name, ".csv") for name in result.tables)]
            line.send(("done", figures(result), {name: place.hash_of(name) for name in names}))
            _prepare(result, place.shown, line)
            keep_documents(result, Statement.said(read_job(place.path / JOB).release), place.shown)
            line.send(("piece", "dossier"))
    except BaseException as problem:
        line.send(("sorry", sentence_of(problem)))


def _prepare(result: Result, folder: Path, line: Connection) -> None:
    """What pages show, each piece as soon as it is made; findings again once the release was attacked in full."""
    write_frame(rows_piece(result), folder / ROWS)
    line.send(("piece", "rows"))
    for name, make in PIECES.items():
        made = piece_or_sentence(make, result)
        write_text(json.dumps(made), folder / f"{name}.json")
        if "findings" in made:
            line.send(("findings", made["findings"]))
        line.send(("piece", name))
    found = nodes_piece(result)
    said = {"sentence": found} if isinstance(found, str) else dataclasses.asdict(found)
    write_text(json.dumps(said), folder / "nodes.json")
    line.send(("piece", "nodes"))


class _Telling:
    """Progress to the other end of the line, not more often than anybody looks."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._stage, self._done, self._total = "starting", 0.0, 0.0
        self._told = 0.0

    def stage(self, what: str, total: float | None = None) -> None:
        """A new piece of work begins."""
        self._stage, self._done, self._total = what, 0.0, total or 0.0
        self._tell()

    def advance(self, amount: float = 1.0) -> None:
        """Some of it is done."""
        self._done += amount
        if monotonic() - self._told > _PAUSE:
            self._tell()

    def tell_of_compiling(self) -> None:
        """Why this run takes longer than the next one will."""
        self._line.send(("note", note()))

    def _tell(self) -> None:
        self._told = monotonic()
        self._line.send(("stage", self._stage, self._done, self._total))


def convert(line: Connection, folder: str, target: str) -> None:
    """Write the release of a finished run as another kind of file, and send its hash."""
    import polars as pl

    place = RunFolder(Path(folder))
    try:
        made = (place.shown / target).with_suffix(".arrow")
        frame = pl.read_ipc(io.BytesIO(made.read_bytes()))
        write_frame(frame, place.outputs / target)
        line.send((True, place.hash_of(target)))
    except BaseException as problem:
        line.send((False, sentence_of(problem)))
