"""KL divergence: the divergence of the table from the distribution that a release suggests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Metric
from shoal.core.node import Node, once
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.metrics.cell_measures import level_widths, logarithms, node_widths, shape_widths, whole_widths


@dataclass(frozen=True)
class KLDivergence(Metric):
    """Σ p log2(p / q) over rows, in bits: p is a row's share of the table, q the share that its class suggests.

    A class of n records whose cells allow V combinations gives each of them n / (rows · V); suppressed rows form a
    class that allows all. If classes do not overlap, q is the distribution of highest entropy that agrees with the
    release, and this is the Kullback–Leibler divergence of the table from it. If they do, q counts only the row's own
    class, which is too little: the figure is an upper bound, and never below 0 (the q of all rows sum to at most 1).

    Classes of a lattice node do not overlap, and merging them spreads the share of each evenly over more combinations:
    the divergence rises by that of the finer q from the coarser. Suppressing classes does the same with all of them and
    more (log-sum inequality). At a node and above it, the divergence is therefore at least that with all classes kept;
    and, because dropping columns lowers a divergence, at least that of any one column. If classes overlap, merging two
    may lower it, so it is not monotone everywhere.

    Cost: O(rows · columns).

    Reference: Kifer and Gehrke 2006, Injecting Utility into Anonymized Datasets.

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import KLDivergence
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(KLDivergence().score(release)), 3)
    0.0
    """

    name: ClassVar[str] = "kl_divergence"
    summary: ClassVar[str] = "Kullback-Leibler divergence of the table from what the release makes one expect, in bits"
    scores_nodes: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """The divergence from the classes of the release."""
        shapes = np.zeros(release.table.n_rows, np.int32)
        shapes[release.owners] = release.shapes
        widths = shape_widths(release)[:, shapes[release.classes.members[release.classes.offsets[:-1]]]]
        return _divergence(release.table, release.classes.sizes, widths, release.n_suppressed)

    def node_score(self, node: Node) -> float:
        """Same as ``score``. O(classes · columns)."""
        return _divergence(node.table, node.sizes[node.kept], node_widths(node)[:, node.kept], node.n_suppressed)

    def node_floor(self, node: Node) -> tuple[float, ...]:
        """The divergence with all classes kept."""
        return (_divergence(node.table, node.sizes, node_widths(node), 0),)

    def node_bounds(self, table: Table, levels: Codes) -> Floats:
        """The largest divergence of a single column."""
        alone = once(table, "divergence of columns", lambda: _columns(table))
        found = [column[level] for column, level in zip(alone, levels.T, strict=True)]
        return np.asarray(np.max(found, axis=0)[:, None] * (1 - 1e-12))


def _divergence(table: Table, sizes: npt.NDArray[np.integer], widths: Floats, n_suppressed: int) -> float:
    """(Σ over rows of log2 of the number of equal rows − Σ over classes of size · log2(size / V)) / rows."""
    known = once(table, "bits of equal rows", lambda: _bits(table.distinct.weights))
    expected = _bits(sizes) - float(np.dot(sizes, np.log2(widths).sum(axis=0)))
    if n_suppressed:
        expected += n_suppressed * (float(np.log2(n_suppressed)) - float(np.log2(whole_widths(table)).sum()))
    return max(0.0, known - expected) / max(1, table.n_rows)


def _bits(sizes: npt.NDArray[np.integer]) -> float:
    return float(np.dot(sizes, logarithms(sizes)))


def _columns(table: Table) -> tuple[Floats, ...]:
    """Per column, its divergence on each level as if it were the only column."""
    found = []
    for column, codes in zip(table.quasi, table.codes, strict=True):
        counts = np.bincount(codes, minlength=column.domain.n_leaves)
        volumes = np.log2(level_widths(column)) @ counts
        nodes = [np.bincount(low, weights=counts) for low in column.recoding.nested.low]
        bits = np.array([np.dot(sizes, logarithms(sizes)) for sizes in nodes])
        found.append(np.maximum(_bits(counts) - bits + volumes, 0.0) / max(1, table.n_rows))
    return tuple(found)
