"""The backend for rows in a file, within a memory limit: rows are read in pieces, and blocks of them kept on disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from shoal import metrics
from shoal.core.arrays import Codes, Floats, Offsets, Words64
from shoal.core.block_tree import Cuts
from shoal.core.block_union import block_of, can_stand_alone, join_neighbours
from shoal.core.contracts import Algorithm, Goal, GroupModel, PriceMetric, Verdict
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.engine.backends.checked_table import CheckedTable, as_text, keys_of_records, publish_table
from shoal.engine.backends.coded_columns import CodedColumns, CountedPeople
from shoal.engine.backends.colliding_blocks import Homes
from shoal.engine.backends.contract import Outcome
from shoal.engine.backends.disk_release import DiskRelease, PrintedTables
from shoal.engine.backends.forms_on_disk import LabelFile
from shoal.engine.backends.levels import LevelRecoding
from shoal.engine.backends.memory_limit import Memory, peak
from shoal.engine.backends.packing import Packing, add_counts, are_among, count_distinct_words
from shoal.engine.backends.people_blocks import PeopleBlocks
from shoal.engine.backends.people_on_disk import PeopleNumbers, count_people, files_of
from shoal.engine.backends.pieces import InPieces, RecodedRows
from shoal.engine.backends.row_files import RowFiles, Shards
from shoal.engine.backends.written_file import Counted, WrittenFile
from shoal.engine.plan import Plan, Request, with_suggested
from shoal.engine.words import Where
from shoal.errors import InputError
from shoal.io.appending import check_ending
from shoal.io.cell_forms.printing import Printer, chosen_forms
from shoal.io.column_rules import BLOCK, WHOSE
from shoal.io.inspect.columns_without_role import MOST_LOOKED_AT
from shoal.io.locking import temporary_folder
from shoal.io.masking.masker import masked_copy
from shoal.io.people import known_keys
from shoal.io.preparation.contract import tally_of
from shoal.io.table_file import VALUE, TableFile, open_table_file
from shoal.io.transaction import recover, together

_Losses = list[tuple[PriceMetric, Floats]]

_Block = tuple[pl.DataFrame, frozenset[int]]
"""Rows that are run together, and the homes they come from."""


class Disk(InPieces):
    """Rows in a file. Two or three passes over the rows, one over the records.

    A context manager: at the end it deletes everything it put on disk, which includes original rows.
    """

    where: ClassVar[Where] = "disk"
    otherwise: ClassVar[str] = "leave out the memory limit"

    def __init__(
        self, source: Path, target: Path, memory: Memory, progress: Progress, package: Path | None = None
    ) -> None:
        super().__init__(memory.block, progress)
        self._source, self._target, self._memory, self._package = source, target, memory, package
        self._kept = ExitStack()
        self._rows: TableFile
        self._folder: Path
        self._shards: Shards
        self._homes: list[frozenset[int]] = []
        self._written: CodedColumns

    def __exit__(self, *said: object) -> None:
        self._kept.close()

    def open(self, request: Request) -> None:
        """Examine the file; delimited text is copied to Parquet beside the target."""
        _refuse(request)
        check_ending(self._target.suffix.lower())
        recover(self._target.parent)
        self._folder = self._kept.enter_context(temporary_folder(self._target.parent))
        said = {word: value for word, value in request.words.reading.items() if word != "query"}
        self._rows = open_table_file(self._source, self._folder, empty_nested=True, **said)
        self.randomness = Randomness(request.words.seed)
        if request.schema.masked:
            schema = with_suggested(request.words, self._rows.sample(self._rows.names, MOST_LOOKED_AT), request.schema)
            self._rows = masked_copy(self._rows, schema, self._folder / "masked.parquet")
        if request.preparation.says_something:
            self._prepare(request)
        self.names, self.n_rows = self._rows.names, self._rows.n_rows
        self._shards = self._fresh_shards()

    def _fresh_shards(self) -> Shards:
        n_shards = -(-self.n_rows // self._memory.batch)
        return Shards(self._folder, n_shards, self.randomness.child("publish"))

    def _prepare(self, request: Request) -> None:
        """Copy the prepared rows: in one pass, or in two if a step has to know all rows first."""
        request.schema.check_columns(self._rows.names)
        request.preparation.check(request.schema, self._rows.names)
        first, then = request.preparation.in_two()
        sampled = first.sampled(self.randomness.child("prepare"))
        self._rows = self._rows.changed(self._folder / "prepared.parquet", lambda rows: first.piece(sampled(rows)))
        if then.steps and self._rows.n_rows:
            known = then.learned(tally_of(pl.scan_parquet(self._rows.path)))
            self._rows = self._rows.changed(self._folder / "prepared again.parquet", known.piece)

    def sample(self, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """Evenly spaced rows."""
        return self._rows.sample(names, n_rows)

    def values(self, name: str) -> pl.DataFrame:
        """The distinct values of a column and how many rows have each, in one pass over it."""
        found = self._rows.values(name)
        self._memory.check()
        return found

    def people(self, person: str) -> CountedPeople:
        """The number of people and their values, in one pass over those columns."""
        found = count_people(self._rows, self.columns, person, self._folder, self._memory.batch)
        self._memory.check()
        return found

    def distinct(self, names: Sequence[str], *, of_people: bool = False) -> tuple[Codes, Offsets, Codes | None]:
        """Like the base class. Memory O(distinct rows + batch)."""
        sizes, person = [self.columns.coded[name].domain.n_leaves for name in names], str(self.columns.person)
        if of_people:
            numbers = PeopleNumbers(self._rows.values(person)[VALUE])
            self._memory.check()
            sizes.append(self.counted.n_people)
        packing, waiting = Packing.of(sizes), list[tuple[Words64, Offsets]]()
        for batch in self._rows.batches(self._memory.batch, [*names, person] if of_people else names):
            codes = self.columns.codes(batch, names)
            if of_people:
                codes = np.vstack([codes, numbers.of(batch[person])])
            waiting.append(count_distinct_words(packing.pack(codes)))
            if sum(counts.size for _, counts in waiting[1:]) > waiting[0][1].size:
                waiting = [self._added(waiting, of_people)]
            self.progress.advance(batch.height)
        words, counts = self._added(waiting, of_people)
        codes = packing.unpack(words)
        return (codes[:-1], counts, codes[-1]) if of_people else (codes, counts, None)

    def _added(self, counted: Sequence[tuple[Words64, Offsets]], of_people: bool) -> tuple[Words64, Offsets]:
        """The counts of several batches added up, unless these are more distinct rows than memory can hold."""
        words, counts = add_counts(counted)
        if counts.size > self._memory.distinct:
            what = "distinct rows of people" if of_people else "distinct rows"
            raise InputError(
                f"The table has at least {counts.size:,} {what}, and a search over them needs about "
                f"{counts.size * 250 / (1 << 30):.1f} GiB; allow more memory, or use a local algorithm such as "
                "mondrian."
            )
        return words, counts

    def recode(self, found: LevelRecoding) -> Shards:
        """Distribute the recoded rows among the shards."""
        self._memory.check()
        columns = self._written = self.columns
        quasi = [column.name for column in columns.quasi]
        nodes = Packing.of([column.domain.n_leaves for column in columns.quasi])
        lost = nodes.pack(found.lost) if found.n_lost else None
        read = [*dict.fromkeys(filter(None, [*columns.order, self.whose]))]
        for batch in self._rows.batches(self._memory.batch, read):
            codes = columns.codes(batch, quasi)
            published = [labels.gather(each).cast(pl.String) for labels, each in zip(found.labels, codes, strict=True)]
            frame = pl.DataFrame([*published, *(batch[name] for name in columns.passengers)]).select(columns.order)
            if self.whose is not None:
                keys = known_keys(batch[self.whose]).alias(WHOSE)
                frame = frame.with_columns(keys, pl.lit(0, pl.Int32).alias(BLOCK))
            if lost is not None:
                firsts = np.array([first[each] for first, each in zip(found.firsts, codes, strict=True)], np.int32)
                frame = frame.filter(pl.Series(~are_among(nodes.pack(firsts), lost)))
            self._shards.add(frame)
            self.progress.advance(batch.height)
        return self._shards

    def map_blocks(self, cuts: Cuts, homes: Homes, goal: Goal, algorithm: Algorithm) -> RecodedRows:
        """Write each row to the file of its block; then run one block after the other in memory."""
        parts = self._dealt(cuts, homes).numbered(2 * self.block, homes.whole)
        return self._run(parts, goal, algorithm, self._losses(goal))

    def map_people(
        self, blocks: PeopleBlocks, homes: Homes, goal: Goal, algorithm: Algorithm, pseudonym: str | None
    ) -> RecodedRows:
        """Write all rows of each person to the file of their block; then run one block after the other in memory."""
        losses = self._losses(goal)
        files = self._dealt_people(blocks, homes, losses)
        made = self._run(files.numbered(), goal, algorithm, losses, pseudonym)
        order = self.columns.order if pseudonym is None else (pseudonym, *self.columns.order)
        self._written = replace(self.columns, order=order)
        return made

    def _losses(self, goal: Goal) -> _Losses:
        """The metrics that are shown, each with the losses of columns so far: none."""
        shown = {metric.name: metric for metric in (metrics.LM(), metrics.GCP(), goal.metric)}.values()
        return [(metric, np.zeros(len(self.columns.quasi))) for metric in shown if isinstance(metric, PriceMetric)]

    def _add_losses(self, losses: _Losses, release: Release, n_rows: int) -> None:
        for metric, lost in losses:
            lost += metric.by_column(release) * n_rows / self.n_rows

    def _run(
        self,
        parts: Iterable[tuple[int, pl.DataFrame]],
        goal: Goal,
        algorithm: Algorithm,
        losses: _Losses,
        pseudonym: str | None = None,
    ) -> RecodedRows:
        """Run one block after the other in memory; join those that cannot be anonymized alone with the next."""
        self._shards, self._homes = self._fresh_shards(), []
        self._written = self.columns
        self.progress.stage("running on blocks", self.n_rows)
        columns = self.columns

        def is_able(block: _Block) -> bool:
            return can_stand_alone(columns.table(block[0]), goal, algorithm)

        def joined(one: _Block, other: _Block) -> _Block:
            return pl.concat([one[0], other[0]]), one[1] | other[1]

        made = RecodedRows(self._shards, {}, frozenset(column.name for column in columns.quasi))
        blocks = ((rows, frozenset([home])) for home, rows in parts)
        for number, (rows, homes) in enumerate(join_neighbours(blocks, is_able, joined, 1)):
            table = columns.table(rows)
            drawn = self.randomness.child(f"block {number}")
            keys = None if columns.person is None else rows[columns.person]
            printed = publish_table(table, goal, algorithm, drawn, keys=keys, pseudonym=pseudonym, is_block=True)
            records = as_text(printed.frame, columns)
            if self.whose is not None:
                whose = keys_of_records(printed, drawn, known_keys(rows[self.whose])).alias(WHOSE)
                records = records.with_columns(whose, pl.lit(number, pl.Int32).alias(BLOCK))
            self._shards.add(records)
            self._homes.append(homes)
            made = _with_block(made, printed)
            self._add_losses(losses, printed.release, table.n_rows)
            self._memory.check()
            self.progress.advance(table.n_rows)
        return replace(made, losses={m.name: float(m.combine(lost, self.outline)) for m, lost in losses})

    def _dealt(self, cuts: Cuts, homes: Homes) -> RowFiles:
        quasi = [column.name for column in self.columns.quasi]
        kept = [name for name in self.names if name in (*self.columns.order, self.whose)]
        with closing(RowFiles(self._folder, "block")) as files:
            for batch in self._rows.batches(self._memory.batch, kept):
                files.deal(batch, homes.numbers[cuts.place(self.columns.codes(batch, quasi))])
                self.progress.advance(batch.height)
        return files

    def _dealt_people(self, blocks: PeopleBlocks, homes: Homes, losses: _Losses) -> RowFiles:
        """Gather the rows of each person, write them to their block, and add the losses of suppressed rows."""
        columns, person = self.columns, str(self.columns.person)
        kept = [name for name in self.names if name in (*columns.order, person)]
        n_files = max(1, -(-self.n_rows // self._memory.batch))  # each with about as many rows as are read at once
        with closing(RowFiles(self._folder, "gathered")) as gathered:
            for batch in self._rows.batches(self._memory.batch, kept):
                gathered.deal(batch, files_of(batch[person], n_files))
                self.progress.advance(batch.height)
        with closing(RowFiles(self._folder, "block")) as files:
            for _, rows in gathered.numbered():
                table = columns.table(rows)
                places = blocks.place(table)
                files.deal(rows.filter(places >= 0), homes.numbers[places[places >= 0]])
                lost = block_of(table, np.flatnonzero(places < 0).astype(np.int32))
                if lost.n_rows:
                    nothing = Release.from_groups(lost, Groups(np.zeros(1, np.int64), np.empty(0, np.int32)))
                    self._add_losses(losses, nothing, lost.n_rows)
                self._memory.check()
        return files

    def rows_of_people(self) -> Offsets:
        """The numbers already counted."""
        return self.counted.by_length

    def some_people(self, person: str, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """All rows of people whose key has a certain hash. One pass."""
        n_parts = max(1, self.n_rows // n_rows)
        return pl.concat(
            batch.filter(files_of(batch[person], n_parts) == 0)
            for batch in self._rows.batches(self._memory.batch, names)
        )

    def conclude(self, plan: Plan, request: Request, made: RecodedRows) -> Outcome:
        """Write the shards, judge the file as a third party would read it, and name it together with its record."""
        self.watch.lap("anonymize")
        self.progress.stage("checking")
        release = DiskRelease(
            self._source, self._target, self._folder, self._memory, self.columns, self._written, self._shards,
            self._homes, self.n_rows, self.whose is not None,
        )  # fmt: skip
        with together(self._target) as files:
            has_forms = bool(chosen_forms(request.words.cells, plan.schema.quasi_identifiers, request.words.draws))
            judged = self._folder / f"labels{release.ending}" if has_forms else files.path(self._target)
            kept = LabelFile(self._folder / "labels.parquet", judged, release.ending)
            release.write(judged, made, kept.labels if has_forms and kept.labels != judged else None)
            found = release.check(judged, plan.goal, made)
            self.notes += self.note_on_repeated(plan.goal, partial(release.few_people, judged))
            printed = PrintedTables({"": judged}, Printer({}, {}, {}, ()))
            if has_forms:
                printed = release.print_forms(kept, plan.schema, request.words, self.randomness.child("cells"), files)
            self.watch.lap("write and check")
            outcome = self._outcome(plan, request, made, found, printed, judged)
            release.put_beside(files, outcome, printed)
        return outcome

    def _outcome(
        self, plan: Plan, request: Request, made: RecodedRows, found: Counted, printed: PrintedTables, judged: Path
    ) -> Outcome:
        """The outcome, with verdicts from the written file or from the blocks."""
        verdicts = {**made.verdicts, **{verdict.promise: verdict for verdict in found.verdicts}}
        as_it_is = self.as_it_is(plan.schema, found.n_records)
        if as_it_is:
            as_it_is = WrittenFile(judged, self._target.suffix.lower(), self._written).count_as_it_is(as_it_is)
        return self.outcome(
            plan, request, made, as_it_is, printed.printer, self._rows.notes,
            verdicts=tuple(verdicts[str(p)] for p in plan.goal.promises if str(p) in verdicts),
            losses={
                **made.losses,
                "suppression": 1 - found.n_records / self.n_rows,
                "aecs": found.n_records / found.sizes.size,
                "dm": float((found.sizes.astype(float) ** 2).sum()),
            },
            target=str(self._target),
            n_classes=found.sizes.size,
            smallest_class=int(found.sizes.min()),
            risks=found.risks,
            peak_memory=peak(),
            package=self._package,
            tables=tuple(printed.paths),
        )  # fmt: skip


def _with_block(made: RecodedRows, printed: CheckedTable) -> RecodedRows:
    """The facts about all blocks, extended by another one: each model holds for a union if it holds for the parts."""
    release = printed.release
    verdicts: dict[str, Verdict] = dict(made.verdicts)
    for verdict in printed.verdicts:
        known = verdicts.get(verdict.promise)
        if known is not None:
            achieved = known.achieved, verdict.achieved
            worst = min(achieved) if max(achieved) > verdict.wanted else max(achieved)
            verdict = replace(verdict, achieved=worst, n_groups=known.n_groups + verdict.n_groups)
        verdicts[verdict.promise] = replace(verdict, worst=(), worst_measures=())
    own = {column.name: column.domain.values.dtype for column in release.table.quasi}
    return replace(
        made,
        exact=frozenset(name for name in made.exact if printed.frame[name].dtype == own[name]),
        verdicts=verdicts,
        pools_are_classes=made.pools_are_classes and release.matches is None,
    )


def _refuse(request: Request) -> None:
    for promise in request.goal.promises:
        by_keys = isinstance(promise, GroupModel) and not promise.judges_cells and request.schema.person is not None
        if not by_keys and not promise.survives_blocks:
            raise InputError(f"{promise} can only be judged with all rows in memory; leave out the memory limit.")
    if request.schema.missing == "drop":
        raise InputError(
            "missing = 'drop' needs all rows in memory; drop them yourself, or leave out the memory limit."
        )
