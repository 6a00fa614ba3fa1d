"""Groups days into months, quarters, years and decades."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from shoal.core.builders.nesting import under_star
from shoal.core.domain import Kind
from shoal.core.hierarchy import Hierarchy
from shoal.core.parameters import CheckedFields, checked, several, whole_number
from shoal.errors import InputError, did_you_mean

_LABELS: dict[str, Callable[[str], str]] = {
    "day": lambda text: text[:10],
    "month": lambda text: text[:7],
    "quarter": lambda text: f"{text[:4]}-Q{(int(text[5:7]) + 2) // 3}",
    "year": lambda text: text[:4],
    "decade": lambda text: f"{text[:3]}0s",
}
PERIODS = tuple(_LABELS)
"""The calendar periods, shortest first."""

_SHAPE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}.*)?", re.ASCII)


@dataclass(frozen=True)
class Dates(CheckedFields):
    """Calendar periods: ``2024-03-01``, ``2024-03``, ``2024-Q1``, ``2024``, ``2020s``, the star.

    ``levels`` are any of day, month, quarter, year and decade, shorter periods first. The texts are ISO dates or
    datetimes (``2024-03-01``, ``2024-03-01 09:30:00``, ``2024-03-01T09:30:00``); *day* is useful for the latter.
    A time zone is not converted: the date counts as it is written. All dates before the year ``earliest`` form one
    group on every level, ``[..1935-12-31]``, because few people are that old. O(values · levels).

    >>> Dates().build("born", ["1999-12-31", "2000-01-01"], "date").to_rows()[1]
    ['2000-01-01', '2000-01', '2000-Q1', '2000', '2000s', '*']
    """

    levels: Sequence[str] = ("month", "quarter", "year", "decade")
    earliest: int | None = field(default=None, metadata=checked(whole_number, "The earliest year", least=1))

    def __post_init__(self) -> None:
        super().__post_init__()
        levels = tuple(_known(level) for level in several("levels", self.levels))
        if not levels:
            raise InputError(f"The builder 'dates' needs at least one level of {', '.join(_LABELS)}, got none.")
        order = list(_LABELS)
        for one, next_one in pairwise(levels):
            if order.index(one) >= order.index(next_one):
                raise InputError(
                    f"The levels of the builder 'dates' go from short to long, but {next_one!r} follows {one!r}."
                )
        object.__setattr__(self, "levels", levels)

    def build(self, name: str, texts: Sequence[str], kind: Kind) -> Hierarchy:
        """The hierarchy over these dates.

        Raises:
            InputError: a text is not an ISO date or datetime.
        """
        for text in texts:
            _check(name, text)
        return under_star(name, texts, [[self._label(level, text) for text in texts] for level in self.levels])

    def _label(self, level: str, text: str) -> str:
        if self.earliest is not None and int(text[:4]) < self.earliest:
            return f"[..{self.earliest - 1:04}-12-31]"
        return _LABELS[level](text)


def _known(level: object) -> str:
    if level == "week":
        raise InputError("Dates have no level 'week': weeks do not nest in months or years; use 'day' or 'month'.")
    if not isinstance(level, str) or level not in _LABELS:
        raise InputError(f"The builder 'dates' has no level {level!r}.{did_you_mean(str(level), _LABELS)}")
    return level


def _check(name: str, text: str) -> None:
    try:
        if not _SHAPE.fullmatch(text):
            raise ValueError(text)
        datetime.fromisoformat(text[:19])
    except ValueError:
        raise InputError(
            f"The builder 'dates' needs dates such as 2024-03-01 in the column {name!r}, got {text!r}; "
            "write them as year-month-day or choose another builder."
        ) from None
