"""The joined view of published tables: which records belong together by the fresh keys, and equal histories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import Verdict
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.engine.linked.words import TableWords
from shoal.errors import BrokenPromise, InputError
from shoal.kernels.distinct import number_lists, number_rows
from shoal.models.of_histories import OfHistories


@dataclass(frozen=True, eq=False)
class JoinedView:
    """One table as a reader joins it: for each record its person, the number of their history, and that of the record.

    Records with equal ``parts`` cannot be told apart by anything that they refer to or that refers to them.
    """

    people: Codes
    history: Codes
    parts: Codes


def joined(frames: Mapping[str, pl.DataFrame], said: Mapping[str, TableWords]) -> dict[str, JoinedView]:
    """Join the tables by their keys and number equal histories. Tables come after those that they refer to.

    Raises:
        BrokenPromise: a record refers to none, or two have the same key.
    """
    names = list(said)
    above = {name: _above(name, frames, said) for name in names}
    kinds = {name: _kinds(frames[name], said[name]) for name in names}
    for name in reversed(names):
        hanging = [(kinds[other], above[other]) for other in names if _links_to(said[other], name)]
        kinds[name] = _with_hanging(kinds[name], hanging)
    views: dict[str, JoinedView] = {}
    for name in names:
        link = said[name].link
        if link is None:
            people = np.arange(frames[name].height, dtype=np.int32)
            views[name] = JoinedView(people, kinds[name], kinds[name])
            continue
        on = views[link[1]]
        pairs = np.array([on.parts[above[name]], kinds[name]], np.int32)
        views[name] = JoinedView(on.people[above[name]], on.history[above[name]], number_rows(pairs)[0])
    return views


def check_joined(
    frames: Mapping[str, pl.DataFrame],
    said: Mapping[str, TableWords],
    releases: Mapping[str, Release],
    orders: Mapping[str, Codes],
    promises: Sequence[OfHistories],
) -> list[Verdict]:
    """Judge the printed tables, joined by their keys; ``orders`` are the rows behind their records, which are secret.

    Raises:
        BrokenPromise: a model does not hold, a record refers to none, or records of two people are joined.
    """
    views = joined(frames, said)
    for name, view in views.items():
        _check_people(name, view.people, releases[name].table.people, orders[name])
    verdicts = [_judged(promise, views, releases, orders) for promise in promises]
    for verdict in verdicts:
        if not verdict.holds:
            raise BrokenPromise(f"The tables failed their own check ({verdict}); a bug in shoal. Nothing was written.")
    return verdicts


def _judged(
    promise: OfHistories, views: Mapping[str, JoinedView], releases: Mapping[str, Release], orders: Mapping[str, Codes]
) -> Verdict:
    """Judge a model on every table with its columns: on whole histories, and on equal records within them."""
    measures: list[Floats] = []
    for name, view in views.items():
        table = releases[name].table
        if promise.reads == "classes" and measures:
            continue  # classes are the same in every table, and the first has all people
        try:
            promise.require_columns(table)
        except InputError:
            continue
        measures.append(promise.measure(table, _rows_of(view.history, orders[name])))
        if promise.reads == "pools":
            measures.append(promise.measure_parts(table, _rows_of(view.parts, orders[name])))
    return promise.verdict(np.concatenate(measures))


def _rows_of(numbers: Codes, rows: Codes) -> Groups:
    groups = Groups.from_ids(numbers, int(numbers.max(initial=-1)) + 1)
    filled = groups.sizes > 0
    offsets = np.append(groups.offsets[:-1][filled], groups.offsets[-1]).astype(np.int64)
    return Groups(offsets, rows[groups.members])


def _above(name: str, frames: Mapping[str, pl.DataFrame], said: Mapping[str, TableWords]) -> Codes:
    link = said[name].link
    if link is None:
        return np.empty(0, np.int32)
    key = said[link[1]].key
    assert key is not None
    known = frames[link[1]].select(pl.col(key).alias("key")).with_row_index("above")
    found = frames[name].select(pl.col(link[0]).alias("key")).join(known, on="key", how="left", maintain_order="left")
    if found.height != frames[name].height or found["above"].null_count():
        raise BrokenPromise(
            f"Records of {name!r} link to none or to two of {link[1]!r}; a bug in shoal. Nothing was written."
        )
    return found["above"].to_numpy().astype(np.int32)


def _links_to(words: TableWords, name: str) -> bool:
    return words.link is not None and words.link[1] == name


def _kinds(frame: pl.DataFrame, words: TableWords) -> Codes:
    """Numbers that are equal for records with equal printed quasi-identifiers."""
    labels = [frame[name].cast(pl.String).fill_null("\0").rank("dense").to_numpy() for name in words.quasi_identifiers]
    ids: Codes = number_rows(np.array(labels, np.int32).reshape(len(labels), frame.height))[0]
    return ids


def _with_hanging(own: Codes, hanging: Sequence[tuple[Codes, Codes]]) -> Codes:
    """Numbers that are equal if the records and their child records, table by table and equally often, are equal."""
    rows: list[Codes] = [np.arange(own.size, dtype=np.int32), *(above for _, above in hanging)]
    sources = [np.zeros(own.size, np.int64), *(np.full(kind.size, t + 1) for t, (kind, _) in enumerate(hanging))]
    row, source = np.concatenate(rows), np.concatenate(sources)
    kind = np.concatenate([own, *(kind for kind, _ in hanging)]).astype(np.int64)
    width = int(kind.max(initial=0)) + 1
    _, items = np.unique(source * width + kind, return_inverse=True)
    order = np.lexsort((items, row))
    offsets: Offsets = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=own.size))]).astype(np.int64)
    ids: Codes = number_lists(offsets, items[order].astype(np.int32))[0]
    return ids


def _check_people(name: str, seen: Codes, people: Codes | None, rows: Codes) -> None:
    """Raise BrokenPromise unless the keys join exactly the records of one person."""
    assert people is not None
    pairs = np.unique(np.stack([seen.astype(np.int64), people[rows].astype(np.int64)]), axis=1)
    if not pairs.shape[1] == np.unique(pairs[0]).size == np.unique(pairs[1]).size:
        raise BrokenPromise(f"The keys of {name!r} join records of two people; a bug in shoal. Nothing was written.")
