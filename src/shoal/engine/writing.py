"""Writes everything that a run writes, all or nothing, and judges it as a reader would see it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl

from shoal.engine.datapackage import datapackage
from shoal.engine.record import record
from shoal.engine.targets import Targets
from shoal.engine.verified_release import VerifiedRelease
from shoal.engine.written_check import check_written
from shoal.errors import InputError
from shoal.io.dictionaries import each_text_once
from shoal.io.fingerprint import fingerprint
from shoal.io.place import Order, place_at
from shoal.io.transaction import Together, together
from shoal.io.write import FORMATS


def write_all(targets: Targets, result: VerifiedRelease, hold: Path | None = None) -> None:
    """Write the requested files: the release, its second table, the run record, reports and held rows.

    All get their final names together, once all are complete and the release has been read again and found to satisfy
    its models; see ``together``.

    Raises:
        InputError: something cannot be written, or the file format cannot represent what the models need.
    """
    targets.check(result.inputs)
    if hold is not None and result.waiting is None:
        raise InputError("No rows were held back; only shoal.apply with hold= does that.")
    first = hold or targets.first()
    if first is None:
        return
    with _folder_for(targets.dossier), together(first) as files:
        if targets.save_recoding:
            from shoal.engine.saved_recoding import recoding_text  # imported here and below only when needed

            _text(files, recoding_text(result), targets.save_recoding, private=True)
        if targets.explore:
            from shoal.engine.solution_space import exploration_frame

            path = files.path(targets.explore, private=True)
            FORMATS[targets.explore.suffix.lower()](exploration_frame(result.exploration), path)
        if targets.report:
            text = result.rendered(targets.report, explore=targets.explore is not None)
            _text(files, text, targets.report, private=True)
        if targets.public_report:
            _text(files, result.rendered(targets.public_report, public=True), targets.public_report)
        if (package := targets.package) is not None:
            tables = {name: each_text_once(frame).lazy() for name, frame in result.tables.items()}
            _text(files, datapackage(result, tables, targets.output, package, targets.layout), package)
        if hold is not None and result.waiting is not None:
            result.waiting.write(files, hold)
        if targets.output is None or place_at(targets.output).is_seen_at_once:
            _dossier(files, targets, result, None)
        if targets.output:
            _write_release(files, targets, result)


def _write_release(files: Together, targets: Targets, result: VerifiedRelease) -> None:
    """Write the tables of the release and its record; a place that others see immediately comes last."""
    assert targets.output is not None
    place = place_at(targets.output)
    tables = [(place_at(place.beside(name)) if name else place, frame) for name, frame in result.tables.items()]
    for one, _ in tables[1:]:
        one.check(result.inputs)
    if place.is_seen_at_once:
        _text(files, record(result, targets.output, package=targets.package), targets.record(), private=True)
    seen: list[pl.DataFrame] = []

    def ready(rows: pl.DataFrame) -> None:
        """Judge what a reader gets; for places seen immediately, also record which rows it is."""
        seen.append(rows)
        if len(seen) == len(tables):
            check_written(result, seen, place.form)
        if place.is_seen_at_once:
            files.prepare(place.spelled, fingerprint(rows))

    sensitive = {column.name for column in result.release.table.sensitive}
    others = set(result.release.table.passengers.columns) - sensitive
    types = {name: kind for name, kind in result.source.types.items() if name not in result.formed}
    in_cells = frozenset() if result.printed is None else result.printed.in_cells
    meanings = {name: own for name, own in result.source.meanings.items() if name not in in_cells}
    order = Order(files.path, types, meanings, targets.replace, others, targets.layout, result.missing_codes)
    written = [one.write(frame, order, ready) for one, frame in tables]
    if not place.is_seen_at_once:
        new = [path for path in (*(one.path for one, _ in tables), targets.package) if path is not None]
        for path in stale_beside(targets.record(), place.path or Path(), new):
            files.remove(path)
        _text(files, record(result, targets.output, written[0], targets.package), targets.record(), private=True)
        if targets.dossier:
            _dossier(files, targets, result, place.recorded(written[0]))


def stale_beside(record: Path, output: Path, written: Sequence[Path]) -> list[Path]:
    """Files of an earlier release of this name that this one does not have: a codebook, draws, a data package.

    Only files that the record of the earlier run lists, and only if ``output`` replaces its release: ``release.csv``
    keeps its codebook when ``release.parquet`` is written beside it.
    """
    try:
        known = json.loads(record.read_text(encoding="utf-8"))
        was, said = Path(known["output"]["path"]), known.get("beside", [])
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, AttributeError, KeyError, TypeError):
        return []
    if was.name != output.name:
        return []
    named = [record.parent / name for name in said if isinstance(name, str) and Path(name).name == name]
    return [path for path in named if path.is_file() and path not in written]


def _text(files: Together, text: str, target: Path, *, private: bool = False) -> None:
    files.path(target, private=private).write_text(text, encoding="utf-8", newline="\n")


def _dossier(files: Together, targets: Targets, result: VerifiedRelease, output: Mapping[str, str] | None) -> None:
    """Write the dossier if requested; the code for it is only imported then."""
    if targets.dossier:
        from shoal.engine.dossier import write_dossier

        write_dossier(files, targets.dossier, result, targets.statement, output)


@contextmanager
def _folder_for(folder: Path | None) -> Iterator[None]:
    """Create the folder if requested; remove it again if writing into it fails."""
    is_new = folder is not None and not folder.exists()
    if folder is not None and is_new:
        folder.mkdir()
    try:
        yield
    except BaseException:
        if folder is not None and is_new:
            with suppress(OSError):
                folder.rmdir()
        raise
