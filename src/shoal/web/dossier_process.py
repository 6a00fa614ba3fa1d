"""The process that writes the dossier of a finished run, including findings accepted since."""

from __future__ import annotations

import pickle
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from shoal.engine.dossier import RENDERERS, documents
from shoal.engine.result import Result
from shoal.report.dossier.document import Document, Part
from shoal.report.dossier.files import formats
from shoal.report.dossier.statement import Statement
from shoal.report.grids import Grid
from shoal.web.faults import sending_faults
from shoal.web.run_folder import RunFolder

DOCUMENTS = "dossier.documents"
"""Both editions, independent of their format; written by the run, in a folder that only its owner may enter."""

Accepted = Sequence[tuple[str, str]]
"""Accepted findings, each with its reason."""


def keep_documents(result: Result, statement: Statement, folder: Path) -> None:
    """Save both editions of the dossier, so that they can be formatted on request."""
    (folder / DOCUMENTS).write_bytes(pickle.dumps(documents(result, statement)))


def write_dossier(line: Connection, folder: str, target: str, accepted: Accepted) -> None:
    """Write all files of the dossier into one archive, and send its hash."""
    place = RunFolder(Path(folder))
    with sending_faults(line, False):
        made = pickle.loads((place.shown / DOCUMENTS).read_bytes())  # noqa: S301 — written by the run itself
        made["internal"] = with_accepted(made["internal"], accepted)
        with zipfile.ZipFile(place.outputs / target, "w", zipfile.ZIP_DEFLATED) as packed:
            for edition, document in made.items():
                for ending in formats():
                    packed.writestr(f"{edition}{ending}", RENDERERS[ending](document))
        line.send((True, place.hash_of(target)))


def with_accepted(document: Document, accepted: Accepted) -> Document:
    """Add a section on accepted findings; unchanged if there are none."""
    rows = [[sentence, reason] for sentence, reason in accepted]
    grid = Grid("Accepted before the release was exported", ["Finding", "Reason"], rows)
    return replace(document, parts=(*document.parts, Part.of("Accepted findings", grid))) if rows else document
