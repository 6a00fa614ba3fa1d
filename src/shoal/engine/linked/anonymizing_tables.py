"""Anonymizes tables that refer to each other: people are protected with all their rows, keys are replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from shoal.algorithms.clustering import Refinement
from shoal.algorithms.histories import Grouped, group_people
from shoal.core.arrays import Codes
from shoal.core.contracts import Algorithm, Goal, Metric, PrivacyModel
from shoal.core.histories import Branch, Histories, linked_histories
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish, published_order
from shoal.core.schema import Schema
from shoal.core.suppression_limit import Limit
from shoal.core.table import Table
from shoal.engine.algorithm_choice import choose_metric
from shoal.engine.linked.check import check_joined
from shoal.engine.linked.keys import key_columns, rows_above
from shoal.engine.linked.result import LinkedRelease, PublishedTable
from shoal.engine.linked.words import TablesJob, TablesWords, TableWords, tables_said
from shoal.engine.notebook_progress import shows_progress
from shoal.engine.policy import Cost, cannot_be_met, follow_for_tables
from shoal.engine.preparing import coarsening_of
from shoal.engine.source import Loaded, load
from shoal.engine.whole_histories import chooser, fresh_keys, histories_goal
from shoal.engine.words import told_what_was_said
from shoal.errors import BrokenPromise, GoalNotMet, ImpossibleGoal, InputError
from shoal.io.encode import encode
from shoal.io.inspect.columns_without_role import refuse_unspoken
from shoal.io.labels import to_frame
from shoal.report.as_it_is import look_as_it_is


@shows_progress
@told_what_was_said
def anonymize_tables(
    tables: Mapping[str, Any],
    *,
    privacy: PrivacyModel | Sequence[PrivacyModel] | Mapping[str, Any] = (),
    policy: str | Mapping[str, Any] | None = None,
    suppression_limit: Limit = 0.0,
    metric: str | Metric = "lm",
    algorithm: str | Mapping[str, Any] | Algorithm = "auto",
    refine: str | Sequence[str | Refinement] | Refinement | None = None,
    budget: str | float | None = None,
    quick: bool = False,
    progress: Progress | None = None,
    folder: str | Path = ".",
    **more: Any,
) -> LinkedRelease:
    """Publish several tables about the same people so that every promise holds for their joined histories.

    One table has one row per person; each row of the others refers to a row of another table by its key. A person's
    rows in all tables together are published like those of other people. Keys are replaced by new random ones, and
    every published row refers to a published one.

    Args:
        tables: The tables by name: what each is read from (input), its key, its links and the roles of its columns.
        privacy: The privacy models that must hold, such as k = 5.
        policy: A policy by name: settings that regulators or contracts require. Other options override it.
        suppression_limit: How many rows may be left out: a share such as 0.05 or 5%, or a number such as '29 rows'.
        metric: The information-loss metric to minimize.
        algorithm: The algorithm, with options as in mondrian:relaxed; auto chooses by table and privacy models.
        refine: Refinements that run after the algorithm to reduce the loss, in this order.
        budget: Time that auto or a refinement may spend on reducing the loss: 60, 60s, 2m. More never makes it worse.
        quick: Take the first valid release instead of searching a few seconds for a better one.
        progress: Receives the progress of the run.
        folder: Where relative paths of tables and hierarchies start.
        more: Any other keyword is refused; the error suggests the one that was meant.

    Raises:
        InputError: something given cannot be used, a key is not unique, or rows link to nothing.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the tables failed our own check, which is our bug.

    Example:
        >>> import polars as pl
        >>> import shoal
        >>> patients = pl.DataFrame({"id": [1, 2, 3, 4], "sex": ["m", "m", "f", "f"]})
        >>> visits = pl.DataFrame({"id": [1, 2, 3, 4], "ward": ["A", "A", "B", "C"]})
        >>> tables = {
        ...     "patients": {"input": patients, "key": "id", "quasi_identifiers": ["sex"]},
        ...     "visits": {"input": visits, "links": {"id": "patients"}, "quasi_identifiers": ["ward"]},
        ... }
        >>> result = shoal.anonymize_tables(tables, privacy={"k": 2}, quick=True)
        >>> sorted(set(result.to_frames()["visits"]["ward"]))
        ['A', '{B, C}']
    """
    words = TablesWords.called_with(locals())
    return run_tables(tables_said(tables), words, Path(folder), progress or Silent())


def run_tables(said: Mapping[str, TableWords], words: TablesWords, folder: Path, progress: Progress) -> LinkedRelease:
    """Run the settings: read, code, group people, unfold, check, publish."""
    followed = follow_for_tables(words, folder)
    try:
        made = _made(said, followed.words, folder, progress)
    except (GoalNotMet, ImpossibleGoal) as problem:
        if followed.policy is None:
            raise
        raise type(problem)(cannot_be_met(followed, problem, partial(_price, said, folder))) from None
    return replace(made, policy=followed.policy, notes=(*followed.notes, *made.notes))


def _price(said: Mapping[str, TableWords], folder: Path, words: TablesWords) -> Cost:
    """The loss of a quick release of the tables with other settings; raises ShoalError if there is none."""
    made = _made(said, words.model_copy(update={"quick": True, "refine": None, "budget": None}), folder, Silent())
    return Cost(made.n_suppressed, made.n_rows, made.goal.metric.name, made.losses())


def _made(said: Mapping[str, TableWords], words: TablesWords, folder: Path, progress: Progress) -> LinkedRelease:
    if not words.privacy:
        raise InputError("No privacy model was asked for; ask for at least one, such as k = 5.")
    start = perf_counter()
    goal = histories_goal(Goal(words.promises, choose_metric(words.metric), words.suppression_limit))
    progress.stage("reading")
    sources = {name: _read(name, one, folder) for name, one in said.items()}
    frames = {name: source.frame for name, source in sources.items()}
    above = {name: rows_above(name, said, frames) for name in said}
    schemas = {name: one.roles_of_columns(folder) for name, one in said.items()}
    for name, one in said.items():
        schemas[name].check_columns(frames[name].columns)
        sources[name], schemas[name] = _prepared(one, sources[name], schemas[name])
        refuse_unspoken(sources[name].frame, schemas[name])
    coded = {name: encode(sources[name].frame, schemas[name]).table for name in said}
    histories = linked_histories(_branches(said, coded, above))
    for promise in goal.promises:
        _refuse(promise, histories.tables)
    randomness = Randomness()
    choose = chooser(words, histories.tables[0], sum(table.n_rows for table in histories.tables), goal)
    grouped = group_people(histories, goal, choose, randomness.child("people"), progress)
    progress.stage("checking")
    made = dict(zip(said, _releases(histories, grouped), strict=True))
    made_tables, verdicts = _published(said, made, above, goal, randomness)
    tables = {}
    for name, frame in made_tables.items():
        own = schemas[name]
        unchanged = own.as_they_are(frame.columns)  # without the keys, which are fresh
        as_it_is = look_as_it_is(frame, own.quasi_identifiers, unchanged, own.sensitive)
        tables[name] = PublishedTable(frame, made[name], own, sources[name], said[name], as_it_is)
    told = {name: (*sources[name].notes, *filter(None, [str(one.as_it_is)])) for name, one in tables.items()}
    notes = tuple(f"{name}: {note}" for name, own in told.items() for note in own)
    return LinkedRelease(tables, tuple(verdicts), goal, notes, grouped.fit.n_lost, perf_counter() - start)


def _read(name: str, words: TableWords, folder: Path) -> Loaded:
    data = folder / words.input if isinstance(words.input, str) and "://" not in words.input else words.input
    source = load(data, **words.loading)
    for key in words.key_columns():
        if key not in source.frame.columns:
            raise InputError(f"The table {name!r} has no column {key!r}, which was named as a key.")
        if role := words.role_of(key):
            raise InputError(
                f"The column {key!r} of {name!r} is a key, which is published with fresh random values; take it out of "
                f"{role}."
            )
    if source.frame.is_empty():
        raise InputError(f"The table {name!r} has no rows; leave it out.")
    return source


def _prepared(words: TableWords, source: Loaded, schema: Schema) -> tuple[Loaded, Schema]:
    """A table after its preparation; a category is rare if it has few rows."""
    preparation = coarsening_of(words)
    if not preparation.says_something:
        return source, schema
    preparation.check(schema, source.frame.columns)
    frame = preparation.whole(source.frame, Randomness())
    source = replace(source, frame=frame, notes=(*source.notes, *preparation.notes()))
    return source, preparation.with_orders(schema, lambda name: frame[name])


def _branches(said: Mapping[str, TableWords], coded: Mapping[str, Table], above: Mapping[str, Codes]) -> list[Branch]:
    """The tables with their parents; rows of one parent are ordered by a date if there is one, else by a column."""
    names = list(said)
    branches = []
    for name, words in said.items():
        table = coded[name]
        dates = [j for j, column in enumerate(table.quasi) if column.domain.kind == "date"]
        first = dates[0] if dates else 0
        others = [codes for j, codes in enumerate(table.codes) if j != first]
        order = np.empty(table.n_rows, np.int64)
        order[np.lexsort([*reversed(others), table.codes[first]])] = np.arange(table.n_rows)
        parent = None if words.link is None else names.index(words.link[1])
        branches.append(Branch(table, parent, above[name], order))
    return branches


def _refuse(promise: PrivacyModel, tables: Sequence[Table]) -> None:
    """Refuse a model whose columns no table has, or that a table with these columns refuses."""
    refusals = []
    for table in tables:
        try:
            promise.require_columns(table)
        except InputError as problem:
            refusals.append(problem)
            continue
        promise.refuse(table)
    if len(refusals) == len(tables):
        raise refusals[0]


def _releases(histories: Histories, grouped: Grouped) -> list[Release]:
    rows = histories.unfold(grouped.groups, grouped.forms)
    releases = [Release.from_groups(table, own) for table, own in zip(histories.tables, rows, strict=True)]
    if not releases[0].n_records:
        raise GoalNotMet("Every row would have to be suppressed; ask for weaker promises, or allow coarser cells.")
    return releases


def _published(
    said: Mapping[str, TableWords],
    releases: Mapping[str, Release],
    above: Mapping[str, Codes],
    goal: Goal,
    randomness: Randomness,
) -> tuple[dict[str, Any], Sequence[Any]]:
    """The printed tables with fresh keys, after checking that they satisfy the models."""
    fresh = {
        name: fresh_keys(releases[name].table.n_rows, _letter(name), randomness.child(f"keys {name}"))
        for name, words in said.items()
        if words.key is not None
    }
    frames, orders = {}, {}
    for name, words in said.items():
        release, own = releases[name], randomness.child(f"publish {name}")
        if not release.truthful().all():
            raise BrokenPromise(f"Records of {name!r} have cells that do not hold their values; a bug in shoal.")
        orders[name] = release.owners[published_order(release, own)]
        keys = key_columns(name, words, fresh, orders[name], above[name])
        printed = to_frame(publish(release, randomness.child(f"publish {name}")))
        frames[name] = printed.select(*keys, *printed.columns)
    return frames, check_joined(frames, said, releases, orders, goal.promises)  # type: ignore[arg-type]


def _letter(name: str) -> str:
    """The first letter of a table's keys: that of its name if it is an ASCII letter."""
    return name[0].lower() if name[:1].isascii() and name[:1].isalpha() else "k"


def run_tables_job(path: Path, said: Mapping[str, Any], progress: Progress) -> LinkedRelease:
    """Run a job file for several tables, and write them all; nothing is written unless every model holds.

    Raises:
        InputError: a setting cannot be used, or a table has no output.
    """
    job, folder = TablesJob.said(said, f"The job file {str(path)!r}"), path.resolve().parent
    tables = tables_said(job.tables)
    for name, words in tables.items():
        if words.output is None:
            raise InputError(f"The table {name!r} has no output; say output = 'a file' under [tables.{name}].")
        if not isinstance(words.input, str):
            raise InputError(f"The input of the table {name!r} must be the name of a file, got {words.input!r}.")
    release = run_tables(tables, job, folder, progress)
    progress.stage("writing")
    release.write({name: folder / str(words.output) for name, words in tables.items()})
    return release
