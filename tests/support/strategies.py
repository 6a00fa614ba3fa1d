"""Hypothesis strategies: tables of every kind of column, partitions and releases of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from hypothesis import strategies as st

from shoal.core.hierarchy import Hierarchy
from shoal.core.release import Release
from shoal.core.table import Table
from support.tables import coded, partitioned

MAX_ROWS = 40
FIRST_DAY = date(1999, 12, 30)


FORMS = ("numeric", "date", "ordinal", "nominal", "suppress", "tree")
"""Ranges of numbers, of dates and of ordered values, sets, stars, and hierarchies."""


@dataclass(frozen=True)
class Drawn:
    """A column: its values and what the schema says about it (``hierarchies``, ``kinds``, …)."""

    values: list[Any]
    schema: dict[str, Any] = field(default_factory=dict)


@st.composite
def places(draw: st.DrawFn, n_rows: int, n_values: int) -> list[int]:
    """Which value each row has: at will, all the same, all different while they last, or nearly all the same."""
    how = draw(st.sampled_from(["at will", "at will", "equal", "distinct", "skewed"]))
    anyone = st.integers(0, n_values - 1)
    if how == "equal":
        return [draw(anyone)] * n_rows
    if how == "distinct":
        return [row % n_values for row in draw(st.permutations(range(n_rows)))]
    if how == "skewed":
        rare = draw(st.dictionaries(st.integers(0, n_rows - 1), anyone, max_size=3))
        return [rare.get(row, 0) for row in range(n_rows)]
    return draw(st.lists(anyone, min_size=n_rows, max_size=n_rows))


@st.composite
def laminar(draw: st.DrawFn, leaves: Sequence[str]) -> Hierarchy:
    """A random hierarchy over these leaves, its branches of different depth."""
    names = iter(range(1000))

    def grow(below: Sequence[str], depth: int) -> object:
        if len(below) < 2 or depth == 3 or draw(st.booleans()):
            return list(below)
        homes = draw(st.lists(st.integers(0, 2), min_size=len(below), max_size=len(below)))
        parts = [[leaf for leaf, home in zip(below, homes, strict=True) if home == part] for part in range(3)]
        return {f"node {next(names)}": grow(part, depth + 1) for part in parts if part}

    return Hierarchy.from_dict({f"node {next(names)}": grow(leaves, 1)})


@st.composite
def quasi_columns(draw: st.DrawFn, n_rows: int, forms: Sequence[str] = FORMS) -> Drawn:
    """A quasi-identifier of one of these forms; perhaps with missing values."""
    form = draw(st.sampled_from(forms))
    n_values = draw(st.integers(1, 8))
    if form == "numeric":
        pool: list[Any] = draw(st.lists(st.integers(-20, 20), min_size=n_values, max_size=n_values, unique=True))
    elif form == "date":
        pool = [FIRST_DAY + timedelta(days=day * day) for day in range(n_values)]
    else:
        pool = [f"v{number}" for number in range(n_values)]
    values = [pool[place] for place in draw(places(n_rows, n_values))]
    for row in draw(st.sets(st.integers(1, n_rows), max_size=4)) if draw(st.booleans()) else ():
        values[row - 1] = None
    if values.count(None) == n_rows:
        values[0] = pool[0]
    return Drawn(values, draw(_said(form, pool)) | {"weights": draw(st.sampled_from([1.0, 1.0, 0.5, 3.0]))})


@st.composite
def _said(draw: st.DrawFn, form: str, pool: Sequence[Any]) -> dict[str, Any]:
    """What the schema has to say for a column of this form."""
    if form == "ordinal":
        return {"orders": draw(st.permutations(pool))}
    if form == "suppress":
        return {"recodings": "suppress"}
    if form == "tree":
        unused = [f"unused {number}" for number in range(draw(st.integers(0, 2)))]
        return {"hierarchies": draw(laminar([*pool, *unused]))}
    return {"kinds": form}


@st.composite
def sensitive_values(draw: st.DrawFn, n_rows: int) -> list[str | None]:
    """The values of a sensitive column, of which one may be missing."""
    pool: list[str | None] = ["flu", "HIV", "cold", "gout", "none"]
    values = [pool[place] for place in draw(places(n_rows, draw(st.integers(1, len(pool)))))]
    if n_rows > 1 and draw(st.booleans()):
        values[0] = None
        values[1] = "flu"
    return values


@st.composite
def tables(draw: st.DrawFn, max_rows: int = MAX_ROWS, max_columns: int = 4, forms: Sequence[str] = FORMS) -> Table:
    """A table of 1 … ``max_rows`` rows with a name, quasi-identifiers q0, q1, …, an illness (or two) and a note."""
    n_rows = draw(st.one_of(st.integers(1, max_rows), st.integers(1, 6)))
    quasi = {f"q{j}": draw(quasi_columns(n_rows, forms)) for j in range(draw(st.integers(1, max_columns)))}
    sensitive = {f"s{j}": draw(sensitive_values(n_rows)) for j in range(draw(st.sampled_from([1, 1, 2])))}
    columns: dict[str, list[Any]] = {"name": [f"person {row}" for row in range(n_rows)]}
    columns |= {name: column.values for name, column in quasi.items()}
    columns |= sensitive | {"note": [f"note {row}" for row in range(n_rows)]}
    schema: dict[str, dict[str, Any]] = {}
    for name, column in quasi.items():
        for what, said in column.schema.items():
            schema.setdefault(what, {})[name] = said
    return coded(columns, [*quasi], sensitive=(*sensitive,), identifiers=("name",), others=("note",), **schema)


@st.composite
def partitions(draw: st.DrawFn, n_rows: int, may_suppress: bool = True) -> list[list[int]]:
    """Rows in groups; some rows in none where rows may be suppressed."""
    homes = draw(st.lists(st.integers(-1 if may_suppress else 0, 5), min_size=n_rows, max_size=n_rows))
    lists = [[row for row, home in enumerate(homes) if home == group] for group in range(6)]
    return [rows for rows in lists if rows]


@st.composite
def releases(draw: st.DrawFn, max_rows: int = 20, may_suppress: bool = True) -> Release:
    """A release of a random table that keeps no promise in particular."""
    table = draw(tables(max_rows))
    return partitioned(table, draw(partitions(table.n_rows, may_suppress)))
