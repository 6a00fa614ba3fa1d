"""NonHomogeneous (NH): every record gets cells of its own, around k rows that are neighbours in a ring."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Flags
from shoal.core.contracts import Algorithm, Goal
from shoal.core.diverse_parts import pieces_for
from shoal.core.groups import Groups
from shoal.core.orders import Parting, curve_order, lexicographic_order, lexicographic_parts, refuse_parting
from shoal.core.plugins import family_of
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.regular_parts import RegularParts, closed_to_others
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean
from shoal.kernels.grouping import extremes, members_of
from shoal.kernels.rings import ring_edges
from shoal.models import KAnonymity
from shoal.models.match_goals import DrawsOwners, judged_column, matches_wanted

_LARGEST_RING = 2**24
"""A part with more matches than this shares its cells, because a ring would need gigabytes."""


@dataclass(frozen=True)
class NonHomogeneous(DrawsOwners):
    """Rings inside parts of similar rows, and a random assignment of rows to records.

    The table is divided into parts; the rows of a part form a ring, and each record covers one row and the k − 1 that
    follow it. So every row matches exactly k records and every record k rows, however large the part. Which of its k
    rows a record belongs to, and thus whose sensitive and other values it has, is drawn with a chance of one in k for
    each. Cells are sets, ranges or hierarchy nodes, according to each column's recoding.

    ``partition`` says which rows form a ring:

    * ``lexicographic``: the paper's parts (figure 8), the columns with the fewest values first;
    * ``curve``: segments of 2,000 rows along a Hilbert curve;
    * the name of another algorithm, or an ``Algorithm``: each of its classes. The loss is never above that of its
      release (Lemma 2), and never far below it if its classes are close to k.

    ``parting``, for ``lexicographic``: ``finest``, or ``published`` as in the paper's figures (see ``Lexicographic``).

    Promises about sensitive values hold whatever is drawn; ``shoal.core.diverse_parts`` explains how, and why the
    paper's method (section 6) is not sufficient. If all rows of a part are equal, or it has exactly k, or so many that
    a ring would have more than 16 million matches, all its rows match all its records.

    Differs from the paper: parts are the finest; rings start their random assignment from free records taken at random.

    Cost: O(n · (columns · k + log n)) time, about 16 · n · k bytes.

    Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "privacy": shoal.UniformMatching(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.NonHomogeneous(), **words)
    >>> print(release.verdicts[0])
    2 uniform matches holds: achieved 2
    """

    partition: str | Algorithm = "lexicographic"
    parting: Parting = "finest"

    name: ClassVar[str] = "nonhomogeneous"
    summary: ClassVar[str] = "individual cells for every record, its owner drawn among k neighbours (fast)"

    def __post_init__(self) -> None:
        refuse_parting(self.parting)
        if self.parting != "finest" and self.partition != "lexicographic":
            raise InputError(f"parting={self.parting!r} goes with partition='lexicographic', got {self.partition!r}.")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Partition the rows, close a ring in each part, and draw."""
        self.refuse(table, goal)
        for promise in goal.promises:
            promise.refuse(table)
        k = matches_wanted(goal)
        progress.stage("parting the rows")
        parts = self.parts(table, goal, k, randomness, progress)
        pieces = pieces_for(table, goal, parts, k, judged_column(table, goal))
        groups, is_complete = pieces.groups, pieces.is_whole | (pieces.groups.sizes == k)
        is_complete |= _all_equal(table, groups) | (groups.sizes * k > _LARGEST_RING)
        progress.stage("drawing the owners")
        open_bounds = np.concatenate([[0], np.cumsum(groups.sizes[~is_complete])]).astype(np.int64)
        rings = RegularParts(groups.members, groups.offsets, is_complete, ring_edges(open_bounds, k))
        return closed_to_others(table, goal, rings, k).release(table, randomness.child("assignment"))

    def parts(self, table: Table, goal: Goal, k: int, randomness: Randomness, progress: Progress) -> Groups:
        """The parts of at least ``k`` rows, with their rows in the order of the ring."""
        if self.partition == "lexicographic":
            return lexicographic_parts(table, k, self.parting)
        if self.partition == "curve":
            return along_curve(table, k)
        inner = self.partition if isinstance(self.partition, Algorithm) else _named(self.partition)
        wanted = replace(goal, promises=(KAnonymity(k), *goal.group_models), suppression_limit=0.0)
        inner.refuse(table, wanted)
        release = inner.run(table, wanted, randomness.child("partition"), progress)
        return sorted_inside(table, release.classes)


def _all_equal(table: Table, groups: Groups) -> Flags:
    """Whether all rows of a group have the same values."""
    bounds = [extremes(groups.offsets, groups.members, codes) for codes in table.codes]
    equal: Flags = np.all([low == high for low, high in bounds], axis=0)
    return equal


def _named(name: str) -> Algorithm:
    """The algorithm of that name, looked up on use because algorithms do not import each other."""
    known = family_of("shoal.algorithms")
    if name not in known:
        names = ["lexicographic", "curve", *known]
        raise InputError(f"There is no partition {name!r}.{did_you_mean(name, names)}")
    made: Algorithm = known[name]()
    return made


_LONGEST_RING = 2000
"""Rings along a curve are closed after this many rows: the draw stays fast, and few records span the seam."""


def along_curve(table: Table, k: int) -> Groups:
    """Rows in the order of a Hilbert curve, in stretches of equal length."""
    n_parts = max(1, table.n_rows // max(_LONGEST_RING, 2 * k))
    bounds = np.linspace(0, table.n_rows, n_parts + 1).astype(np.int64)
    return Groups(bounds, curve_order(table))


def sorted_inside(table: Table, classes: Groups) -> Groups:
    """The same groups, with the rows of each in lexicographic order."""
    order: Codes = lexicographic_order(table)
    offsets, members = members_of(classes.ids(table.n_rows)[order], len(classes))
    return Groups(offsets, order[members])
