"""Classes of people whose published histories are equal, for privacy models about whole histories."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.groups import Groups
from shoal.kernels.distinct import number_lists


def history_classes(classes: Groups, people: Codes) -> Groups:
    """Group the rows of people whose published histories are equal. O(records log records).

    Two histories are equal if they have the same records, each equally often; the order of records is not published.
    ``classes`` are the rows whose records have equal cells, ``people`` is the person of each row.
    """
    rows, history, _ = _numbered(classes, people)
    return _partition(rows, history)


def history_parts(classes: Groups, people: Codes) -> Groups:
    """The same groups, each split into rows whose records are equal.

    An adversary who has found the class of a person's history can tell its records apart by their cells, so sensitive
    values are judged in each of these parts as well.
    """
    rows, history, record = _numbered(classes, people)
    n_records = int(record.max(initial=0)) + 1
    _, parts = np.unique(history.astype(np.int64) * n_records + record, return_inverse=True)
    return _partition(rows, parts.astype(np.int32))


def _numbered(classes: Groups, people: Codes) -> tuple[Codes, Codes, Codes]:
    """The published rows, the number of each one's history, and that of its record."""
    rows = classes.members
    record = np.repeat(np.arange(len(classes), dtype=np.int32), classes.sizes)
    people = people[rows]
    order = np.lexsort((record, people))
    starts = np.flatnonzero(np.diff(people[order], prepend=-1))
    offsets = np.append(starts, order.size).astype(np.int64)
    histories, _ = number_lists(offsets, record[order])
    history = np.empty(rows.size, np.int32)
    history[order] = np.repeat(histories, np.diff(offsets))
    return rows, history, record


def _partition(rows: Codes, ids: Codes) -> Groups:
    groups = Groups.from_ids(ids, int(ids.max(initial=-1)) + 1)
    return Groups(groups.offsets, rows[groups.members])
