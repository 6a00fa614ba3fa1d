"""The one thing that promises with a k ask of a table: k rows."""

from __future__ import annotations

from shoal.core.table import Table
from shoal.errors import ImpossibleGoal


def refuse_more_than_rows(k: int, table: Table) -> None:
    """Refuse k above the number of rows.

    Raises:
        ImpossibleGoal: with the most that can be asked for.
    """
    if k > table.n_rows:
        raise ImpossibleGoal(
            f"k = {k:,} needs at least {k:,} rows, but the table has {table.n_rows:,}; "
            f"ask for k of at most {table.n_rows:,}."
        )
