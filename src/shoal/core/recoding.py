"""Recodings: how the cells of a column may be generalized (the closure operators of the papers).

A recoding answers one question, *what is the smallest cell that may be published around these leaves?*, for groups of
rows (``enclose``) and for pairs of cells (``join``). Metrics decide what a cell costs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.arrays import Codes
from shoal.core.cells import Cells
from shoal.core.domain import Domain
from shoal.core.groups import Groups
from shoal.core.hierarchy import MISSING, STAR, Hierarchy, quoted
from shoal.errors import InputError, did_you_mean
from shoal.kernels.grouping import extremes


class Recoding(ABC):
    """The cells that one column may be published with."""

    name: ClassVar[str]

    closes_to_nodes: ClassVar[bool] = False
    """Whether every cell is a node of ``nested``."""

    has_labels: ClassVar[bool] = False
    """Whether cells are printed with the labels of ``nested``."""

    makes_sets: ClassVar[bool] = False
    """Whether cells are exact sets rather than intervals."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    @property
    def has_width(self) -> bool:
        """Whether cells are intervals on a line, so that their width measures the loss."""
        return False

    @property
    @abstractmethod
    def nested(self) -> Hierarchy:
        """Nested groups of leaves at which a column is best split; the root contains all leaves."""

    @property
    def labelled(self) -> Hierarchy | None:
        """The hierarchy whose labels cells are printed with, if any."""
        return self.nested if self.has_labels else None

    @abstractmethod
    def close(self, low: Codes, high: Codes) -> Cells:
        """The smallest permitted cells around intervals of leaves."""

    def enclose(self, groups: Groups, codes: Codes) -> Cells:
        """The smallest permitted cell around the codes of each (non-empty) group. O(members)."""
        return self.close(*extremes(groups.offsets, groups.members, codes))

    def join(self, one: Cells, other: Cells) -> Cells:
        """The smallest permitted cell around the i-th cells of both."""
        low = np.minimum(one.low[one.ids], other.low[other.ids])
        high = np.maximum(one.high[one.ids], other.high[other.ids])
        return self.close(low, high)

    def exact(self, codes: Codes) -> Cells:
        """Cells that contain exactly one code each. O(codes)."""
        used = np.flatnonzero(np.bincount(codes, minlength=self.domain.n_leaves)).astype(np.int32)
        places = np.zeros(self.domain.n_leaves, np.int32)
        places[used] = np.arange(used.size, dtype=np.int32)
        return self.close(used, used).take(places[codes])

    def everything(self, n: int) -> Cells:
        """``n`` suppressed cells."""
        return self.close(np.zeros(n, np.int32), np.full(n, self.domain.n_leaves - 1, np.int32))

    @cached_property
    def prints_values(self) -> bool:
        """Whether every single value is printed unchanged, i.e. no text looks like a cell with several values."""
        return self.has_labels or all(_alone(text) == text for text in self.domain.texts)

    def label(self, cells: Cells, cell: int) -> str | None:
        """How distinct cell ``cell`` is printed; None for the missing value."""
        if cells.printed is None:
            return self.own_label(cells, cell)
        text: str | None = cells.printed[cell : cell + 1].cast(pl.String).item()
        return text

    def labels(self, cells: Cells) -> list[str | None]:
        """How each distinct cell is printed."""
        return [self.label(cells, cell) for cell in range(cells.n_distinct)]

    def own_label(self, cells: Cells, cell: int) -> str | None:
        """How the cell is printed if no aggregate replaces its label: a value, the star, or several values.

        If a column has a single value, value and star differ only in the level of the cell.
        """
        low, size = int(cells.low[cell]), int(cells.sizes[cell])
        if size == self.domain.n_leaves and (size > 1 or cells.level(cell) > 0):
            return STAR
        if size > 1:
            return self.label_of_several(cells, cell)
        return None if low == self.domain.missing else _alone(self.domain.texts[low])

    def label_of_several(self, cells: Cells, cell: int) -> str:
        """How a cell with some of the values is printed; only where there are such cells."""
        raise NotImplementedError(f"{self.name} has no cells of some values")


