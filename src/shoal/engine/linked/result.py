"""Several published tables, the models that they satisfy together, and how they are written and described."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.contracts import Goal, Verdict
from shoal.core.node import chosen_levels
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.engine.datapackage import Described, package_text, resource, spelled
from shoal.engine.linked.words import TableWords
from shoal.engine.preparing import coarsening_of
from shoal.engine.source import Loaded
from shoal.engine.verified_release import versions
from shoal.engine.vocabulary import OFF
from shoal.errors import InputError
from shoal.io.place import place_at
from shoal.io.read import file_hash
from shoal.io.read_back import read_back, same_values
from shoal.io.text_layout import types_as_read
from shoal.io.transaction import Together, together
from shoal.io.write import FORMATS, check_target
from shoal.report.as_it_is import AsItIs
from shoal.report.published import PolicyFollowed

_KEY = "A fresh random key, which stands for a row of this table and says nothing of the one it came from."
_LINK = "The fresh key of a row of the table {}."


@dataclass(frozen=True, eq=False)
class LinkedRelease:
    """Tables linked by fresh keys, and the privacy models that hold for their joined view.

    ``n_unusual`` counts the rows that were suppressed because too few people have that many rows.
    """

    tables: Mapping[str, PublishedTable]
    verdicts: tuple[Verdict, ...]
    goal: Goal
    notes: tuple[str, ...]
    n_unusual: int
    seconds: float
    policy: PolicyFollowed | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows of all tables."""
        return sum(one.release.table.n_rows for one in self.tables.values())

    @property
    def n_suppressed(self) -> int:
        """Number of suppressed rows of all tables."""
        return sum(one.release.n_suppressed for one in self.tables.values())

    def to_frames(self) -> dict[str, Any]:
        """The published tables by name, each in the frame type it was given in."""
        return {name: one.source.restore(one.frame) for name, one in self.tables.items()}

    def losses(self) -> dict[str, float]:
        """The loss of each table by the goal's metric."""
        return {name: self.goal.metric.score(one.release) for name, one in self.tables.items()}

    def write(self, targets: Mapping[str, str | Path], datapackage: str | Path | None = None) -> None:
        """Write every table, and beside the first the private run record and a data package: all or none.

        Each file is read again, and the joined view must be the one that was judged. The data package describes the
        tables and their links for programs and may be published with them; ``datapackage`` is its path (default
        ``name.datapackage.json``), and ``"off"`` leaves it out.

        Raises:
            InputError: a table has no target or an unknown one, or a file format loses differences between values.
        """
        wanted = {name: Path(target) for name, target in targets.items()}
        for name in self.tables:
            if name not in wanted:
                raise InputError(
                    f"The table {name!r} has no output; linked tables are published together, so give each an output."
                )
        first = next(iter(wanted.values()))
        beside = place_at(first).package_path if datapackage is None else Path(datapackage)
        package = None if datapackage == OFF else beside
        self._check_targets(wanted, package)
        with together(first) as files:
            if package is not None:
                described = [
                    resource(name, _schema(one, self.tables, wanted[name]), wanted[name], package)
                    for name, one in self.tables.items()
                ]
                text = package_text(package.name.partition(".")[0], described, self.verdicts)
                files.path(package).write_text(text, encoding="utf-8", newline="\n")
            paths = {name: self._write_table(files, name, wanted[name]) for name in self.tables}
            record = files.path(place_at(first).record_path(Path()), private=True)
            record.write_text(self._record(wanted, paths), encoding="utf-8", newline="\n")

    def _check_targets(self, wanted: Mapping[str, Path], package: Path | None) -> None:
        inputs = [one.source.path for one in self.tables.values() if one.source.path is not None]
        described = [] if package is None else [package]
        files = [*wanted.values(), *described, place_at(next(iter(wanted.values()))).record_path(Path())]
        for name, target in wanted.items():
            if name not in self.tables:
                raise InputError(f"There is no table {name!r} to write; known are {', '.join(self.tables)}.")
            check_target(target, inputs)
        for path in (*described, files[-1]):
            check_target(path, inputs, (".json",))
        if len({path.resolve() for path in files}) < len(files):
            raise InputError("Two outputs would be written to the same file; give them different names.")

    def _write_table(self, files: Together, name: str, target: Path) -> Path:
        frame, path = self.tables[name].frame, files.path(target)
        FORMATS[target.suffix.lower()](frame, path)
        seen = read_back(path, target.suffix.lower(), frame.columns, frame.columns)
        for column in frame.columns:
            if not same_values(frame[column], seen[column]):
                raise InputError(
                    f"As {target.suffix} the column {column!r} of {name!r} loses differences between values (a missing "
                    "value and an empty text, the last digits of numbers); write .parquet. Nothing was written."
                )
        return path

    def figures(self) -> dict[str, Any]:
        """Verdicts, sizes and losses as plain data."""
        return {
            "policy": None if self.policy is None else dataclasses.asdict(self.policy),
            "verdicts": [
                {key: value for key, value in dataclasses.asdict(verdict).items() if not key.startswith("worst")}
                for verdict in self.verdicts
            ],
            "tables": {
                name: {
                    "rows": one.release.table.n_rows,
                    "records": one.release.n_records,
                    "quasi_identifiers": list(one.schema.quasi_identifiers),
                    "sensitive": list(one.schema.sensitive),
                    "as_it_is": dataclasses.asdict(one.as_it_is),
                }
                for name, one in self.tables.items()
            },
            "losses": self.losses(),
            "suppressed": self.n_suppressed,
            "seconds": round(self.seconds, 4),
        }

    def _record(self, wanted: Mapping[str, Path], paths: Mapping[str, Path]) -> str:
        said = {
            "written": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": versions(),
            "inputs": {name: str(one.source.path) for name, one in self.tables.items() if one.source.path is not None},
            "outputs": {name: {"path": str(wanted[name]), "sha256": file_hash(paths[name])} for name in self.tables},
            **self.figures(),
        }
        return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """One of the tables: ``frame`` may be published, ``release`` has the owner of every record and must not be.

    ``as_it_is`` names its columns without a recoding, and counts the records that they make unique in it.
    """

    frame: pl.DataFrame = field(repr=False)
    release: Release = field(repr=False)
    schema: Schema = field(repr=False)
    source: Loaded = field(repr=False)
    words: TableWords = field(repr=False)
    as_it_is: AsItIs

    @property
    def described(self) -> Described:
        """The facts about the columns for the data package."""
        table = self.release.table
        return Described(
            schema=self.schema, quasi=table.quasi, published=table.order, preparation=coarsening_of(self.words),
            levels=chosen_levels(self.release),
        )  # fmt: skip


def _schema(table: PublishedTable, tables: Mapping[str, PublishedTable], file: Path) -> dict[str, Any]:
    """The columns of a table, with its keys in the terms of Table Schema."""
    words = table.words
    told = {} if words.link is None else {words.link[0]: _LINK.format(repr(words.link[1]))}
    told |= {} if words.key is None else {words.key: _KEY}
    fields = [
        {**field, "description": told[field["name"]]} if field["name"] in told else field
        for field in table.described.fields(types_as_read(table.frame.lazy(), file))
    ]
    schema: dict[str, Any] = {"fields": fields}
    if words.key is not None:
        schema["primaryKey"] = [words.key]
    if words.link is not None:
        column, other = words.link
        reference = {"resource": spelled(other), "fields": [tables[other].words.key]}
        schema["foreignKeys"] = [{"fields": [column], "reference": reference}]
    return schema
