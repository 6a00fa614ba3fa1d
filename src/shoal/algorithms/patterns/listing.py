"""List the patterns that rules allow (the given ones, checked, or all that they generate), or only count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import prod

import numpy as np
import numpy.typing as npt

from shoal.algorithms.patterns.column_levels import Ladder, parse_pattern, pattern_text
from shoal.algorithms.patterns.rules import Rules
from shoal.errors import InputError

MOST_PATTERNS = 1 << 20
"""More than a million patterns are refused: the user has to restrict them further."""

PatternLevels = npt.NDArray[np.uint8]
"""``levels[pattern, column]``."""


def allowed(rules: Rules, ladders: Sequence[Ladder]) -> PatternLevels:
    """All allowed patterns, those of explicit lists in their order, generated ones by ascending levels.

    Raises:
        InputError: a pattern breaks a rule, or there are too many.
    """
    levels = given(rules, ladders) if rules.patterns else generated(rules, ladders)
    tops = tops_of(ladders)
    if not rules.outliers:
        levels = levels[(levels != tops).any(axis=1)]
    elif not (levels == tops).all(axis=1).any():
        levels = np.vstack([levels, tops])
    return levels


def tops_of(ladders: Sequence[Ladder]) -> PatternLevels:
    """The star's level in each column."""
    return np.array([ladder.top for ladder in ladders], np.uint8)


def given(rules: Rules, ladders: Sequence[Ladder]) -> PatternLevels:
    """The explicit patterns, each once."""
    found = dict.fromkeys(parse_pattern(vector, ladders) for vector in rules.patterns)
    for levels in found:
        for broken in _broken(levels, rules, ladders):
            raise InputError(
                f"The pattern {pattern_text(levels, ladders)!r} breaks the rule {broken}; drop one of the two."
            )
    return np.array([*found], np.uint8)


def _broken(levels: Sequence[int], rules: Rules, ladders: Sequence[Ladder]) -> Iterator[str]:
    """The rules that a pattern breaks. Only ``outliers`` applies to the all-star pattern."""
    blank = {ladder.name for ladder, level in zip(ladders, levels, strict=True) if level == ladder.top}
    if len(blank) == len(ladders):
        if not rules.outliers:
            yield "outliers = false"
        return
    if rules.max_stars is not None and len(blank) > rules.max_stars:
        yield f"max_stars = {rules.max_stars}"
    yield from (f"never = {name}" for name in rules.never if name in blank)
    yield from (
        f"together = {'+'.join(group)}" for group in rules.together if 0 < len(blank & {*group}) < len({*group})
    )
    yield from (f"at_most_one = {'+'.join(group)}" for group in rules.at_most_one if len(blank & {*group}) > 1)


def generated(rules: Rules, ladders: Sequence[Ladder]) -> PatternLevels:
    """All patterns that obey the rules, by ascending levels; the first column is the most significant."""
    n_patterns = sum(by_stars(rules, ladders).values())
    if n_patterns > MOST_PATTERNS:
        raise InputError(
            f"The rules allow {n_patterns:,} patterns of {len(ladders)} columns, and at most {MOST_PATTERNS:,} can be "
            f"tried; say more, such as max_stars = {min(4, len(ladders) - 1)}."
        )
    most = len(ladders) if rules.max_stars is None else rules.max_stars
    partial = np.zeros((1, len(ladders)), np.uint8)
    blanked = np.zeros((1, 1 + len(rules.at_most_one)), np.uint8)
    for unit in units_of(rules, ladders):
        partial, blanked = _grown(partial, blanked, unit, ladders, most)
    return partial[np.lexsort(partial.T[::-1])]


