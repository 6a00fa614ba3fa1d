"""Who may own which record: (1,k)-, (k,1)- and (k,k)-anonymity, k-concealment and uniform matching.

Tasks list pairs of a row and a record of a block that they claim to fit. Nothing of that is trusted here: every pair is
checked against the original rows, and the models are judged on the verified pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from shoal.engine.backends.spark.dataframes import quoted
from shoal.engine.backends.spark.sql.scope import ORIGINAL, PAIRS, RECORDS, RELEASE, WITNESS, Question, Scope
from shoal.errors import BrokenPromise


def pairs_of(*sides: Literal["row", "record"]) -> Callable[[Any, Scope], list[Question]]:
    """The number of records of each row, the number of rows of each record, or both."""
    return lambda promise, scope: [Question.at_least(_counted(side, PAIRS), promise.k) for side in sides]


def concealment(promise: Any, scope: Scope) -> list[Question]:
    """Count only pairs whose two ends reach each other: such a pair is in some complete assignment.

    The owners are a complete assignment. A row leads to the owners of the records that it fits; where that forms a
    cycle, all owners on it may pass their records on.
    """
    within = (
        f"(SELECT p.* FROM {PAIRS} AS p JOIN {RECORDS} AS a ON p.block = a.block AND p.row = a.row "  # noqa: S608
        f"JOIN {RECORDS} AS b ON p.block = b.block AND p.record = b.row WHERE a.part = b.part)"
    )
    sides = {"rows": ["row"], "records": ["record"], "both": ["row", "record"]}[promise.side]
    return [Question.at_least(_counted(side, within), promise.k) for side in sides]


def uniform(promise: Any, scope: Scope) -> list[Question]:
    """The number of rows of each record, 0 if one of them has another number of records.

    If no pair joins a row and a record of different numbers, every connected component of the graph is regular, and a
    regular graph decomposes into complete assignments that share no pair (König).
    """
    degrees = (
        "(SELECT *, count(*) OVER (PARTITION BY block, row) AS of_row, "  # noqa: S608
        f"count(*) OVER (PARTITION BY block, record) AS of_record FROM {PAIRS})"
    )
    differ = "max(CASE WHEN p.of_row <> p.of_record THEN 1 ELSE 0 END) = 1"
    sql = (
        f"SELECT CASE WHEN {differ} THEN 0 ELSE count(p.row) END AS measure FROM {RECORDS} AS r LEFT JOIN "  # noqa: S608
        f"{degrees} AS p ON r.block = p.block AND r.row = p.record GROUP BY r.block, r.row"
    )
    return [Question.at_least(sql, promise.k)]


def _counted(side: str, pairs: str) -> str:
    """The number of pairs of each row, or of each record. Records are identified by the rows that own them."""
    return (
        f"SELECT count(p.row) AS measure FROM {RECORDS} AS r LEFT JOIN {pairs} AS p "  # noqa: S608
        f"ON r.block = p.block AND r.row = p.{side} GROUP BY r.block, r.row"
    )


def check_pairs(spark: Any, quasi: Sequence[str], exact: Sequence[str], *, with_parts: bool) -> None:
    """Check all claims about rows, records and pairs; the arguments are those of ``faults``.

    Raises:
        BrokenPromise: a claim is false.
    """
    for what, n in faults(spark, quasi, exact, with_parts=with_parts).items():
        if n:
            raise BrokenPromise(
                f"The release failed its own check ({n:,} {what}); this is a bug in shoal, please report it. "
                "Nothing was written."
            )


def faults(spark: Any, quasi: Sequence[str], exact: Sequence[str], *, with_parts: bool) -> dict[str, int]:
    """The number of false claims, by kind.

    In the ``exact`` quasi-identifiers equal labels always mean equal cells; ``with_parts``, tasks also claim which rows
    reach each other.
    """
    asked = {
        "rows were published twice": f"SELECT row FROM {RECORDS} GROUP BY block, row HAVING count(*) > 1",  # noqa: S608
        "rows are not among those that came in": _strangers(len(quasi)),
        "rows do not fit the records that they should": _misfits(len(quasi)),
        **{f"labels of {name!r} stand for several cells": _ambiguous(quasi.index(name)) for name in exact},
    }
    if with_parts:
        asked |= {
            "groups of rows have no common root": _roots(),
            "rows are not on the way to their root": _ways("up"),
            "rows are not on the way from their root": _ways("down"),
        }
    counts = ", ".join(f"(SELECT count(*) FROM ({sql})) AS fault_{i}" for i, sql in enumerate(asked.values()))  # noqa: S608
    return dict(zip(asked, spark.sql(f"SELECT {counts}").first(), strict=True))


def _strangers(n_columns: int) -> str:
    """Rows of the tasks that occur more often than in the original, whose values are numbered by views."""
    codes = ", ".join(f"q{j}.code" for j in range(n_columns))
    joins = " ".join(f"JOIN shoal_quasi_{j} AS q{j} ON o.quasi_{j} <=> q{j}.v" for j in range(n_columns))
    came = f"SELECT array({codes}) AS codes, count(*) AS n FROM {ORIGINAL} AS o {joins} GROUP BY array({codes})"  # noqa: S608
    went = f"SELECT codes, count(*) AS n FROM {RECORDS} GROUP BY codes"  # noqa: S608
    return (
        f"SELECT went.codes FROM ({went}) AS went LEFT JOIN ({came}) AS came ON went.codes = came.codes "  # noqa: S608
        "WHERE went.n > coalesce(came.n, 0)"
    )


def _misfits(n_columns: int) -> str:
    """Pairs that do not fit, and owners that do not fit their own records."""
    fits = " AND ".join(_fits(j) for j in range(n_columns))
    pairs = f"SELECT block, row, record FROM {PAIRS} UNION ALL SELECT block, row, row AS record FROM {RECORDS}"  # noqa: S608
    return (
        f"SELECT p.row FROM ({pairs}) AS p LEFT JOIN {RECORDS} AS a ON p.block = a.block AND p.row = a.row "  # noqa: S608
        f"LEFT JOIN {RECORDS} AS b ON p.block = b.block AND p.record = b.row WHERE NOT coalesce({fits}, false)"
    )


def _fits(j: int) -> str:
    """Whether a code lies in a cell: a list of intervals, mostly one, given as first leaf, last leaf and so on."""
    code, cell = f"a.codes[{j}]", f"b.cells[{j}]"
    one = f"{cell}[0] <= {code} AND {code} <= {cell}[1]"
    some = f"exists(sequence(0, size({cell}) - 2, 2), i -> {cell}[i] <= {code} AND {code} <= {cell}[i + 1])"
    return f"(CASE WHEN size({cell}) = 2 THEN {one} ELSE {some} END)"


def _ambiguous(j: int) -> str:
    return (
        f"SELECT quasi_{j} FROM {RELEASE} GROUP BY quasi_{j} "  # noqa: S608
        f"HAVING count(DISTINCT {quoted(WITNESS)}.cells[{j}]) > 1"
    )


def _roots() -> str:
    root = "sum(CASE WHEN up = row AND down = row THEN 1 ELSE 0 END) <> 1"
    more = "sum(CASE WHEN up = row OR down = row THEN 1 ELSE 0 END) <> 1"
    return f"SELECT block, part FROM {RECORDS} GROUP BY block, part HAVING {root} OR {more}"  # noqa: S608


def _ways(way: str) -> str:
    """Rows whose next row on the path is in another part or no nearer to the root; fits are checked as pairs."""
    nearer = f"b.part = a.part AND b.{way}_rank < a.{way}_rank"
    return (
        f"SELECT a.row FROM {RECORDS} AS a LEFT JOIN {RECORDS} AS b ON a.block = b.block AND a.{way} = b.row "  # noqa: S608
        f"WHERE NOT coalesce(a.{way} = a.row OR ({nearer}), false)"
    )
