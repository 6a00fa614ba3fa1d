"""Does a written release keep what was asked for? Judged from the file and the original rows alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from math import comb
from pathlib import Path

from redteam.case import Case, Column, Promise, as_text
from redteam.cells import Holds, holds, normal, same
from redteam.files import read
from redteam.graphs import Edges, chances, has_factor, matching
from redteam.promises import NEAR, Pool, broken

Row = list[str | None]

MOST = 9
"""Chances are counted for so many rows at most."""


def complaints(case: Case, folder: Path) -> str:
    """What is wrong with the release in the folder; empty where nothing is."""
    names, rows = read(folder / f"release.{case.target}")
    second = folder / f"release.sensitive.{case.target}"
    if second.exists():
        return _judge_buckets(case, names, rows, *read(second))
    wanted = [column.name for column in case.columns if column.role != "identifier"]
    if names != wanted:
        return f"columns {names} instead of {wanted}"
    if case.target == "xlsx":
        case, rows = _as_kept(case, rows), _with_blank(case, rows)
    return _judge_rows(case, rows)


def _as_kept(case: Case, rows: list[Row]) -> Case:
    """With the numbers that a workbook keeps: those of fifteen digits, but where a column is written as text."""
    published = [column for column in case.columns if column.role != "identifier"]
    kept = {column.name: _rounded(column, [row[place] for row in rows]) for place, column in enumerate(published)}
    return replace(case, columns=[kept.get(column.name, column) for column in case.columns])


def _rounded(column: Column, cells: list[str | None]) -> Column:
    fifteen = [float(f"{value:.15g}") if isinstance(value, float) else value for value in column.values]
    longer = {as_text(value) for value, short in zip(column.values, fifteen, strict=True) if value != short}
    is_text = any(number in (cell or "") for number in longer for cell in cells)
    return column if is_text else replace(column, values=fifteen)


def _with_blank(case: Case, rows: list[Row]) -> list[Row]:
    """With the records that have no value at all: at the end of a sheet nobody sees them."""
    published = [column.values for column in case.columns if column.role != "identifier"]
    n_blank = sum(all(value in (None, "") for value in row) for row in zip(*published, strict=True))
    n_seen = sum(not any(row) for row in rows)
    lost = min(max(0, n_blank - n_seen), case.n_rows - len(rows))
    blank: Row = [None] * len(published)
    return [*rows, *(list(blank) for _ in range(lost))]


def _judge_rows(case: Case, rows: list[Row]) -> str:
    if len(rows) > case.n_rows:
        return f"{len(rows)} records of {case.n_rows} rows"
    allowed = int(float(case.words.get("suppression_limit", 0)) * case.n_rows + NEAR)
    if case.n_rows - len(rows) > allowed and case.words.get("missing") != "drop":
        return f"{case.n_rows - len(rows)} rows are gone, {allowed} may be"
    edges = fits(case, rows, everything=True)
    if matching(_transposed(edges, len(rows)), case.n_rows) is None:
        return "no way to give every record a row that lies inside its cells with the same other values"
    return judge_promises(case, rows)


def judge_promises(case: Case, rows: list[Row]) -> str:
    """The first promise that is broken; empty where all hold."""
    quasi, sensitive = _places(case, "quasi"), _places(case, "sensitive")
    types = [column.type for column in case.of_role("sensitive")]
    table = _originals(case)
    classes: dict[tuple[str | None, ...], Pool] = defaultdict(list)
    for row in rows:
        values = zip(types, (row[i] for i in sensitive), strict=True)
        classes[tuple(row[i] for i in quasi)].append(tuple(normal(kind, value) for kind, value in values))
    is_matched = any(promise.flag in MATCHES for promise in case.promises)
    for promise in case.promises:
        if promise.flag in MATCHES:
            found = judge_matches(promise, fits(case, rows), len(rows))
        elif promise.flag in ("k-map", "presence"):
            found = _judge_population(case, promise, rows)
        elif promise.flag in RISKS:
            found = _judge_risks(promise, [[row[i] for i in quasi] for row in rows])
        else:
            pools = _match_pools(case, rows, sensitive) if is_matched else list(classes.values())
            found = broken(promise, pools, table, types) if not is_matched or promise.kind == "" else ""
        if found:
            return found
    return ""


RISKS = (
    "largest-risk", "average-risk", "risk-share", "k-combinations", "sample-uniqueness", "population-uniqueness",
    "estimated-k-map", "individual-risk", "household-risk",
)  # fmt: skip


def _judge_risks(promise: Promise, rows: list[Row]) -> str:
    """How many records are like each, in all columns or in any few of them."""
    if promise.flag == "k-combinations":
        n_columns = len(rows[0]) if rows else 0
        keys = combinations(range(n_columns), min(int(promise.kind), n_columns))
        fewest = min((min(_alike([[row[i] for i in key] for row in rows])) for key in keys if rows), default=len(rows))
        return f"{fewest} records agree in {promise.kind} columns" if rows and fewest < promise.number else ""
    risks = [1 / size for size in _alike(rows)]
    if promise.flag in ("largest-risk", "individual-risk", "household-risk"):
        return f"a risk of {max(risks)}" if max(risks, default=0) > promise.number else ""
    if promise.flag == "estimated-k-map":
        least = min(promise.number, 2)  # of a thousandth of the population, k people hardly ever leave two records
        return f"a class of {1 / max(risks):g}" if rows and 1 / max(risks) < least else ""
    if promise.flag in ("sample-uniqueness", "population-uniqueness"):
        share = sum(risk == 1 for risk in risks) / max(1, len(risks))
        if promise.flag == "population-uniqueness" and share:
            share = _zayatz(_alike(rows), int(promise.kind.rpartition("=")[2]))
        return f"a share of {share} unique" if share > promise.number + NEAR else ""
    if promise.flag == "average-risk":
        average = sum(risks) / max(1, len(risks))
        return f"an average risk of {average}" if average > promise.number + NEAR else ""
    share = sum(risk > promise.number for risk in risks) / max(1, len(risks))
    return f"a share of {share} at risk" if share > promise.c + NEAR else ""


def _zayatz(alike: list[int], population: int) -> float:
    """The unique rows, times the chance that one is unique in the population, over the share that was sampled."""
    n, uniques = len(alike), alike.count(1)
    one = {size: size * comb(population - size, n - 1) for size in {*alike}}
    seen = sum(one[size] / size for size in alike)
    return min(1.0, uniques * (uniques * one[1] / seen) * (population / n) / population)


def _alike(rows: list[Row]) -> list[int]:
    """For each row how many are equal to it."""
    counts = Counter(map(tuple, rows))
    return [counts[tuple(row)] for row in rows]


def _judge_population(case: Case, promise: Promise, rows: list[Row]) -> str:
    """How many people of the population, and how many rows, lie inside the cells of each record."""
    table = {column.name: column for column in case.of_role("quasi")}
    everybody = {column.name: column.values for column in case.population} or {n: c.values for n, c in table.items()}
    for row in rows:
        tests = [
            (name, holds(column, row[place]))
            for (name, column), place in zip(table.items(), _places(case, "quasi"), strict=True)
        ]
        people = sum(all(line) for line in zip(*(map(test, everybody[name]) for name, test in tests), strict=True))
        inside = sum(all(line) for line in zip(*(map(test, table[name].values) for name, test in tests), strict=True))
        if promise.flag == "k-map" and people < promise.number:
            return f"{people} people fit {row}"
        if promise.flag == "presence" and inside / max(people, 1) > promise.number + NEAR:
            return f"{inside} rows of {people} people fit {row}"
    return ""


AGGREGATING = ("microaggregation",)
"""Algorithms that print something else than a set that holds the owner's value."""

