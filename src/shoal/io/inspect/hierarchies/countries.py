"""Countries by region, if their names are known."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from shoal.io.inspect.column_values import Sight
from shoal.io.inspect.hierarchies.fit import Fit
from shoal.io.inspect.hierarchies.regions import REGIONS

_FEWEST, _MOSTLY = 4, 0.9
_ELSEWHERE = "elsewhere"


def fit(column: Sight) -> Fit | None:
    """Match names or codes of countries, nearly all of them known; the others form a group of their own."""
    if not column.is_text or not _FEWEST <= column.n_distinct <= len(_known()):
        return None
    regions = {text: _region(text) for text in column.texts}
    n_known = sum(region is not None for region in regions.values())
    if n_known < max(_FEWEST, _MOSTLY * len(regions)):
        return None
    groups: dict[str, list[str]] = defaultdict(list)
    for text, region in sorted(regions.items()):
        groups[region or _ELSEWHERE].append(text)
    return Fit(dict(groups), "countries by region of the world")


def _region(text: str) -> str | None:
    return _known().get(text.casefold().strip().replace("-", " ").replace("_", " "))


@cache
def _known() -> dict[str, str]:
    return {
        name.casefold().replace("-", " "): region
        for region, rows in REGIONS.items()
        for row in rows.split(";")
        for name in row.strip().split("|")
    }
