"""k-concealment: close cycles between rows and records until everyone has k matches."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.arrays import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress, Silent
from shoal.kernels.assignment_graph import invert
from shoal.kernels.concealment_bicycles import Links, conceal, distinct_inside, fill_web
from shoal.kernels.dynamic_components import Web
from shoal.kernels.scc import strong_components

_CHUNK = 1000


def concealed(draft: Draft, k_rows: int, k_records: int, order: Whole, progress: Progress | None = None) -> Draft:
    """Algorithm 5: give rows of a (k,k)-anonymous draft with fewer than ``k_rows`` matches more of them.

    The owner's record is widened to hold the cheapest neighbour that is not a match yet, which closes a cycle of two;
    this may turn further edges into matches. The paper counts the matches of rows; if ``k_records`` is above 0, records
    get that many matches too, by the same step in the other direction (its (k,1) and (k,k) versions). Strong components
    are contracted and kept in topological order, so that a new edge is processed only where it can change something.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithms 4 and
    5, end of section 4.2).
    """
    progress = progress or Silent()
    progress.stage("concealing", order.size)
    done, field = draft.copy(), draft.field
    links = links_of(draft)
    at = 0
    while at < order.size:
        links = with_room(links, field.n_types)
        stop = min(order.size, at + _CHUNK)
        reached = conceal(field.for_kernels, order[:stop], at, k_rows, k_records, done.records, links)
        progress.advance(reached - at)
        at = reached
    return done


def owner_edges(field: RowTree, inside: Groups) -> tuple[Whole, Whole]:
    """The edges between types, from each row inside a record to the record's owner; each pair once, sorted.

    O(rows inside records).
    """
    rows = field.rows_of
    held = distinct_inside(inside.offsets, inside.members, rows.offsets, rows.members)
    offsets, heads = invert(*held, field.n_types)
    return np.repeat(np.arange(field.n_types), np.diff(offsets)), heads.astype(np.int64)


def components_of(draft: Draft) -> Whole:
    """The strong component of each type."""
    field = draft.field
    tails, heads = owner_edges(field, draft.inside())
    return _components(field, tails, heads)[0]


def _components(field: RowTree, tails: Whole, heads: Whole) -> tuple[Whole, int]:
    """The component of each type, in topological order, and how many there are."""
    offsets = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=field.n_types))]).astype(np.int64)
    found, n_found = strong_components(offsets, heads.astype(np.int32))
    return (n_found - 1 - found).astype(np.int64), n_found  # Tarjan finds sinks first


def web_of(field: RowTree, inside: Groups) -> Web:
    """The graph of types with its components, ready to take more edges."""
    tails, heads = owner_edges(field, inside)
    components, n_found = _components(field, tails, heads)
    between = components[tails] != components[heads]
    n = field.n_types
    edges = np.full((4, 2 * int(between.sum()) + 4 * n), -1, np.int64)
    web = Web(np.full((10, n), -1, np.int64), edges, np.array([0, 0, 0, n_found]), np.empty((3, n + 1), np.int64))
    fill_web(web, components, tails[between], heads[between])
    return web


def links_of(draft: Draft) -> Links:
    """The graph of types, and the records around each row. O(rows inside records)."""
    field, inside = draft.field, draft.inside()
    offsets, records = invert(inside.offsets, inside.members, field.n_types)
    n = records.size
    covers = np.full((3, 2 * n + 4 * field.n_types), -1, np.int64)
    covers[0, :n], covers[2, 0] = records, n
    covers[1, :n] = np.arange(1, n + 1)
    covers[1, offsets[1:] - 1] = -1
    return Links(web_of(field, inside), covers, offsets[:-1].copy())


def with_room(links: Links, room: int) -> Links:
    """The same links, twice as many if they might overflow."""
    web, covers, firsts = links
    if int(web.counts[0]) + 3 * room > web.edges.shape[1]:
        web = web._replace(edges=np.hstack([web.edges, np.full((4, web.edges.shape[1] + 3 * room), -1)]))
    if int(covers[2, 0]) + 3 * room > covers.shape[1]:
        covers = np.hstack([covers, np.full((3, covers.shape[1] + 3 * room), -1)])
    return Links(web, covers, firsts)
