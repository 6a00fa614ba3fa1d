"""What a set of rules allows: the pattern mask, all allowed patterns with their costs, or how many they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.patterns.column_levels import Ladder, names_levels, pattern_text
from shoal.algorithms.patterns.listing import MOST_PATTERNS, PatternLevels, allowed, by_stars, tops_of, units_of
from shoal.algorithms.patterns.rules import Rules
from shoal.core.arrays import Floats, Offsets
from shoal.core.table import QuasiColumn
from shoal.errors import InputError

MOST_COLUMNS = 63


@dataclass(frozen=True, eq=False)
class PatternMask:
    """Patterns in the order in which the greedy tries them: by cost, and as listed if costs are equal.

    A record pays the cost of its pattern: the sum over columns of the weight, times how far up the level is, as a share
    of the levels up to the star. ``star`` is the all-star pattern (−1 if it is forbidden), ``full`` what a record pays
    for it.
    """

    ladders: tuple[Ladder, ...]
    levels: PatternLevels
    costs: Floats
    star: int
    full: float

    def __len__(self) -> int:
        return int(self.costs.size)

    @property
    def has_levels(self) -> bool:
        """Whether some column may be published on a level between its values and the star."""
        return any(ladder.top > 1 for ladder in self.ladders)

    @property
    def stars(self) -> Offsets:
        """The number of blanked columns of each pattern."""
        counts: Offsets = (self.levels == tops_of(self.ladders)).sum(axis=1)
        return counts

    def text(self, pattern: int) -> str:
        """A pattern in text form."""
        return pattern_text(self.levels[pattern].tolist(), self.ladders)


def make_mask(rules: Rules, columns: Sequence[QuasiColumn]) -> PatternMask:
    """The patterns that the rules allow on these columns. O(patterns · columns).

    Raises:
        InputError: unknown columns, contradictory rules, too many columns or patterns.
    """
    steps = steps_of(rules, columns)
    levels = allowed(rules, steps)
    prices = [_prices(ladder, rules.costs) for ladder in steps]
    costs = np.array([price[levels[:, j]] for j, price in enumerate(prices)]).sum(axis=0).round(9)
    order = np.argsort(costs, kind="stable")
    levels = np.ascontiguousarray(levels[order])
    star = np.flatnonzero((levels == tops_of(steps)).all(axis=1))
    return PatternMask(
        steps, levels, costs[order], int(star[0]) if star.size else -1, float(sum(p[-1] for p in prices))
    )


def steps_of(rules: Rules, columns: Sequence[QuasiColumn]) -> tuple[Ladder, ...]:
    """The levels of each column that patterns may name, after checking that the rules fit the columns.

    Raises:
        InputError: unknown columns in rules, or too many columns.
    """
    names = [column.name for column in columns]
    if len(names) > MOST_COLUMNS:
        raise InputError(
            f"Patterns take at most {MOST_COLUMNS} quasi-identifiers, got {len(names)}; name fewer of them, "
            "or use another algorithm."
        )
    rules.check_columns(names)
    with_levels = rules.levels or names_levels(rules.patterns, names)
    return tuple(Ladder.of(column, with_levels) for column in columns)


def _prices(ladder: Ladder, costs: Mapping[str, float]) -> Floats:
    """What each level costs a record."""
    weight = costs.get(ladder.name, ladder.column.weight)
    prices: Floats = weight * np.arange(ladder.top + 1) / ladder.top
    return prices


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
