"""The assignment graph: which row may own which record, in a release whose records may all have different cells.

An adversary who knows everybody's quasi-identifiers joins them with the published records. A row *matches* a record
whose cells contain its values; an *assignment* gives every row a record of its own among its matches. A match that
occurs in no assignment can be ruled out and gives no protection: it is not *effective*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.kernels.assignment_graph import Boxes, expand, hold_rows, invert, regular_degrees, rows_in_boxes
from shoal.kernels.distinct import number_lists
from shoal.kernels.grouping import members_of
from shoal.kernels.scc import strong_components


@dataclass(frozen=True, eq=False)
class AssignmentGraph:
    """Node ``i`` is a record and the row that owns it; an edge leads from a row to each record that it matches.

    ``heads[offsets[i]:offsets[i + 1]]`` are the records that row ``i`` matches, ``i`` among them, each once.

    Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing
    (Definitions 4 to 7).

    >>> offsets, heads = np.array([0, 2, 4, 6]), np.array([0, 2, 0, 1, 0, 2])  # row 1 also fits record 0
    >>> AssignmentGraph(offsets, heads).regular_part(2) is None  # but rows 0 and 2 need records 0 and 2
    True
    """

    offsets: Offsets
    heads: Codes

    @classmethod
    def of_cells(cls, codes: Codes, owners: Codes, shapes: Codes, cells: tuple[Cells, ...]) -> AssignmentGraph:
        """Build the graph of all matches between published rows and records from the cells.

        ``codes[j, row]`` is the table; ``owners``, ``shapes`` and ``cells`` are those of a release. O(edges) memory;
        time O(shapes · rows inside their narrowest cell), so it is fastest where cells are narrow.
        """
        kept = np.ascontiguousarray(codes[:, owners])
        n_codes = int(kept.max(initial=0)) + 2
        n_codes = max(n_codes, *(int(c.high.max(initial=0)) + 2 for c in cells))
        lists = [members_of(column, n_codes) for column in kept]
        by_code, at = np.array([members for _, members in lists]), np.array([offsets for offsets, _ in lists])
        offsets, rows = rows_in_boxes(boxes_of(cells), kept, by_code, at)
        by_row = invert(offsets, rows, shapes.size)
        return cls(*expand(*by_row, *members_of(shapes, offsets.size - 1)))

    def regular_part(self, k: int) -> AssignmentGraph | None:
        """A subgraph in which every row and every record has ``k`` matches, or None if there is none.

        It exists exactly if the release can be split into ``k`` assignments that share no match. Computed by maximum
        flow.
        """
        from scipy.sparse import csr_array  # type: ignore[import-untyped]
        from scipy.sparse.csgraph import maximum_flow  # type: ignore[import-untyped]

        n = self.offsets.size - 1
        rows, records, ends = np.arange(1, n + 1), np.arange(n + 1, 2 * n + 1), np.full(n, k)
        edges = np.repeat(rows, np.diff(self.offsets)), self.heads + n + 1
        tails = np.concatenate([np.zeros(n, np.int64), edges[0], records])
        heads = np.concatenate([rows, edges[1], np.full(n, 2 * n + 1)])
        room = np.concatenate([ends, np.ones(self.heads.size, np.int64), ends]).astype(np.int32)
        network = csr_array((room, (tails, heads)), shape=(2 * n + 2, 2 * n + 2))
        flow = maximum_flow(network, 0, 2 * n + 1)
        if flow.flow_value < k * n:
            return None
        used = np.asarray(flow.flow[edges]).ravel() > 0
        return AssignmentGraph(np.arange(0, k * n + 1, k), self.heads[used])


def boxes_of(cells: tuple[Cells, ...]) -> Boxes:
    """The cells of all shapes, flattened for the kernels. O(shapes · columns)."""
    sizes = [0 if column.members is None else column.members.size for column in cells]
    bases = np.cumsum([0, *sizes])
    nothing = np.zeros(max((column.ids.size for column in cells), default=0), np.int64)
    bounds = [
        (nothing, nothing)
        if column.offsets is None
        else (column.offsets[column.ids] + base, column.offsets[column.ids + 1] + base)
        for column, base in zip(cells, bases[:-1], strict=True)
    ]
    return Boxes(
        low=np.array([column.low[column.ids] for column in cells], np.int32),
        high=np.array([column.high[column.ids] for column in cells], np.int32),
        starts=np.array([start for start, _ in bounds], np.int64),
        stops=np.array([stop for _, stop in bounds], np.int64),
        members=np.concatenate([np.empty(0, np.int32), *(c.members for c in cells if c.members is not None)]),
    )


def hold_matches(codes: Codes, matches: Groups, cells: tuple[Cells, ...]) -> Flags:
    """Whether the cells of each shape contain the values of all rows listed as its matches. O(matches · columns)."""
    return np.asarray(hold_rows(matches.offsets, matches.members, boxes_of(cells), codes))


def match_degrees(codes: Codes, matches: Groups, owners: Codes, shapes: Codes, cells: tuple[Cells, ...]) -> Offsets:
    """The verified number of matches of each record; 0 where the listed matches do not form a regular graph.

    Verified means: every listed row lies inside the record's cells, the owner is among them, no row is listed twice,
    and each of them has exactly as many records as the record has rows. Then the graph splits into that many
    assignments that share no match (Lemma 1), and if one of them is drawn at random, each match of a record with d
    matches is true with probability 1/d. O(matches · columns).
    """
    inside = hold_matches(codes, matches, cells)
    degrees = regular_degrees(matches.offsets, matches.members, shapes, owners, codes.shape[1])
    return np.where(inside[shapes], degrees, 0)


def match_pools(matches: Groups, owners: Codes, shapes: Codes, n_rows: int) -> Groups:
    """For each row, the owners of the records that may be its own: an adversary weighs their sensitive values.

    Published rows only; rows with the same records share a pool, and matches that an adversary can rule out do not
    count. O(matches + members of the pools).
    """
    owners_of = Groups.from_ids(shapes, len(matches), owners)
    shapes_of = _effective(Groups(*invert(matches.offsets, matches.members, n_rows)), owners_of)
    shapes_of = _chosen(shapes_of, owners)
    distinct = _chosen(shapes_of, number_lists(shapes_of.offsets, shapes_of.members)[1])
    return Groups(*expand(distinct.offsets, distinct.members, owners_of.offsets, owners_of.members))


def _effective(shapes_of: Groups, owners_of: Groups) -> Groups:
    """For each row, the shapes it matches that lie in its strong component; a shape leads to its records' owners."""
    n_rows = len(shapes_of)
    offsets = np.concatenate([shapes_of.offsets, shapes_of.offsets[-1] + owners_of.offsets[1:]])
    heads = np.concatenate([shapes_of.members + np.int32(n_rows), owners_of.members])
    component = strong_components(offsets, heads)[0]
    rows = np.repeat(np.arange(n_rows), shapes_of.sizes)
    kept = component[rows] == component[shapes_of.members + n_rows]
    bounds = np.concatenate([[0], np.cumsum(np.bincount(rows[kept], minlength=n_rows))]).astype(np.int64)
    return Groups(bounds, shapes_of.members[kept])


def _chosen(groups: Groups, which: Codes) -> Groups:
    """Only the groups numbered in ``which``, in that order."""
    return Groups(*expand(np.arange(which.size + 1), which, groups.offsets, groups.members))
