"""The process of a run: runs the job file like ``shoal run``, then prepares the data for pages."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pickle
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

from shoal.engine.applying import apply
from shoal.engine.backends.contract import Outcome
from shoal.engine.dossier import documents
from shoal.engine.job import read_job, run_job
from shoal.engine.outcome_view import IN_PIECES, outcome_figures
from shoal.engine.result import Result
from shoal.engine.run_view import PIECES, figures, nodes_piece, piece_or_sentence, rows_piece
from shoal.engine.saved_recoding import recoding_text
from shoal.engine.vocabulary import Output
from shoal.engine.writing import write_all
from shoal.errors import InputError
from shoal.io.write import write_frame, write_text
from shoal.kernels.compiled import when_compiling
from shoal.kernels.machine_code import note
from shoal.report.dossier.statement import Statement
from shoal.web.job_words import JOB, OUTPUTS
from shoal.web.processes import sending_faults
from shoal.web.run_folder import RunFolder

ROWS = "rows.arrow"
"""Rows next to their records, for pages."""

RECORD = "release.run.json"
"""The private record of a run, which the run writes beside the release."""


PACKAGE = "release.datapackage.json"
"""The machine-readable description, which the run writes beside the release."""

RECODING = "recoding.json"
"""The recoding of a full-domain release, for later rows. For internal use only."""

DOCUMENTS = "dossier.documents"
"""Both editions of the dossier, independent of their format, in a folder that only its owner may enter."""


def table_file(table: str, ending: str) -> str:
    """The file name of a table of the release: the first has no suffix, others are named by their content."""
    return f"release.{table}{ending}" if table else f"release{ending}"


_PAUSE = 0.1
"""Seconds between two progress messages."""


def do_run(line: Connection, folder: str) -> None:
    """Run the job; send ``("stage", name, done, total)``, then the outcome.

    The outcome is ``("done", figures, hashes)``, with the hash of each written file, or ``("sorry", sentence)``.
    """
    progress, place = Telling(line), RunFolder(Path(folder))
    with sending_faults(line, "sorry"), when_compiling(progress.tell_of_compiling):
        result = run_job(place.path / JOB, progress)
        if not isinstance(result, Result):
            _tell_outcome(result, place, line)
            return
        with contextlib.suppress(InputError):  # only full-domain releases of unprepared rows have one
            place.put(RECODING, recoding_text(result))
        _tell_all(result, place, Statement.said(read_job(place.path / JOB).release), line)


def _tell_outcome(outcome: Outcome, place: RunFolder, line: Connection) -> None:
    """Send the outcome of a run with a memory limit: its release is on disk, and pages cannot show it."""
    names = [table_file(name, ".csv") for name in outcome.tables]
    told = outcome_figures(outcome, place.outputs / names[0])
    line.send(("done", told, {name: place.hash_of(name) for name in (*names, RECORD)}))
    for name in (*PIECES, "nodes"):
        write_text(json.dumps({"sentence": IN_PIECES}), place.shown / f"{name}.json")
        line.send(("piece", name))


def do_apply(line: Connection, folder: str, table: str, reading: dict[str, Any]) -> None:
    """Publish later rows with the recoding of an earlier run; messages are as for a run."""
    progress, place = Telling(line), RunFolder(Path(folder))
    with sending_faults(line, "sorry"), when_compiling(progress.tell_of_compiling):
        result = apply(place.inputs / RECODING, place.inputs / table, progress=progress, **reading)
        words = Output.said({key: str(place.outputs / name) for key, name in OUTPUTS.items()})
        write_all(words.targets(place.outputs), result)
        _tell_all(result, place, Statement(), line)


def _tell_all(result: Result, place: RunFolder, statement: Statement, line: Connection) -> None:
    """Write the release in every downloadable form, send its figures, and prepare the data for pages."""
    for name, frame in result.tables.items():
        write_frame(frame, place.shown / table_file(name, ".arrow"))
    names = [*OUTPUTS.values(), RECORD, PACKAGE, RECODING, *(table_file(name, ".csv") for name in result.tables)]
    line.send(("done", figures(result), {name: hashed for name in names if (hashed := place.hash_of(name))}))
    _prepare(result, place.shown, line)
    (place.shown / DOCUMENTS).write_bytes(pickle.dumps(documents(result, statement)))
    line.send(("piece", "dossier"))


def _prepare(result: Result, folder: Path, line: Connection) -> None:
    """Prepare the data for pages piece by piece; send findings again after the full audit."""
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


class Telling:
    """Sends progress to the other end of the connection, at a limited rate."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._stage, self._done, self._total = "starting", 0.0, 0.0
        self._told = 0.0

    def stage(self, what: str, total: float | None = None) -> None:
        """Begin a new stage of the work."""
        self._stage, self._done, self._total = what, 0.0, total or 0.0
        self._tell()

    def advance(self, amount: float = 1.0) -> None:
        """Report progress within the stage."""
        self._done += amount
        if monotonic() - self._told > _PAUSE:
            self._tell()

    def tell_of_compiling(self) -> None:
        """Explain why this run takes longer than the next one will."""
        self._line.send(("note", note()))

    def _tell(self) -> None:
        self._told = monotonic()
        self._line.send(("stage", self._stage, self._done, self._total))
