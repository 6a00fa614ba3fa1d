"""A hierarchy: nested groups of the values of one column, from the single values up to all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes
from shoal.errors import InputError
from shoal.kernels import closure

STAR = "*"
"""The label of an unnamed root and of every suppressed cell."""

MISSING = "(missing)"
"""How a missing value is printed inside sets and reports; alone in a cell it is published as missing."""


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A laminar family over the leaves ``0 … n − 1`` of one domain, numbered depth-first.

    Level 0 has the leaves, the last level the root. ``low[level, leaf]`` and ``high[level, leaf]`` bound
    the node above a leaf on a level, so every node is an interval. An unbalanced hierarchy repeats a node on
    several levels. ``labels[level][leaf]`` is the label of the node above a leaf on a level.

    >>> h = Hierarchy.from_rows([["a", "vowel", "*"], ["b", "other", "*"], ["e", "vowel", "*"]])
    >>> h.leaves
    ('a', 'e', 'b')
    >>> h.label(0, 1)
    'vowel'
    """

    low: Codes
    high: Codes
    labels: tuple[tuple[str, ...], ...]

    @property
    def n_levels(self) -> int:
        """Number of levels, including leaves and root."""
        return int(self.low.shape[0])

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self.low.shape[1])

    @property
    def leaves(self) -> tuple[str, ...]:
        """The texts of the leaves, in depth-first order."""
        return self.labels[0]

    @cached_property
    def code_of(self) -> Mapping[str, int]:
        """The code of each leaf's text; for equal texts that of the first, which is never the missing leaf."""
        return {text: code for code, text in reversed([*enumerate(self.leaves)])}

    def cover(self, low: Codes, high: Codes) -> tuple[Codes, Codes, Codes]:
        """The smallest node around each interval: its bounds and its level. O(intervals · levels)."""
        first, last, level = closure.cover(
            np.ascontiguousarray(low, np.int32), np.ascontiguousarray(high, np.int32), self.low, self.high
        )
        return first, last, level

    def label(self, low: int, high: int, level: int = -1) -> str:
        """The label of the node ``[low, high]``: on ``level`` if given, else on the lowest level that has the node."""
        levels = [level] if level >= 0 else range(self.n_levels)
        for at in levels:
            if self.low[at, low] == low and self.high[at, low] == high:
                return self.labels[at][low]
        raise InputError(f"The leaves {low} to {high} are not a node of the hierarchy; close the interval first.")

    def with_missing(self) -> Hierarchy:
        """The same hierarchy with one more leaf, the missing value, directly under the root."""
        n = self.n_leaves
        low = np.column_stack([self.low, np.full(self.n_levels, n, np.int32)]).astype(np.int32)
        high = np.column_stack([self.high, np.full(self.n_levels, n, np.int32)]).astype(np.int32)
        if self.n_levels == 1:
            low, high = np.vstack([low, low]), np.vstack([high, high])
        low[-1], high[-1] = 0, n
        root = self.labels[-1][0] if self.n_levels > 1 else STAR
        inner = [(*labels, MISSING) for labels in self.labels[: max(1, self.n_levels - 1)]]
        return Hierarchy(low, high, (*inner, (root,) * (n + 1)))

    def require(self, name: str, texts: Sequence[str], counts: Sequence[int]) -> Hierarchy:
        """The hierarchy itself, after checking that each of these values of a column is one of its leaves.

        ``counts`` is the number of rows with each value; the error names the most frequent missing ones. O(texts).

        >>> Hierarchy.flat(["F", "M"]).require("sex", ["F", "X"], [7, 2])
        Traceback (most recent call last):
        ...
        shoal.errors.InputError: The hierarchy of 'sex' lacks 1 value of the table: 'X' (2 rows); add it.

        Raises:
            InputError: values are not leaves of the hierarchy.
        """
        lacking = [(text, count) for text, count in zip(texts, counts, strict=True) if text not in self.code_of]
        if lacking:
            lacking.sort(key=lambda pair: -pair[1])
            named = [f"{text!r} ({_counted(count, 'row')})" for text, count in lacking[:_MOST_NAMED]]
            shown = ", ".join([*named, "…"] if len(lacking) > len(named) else named)
            raise InputError(
                f"{_where(name)} lacks {_counted(len(lacking), 'value')} of the table: {shown}; "
                f"add {'it' if len(lacking) == 1 else 'them'}."
            )
        return self

    def to_rows(self) -> list[list[str]]:
        """One row per leaf: its text, then the label of each level up to the root."""
        return [list(row) for row in zip(*self.labels, strict=True)]

    @classmethod
    def flat(cls, leaves: Sequence[str]) -> Hierarchy:
        """Two levels: the values themselves, and the star."""
        return cls.from_rows([[leaf, STAR] for leaf in leaves])

    @classmethod
    def from_dict(cls, groups: Mapping[str, object], root: str = STAR, name: str = "") -> Hierarchy:
        """Build from nested dicts and lists: ``{"spring": ["Mar", "Apr"], "rest": {"cold": ["Jan"], …}}``.

        Branches may end at different depths: a value close to the root stays itself on the lower levels.

        >>> Hierarchy.from_dict({"soft": ["a"], "hard": {"stop": ["b", "p"]}}).to_rows()[:2]
        [['a', 'a', 'soft', '*'], ['b', 'stop', 'hard', '*']]

        Raises:
            InputError: as from_rows.
        """
        paths = list(_paths(groups, ()))
        depth = max((len(path) for path in paths), default=0)
        return cls.from_rows([[path[-1]] * (depth - len(path)) + [*reversed(path), root] for path in paths], name)

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[str]], name: str = "") -> Hierarchy:
        """Build from one row per leaf, ``[leaf, level 1, …, root]``, in any order: ARX's format.

        The leaves are put into depth-first order, groups in order of first appearance, so that a file in a
        sensible order keeps it. Rows of one label get the star as their root. O(leaves · levels).

        Raises:
            InputError: no rows, rows of different length, a leaf twice, a node with two parents, no single root.
        """
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                raise InputError(
                    f"{_where(name)}: row {number} has {len(row)} levels where row 1 has {len(rows[0])}; "
                    "repeat a label to fill a short branch."
                )
        levels: list[Sequence[str]] = list(zip(*rows, strict=True))
        if len(levels) == 1:
            levels.append((STAR,) * len(rows))
        return cls.from_levels(levels, name)

    @classmethod
    def from_levels(cls, levels: Sequence[Sequence[str]], name: str = "") -> Hierarchy:
        """Build from one list of labels per level, leaves first and root last, all in the same order of leaves.

        Leaves belong to the same node of a level if they share its label, so a label may not occur under two parents.

        >>> Hierarchy.from_levels([["a", "b", "e"], ["vowel", "other", "vowel"], ["*", "*", "*"]]).leaves
        ('a', 'e', 'b')

        Raises:
            InputError: no leaves, a leaf twice, a node with two parents, no single root.
        """
        if not levels or not levels[0]:
            raise InputError(f"{_where(name)} is empty; it needs one row per value.")
        nodes = [_numbered(level) for level in levels]
        _check_leaves(levels[0], nodes[0], _where(name))
        _check_parents(levels, nodes, _where(name))
        _check_root(levels[-1], _where(name))
        order = np.lexsort(nodes)
        bounds = [_runs(level[order]) for level in nodes]
        labels = tuple(tuple(map(level.__getitem__, order.tolist())) for level in levels)
        return cls(np.stack([low for low, _ in bounds]), np.stack([high for _, high in bounds]), labels)


