"""Tables and releases from lists of who fits what: one column of sets, so that every graph can be had."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from naive.attacks import Fits
from shoal.audit.knowledge import Knowledge
from shoal.audit.links import Links
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.core.release import Publication
from support.tables import coded


def publication(
    sets: Sequence[Sequence[int]], people: Sequence[int], sensitive: Sequence[str] = ()
) -> tuple[Publication, Knowledge]:
    """Records whose one cell is a set of values, and people who have one value each."""
    domain = sorted({*people, *(value for cell in sets for value in cell)})
    table = coded({"value": [str(value) for value in domain]}, ["value"], kinds={"value": "nominal"})
    code = {int(text): c for c, text in enumerate(table.quasi[0].domain.texts)}
    codes = np.array([[code[value] for value in people]], np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(cell) for cell in sets])]).astype(np.int64)
    members = np.array([code[value] for cell in sets for value in cell], np.int32)
    cells = Cells.of_sets(Groups(offsets, members), np.arange(len(domain), dtype=np.int32), len(domain))
    passengers = pl.DataFrame({"illness": list(sensitive)}) if sensitive else pl.DataFrame()
    names = ("illness",) if sensitive else ()
    seen = Publication(table.quasi, (cells,), passengers, ("value", *names), names)
    return seen, Knowledge(table.quasi, codes)


def links_of(sets: Sequence[Sequence[int]], people: Sequence[int]) -> Links:
    """The links of such a release."""
    return Links.of(*publication(sets, people))


def fits_of(sets: Sequence[Sequence[int]], people: Sequence[int]) -> Fits:
    """The same, written out."""
    return [[value in cell for cell in sets] for value in people]