def _grown(
    partial: PatternLevels, blanked: PatternLevels, unit: Unit, ladders: Sequence[Ladder], most: int
) -> tuple[PatternLevels, PatternLevels]:
    """Every partial pattern, extended by every way to publish one more unit.

    ``blanked[:, 0]`` counts stars, the other columns those within each at-most-one group.
    """
    columns, rivals = list(unit.columns), [1 + group for group in unit.rivals]
    lower = list(product(*(range(ladders[column].top) for column in columns)))
    grown, counts = [], []
    for levels in lower:
        grown.append(partial.copy())
        grown[-1][:, columns] = levels
        counts.append(blanked)
    if unit.may_blank:
        fits = (blanked[:, 0] + len(columns) <= most) & (blanked[:, rivals] == 0).all(axis=1)
        grown.append(partial[fits])
        grown[-1][:, columns] = [ladders[column].top for column in columns]
        counts.append(blanked[fits])
        counts[-1][:, [0]] += np.uint8(len(columns))
        counts[-1][:, rivals] = 1
    return np.vstack(grown), np.vstack(counts)


def by_stars(rules: Rules, ladders: Sequence[Ladder]) -> dict[int, int]:
    """The number of patterns that the rules generate, by number of stars; the exempt all-star one is not counted.

    Units not linked by an at-most-one group are independent, so their counts are multiplied as polynomials: counting
    takes as long for 2^63 patterns as for two.
    """
    most = len(ladders) if rules.max_stars is None else rules.max_stars
    total: Counter[int] = Counter({0: 1})
    for part in _independent(units_of(rules, ladders)):
        grown: Counter[int] = Counter()
        for (stars, ways), (more, times) in product(total.items(), _choices(part, ladders).items()):
            grown[stars + more] += ways * times
        total = Counter({stars: ways for stars, ways in grown.items() if stars <= most})
    return dict(sorted(total.items()))


def _independent(units: Sequence[Unit]) -> list[list[Unit]]:
    """Divide units into parts that share no at-most-one group."""
    parts: list[list[Unit]] = []
    for unit in units:
        touched = [part for part in parts if any(other.rivals & unit.rivals for other in part)]
        parts = [part for part in parts if part not in touched]
        parts.append([*chain.from_iterable(touched), unit])
    return parts


def _choices(units: Sequence[Unit], ladders: Sequence[Ladder]) -> Counter[int]:
    """The number of ways to publish these units, by their number of stars."""
    if not units:
        return Counter({0: 1})
    first, rest = units[0], units[1:]
    lower = prod(ladders[column].top for column in first.columns)
    found = Counter({stars: lower * ways for stars, ways in _choices(rest, ladders).items()})
    if first.may_blank:
        others = [Unit(unit.columns, unit.may_blank and not unit.rivals & first.rivals, unit.rivals) for unit in rest]
        for stars, ways in _choices(others, ladders).items():
            found[stars + len(first.columns)] += ways
    return found


@dataclass(frozen=True)
class Unit:
    """Columns by number, whether they may be blanked, and the at-most-one groups they are in."""

    columns: tuple[int, ...]
    may_blank: bool
    rivals: frozenset[int]


def units_of(rules: Rules, ladders: Sequence[Ladder]) -> list[Unit]:
    """The units of all columns, in order of their first columns. Keeping all columns of a unit is always allowed."""
    places = {ladder.name: place for place, ladder in enumerate(ladders)}
    homes = _united([{places[name] for name in group} for group in rules.together], len(ladders))
    rivals = [[places[name] for name in dict.fromkeys(group)] for group in rules.at_most_one]
    kept = {places[name] for name in rules.never}
    return [_unit(columns, kept, rivals) for columns in homes]


def _unit(columns: tuple[int, ...], kept: set[int], rivals: Sequence[Sequence[int]]) -> Unit:
    own = [sum(place in columns for place in group) for group in rivals]
    return Unit(
        columns=columns,
        may_blank=not kept.intersection(columns) and max(own, default=0) <= 1,
        rivals=frozenset(group for group, count in enumerate(own) if count),
    )


def _united(groups: Sequence[set[int]], n: int) -> list[tuple[int, ...]]:
    """Divide columns into parts such that each group lies within one part."""
    parts = [{place} for place in range(n)]
    for group in groups:
        touched = [part for part in parts if part & group]
        parts = [part for part in parts if not part & group] + ([set.union(*touched)] if touched else [])
    return sorted(tuple(sorted(part)) for part in parts)
