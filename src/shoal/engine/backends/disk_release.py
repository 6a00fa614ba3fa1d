"""A release on disk before it gets its final name: written from the shards, judged, and printed in its forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.core.contracts import Goal, GroupModel, ReleaseModel
from shoal.core.domain import Domain
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.engine.backends.coded_columns import CodedColumns
from shoal.engine.backends.colliding_blocks import BlocksCollide
from shoal.engine.backends.contract import Outcome
from shoal.engine.backends.forms_on_disk import LabelFile, learn_forms
from shoal.engine.backends.memory_limit import Memory
from shoal.engine.backends.pieces import RecodedRows
from shoal.engine.backends.row_files import Shards
from shoal.engine.backends.written_file import Counted, WrittenFile, named_keys, scan_written
from shoal.engine.datapackage import datapackage
from shoal.engine.vocabulary import AnonymizeWords
from shoal.engine.writing import stale_beside
from shoal.errors import BrokenPromise
from shoal.io.appending import appender
from shoal.io.cell_forms.printing import Printer
from shoal.io.column_rules import BLOCK, WHOSE
from shoal.io.place import place_at
from shoal.io.transaction import Together


@dataclass(frozen=True, eq=False)
class PrintedTables:
    """The temporary paths of the release's tables, and the printer of what is not printed as labels."""

    paths: Mapping[str, Path]
    printer: Printer


@dataclass(frozen=True, eq=False)
class DiskRelease:
    """Records in shards, and where they go.

    ``columns`` and ``n_rows`` were read; the columns ``written`` include a pseudonym, if any. ``homes`` has the blocks
    of rows that each block of records was made from. If the release ``has_keys``, records carry the keys of people,
    from a named column or one that repeats.
    """

    source: Path
    target: Path
    folder: Path
    memory: Memory
    columns: CodedColumns
    written: CodedColumns
    shards: Shards
    homes: Sequence[frozenset[int]]
    n_rows: int
    has_keys: bool = False

    @property
    def ending(self) -> str:
        """The file type of the target."""
        return self.target.suffix.lower()

    @property
    def _keys(self) -> Path:
        """The file with the key of each record's person until people are counted."""
        return self.folder / "keys.parquet"

    def write(self, path: Path, made: RecodedRows, labels: Path | None = None) -> None:
        """Write the records in random order; also to the Parquet file ``labels`` if given."""
        whose = appender(self._keys, ".parquet") if self.has_keys else nullcontext()
        again = nullcontext() if labels is None else appender(labels, ".parquet")
        with appender(path, self.ending) as add, whose as add_keys, again as add_copy:

            def change(frame: pl.DataFrame) -> pl.DataFrame:
                if add_keys is not None:
                    add_keys(named_keys(frame[WHOSE]).with_columns(frame[BLOCK]))
                typed = self._typed(frame, made.exact)
                if add_copy is not None:
                    add_copy(typed)
                return typed

            self.shards.write(add, change)
        self.memory.check()

    def print_forms(
        self, kept: LabelFile, schema: Schema, words: AnonymizeWords, randomness: Randomness, files: Together
    ) -> PrintedTables:
        """Print the labels in the requested forms: the release, further draws of it, and its codebook."""
        printer = learn_forms(kept.labels, self.columns.quasi, schema, words)
        self.memory.check()
        drawn = ["", *(f"draw{number}" for number in range(2, words.draws + 1))]
        tables = [*drawn, *(["codes"] if printer.codebook is not None else [])]
        place = place_at(self.target)
        targets = {name: place.beside(name) if name else self.target for name in tables}
        for target in [*targets.values()][1:]:
            place_at(target).check([self.source])
        paths = {name: files.path(target) for name, target in targets.items()}
        for number, name in enumerate(drawn):
            kept.print_to(paths[name], printer, randomness, number, self.memory.batch)
        if printer.codebook is not None:
            with appender(paths["codes"], kept.ending) as add:
                add(printer.codebook)
        return PrintedTables(paths, printer)

    def put_beside(self, files: Together, outcome: Outcome, printed: PrintedTables) -> None:
        """Write the data package and the run record; remove what an earlier release left there."""
        place = place_at(self.target)
        written = [self.target, *(place.beside(name) for name in printed.paths if name)]
        if outcome.package is not None:
            written.append(outcome.package)
            tables = {name: scan_written(one, self.ending) for name, one in printed.paths.items()}
            told = datapackage(outcome, tables, self.target, outcome.package)
            files.path(outcome.package).write_text(told, encoding="utf-8", newline="\n")
        for stale in stale_beside(place.record_path(Path()), self.target, written):
            files.remove(stale)
        text = outcome.record(self.source, self.target, printed.paths[""])
        record = files.path(place.record_path(Path()), private=True)
        record.write_text(text, encoding="utf-8", newline="\n")

    def check(self, path: Path, goal: Goal, made: RecodedRows) -> Counted:
        """Judge the written file, and check that no more rows were lost than allowed.

        Raises:
            BrokenPromise: a model does not hold, or records were lost.
            BlocksCollide: a model holds in every block, but not in classes that several of them share.
        """
        file = WrittenFile(path, self.ending, self.written, None if self.columns.person is None else self._keys)
        try:
            found = file.check(_visible(goal, made))
        except BlocksCollide as problem:
            raise BlocksCollide(
                frozenset.union(*(self.homes[block] for block in blocks)) for blocks in problem.blocks
            ) from None
        if file.keys is not None and self.written.order != self.columns.order:
            file.check_pseudonyms()
        if found.n_records != self.shards.n_records:
            lost = self.shards.n_records - found.n_records
            raise BrokenPromise(f"{lost:,} records were lost in writing; a bug in shoal.")
        if self.n_rows - found.n_records > goal.most_suppressed(self.n_rows):
            raise BrokenPromise(
                f"{self.n_rows - found.n_records:,} rows were suppressed, more than allowed; a bug in shoal."
            )
        return found

    def few_people(self, path: Path, least: int) -> tuple[int, int]:
        """How many classes of the written file have fewer people than ``least``, and how many classes there are."""
        people = WrittenFile(path, self.ending, self.written, self._keys).people_of_classes()
        self.memory.check()
        return int((people < least).sum()), people.size

    def _typed(self, frame: pl.DataFrame, exact: frozenset[str]) -> pl.DataFrame:
        """Restore the original values of columns in which every cell is exact."""
        own = {column.name: column.domain for column in self.columns.quasi if column.name in exact}
        order = self.written.order
        return pl.DataFrame([_values(frame[name], own[name]) if name in own else frame[name] for name in order])


def _visible(goal: Goal, made: RecodedRows) -> list[GroupModel | ReleaseModel]:
    """The models that a third party can judge from the file; the others were judged in every block."""
    seen: list[GroupModel | ReleaseModel] = [model for model in goal.class_models if not model.judges_cells]
    seen += goal.release_models
    return [model for model in seen if made.pools_are_classes or model.reads == "classes"]


def _values(texts: pl.Series, domain: Domain) -> pl.Series:
    if domain.values.dtype == pl.String:
        return texts
    places = {text: place for place, text in enumerate(domain.texts) if place != domain.missing}
    found = texts.replace_strict(list(places), list(places.values()), default=None, return_dtype=pl.UInt32)
    return domain.values.gather(found).alias(texts.name)
