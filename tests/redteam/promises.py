"""The promises by their definitions, over what is printed; nothing clever."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from redteam.case import Promise
from redteam.cells import order

NEAR = 1e-9
Pool = list[tuple[str | None, ...]]
"""The sensitive values of records that belong together, one tuple a record."""


def broken(promise: Promise, pools: Sequence[Pool], table: Pool, types: Sequence[str]) -> str:
    """What a promise about groups says against the worst of them; empty where it holds.

    Args:
        promise: the promise.
        pools: the sensitive values of each group.
        table: those of all original rows.
        types: of the sensitive columns.
    """
    for pool in pools:
        for column in range(len(types)) or [0]:
            for part, whole in _parts(promise, pool, table, column, len(types)):
                complaint = _judge(promise, part, whole, types[column] if types else "text", len(pool))
                if complaint:
                    return f"{promise.flag} {promise.spelled()}: {complaint} in a group {pool}"
    return ""


def _parts(
    promise: Promise, pool: Pool, table: Pool, column: int, n_columns: int
) -> list[tuple[list[str | None], list[str | None]]]:
    """The values of a column in the parts of a pool that agree on the other sensitive columns, and in the table."""
    whole = [row[column] for row in table] if n_columns else []
    if n_columns == 0:
        return [([None] * len(pool), [])]
    if n_columns == 1 or promise.flag in ("k", "p"):
        return [([row[column] for row in pool], whole)]
    parts: dict[tuple[str | None, ...], list[str | None]] = {}
    for row in pool:
        parts.setdefault(row[:column] + row[column + 1 :], []).append(row[column])
    return [(part, whole) for part in parts.values()]


def _judge(promise: Promise, part: list[str | None], whole: list[str | None], kind: str, size: int) -> str:
    counts = Counter(part)
    total = Counter(whole)
    n = sum(counts.values())
    if promise.flag == "k":
        return f"{size} records" if size < promise.number else ""
    if promise.flag == "l":
        return _diversity(promise, counts, n)
    if promise.flag == "p":
        few = len(counts) < promise.number or size < promise.k
        return f"{len(counts)} values in {size} records" if few else ""
    if promise.flag == "alpha":
        worst = max(counts.values()) / n
        return f"a share of {worst:.3f} in {size}" if size < promise.k or worst > promise.number + NEAR else ""
    if promise.flag == "beta":
        return _likeness(promise, counts, total)
    if promise.flag == "delta":
        worst = max(abs(math.log2(counts[v] / n / (total[v] / len(whole)))) if counts[v] else math.inf for v in total)
        return f"{worst:.4f} bits" if worst >= promise.number + NEAR else ""
    if promise.flag == "t":
        away = _distance(promise, counts, total, kind)
        return f"distance {float(away):.4f}" if away > Fraction(promise.number) + Fraction(NEAR) else ""
    return ""


def _diversity(promise: Promise, counts: Counter[str | None], n: int) -> str:
    if promise.kind == "entropy":
        measured = math.exp(-sum(c / n * math.log(c / n) for c in counts.values()))
    elif promise.kind == "frequency":
        measured = n / max(counts.values())
    elif promise.kind == "recursive":
        sizes = sorted(counts.values(), reverse=True)
        rest = sum(sizes[int(promise.number) - 1 :])
        return "" if sizes[0] < promise.c * rest else f"{sizes[0]} against {rest}"
    else:
        measured = len(counts)
    return f"{measured:.3f} values" if measured < promise.number - NEAR else ""


def _likeness(promise: Promise, counts: Counter[str | None], total: Counter[str | None]) -> str:
    n, size = sum(total.values()), sum(counts.values())
    for value, count in counts.items():
        before = total[value] / n
        if not before:
            return f"the value {value!r}, which no original row has,"
        bound = min(promise.number, -math.log(before)) if promise.kind == "enhanced" else promise.number
        if (gain := (count / size - before) / before) > bound + NEAR:
            return f"a gain of {gain:.3f}"
    return ""


def _distance(promise: Promise, counts: Counter[str | None], total: Counter[str | None], kind: str) -> Fraction:
    n, size = sum(total.values()), sum(counts.values())
    values = sorted(
        total, key=lambda value: (value is None, order(kind, value or "") if kind != "text" else value or "")
    )
    gaps = [Fraction(counts[value], size) - Fraction(total[value], n) for value in values]
    if promise.kind != "ordered":
        return sum((abs(gap) for gap in gaps), Fraction(0)) / 2
    running, away = Fraction(0), Fraction(0)
    for gap in gaps[:-1]:
        running += gap
        away += abs(running)
    return away / (len(values) - 1) if len(values) > 1 else Fraction(0)