MATCHES = ("matching", "one-k", "k-one", "kk", "concealment", "linkage")


def _places(case: Case, role: str) -> list[int]:
    published = [column for column in case.columns if column.role != "identifier"]
    return [place for place, column in enumerate(published) if column.role == role]


def _originals(case: Case) -> Pool:
    """The sensitive values of all rows, as they would be printed."""
    columns = case.of_role("sensitive")
    return [tuple(normal(c.type, as_text(c.values[row])) for c in columns) for row in range(case.n_rows)]


def fits(case: Case, rows: list[Row], *, everything: bool = False) -> Edges:
    """``[row][record]``: whether the row lies inside the record's cells; with ``everything`` all other values agree.

    A mean need not lie near any row, so with microaggregation only the other values say whose a record may be.
    """
    published = [column for column in case.columns if column.role != "identifier"]
    edges = [[True] * len(rows) for _ in range(case.n_rows)]
    for place, column in enumerate(published):
        if (column.role != "quasi" and not everything) or (column.role == "quasi" and _aggregates(case)):
            continue
        for record, row in enumerate(rows):
            test = holds(column, row[place]) if column.role == "quasi" else _equal(column, row[place])
            for original in range(case.n_rows):
                edges[original][record] &= test(column.values[original])
    return edges


def _aggregates(case: Case) -> bool:
    return case.algorithm.partition(":")[0] in AGGREGATING


