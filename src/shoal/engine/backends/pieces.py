"""Runs on rows that come in pieces: the code that disk and Spark share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from shoal.algorithms.histories import WholeHistories
from shoal.core.arrays import Codes, Offsets
from shoal.core.block_tree import Cuts, learn_cuts
from shoal.core.contracts import Algorithm, Goal, Verdict
from shoal.core.progress import Progress, Watch
from shoal.core.randomness import Randomness
from shoal.core.schema import UNPUBLISHED, Schema
from shoal.core.table import CountedTable
from shoal.engine.auditing_result import promised_k
from shoal.engine.backends.coded_columns import CodedColumns, CountedPeople, learn_columns
from shoal.engine.backends.colliding_blocks import BlocksCollide, Homes
from shoal.engine.backends.contract import Outcome
from shoal.engine.backends.levels import LevelRecoding, find_levels
from shoal.engine.backends.people_blocks import PeopleBlocks, learn_people_blocks
from shoal.engine.missing_hierarchies import notes_on_missing_hierarchies
from shoal.engine.plan import Plan, Request
from shoal.engine.record_people import least_people, note_on_few
from shoal.engine.words import Where
from shoal.errors import InputError
from shoal.io.cell_forms.printing import Printer
from shoal.io.inspect.columns_without_role import MOST_LOOKED_AT, unnamed
from shoal.io.inspect.person_keys import columns_that_tell, person_keys
from shoal.io.people import note_on_unnamed
from shoal.io.table_file import VALUE
from shoal.report.as_it_is import AsItIs

SAMPLE = 200_000
"""This many rows are enough to know where to cut."""


@dataclass(frozen=True, eq=False)
class RecodedRows:
    """Recoded rows, wherever they are stored (``at``), and what is known about them."""

    at: Any
    losses: dict[str, float]
    exact: frozenset[str] = frozenset()
    levels: LevelRecoding | None = None
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    pools_are_classes: bool = True
    n_given_up: int = 0
    """Rows suppressed before blocks were run, if their ``losses`` still have to be computed."""

    @property
    def account(self) -> tuple[str, ...]:
        """The remarks of a search for levels."""
        return (self.levels.account,) if self.levels and self.levels.account else ()


class InPieces(AbstractContextManager["InPieces"]):
    """A backend whose rows are never all in memory.

    Full-domain levels are searched on the distinct rows with their counts. Any other algorithm runs on blocks of
    similar rows.
    """

    where: ClassVar[Where]
    otherwise: ClassVar[str]
    """How to do without this backend, for messages."""

    block: int
    """Rows per block."""
    names: Sequence[str]
    n_rows: int
    columns: CodedColumns
    outline: CountedTable
    counted: CountedPeople
    randomness: Randomness
    notes: tuple[str, ...] = ()
    repeated: str | None = None
    """If no person column was named: the identifier that repeats like a person's key."""

    def __init__(self, block: int, progress: Progress) -> None:
        self.block, self.progress, self.watch = block, progress, Watch()

    @abstractmethod
    def open(self, request: Request) -> None:
        """Open the rows as requested; afterwards ``names`` and ``n_rows`` are known.

        Raises:
            InputError: they cannot be read, or a setting is not supported here.
        """

    @abstractmethod
    def sample(self, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """About ``n_rows`` rows from all over the table, or all if there are fewer."""

    @abstractmethod
    def values(self, name: str) -> pl.DataFrame:
        """The distinct values of a column (``VALUE``), including missing, and how many rows have each (``COUNT``)."""

    def values_of(self, names: Sequence[str]) -> dict[str, pl.DataFrame]:
        """The distinct values of several columns."""
        return {name: self.values(name) for name in names}

    @abstractmethod
    def people(self, person: str) -> CountedPeople:
        """The number of people, by the column with the person of each row, and their values."""

    @abstractmethod
    def distinct(self, names: Sequence[str], *, of_people: bool = False) -> tuple[Codes, Offsets, Codes | None]:
        """The codes of the distinct rows in some columns, and their counts; for each person, numbered from 0, if asked.

        Raises:
            InputError: there are more than this backend can hold.
        """

    @abstractmethod
    def recode(self, found: LevelRecoding) -> Any:
        """Every row at these levels, except those of suppressed classes; with its key if people are counted."""

    @abstractmethod
    def map_blocks(self, cuts: Cuts, homes: Homes, goal: Goal, algorithm: Algorithm) -> RecodedRows:
        """The records of all blocks, each run, checked and printed alone; blocks are joined until that is possible."""

    @abstractmethod
    def rows_of_people(self) -> Offsets:
        """The number of people with m rows, at index m."""

    @abstractmethod
    def some_people(self, person: str, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """All rows of people drawn at random, about ``n_rows`` rows, in some columns; ``person`` is the key column."""

    @abstractmethod
    def map_people(
        self, blocks: PeopleBlocks, homes: Homes, goal: Goal, algorithm: Algorithm, pseudonym: str | None
    ) -> RecodedRows:
        """The records of all blocks of people, each run, checked and printed alone."""

    @abstractmethod
    def conclude(self, plan: Plan, request: Request, made: RecodedRows) -> Outcome:
        """Write and check; nothing is left of a release that fails.

        Raises:
            BlocksCollide: a model holds in each block, but not in classes that several of them share.
        """

    def read(self, request: Request) -> Request:
        """Open the rows and examine columns without a role, on a sample if there are many rows."""
        self.progress.stage("reading")
        self.open(request)
        if not self.n_rows:
            raise InputError("The table has no rows; there is nothing to publish.")
        request.schema.check_columns(self.names)
        request = request.banded(lambda name: self.values(name)[VALUE])
        doubtful = unnamed(self.names, request.schema)
        kept = [name for name in self.names if request.schema.role(name) not in UNPUBLISHED]
        request = request.on(self.sample(kept, MOST_LOOKED_AT if doubtful else 1), self.names)
        self.repeated = self._repeated(request)
        if self.repeated is not None:
            self.carry(self.repeated, request)
        return request

    def carry(self, name: str, request: Request) -> None:
        """Carry an unpublished column along, hidden, until the release is checked; for rows that lack it."""

    @property
    def whose(self) -> str | None:
        """The column whose values accompany the records, hidden, until people have been counted."""
        return self.columns.person or self.repeated

    def _repeated(self, request: Request) -> str | None:
        """The identifier most like a person's key; columns that do not repeat are not read further."""
        if request.schema.person is not None:
            return None
        keys, known = columns_that_tell(request.schema, request.preparation.secrets, self.names)
        repeating = [name for name in keys if person_keys(self.some_people(name, [name], SAMPLE), [name])]
        found = [key for name in repeating for key in person_keys(self.some_people(name, known, SAMPLE), [name])]
        return min(found, key=lambda key: (-key.agreement, -key.n_keys)).name if found else None

    def note_on_repeated(self, goal: Goal, count: Callable[[int], tuple[int, int]]) -> tuple[str, ...]:
        """The note about an identifier that repeats.

        ``count`` returns how many classes have fewer people than its argument, and how many classes there are.
        """
        if self.repeated is None:
            return ()
        least = least_people(promised_k(goal.promises))
        return note_on_few(self.repeated, *count(least), least)

    def table(self, request: Request) -> CountedTable:
        """What is known about all rows before any is recoded: their number and their sensitive values."""
        schema = request.schema
        values = self.values_of((*schema.quasi_identifiers, *schema.sensitive))
        self.columns = learn_columns(values, schema, self.names, self.n_rows)
        if schema.person is not None:
            self.counted = self.people(schema.person)
            self.columns = self.columns.over_people(self.counted)
            self.notes = note_on_unnamed(schema.person, self.counted.n_unnamed, self.n_rows)
        columns = self.columns
        self.watch.lap("read")
        if len(columns.sensitive) > 1:
            codes, counts, _ = self.distinct([column.name for column in columns.sensitive])
        elif columns.sensitive:
            counts = columns.sensitive[0].domain.counts
            codes = np.arange(counts.size, dtype=np.int32)[None, counts > 0]
            counts = counts[counts > 0]
        else:
            codes, counts = np.empty((0, 1), np.int32), np.array([self.n_rows], np.int64)
        nowhere = np.zeros((len(columns.quasi), counts.size), np.int32)
        self.outline = columns.counted(np.concatenate([nowhere, codes]), counts)
        return self.outline

    def publish(self, plan: Plan, request: Request) -> Outcome:
        """Recode to one level per column, or in blocks; then write and check."""
        if plan.algorithm.works_on_counts:
            outcome = self.conclude(plan, request, self._at_levels(plan))
        else:
            blocks = self._of_people if plan.algorithm.keeps_people_together else self._of_rows
            outcome = self._in_blocks(plan, request, *blocks(plan))
        request.preparation.keep_key()
        return outcome

    def _of_rows(self, plan: Plan) -> tuple[Callable[[Homes], RecodedRows], int]:
        """A function that runs blocks of similar rows, and the number of blocks."""
        cuts, goal = self._cuts(plan), plan.goal.for_parts(self.n_rows)
        return lambda homes: self.map_blocks(cuts, homes, goal, plan.algorithm), cuts.n_blocks

    def _in_blocks(self, plan: Plan, request: Request, run: Callable[[Homes], RecodedRows], n_blocks: int) -> Outcome:
        """Run the blocks; rerun those as one whose records together violate a model."""
        homes = Homes.alone(n_blocks)
        while True:
            try:
                return self.conclude(plan, request, run(homes))
            except BlocksCollide as found:
                homes = homes.joined(found.blocks)

    def _of_people(self, plan: Plan) -> tuple[Callable[[Homes], RecodedRows], int]:
        """A function that runs blocks with all rows of their people, and the number of blocks.

        How many rows everybody keeps is decided here for all people at once; the order of rows and the cuts into blocks
        are learned from the rows of some people.
        """
        algorithm, goal = plan.algorithm, plan.goal
        assert isinstance(algorithm, WholeHistories)
        self.progress.stage("cutting into blocks of people", self.n_rows)
        person = str(self.columns.person)
        names = [name for name in self.names if name in (*self.columns.order, person)]
        some = self.columns.table(self.some_people(person, names, SAMPLE))
        column = algorithm.best_column(some, goal, self.randomness.child("sample"))
        blocks = learn_people_blocks(some, self.rows_of_people(), goal, column, self.block)
        left = (goal.most_suppressed(self.n_rows) - blocks.n_lost) / self.n_rows
        asked = replace(goal, suppression_limit=left)
        each = replace(algorithm, column=column, of_rows=self.n_rows)
        return lambda homes: self.map_people(blocks, homes, asked, each, plan.pseudonym), blocks.n_blocks

    def _at_levels(self, plan: Plan) -> RecodedRows:
        columns = self.columns
        self.progress.stage("counting distinct rows", self.n_rows)
        found = find_levels(self._distinct_rows(plan.goal), plan.goal, plan.algorithm, self.progress)
        self.progress.stage("recoding", self.n_rows)
        exact = {c.name for c, texts in zip(columns.quasi, found.labels, strict=True) if texts.dtype != pl.String}
        return RecodedRows(self.recode(found), {plan.goal.metric.name: found.loss}, frozenset(exact), found)

    def _distinct_rows(self, goal: Goal) -> CountedTable:
        """The distinct rows for a search for levels; without sensitive values if models are only about people."""
        columns, of_people = self.columns, self.columns.person is not None
        if of_people and goal.is_about_people:
            columns = replace(columns, sensitive=())
        return columns.counted(*self.distinct([*columns.coded], of_people=of_people))

    def _cuts(self, plan: Plan) -> Cuts:
        """Where to cut the table into blocks of similar rows."""
        goal, algorithm = plan.goal, plan.algorithm
        algorithm.refuse_blocks(goal)
        for promise in goal.promises:
            if algorithm.looks_across(promise):
                raise InputError(
                    f"{algorithm.name!r} with promises about sensitive values needs all rows in one place; "
                    f"{self.otherwise}."
                )
            if not promise.survives_blocks and self.columns.person is None:
                raise InputError(
                    f"{promise} needs all rows in one place; ask for another promise, or {self.otherwise}."
                )
        self.progress.stage("cutting into blocks", self.n_rows)
        quasi = [column.name for column in self.columns.quasi]
        codes = self.columns.codes(self.sample(quasi, SAMPLE), quasi)
        return learn_cuts(self.columns.quasi, codes, max(1.0, self.block * codes.shape[1] / self.n_rows))

    def as_it_is(self, schema: Schema, n_records: int) -> AsItIs:
        """The columns published without a recoding."""
        return AsItIs(tuple(schema.as_they_are(self.columns.order)), schema.sensitive, n_records)

    def outcome(
        self,
        plan: Plan,
        request: Request,
        made: RecodedRows,
        as_it_is: AsItIs,
        printer: Printer,
        notes: tuple[str, ...] = (),
        **more: Any,
    ) -> Outcome:
        """The outcome of the run; ``notes`` come first."""
        as_it_is = replace(as_it_is, prepared=tuple(request.preparation.told))
        levels = made.levels.levels if made.levels else None
        return Outcome(
            n_rows=self.n_rows,
            n_records=as_it_is.n_records,
            algorithm=plan.algorithm,
            reason=plan.choice.reason,
            goal=plan.goal,
            schema=plan.schema,
            quasi=tuple(self.columns.quasi),
            published=tuple(self.columns.order),
            levels=levels,
            seed=request.words.seed,
            policy=request.policy,
            seconds=self.watch.laps,
            preparation=request.preparation,
            as_it_is=as_it_is,
            cells=printer.forms,
            printed=printer.names,
            codebook=printer.codebook,
            notes=(
                *notes,
                *self.notes,
                *request.notes,
                *made.account,
                *printer.notes,
                *notes_on_missing_hierarchies(self.columns.quasi, plan.schema, levels or ()),
                *filter(None, [str(as_it_is)]),
            ),
            **more,
        )