_MOST_NAMED = 5


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _where(name: str) -> str:
    return f"The hierarchy of {name!r}" if name else "The hierarchy"


def _paths(node: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The path to each value of nested dicts and lists, from the top down."""
    if isinstance(node, Mapping):
        for name, below in node.items():
            yield from _paths(below, (*above, str(name)))
    elif isinstance(node, str) or not isinstance(node, Iterable):
        yield (*above, str(node).lower() if isinstance(node, bool) else str(node))
    else:
        for below in node:
            yield from _paths(below, above)


def _numbered(labels: Sequence[str]) -> Codes:
    """Labels as numbers, in order of first appearance."""
    ranks = {label: rank for rank, label in enumerate(dict.fromkeys(labels))}
    return np.fromiter(map(ranks.__getitem__, labels), np.int32, len(labels))


def _check_leaves(leaves: Sequence[str], codes: Codes, where: str) -> None:
    """Raise InputError if a leaf occurs twice."""
    _, firsts = np.unique(codes, return_index=True)
    if firsts.size < codes.size:
        again = int(np.setdiff1d(np.arange(codes.size), firsts)[0])
        first = int(firsts[codes[again]])
        raise InputError(
            f"{where}: the value {leaves[again]!r} has two rows, {first + 1} and {again + 1}, so two parents; keep one."
        )


def _check_parents(levels: Sequence[Sequence[str]], nodes: Sequence[Codes], where: str) -> None:
    """Raise InputError if a label of an inner level has two parents."""
    for level in range(1, len(levels) - 1):
        _, firsts = np.unique(nodes[level], return_index=True)
        first = firsts[nodes[level]]
        strays = np.flatnonzero(nodes[level + 1] != nodes[level + 1][first])
        if strays.size:
            stray = int(strays[0])
            raise InputError(
                f"{where}: {levels[level][stray]!r} on level {level} has two parents, "
                f"{levels[level + 1][first[stray]]!r} and {levels[level + 1][stray]!r}; give each group one."
            )


def _check_root(labels: Sequence[str], where: str) -> None:
    """Raise InputError if the last level has more than one label."""
    roots = list(dict.fromkeys(labels))
    if len(roots) > 1:
        raise InputError(
            f"{where} has no root: its last level has {len(roots):,} labels "
            f"({roots[0]!r}, {roots[1]!r}{', …' if len(roots) > 2 else ''}); "
            "add a last level with one label for all values, such as '*'."
        )


def _runs(nodes: Codes) -> tuple[Codes, Codes]:
    """First and last position of the run of equal numbers around each position."""
    starts = np.flatnonzero(np.diff(nodes, prepend=-1))
    lengths = np.diff(starts, append=nodes.size)
    low = np.repeat(starts, lengths).astype(np.int32)
    high = np.repeat(starts + lengths - 1, lengths).astype(np.int32)
    return low, high


def quoted(text: str) -> str:
    """A value that would be ambiguous inside a label, in quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