class Tree(Recoding):
    """Cells are nodes of a hierarchy, published under the hierarchy's own labels."""

    name = "tree"
    closes_to_nodes = True
    has_labels = True

    def __init__(self, domain: Domain, hierarchy: Hierarchy) -> None:
        super().__init__(domain)
        if hierarchy.n_leaves != domain.n_leaves:
            raise InputError(
                f"The hierarchy of {domain.name!r} has {hierarchy.n_leaves} values, its domain {domain.n_leaves}."
            )
        if STAR in hierarchy.leaves and len(hierarchy.leaves) > 1 and hierarchy.labels[-1][0] == STAR:
            raise InputError(
                f"The column {domain.name!r} has the value {STAR!r}, which its hierarchy prints for all values at "
                "once; call the value or the root of the hierarchy something else."
            )
        self.hierarchy = hierarchy

    @property
    def nested(self) -> Hierarchy:
        """The hierarchy itself."""
        return self.hierarchy

    def close(self, low: Codes, high: Codes) -> Cells:
        """The smallest nodes around intervals of leaves."""
        first, last, _ = self.hierarchy.cover(low, high)
        return Cells.of_intervals(first, last)

    def own_label(self, cells: Cells, cell: int) -> str | None:
        """The node's label: on the cell's level if it has one, else on the lowest level that has the node."""
        low, high, level = int(cells.low[cell]), int(cells.high[cell]), cells.level(cell)
        if level >= self.hierarchy.n_levels:
            return STAR
        if low == high == self.domain.missing and (not level or level < self.hierarchy.n_levels - 1):
            return None
        return self.hierarchy.label(low, high, level)


class Suppress(Tree):
    """Cells are the value itself or a star."""

    name = "suppress"
    has_labels = False

    def __init__(self, domain: Domain) -> None:
        super().__init__(domain, _flat(domain.n_leaves))

    own_label = Recoding.own_label


class Range(Recoding):
    """Cells are intervals of ordered values. The missing value joins others only as the star."""

    name = "range"

    @property
    def has_width(self) -> bool:
        """True for numbers and dates; ordinal values have no distances."""
        return self.domain.kind in ("numeric", "date")

    @cached_property
    def nested(self) -> Hierarchy:
        """Single values under the root; with missing values, all present values form a level of their own."""
        n = self.domain.n_leaves
        flat = _flat(n)
        if self.domain.missing is None or n < 3:
            return flat
        low, high = np.insert(flat.low, 1, 0, axis=0), np.insert(flat.high, 1, n - 2, axis=0)
        low[1, n - 1] = high[1, n - 1] = n - 1
        return Hierarchy(low, high, (flat.labels[0], *flat.labels))

    def close(self, low: Codes, high: Codes) -> Cells:
        """The intervals themselves, except that one with the missing value and any other becomes the star."""
        if self.domain.missing is not None:
            low = np.where((high == self.domain.missing) & (low != high), 0, low).astype(np.int32)
        return Cells.of_intervals(low, high)

    def labels(self, cells: Cells) -> list[str | None]:
        """Same result as the base class, but formats each value once."""
        if cells.printed is not None:
            return super().labels(cells)
        ends = [text and _end(text) for text in self.domain.texts]
        labels: list[str | None] = [
            f"[{ends[low]}..{ends[high]}]" for low, high in zip(cells.low.tolist(), cells.high.tolist(), strict=True)
        ]
        for cell in np.flatnonzero((cells.sizes == 1) | (cells.sizes == self.domain.n_leaves)).tolist():
            labels[cell] = self.own_label(cells, cell)
        return labels

    def label_of_several(self, cells: Cells, cell: int) -> str:
        """``[17..30]``: with brackets and two dots no spreadsheet mistakes it for a date or a formula."""
        first, last = (self.domain.texts[bound[cell]] for bound in (cells.low, cells.high))
        return range_label(first, last)