def _equal(column: Column, cell: str | None) -> Holds:
    return lambda value: same(column.type, value, cell)


def _transposed(edges: Edges, n_records: int) -> Edges:
    return [[line[record] for line in edges] for record in range(n_records)]


def judge_matches(promise: Promise, edges: Edges, n_records: int) -> str:
    """A promise about which rows and records may belong together."""
    if n_records != len(edges):
        return ""
    k, n = promise.number, n_records
    if promise.flag == "matching":
        return "" if has_factor(edges, int(k)) else f"no {k:g} assignments without a common pair"
    if promise.flag in ("one-k", "k-one", "kk"):
        by_row = min(map(sum, edges)) if promise.flag != "k-one" else n
        by_record = min(map(sum, _transposed(edges, n))) if promise.flag != "one-k" else n
        return f"{promise.flag}: {by_row} records, {by_record} rows" if min(by_row, by_record) < min(k, n) else ""
    if n > MOST:
        return ""
    found = chances(edges)
    if promise.flag == "linkage":
        worst = max(map(max, found))
        return f"a pair with the chance {worst:.4f}" if worst > k + NEAR else ""
    possible = [[chance > 0 for chance in line] for line in found]
    by_row = min(map(sum, possible)) if promise.kind != "records" else n
    by_record = min(map(sum, _transposed(possible, n))) if promise.kind != "rows" else n
    return f"concealment: {by_row} records, {by_record} rows" if min(by_row, by_record) < k else ""


def _match_pools(case: Case, rows: list[Row], sensitive: list[int]) -> list[Pool]:
    """Of each row the sensitive values of all records it fits."""
    edges = fits(case, rows)
    types = [column.type for column in case.of_role("sensitive")]
    values = [tuple(normal(kind, row[at]) for kind, at in zip(types, sensitive, strict=True)) for row in rows]
    return [[values[record] for record, fit in enumerate(line) if fit] for line in edges]


def _is_row(columns: list[Column], record: Row, row: int) -> bool:
    """Whether a record of a release in two tables says what a row has."""
    return all(holds(column, cell)(column.values[row]) for column, cell in zip(columns, record, strict=False))


def _judge_buckets(case: Case, names: list[str], rows: list[Row], other: list[str], counts: list[Row]) -> str:
    """A release in two tables: exact quasi-identifiers with a bucket, and how often each value is in each bucket."""
    sensitive = [column.name for column in case.of_role("sensitive")]
    published = [column for column in case.columns if column.role in ("quasi", "other")]
    if names[:-1] != [column.name for column in published] or other[1:-1] != sensitive:
        return f"columns {names} and {other}"
    edges = [[_is_row(published, row, i) for i in range(case.n_rows)] for row in rows]
    if len(rows) != case.n_rows or matching(edges, case.n_rows) is None:
        return "records that are no row's"
    sizes = Counter(row[-1] for row in rows)
    pools: dict[str | None, Pool] = defaultdict(list)
    for line in counts:
        values = [normal(column.type, cell) for column, cell in zip(case.of_role("sensitive"), line[1:-1], strict=True)]
        pools[line[0]] += [tuple(values)] * int(line[-1] or 0)
    if {bucket: len(pool) for bucket, pool in pools.items()} != dict(sizes):
        return f"buckets of {dict(sizes)} with {dict(pools)}"
    types = [column.type for column in case.of_role("sensitive")]
    for promise in case.promises:
        found = broken(promise, list(pools.values()), _originals(case), types) if promise.flag == "l" else ""
        if found:
            return found
    return ""
