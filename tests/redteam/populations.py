"""Populations that fit their table in every way but one, or in none: the people a table may have been sampled from."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from redteam.case import Column, Value

UNSEEN: dict[str, list[Value]] = {
    "text": ["elsewhere", "*", "1", "", " a"],
    "int": [6, -7, 2**53 + 1, 10**16 + 1],
    "float": [0.75, -1e9, 7.0],
    "date": ["2024-01-15", "1950-06-01"],
    "datetime": ["2024-01-01T06:00:00"],
    "bool": [False],
}
"""Values that no row need have."""


def draw_population(dice: Random, columns: list[Column], source: str) -> list[Column]:
    """People with the quasi-identifiers of a table: more or fewer, other columns beside them, in any order."""
    quasi = [replace(column, tree=None) for column in columns if column.role == "quasi"]
    n_rows = len(columns[0].values)
    if dice.random() < 0.4:
        n_rows *= dice.choice([1, 2, 3])
        made = [replace(column, values=column.values * (n_rows // len(column.values))) for column in quasi]
    else:
        n_rows = dice.choice([1, 2, n_rows, 2 * n_rows, 20])
        made = [replace(column, values=_values(dice, column, n_rows)) for column in quasi]
    if source == "parquet" and dice.random() < 0.25:
        made = [_of_another_type(dice, column) for column in made]
    if dice.random() < 0.5:
        made += [Column(f"more {i}", "text", "other", [f"x{row}" for row in range(n_rows)]) for i in range(3)]
        dice.shuffle(made)
    if len(made) > 1 and dice.random() < 0.05:
        made.pop(dice.randrange(len(made)))
    return made


def _values(dice: Random, column: Column, n_rows: int) -> list[Value]:
    pool: list[Value] = [*dict.fromkeys(column.values)]
    if dice.random() < 0.5:
        pool += UNSEEN[column.type]
    if dice.random() < 0.2:
        pool.append(None)
    return [dice.choice(pool) for _ in range(n_rows)]


def _of_another_type(dice: Random, column: Column) -> Column:
    """Integers as texts or as fractions, and the other way round, where every value can be one."""
    if column.type == "int" and all(value is None or abs(int(value)) < 2**53 for value in column.values):
        to = dice.choice(["text", "float"])
        return replace(column, type=to, values=[_made(to, value) for value in column.values])
    if column.type in ("bool", "date"):
        return replace(column, type="text", values=[_made("text", value) for value in column.values])
    return column


def _made(kind: str, value: Value) -> Value:
    if value is None:
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if kind == "text" else float(text)
