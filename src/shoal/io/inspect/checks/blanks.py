"""Blanks around values, and characters that are encoded in two ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shoal.io.inspect.column_values import Advice, Sight
from shoal.io.lookalike_values import fold_text

_LOOKED_AT = 2_000
_DOUBTFUL = r"^ | $|  |[^ -~]"
"""Characters that folding might change; a text without them folds to itself."""


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns with values that have superfluous blanks, or accents that are encoded in another way."""
    for column in columns:
        if not column.is_text or not column.n_distinct:
            continue
        some = column.texts if column.is_list else column.texts.head(_LOOKED_AT)
        if any(text != fold_text(text) for text in some.filter(some.str.contains(_DOUBTFUL))):
            what = f"{column.name!r} has values with blanks around or inside them, or accents coded in two ways."
            yield Advice((column.name,), what, {"fold": [column.name]})
