"""The processes that write a finished release in other forms: as another kind of file, to a database, as a dossier."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import polars as pl

from shoal.engine.dossier import RENDERERS
from shoal.errors import BrokenPromise, InputError
from shoal.io.databases import Address, address_of, check_table, write_table
from shoal.io.write import write_frame
from shoal.report.dossier.document import Document, Part
from shoal.report.dossier.files import formats
from shoal.report.grids import Grid
from shoal.web.processes import sending_faults
from shoal.web.run_folder import RunFolder
from shoal.web.run_process import DOCUMENTS, table_file

Accepted = Sequence[tuple[str, str]]
"""Accepted findings, each with its reason."""

HOW = "postgresql://host/database#table, sqlite:///file.db#table or duckdb:///file.duckdb#table"


def convert(line: Connection, folder: str, target: str) -> None:
    """Convert the release of a finished run to another format, and send its hash."""
    place = RunFolder(Path(folder))
    with sending_faults(line, False):
        made = (place.shown / target).with_suffix(".arrow")
        frame = pl.read_ipc(io.BytesIO(made.read_bytes()))
        write_frame(frame, place.outputs / target)
        line.send((True, place.hash_of(target)))


def database(said: str) -> Address:
    """Parse the address of a database table."""
    found = address_of(said.strip())
    if found is None:
        raise InputError(f"Give the address of a table in a database, as in {HOW}.")
    return found


def write_to_database(line: Connection, folder: str, said: str, replace: bool) -> None:
    """Write the release, read it back, and send its location; a table that reads differently is removed."""
    with sending_faults(line, False):
        frame, address = pl.read_ipc(RunFolder(Path(folder)).shown / table_file("", ".arrow")), database(said)
        check_table(address, (), replace=replace)
        write_table(frame, address, {}, replace=replace, ready=lambda rows: _same(frame, rows))
        line.send((True, address.shown))


def _same(written: pl.DataFrame, read: pl.DataFrame) -> None:
    """Raise if a reader of the database would see other records than those that were checked."""
    texts = [sorted(frame.cast(pl.String).rows(), key=str) for frame in (written, read.select(written.columns))]
    if texts[0] != texts[1]:
        raise BrokenPromise("The database returned other values than those of the release, so nothing was written.")


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
