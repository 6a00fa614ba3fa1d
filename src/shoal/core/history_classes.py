"""People whose published histories are equal: the classes that promises about whole histories look at."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.groups import Groups
from shoal.core.histories import owners_of
from shoal.core.release import Release
from shoal.kernels.distinct import number_lists


def history_classes(release: Release) -> Groups:
    """The rows of people whose published histories are equal, in one group each. O(records log records).

    Two histories are equal where they have the same records, each equally often; which record comes first nobody sees.
    Worked out from the cells alone.
    """
    rows, history, _ = _numbered(release)
    return _partition(rows, history)


def history_parts(release: Release) -> Groups:
    """The same groups, each split into the rows whose records are equal.

    Whoever has found the class of a person's history can tell its records apart by their cells, so sensitive values
    are judged in each of these as well.
    """
    rows, history, record = _numbered(release)
    n_records = int(record.max(initial=0)) + 1
    _, parts = np.unique(history.astype(np.int64) * n_records + record, return_inverse=True)
    return _partition(rows, parts.astype(np.int32))


def _numbered(release: Release) -> tuple[Codes, Codes, Codes]:
    """The published rows, the number of each one's history, and that of its record."""
    classes = release.classes
    rows = classes.members
    record = np.repeat(np.arange(len(classes), dtype=np.int32), classes.sizes)
    people = owners_of(release.table)[rows]
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
