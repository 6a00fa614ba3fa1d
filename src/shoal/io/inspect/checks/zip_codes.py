"""US ZIP codes, some of which have four more digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shoal.io.inspect.column_values import Advice, Sight

_LONG, _ANY = r"^\d{5}-\d{4}$", r"^\d{5}(?:-\d{4})?$"
HIERARCHY = "prefixes:lengths=5/3/2/1"
"""Generalize to the five digits that both forms share, then to the areas of the first three, two and one digits."""


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns of ZIP codes in both forms: a hierarchy brings them together."""
    for column in columns:
        if not column.is_text or not column.n_distinct:
            continue
        if column.share(column.texts.str.contains(_ANY)) > 0.95 and column.texts.str.contains(_LONG).any():
            what = f"{column.name!r} holds ZIP+4 codes, which identify a street; a usual ZIP code has five digits."
            yield Advice((column.name,), what, {"hierarchies": {column.name: HIERARCHY}})