class Sets(Recoding):
    """Cells are exact sets of values: for nominal columns without a hierarchy."""

    name = "sets"
    makes_sets = True

    @cached_property
    def nested(self) -> Hierarchy:
        """Single values under the root."""
        return _flat(self.domain.n_leaves)

    def close(self, low: Codes, high: Codes) -> Cells:
        """The sets of all leaves of the intervals. O(leaves of the distinct intervals)."""
        spans = Cells.of_intervals(low, high)
        return self._united(Cells.of_intervals(spans.low, spans.high).as_groups()).take(spans.ids)

    def enclose(self, groups: Groups, codes: Codes) -> Cells:
        """The sets of codes that occur in each group."""
        return Cells.of_sets(groups, codes, self.domain.n_leaves)

    def join(self, one: Cells, other: Cells) -> Cells:
        """The unions of the i-th sets of both."""
        first, second = one.as_groups(), other.as_groups()
        owner = np.concatenate([np.repeat(np.arange(len(g)), g.sizes) for g in (first, second)])
        members = np.concatenate([first.members, second.members])[np.argsort(owner, kind="stable")]
        return self._united(Groups(first.offsets + second.offsets, members))

    def _united(self, leaves: Groups) -> Cells:
        """Cells from lists of leaves, which may contain repeats."""
        return Cells.of_sets(leaves, np.arange(self.domain.n_leaves, dtype=np.int32), self.domain.n_leaves)

    def labels(self, cells: Cells) -> list[str | None]:
        """Same result as the base class, but formats each value once."""
        if cells.printed is not None or cells.offsets is None or cells.members is None:
            return super().labels(cells)
        texts = {leaf: self._member(leaf) for leaf in set(cells.members.tolist())}
        members, offsets = [texts[leaf] for leaf in cells.members.tolist()], cells.offsets.tolist()
        labels: list[str | None] = ["{" + ", ".join(members[a:b]) + "}" for a, b in pairwise(offsets)]
        for cell in np.flatnonzero((cells.sizes == 1) | (cells.sizes == self.domain.n_leaves)).tolist():
            labels[cell] = self.own_label(cells, cell)
        return labels

    def label_of_several(self, cells: Cells, cell: int) -> str:
        """``{Flu, HIV}``; values that would be ambiguous inside are quoted."""
        return "{" + ", ".join(self._member(int(leaf)) for leaf in cells.leaves(cell)) + "}"

    def _member(self, leaf: int) -> str:
        text = self.domain.texts[leaf]
        if leaf == self.domain.missing:
            return MISSING
        plain = text == text.strip() and text not in ("", MISSING, STAR) and not set(text) & set(',{}"\\\n\r')
        return text if plain else quoted(text)


def range_label(first: str, last: str) -> str:
    """``[17..30]``; an empty text is an open end."""
    return f"[{first and _end(first)}..{last and _end(last)}]"


def _alone(text: str) -> str:
    """A value that is alone in a cell, quoted if it looks like a cell with several values."""
    return quoted(text) if text == STAR or text[:1] in ("[", "{", '"') else text


def _end(text: str) -> str:
    """An end of a range, quoted if it would be unclear where it stops."""
    return quoted(text) if ".." in text or text[:1] == '"' or text[-1:] in (".", "]") or not text else text


def _flat(n: int) -> Hierarchy:
    """Single leaves under one root, without meaningful labels."""
    leaves, zeros = np.arange(n, dtype=np.int32), np.zeros(n, np.int32)
    return Hierarchy(np.vstack([leaves, zeros]), np.vstack([leaves, zeros + n - 1]), (("",) * n, (STAR,) * n))


def choose(name: str | None, domain: Domain, hierarchy: Hierarchy | None) -> Recoding:
    """The recoding of that name; without a name Tree if there is a hierarchy, else Range if ordered, else Sets.

    Raises:
        InputError: the name is unknown or does not fit the column.
    """
    name = name or ("tree" if hierarchy else "range" if domain.is_ordered else "sets")
    if name not in (known := {"tree", "range", "sets", "suppress"}):
        raise InputError(
            f"The column {domain.name!r} has the unknown recoding {name!r}.{did_you_mean(name, sorted(known))}"
        )
    if name == "tree":
        if hierarchy is None:
            raise InputError(f"The recoding 'tree' of {domain.name!r} needs a hierarchy; give it one.")
        return Tree(domain, hierarchy)
    if name == "range" and not domain.is_ordered:
        raise InputError(f"The column {domain.name!r} is nominal and has no ranges; use 'sets' or give it an order.")
    plain: dict[str, type[Range | Sets | Suppress]] = {"range": Range, "sets": Sets, "suppress": Suppress}
    return plain[name](domain)
