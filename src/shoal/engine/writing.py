"""Everything that a run writes, all or nothing, judged as a reader of it would see it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import polars as pl

from shoal.engine.datapackage import datapackage
from shoal.engine.exploring import exploration_frame
from shoal.engine.record import record
from shoal.engine.saved_recoding import recoding_text
from shoal.engine.targets import Targets, beside
from shoal.engine.verified_release import VerifiedRelease
from shoal.engine.written import check_written
from shoal.errors import InputError
from shoal.io.databases import Address, write_table
from shoal.io.fingerprint import fingerprint
from shoal.io.places import Remote, name_of
from shoal.io.read_back import read_back
from shoal.io.stores import write_store
from shoal.io.transaction import Together, together
from shoal.io.write import FORMATS, LABELLED, check_target


def write_all(targets: Targets, result: VerifiedRelease, hold: Path | None = None) -> None:
    """Write what was asked for: the release, its second table, the run record, reports and rows that are held back.

    All take their places together, when all are complete and the release was read again and found to keep its
    promises; see ``together``.

    Raises:
        InputError: something cannot be written, or the kind of file cannot hold what the promises need.
    """
    targets.check(result.inputs)
    if hold is not None and result.waiting is None:
        raise InputError("No row was held back; only shoal.apply with hold= does so.")
    first = hold or targets.first()
    if first is None:
        return
    with together(first) as files:
        if targets.save_recoding:
            _text(files, recoding_text(result), targets.save_recoding, private=True)
        if targets.explore:
            path = files.path(targets.explore, private=True)
            FORMATS[targets.explore.suffix.lower()](exploration_frame(result.exploration), path)
        if targets.report:
            text = result.rendered(targets.report, explore=targets.explore is not None)
            _text(files, text, targets.report, private=True)
        if targets.public_report:
            _text(files, result.rendered(targets.public_report, public=True), targets.public_report)
        if targets.datapackage:
            _text(files, datapackage(result, targets.output), targets.datapackage)
        if hold is not None and result.waiting is not None:
            result.waiting.write(files, hold)
        if targets.output:
            _write_release(files, targets, result)


def _write_release(files: Together, targets: Targets, result: VerifiedRelease) -> None:
    """The release and its record; a table or an object, which others may see at once, last of all."""
    place = targets.output
    assert place is not None
    if isinstance(place, Path):
        frames = {beside(place, name): frame for name, frame in result.tables.items()}
        paths = _write_files(files, frames, result)
        _text(files, record(result, place, paths[0]), targets.record(), private=True)
        return
    for name in result.tables:
        if name:
            beside(place, name)  # refuses
    _text(files, record(result, place), targets.record(), private=True)
    if isinstance(place, Address):
        ready = partial(_ready, files, place, result)
        types = {name: kind for name, kind in result.source.types.items() if name not in result.formed}
        write_table(result.tables[""], place, types, replace=targets.replace, ready=ready)
    else:
        write_store(result.tables[""], place, partial(_ready, files, place, result))


def _write_files(files: Together, frames: dict[Path, pl.DataFrame], result: VerifiedRelease) -> list[Path]:
    """Write the one or two tables of a release, and judge them as they are read again."""
    seen, paths = [], []
    sensitive = {column.name for column in result.release.table.sensitive}
    others = set(result.release.table.passengers.columns) - sensitive
    for target, frame in frames.items():
        check_target(target, [source for source in result.inputs if isinstance(source, Path)])
        ending = target.suffix.lower()
        path = files.path(target)
        known = {"meanings": result.source.meanings} if ending in LABELLED else {}
        FORMATS[ending](frame, path, **known)
        wanted = [name for name in frame.columns if name not in others]
        seen.append(read_back(path, ending, frame.columns, wanted))
        paths.append(path)
    check_written(result, seen, next(iter(frames)).suffix)
    return paths


def _ready(files: Together, place: Address | Remote, result: VerifiedRelease, rows: pl.DataFrame) -> None:
    """Judge the rows that a database or store gives back, and put down which they are, before they are committed."""
    check_written(result, [rows], str(name_of(place)))
    files.prepare(place, fingerprint(rows))


def _text(files: Together, text: str, target: Path, *, private: bool = False) -> None:
    files.path(target, private=private).write_text(text, encoding="utf-8", newline="\n")
