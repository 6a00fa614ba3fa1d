"""A table in the workbench: inspected, coded and tried out before anything is run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from shoal import policies
from shoal.algorithms.lattice.space import Space
from shoal.core.contracts import PrivacyModel
from shoal.core.domain import Domain, Kind
from shoal.core.hierarchy import Hierarchy
from shoal.core.plugins import build
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema, refuse_unknown
from shoal.core.table import Table
from shoal.engine.anonymizing import run_in_memory
from shoal.engine.job import Job
from shoal.engine.plan import Request
from shoal.engine.preview import preview, sample_of
from shoal.engine.release_findings import ReleaseFinding, try_fixes
from shoal.engine.source import Loaded, load
from shoal.engine.table_page import RowOrder, TablePages
from shoal.engine.verified_release import VerifiedRelease
from shoal.engine.vocabulary import PreparationWords, Reading
from shoal.errors import InputError
from shoal.io.domains import encode_column
from shoal.io.encode import Encoded, encode
from shoal.io.hierarchies import parse_hierarchy
from shoal.io.inspect.combinations import worst_combinations
from shoal.io.inspect.exact_dates import forms_of_dates
from shoal.io.inspect.findings import Inspection
from shoal.io.inspect.inspection import inspect_frame
from shoal.io.inspect.partition import uniqueness
from shoal.io.inspect.profile import profile
from shoal.report.published import shown

MOST_TRIED = 20_000
"""Larger tables are sampled to this many rows to try out what a fix costs."""

MOST_KEPT = 200_000
"""Domains of columns with more different values than this are not cached, to save memory."""

MOST_LISTED = 200
"""The most values of a sensitive column that can be chosen from a list."""

_LIKELY = ("quasi-identifier", "sensitive")

Made = TypeVar("Made")


class Desk:
    """One table and the queries on it. Results are cached: answers, domains, the coded table.

    Relative paths of hierarchies start at ``folder``; ``reading`` is as in ``anonymize``.
    """

    def __init__(self, path: Path, folder: Path, **reading: Any) -> None:
        self._loaded: Loaded = load(path, **reading)
        self._reading = reading
        self._folder = folder
        self._latest: dict[str, tuple[str, Any]] = {}
        self._alone: dict[tuple[str, ...], dict[str, Any]] = {}
        self._domains: dict[tuple[str, Kind | None], Domain] = {}

    @property
    def frame(self) -> pl.DataFrame:
        """The table as it was read."""
        return self._loaded.frame

    def size(self) -> dict[str, Any]:
        """Number of rows, names of columns, and notes on how the file was read."""
        return {"n_rows": self.frame.height, "columns": self.frame.columns, "notes": list(self._loaded.notes)}

    def rows(self, start: int = 0, n: int = 20) -> list[list[str]]:
        """Some rows as texts."""
        return _texts(self.frame.slice(start, n))

    def page(self, start: int, n: int, order: RowOrder) -> dict[str, Any]:
        """Some rows in the order that a grid requests, and the total number of rows."""
        found, total = self._pages.page(start, n, order)
        return {"rows": _texts(found), "n": total}

    @cached_property
    def _pages(self) -> TablePages:
        return TablePages(self.frame)

    @cached_property
    def inspection(self) -> Inspection:
        """The description of the columns, with a suggested role for each."""
        return inspect_frame(self.frame)

    def alone(self, quasi: list[str]) -> dict[str, Any]:
        """How many rows are unique on these columns, and which small combinations of them cause it."""
        refuse_unknown(quasi, self.frame.columns)
        if tuple(quasi) not in self._alone:
            found = worst_combinations(self.frame, [profile(self.frame[name]) for name in quasi]) if quasi else ()
            self._alone[tuple(quasi)] = {
                "n_unique": uniqueness(self.frame, quasi) if quasi else 0,
                "n_rows": self.frame.height,
                "combinations": [{"columns": list(one.columns), "share": one.share} for one in found],
            }
        return self._alone[tuple(quasi)]

    def domain(self, name: str, kind: Kind | None = None) -> Domain:
        """The values of a column that occur, numbered, without missing ones."""
        refuse_unknown([name], self.frame.columns)
        if (name, kind) in self._domains:
            return self._domains[name, kind]
        values = self.frame[name]
        present = (values.fill_nan(None) if values.dtype.is_float() else values).drop_nulls()
        if not len(present):
            raise InputError(f"The column {name!r} has nothing but missing values, which need no hierarchy.")
        found = encode_column(present, kind).domain
        if found.n_leaves <= MOST_KEPT:
            self._domains[name, kind] = found
        return found

    def hierarchy(self, name: str, spec: object, kind: Kind | None = None, *, covering: bool = True) -> Hierarchy:
        """The hierarchy of a column over the values that occur.

        Raises:
            InputError: it cannot be built, or lacks values that occur (unless ``covering`` is False).
        """
        domain = self.domain(name, kind)
        made = parse_hierarchy(spec, self._folder, name)
        tree = made if isinstance(made, Hierarchy) else made.build(name, domain.texts, domain.kind)
        return tree.require(name, domain.texts, domain.counts.tolist()) if covering else tree

    def look_ahead(self) -> bool:
        """Compute the domain of one more column that is likely to be needed; False if all are known."""
        if "inspection" not in self.__dict__:
            return False
        likely = [one for one in self.inspection.columns if one.role in _LIKELY and 0 < one.n_distinct <= MOST_KEPT]
        lacking = [one.name for one in likely if (one.name, None) not in self._domains]
        if lacking:
            self.domain(lacking[0])
        return bool(lacking)

    def try_out(self, job: Job) -> dict[str, Any]:
        """What a job would run: its algorithm, why, and the size of its lattice."""
        request, frame = self._prepared(job)
        coded = self._coded_rows(job, frame, request.schema)
        plan = request.plan(coded.table)
        return {
            "algorithm": plan.algorithm.name,
            "reason": plan.choice.reason,
            "promises": [str(promise) for promise in plan.goal.promises],
            "n_nodes": Space.of(coded.table).n_nodes,
            "notes": list(coded.notes),
        }

    def possible(self, job: Job) -> dict[str, Any]:
        """What models can be about (quasi-identifiers, sensitive columns and values), and why some are impossible.

        The latter is one sentence for each privacy model in turn, empty if a release could satisfy it.
        """
        present = [name for name in job.sensitive if name in self.frame.columns]
        texts = [text for name in present for text in self.domain(name).texts[:MOST_LISTED]]
        return {
            "quasi": list(job.quasi_identifiers),
            "sensitive": present,
            "texts": list(dict.fromkeys(texts)),
            "against": self._against(job),
        }

    def _against(self, job: Job) -> list[str]:
        try:
            request, frame = self._prepared(job)
            table = self._coded_rows(job, frame, request.schema).table
        except InputError as problem:
            return [str(problem) for _ in job.promises]
        return [_refusal(promise, table) for promise in request.goal.promises]

    def policy(self, name: str) -> dict[str, Any]:
        """The settings of a policy for this table; raises InputError if the table rules it out."""
        chosen = build("policy", name, policies.ALL).in_folder(self._folder)
        return chosen.words_for(self.inspection, self.frame) if chosen.needs_table else chosen.words()

    def preview(self, job: Job) -> dict[str, Any]:
        """The result of the quick algorithm on the table, or on a sample if it is large."""
        request = Request.of(job.asked(self._folder), self._folder)
        schema, table = self._kept("sample", job, partial(self._sample, job))
        return {**asdict(preview(replace(request, schema=schema), table)), "n_all": self.frame.height}

    def _sample(self, job: Job) -> tuple[Schema, Table]:
        request, whole = self._prepared(job)
        frame, schema = sample_of(whole), request.schema
        is_whole = frame.height == whole.height
        coded = self._coded_rows(job, frame, schema) if is_whole else self._encoded(job, frame, schema)
        return schema, coded.table

    def node(self, job: Job, levels: list[int], n: int = 8) -> dict[str, Any]:
        """A few records as published by the lattice node with these levels. Not a release."""
        only = {"levels": levels, "refine": None, "budget": None, "audit": "off"}
        result = self._anonymize(job.model_copy(update=only))
        return {
            "columns": result.frame.columns,
            "rows": _texts(result.frame.head(n)),
            "n_records": result.release.n_records,
            "n_suppressed": result.release.n_suppressed,
        }

    def fix(self, job: Job, words: dict[str, Any], found: list[dict[str, Any]]) -> dict[str, Any]:
        """The mildest changes that resolve findings about a job, and their cost by a quick run. Not a release."""
        frame = self.frame if self.frame.height <= MOST_TRIED else self.frame.sample(MOST_TRIED, seed=0)
        quick = {"quick": True, "algorithm": "auto", "refine": None, "budget": None, "levels": None, "audit": "quick"}

        def run(said: dict[str, Any]) -> VerifiedRelease:
            changed = self._as_read(Job.said({**said, "input": job.input, "output": job.output}, "The job"))
            asked = changed.model_copy(update={**quick, "certify": False}).asked(self._folder)
            return run_in_memory(asked, frame, self._folder, Silent())

        told = [ReleaseFinding.of(one) for one in found]
        columns = [name for one in told for name in one.columns if name in frame.columns]
        tried = try_fixes(told, words, run, forms_of_dates(frame, columns))
        return {**asdict(tried), "n_rows": frame.height, "metric": str(job.metric)}

    def _anonymize(self, job: Job) -> Any:
        return run_in_memory(self._as_read(job).asked(self._folder), self.frame, self._folder, Silent())

    def _as_read(self, job: Job) -> Job:
        """The job without the settings for reading that were already applied to the table, such as date formats."""
        left = {
            word: _beyond(value, self._reading[word], Reading.model_fields[word].default)
            for word, value in job.reading.items()
            if word in self._reading
        }
        return job.model_copy(update=left)

    def _prepared(self, job: Job) -> tuple[Request, pl.DataFrame]:
        """The request of a job, and its prepared rows: after top coding, banding and sampling."""
        request = Request.of(job.asked(self._folder), self._folder)
        if not request.preparation.says_something:
            return request.on(self.frame), self.frame

        def prepare() -> pl.DataFrame:
            request.schema.check_columns(self.frame.columns)
            request.preparation.check(request.schema, self.frame.columns)
            return request.preparation.whole(self.frame, Randomness(0))

        frame = self._kept("prepared", job, prepare)
        return request.banded(lambda name: frame[name]).on(frame), frame

    def _coded_rows(self, job: Job, frame: pl.DataFrame, schema: Schema) -> Encoded:
        """The coded table and its notes."""
        return self._kept("coded", job, lambda: self._encoded(job, frame, schema))

    def _kept(self, what: str, job: Job, make: Callable[[], Made]) -> Made:
        """What was made for the last job; made again only if a setting of the columns has changed."""
        key = self._key(job)
        if what not in self._latest or self._latest[what][0] != key:
            self._latest[what] = key, make()
        made: Made = self._latest[what][1]
        return made

    def _encoded(self, job: Job, frame: pl.DataFrame, schema: Schema) -> Encoded:
        people = load(self._folder / job.population_table).frame if job.population_table else None
        return encode(frame, schema, people)

    def _key(self, job: Job) -> str:
        """What the coded table depends on."""
        words = job.model_dump_json(
            include={*Schema.__dataclass_fields__, *PreparationWords.model_fields, "population"}
        )
        named = [*job.hierarchies.values(), job.population_table]
        files = [self._folder / name for name in named if isinstance(name, str) and name]
        return json.dumps([words, [path.stat().st_mtime_ns for path in files if path.is_file()]])


def _texts(frame: pl.DataFrame) -> list[list[str]]:
    return [[shown(value) for value in row] for row in frame.iter_rows()]


def _beyond(value: Any, known: Any, default: Any) -> Any:
    """The settings per column that are not applied yet; for settings of the whole table, the default."""
    if isinstance(value, Mapping) and isinstance(known, Mapping):
        return {name: one for name, one in value.items() if known.get(name) != one}
    return default


def _refusal(promise: PrivacyModel, table: Table) -> str:
    try:
        promise.refuse(table)
    except InputError as problem:
        return str(problem)
    return ""
