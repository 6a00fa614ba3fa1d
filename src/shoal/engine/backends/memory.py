"""The backend in memory: has all rows at once, so it supports every algorithm, audit and report."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from shoal.core.progress import Progress, Watch
from shoal.core.randomness import Randomness
from shoal.core.release import published_order
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.auditing_result import audited, promised_k
from shoal.engine.backends.checked_table import CheckedTable, publish_table
from shoal.engine.forms_of_cells import in_forms
from shoal.engine.missing_codes import codes_of_records, judged_columns, notes_on_merged, of_prepared, with_codes
from shoal.engine.missing_hierarchies import claimed_levels, notes_on_missing_hierarchies
from shoal.engine.plan import Plan, Request, with_suggested
from shoal.engine.record_people import note_on_repeated
from shoal.engine.release_check import check_buckets, names_of
from shoal.engine.result import Result
from shoal.engine.source import Loaded, load
from shoal.engine.warming import loading_kernels, parts_of, warm_up
from shoal.engine.words import Where
from shoal.io.column_rules import OURS
from shoal.io.dictionaries import forget_dictionaries
from shoal.io.encode import Encoded, encode
from shoal.io.masking import mask_frame
from shoal.report.as_it_is import AsItIs, look_as_it_is

_ROW = f"{OURS}row"


class InMemory:
    """A backend that codes the whole table; it makes a ``Result``, which is written only on request."""

    where: Where = "memory"

    def __init__(self, data: Any, progress: Progress, notes: tuple[str, ...] = ()) -> None:
        self._data, self._progress, self._notes, self._watch = data, progress, notes, Watch()
        self._source: Loaded
        self._encoded: Encoded
        self._before: pl.DataFrame | None = None
        self._rows: pl.Series

    def read(self, request: Request) -> Request:
        """Read the table, and examine columns without a role."""
        self._progress.stage("reading")
        with loading_kernels():
            self._source = load(self._data, **request.words.loading)
        self._watch.lap("read")
        request.schema.check_columns(self._source.frame.columns)
        if not self._source.frame.is_empty():
            self._compile(request)
        self._rows = pl.int_range(self._source.frame.height, eager=True)
        if request.preparation.says_something:
            self._source = self._masked(request)
            self._source, request = self._prepared(request)
        request = request.on(self._source.frame)
        self._watch.lap("read")
        return request

    def _compile(self, request: Request, *parts: str) -> None:
        """Compile kernels before anything needs them, so that none of it counts as search time."""
        if request.searches:
            warm_up("sizes" if request.goal.is_about_size else "values", self._progress, *parts)
        self._watch.lap("compile")

    def _masked(self, request: Request) -> Loaded:
        """The rows with free text masked, while they still have the values that the text may mention."""
        rows = self._source.frame
        request.schema.check_columns(rows.columns)
        found = mask_frame(rows, with_suggested(request.words, rows, request.schema))
        return replace(self._source, frame=found.frame, notes=(*self._source.notes, *found.notes))

    def _prepared(self, request: Request) -> tuple[Loaded, Request]:
        rows, preparation = self._source.frame, request.preparation
        request.schema.check_columns(rows.columns)
        preparation.check(request.schema, rows.columns)
        self._before = rows.select(preparation.secrets) if preparation.secrets else None
        numbered = rows.with_columns(self._rows.alias(_ROW))
        frame = preparation.whole(numbered, Randomness(request.words.seed).child("prepare"))
        self._rows, frame = frame[_ROW], frame.drop(_ROW)
        types = {name: kind for name, kind in self._source.types.items() if name not in preparation.told}
        meanings = of_prepared(self._source.meanings, [*preparation.told])
        source = replace(self._source, frame=frame, types=types, meanings=meanings)
        return source, request.banded(lambda name: frame[name])

    def table(self, request: Request) -> Table:
        """All rows, coded."""
        self._progress.stage("coding")
        words = request.words
        people = None if words.population_table is None else load(words.population_table, **words.reading_others).frame
        self._encoded = encode(self._source.frame, request.schema, people)
        forget_dictionaries()
        if self._encoded.kept is not None:
            self._rows = self._rows.filter(self._encoded.kept)
        return self._encoded.table

    def publish(self, plan: Plan, request: Request) -> Result:
        """Make the release, check it as cells and as printed, and attack it."""
        self._watch.lap("code")
        table, goal, randomness = self._encoded.table, plan.goal, Randomness(request.words.seed)
        if parts := parts_of(plan.algorithm):
            self._compile(request, *parts)
        made = publish_table(
            table, goal, plan.algorithm, randomness, self._progress, self._watch, keys=self._encoded.keys,
            pseudonym=plan.pseudonym,
        )  # fmt: skip
        if made.values is not None:
            names = names_of(made.frame, made.values, plan.schema)
            check_buckets(made.frame, made.values, names, goal.promises)
        printed = in_forms(made.publication, made.frame, plan.schema, request.words, randomness.child("cells"))
        self._watch.lap("check")
        floor = plan.certification.floor(made.release, goal, randomness.child("certify"), self._progress)
        self._watch.lap("certify")
        judged = judged_columns(plan.schema, goal)
        codes = self._codes(made, judged, randomness)
        as_it_is = self._as_it_is(made, codes, plan.schema, request)
        result = Result(
            release=made.release,
            frame=made.frame,
            values=made.values,
            verdicts=made.verdicts,
            goal=goal,
            choice=plan.choice,
            schema=plan.schema,
            notes=(
                *self._source.notes,
                *notes_on_merged(self._source.meanings, judged),
                *self._encoded.notes,
                *made.release.account,
                *notes_on_missing_hierarchies(table.quasi, plan.schema, claimed_levels(made.claims)),
                *(printed.notes if printed else ()),
                *self._notes,
                *request.notes,
                *filter(None, [str(as_it_is)]),
            ),
            seconds=self._watch.laps,
            source=self._source,
            seed=request.words.seed,
            floor=floor,
            claims=made.claims,
            beside=made.beside,
            printed=printed,
            policy=request.policy,
            preparation=request.preparation,
            before=self._before,
            as_it_is=as_it_is,
            missing_codes=codes,
        )
        repeated = note_on_repeated(result, promised_k(goal.promises))
        attacked = audited(result, request.words.audit, self._progress)
        attacked = replace(attacked, notes=(*attacked.notes, *repeated))
        request.preparation.keep_key()
        return attacked

    def _as_it_is(self, made: CheckedTable, codes: Mapping[str, pl.Series], schema: Schema, request: Request) -> AsItIs:
        """The columns without a recoding, and how many records they make unique."""
        came_in = self._source.frame.columns
        others = schema.as_they_are([name for name in made.frame.columns if name in came_in])
        found = look_as_it_is(with_codes(made.frame, codes), schema.quasi_identifiers, others, schema.sensitive)
        return replace(found, prepared=tuple(request.preparation.told))

    def _codes(self, made: CheckedTable, judged: Collection[str], randomness: Randomness) -> dict[str, pl.Series]:
        """The codes of missing values that records keep, if the file has any."""
        if not self._source.meanings:
            return {}
        owners = made.release.owners[published_order(made.release, randomness.child("publish"))]
        return codes_of_records(self._source.meanings, judged, made.frame, self._rows.gather(owners))
