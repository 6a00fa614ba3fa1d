"""What a set of rules allows, computed before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shoal.algorithms.patterns.listing import MOST_PATTERNS, by_stars, tops_of, units_of
from shoal.algorithms.patterns.mask import PatternMask, make_mask, steps_of
from shoal.algorithms.patterns.rules import Rules
from shoal.core.table import QuasiColumn


@dataclass(frozen=True, eq=False)
class Allowance:
    """The patterns that rules allow on some columns: counted, and listed if there are not too many to try.

    ``by_stars`` has the number of patterns for each number of blanked columns, ``kept`` the columns that no pattern
    except the all-star one blanks; ``mask`` is None if there are too many patterns to try.
    """

    columns: tuple[str, ...]
    by_stars: Mapping[int, int]
    kept: tuple[str, ...]
    mask: PatternMask | None

    @property
    def n_patterns(self) -> int:
        """The number of allowed patterns."""
        return sum(self.by_stars.values())

    @property
    def with_outliers(self) -> bool:
        """Whether the all-star pattern is allowed."""
        return len(self.columns) in self.by_stars


def allowance(rules: Rules, columns: Sequence[QuasiColumn]) -> Allowance:
    """What the rules allow. Counting takes as long for 2^63 patterns as for two; listing takes O(patterns · columns).

    Raises:
        InputError: unknown columns, contradictory rules, too many columns.
    """
    ladders = steps_of(rules, columns)
    names = tuple(ladder.name for ladder in ladders)
    counts = {} if rules.patterns else _counted(rules, by_stars(rules, ladders), len(names))
    if sum(counts.values()) > MOST_PATTERNS:
        fixed = {place for unit in units_of(rules, ladders) if not unit.may_blank for place in unit.columns}
        return Allowance(names, counts, tuple(names[place] for place in sorted(fixed)), None)
    mask = make_mask(rules, columns)
    stars = mask.stars.tolist()
    blanked = (mask.levels == tops_of(ladders))[mask.stars < len(names)]
    kept = tuple(name for name, ever in zip(names, blanked.any(axis=0), strict=True) if not ever)
    return Allowance(names, {count: stars.count(count) for count in sorted(set(stars))}, kept, mask)


def _counted(rules: Rules, generated: Mapping[int, int], n_columns: int) -> dict[int, int]:
    """The counts including the all-star pattern, to which only the rule ``outliers`` applies."""
    counts = {stars: n for stars, n in generated.items() if stars < n_columns}
    return {**counts, n_columns: 1} if rules.outliers else counts
