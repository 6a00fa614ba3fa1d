"""A hierarchy: nested groups of the values of one column, from the single values up to all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes
from shoal.errors import InputError
from shoal.kernels import closure

STAR = "*"
"""The label of the root where the hierarchy does not name it, and of every suppressed cell."""


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A laminar family over the leaves ``0 … n − 1`` of one domain, numbered depth-first.

    Level 0 holds the leaves, the last level the root. ``low[level, leaf]`` and ``high[level, leaf]`` bound
    the node above a leaf on a level, so every node is an interval. An unbalanced hierarchy repeats a node on
    several levels. ``labels[level][leaf]`` is the node's own name there.

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
        """Number of levels, the leaves' and the root's included."""
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
        """The code of each leaf's text."""
        return {text: code for code, text in enumerate(self.leaves)}

    def cover(self, low: Codes, high: Codes) -> tuple[Codes, Codes, Codes]:
        """The smallest node around each interval: its bounds and its level. O(intervals · levels)."""
        first, last, level = closure.cover(
            np.ascontiguousarray(low, np.int32), np.ascontiguousarray(high, np.int32), self.low, self.high
        )
        return first, last, level

    def label(self, low: int, high: int, level: int = -1) -> str:
        """The name of the node ``[low, high]``: on ``level`` where given, else on the lowest level that has it."""
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

    def to_rows(self) -> list[list[str]]:
        """One row per leaf: its text, then the label of each level up to the root."""
        return [list(row) for row in zip(*self.labels, strict=True)]

    @classmethod
    def flat(cls, leaves: Sequence[str]) -> Hierarchy:
        """Two levels: the values themselves, and the star."""
        return cls.from_rows([[leaf, STAR] for leaf in leaves])

    @classmethod
    def from_dict(cls, groups: Mapping[str, object], root: str = STAR) -> Hierarchy:
        """From nested dicts and lists: ``{"spring": ["Mar", "Apr"], "rest": {"cold": ["Jan"], …}}``.

        Branches may end at different depths.
        """
        paths: list[list[str]] = []

        def walk(node: object, above: list[str]) -> None:
            if isinstance(node, Mapping):
                for name, below in node.items():
                    walk(below, [*above, str(name)])
            elif isinstance(node, str) or not isinstance(node, Sequence):
                paths.append([*above, str(node)])
            else:
                for leaf in node:
                    walk(leaf, above)

        walk(groups, [])
        depth = max((len(path) for path in paths), default=0)
        rows = [[path[-1]] * (depth - len(path)) + list(reversed(path)) + [root] for path in paths]
        return cls.from_rows(rows)

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[str]], name: str = "") -> Hierarchy:
        """From one row per leaf, ``[leaf, level 1, …, root]``, in any order: ARX's form.

        The leaves are put into depth-first order, groups in order of first appearance, so that a file in a
        sensible order keeps it. O(leaves · levels).

        Raises:
            InputError: rows of different length, a leaf twice, a node with two parents, no single root.
        """
        where = f"Hierarchy of {name!r}" if name else "Hierarchy"
        if not rows:
            raise InputError(f"{where} is empty; it needs one row per value.")
        width = len(rows[0])
        for number, row in enumerate(rows, 1):
            if len(row) != width:
                raise InputError(
                    f"{where}: row {number} has {len(row)} levels where row 1 has {width}; "
                    "repeat a label to fill a short branch."
                )
        if width < 2:
            rows, width = [[row[0], STAR] for row in rows], 2
        _check_laminar(rows, where)
        ordered = _depth_first(rows)
        labels = tuple(zip(*ordered, strict=True))
        bounds = [_runs(level) for level in labels]
        return cls(np.array([b[0] for b in bounds], np.int32), np.array([b[1] for b in bounds], np.int32), labels)


MISSING = "(missing)"
"""How a missing value is shown inside sets and reports; alone in a cell it is published as missing."""


def _check_laminar(rows: Sequence[Sequence[str]], where: str) -> None:
    """Each leaf once, each label on each level under one parent, one root."""
    seen: set[str] = set()
    for row in rows:
        if row[0] in seen:
            raise InputError(f"{where}: the value {row[0]!r} has two rows, so two parents; keep one.")
        seen.add(row[0])
    for level in range(1, len(rows[0]) - 1):
        parents: dict[str, str] = {}
        for row in rows:
            parent = parents.setdefault(row[level], row[level + 1])
            if parent != row[level + 1]:
                raise InputError(
                    f"{where}: {row[level]!r} on level {level} has two parents, {parent!r} and "
                    f"{row[level + 1]!r}; give each group one."
                )
    roots = list(dict.fromkeys(row[-1] for row in rows))
    if len(roots) > 1:
        raise InputError(
            f"{where} has no root: its last level has {len(roots)} labels ({roots[0]!r}, {roots[1]!r}, …); "
            "add a last level with one label for all values, such as '*'."
        )


def _depth_first(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Order rows so that the leaves of every node are neighbours, first come first."""
    ranks: list[dict[str, int]] = [{} for _ in rows[0]]
    for row in rows:
        for level, label in enumerate(row):
            ranks[level].setdefault(label, len(ranks[level]))
    return sorted(rows, key=lambda row: [ranks[level][row[level]] for level in reversed(range(len(row)))])


def _runs(labels: Sequence[str]) -> tuple[Codes, Codes]:
    """First and last position of the run of equal labels around each position."""
    n = len(labels)
    starts = np.array([0] + [i for i in range(1, n) if labels[i] != labels[i - 1]] + [n])
    lengths = np.diff(starts)
    low = np.repeat(starts[:-1], lengths).astype(np.int32)
    high = np.repeat(starts[1:] - 1, lengths).astype(np.int32)
    return low, high
