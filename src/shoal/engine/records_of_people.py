"""Finds the people behind the classes of a release, which any tool may have made, from its labels and the original."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.audit.knowledge import Knowledge
from shoal.audit.links import Links
from shoal.core.release import Publication
from shoal.core.schema import column_hint
from shoal.errors import InputError


@dataclass(frozen=True, eq=False)
class Traced:
    """The key of each published record's person; or ``why_not``, if the tables do not determine it."""

    keys: pl.Series | None = None
    why_not: str = ""


def trace(seen: Publication, known: Knowledge, frame: pl.DataFrame, original: pl.DataFrame, person: str) -> Traced:
    """Find the rows from which the records of each class were made. O(cost of joining people and records).

    They are determined if every row of the original fits the records of one class only, and each class has as many
    records as rows that fit. Within a class, records and rows with equal sensitive values belong together; models about
    classes do not depend on which of them is whose.

    Args:
        seen: the release as read from its labels.
        known: the rows of the original.
        frame: the release as printed.
        original: the table it was made from.
        person: its column with the person of each row.

    Raises:
        InputError: the original has no such column.
    """
    if person not in original.columns:
        raise InputError(f"The original has no column {person!r}.{column_hint(person, original.columns)}")
    if frame.height != original.height:
        left_out = original.height - frame.height
        return Traced(why_not=f"{left_out:,} rows of the original were left out, and no table says which")
    links = Links.of(seen, known)
    if int(links.people_fitting.sum()) != original.height:
        return Traced(why_not="rows of the original fit records of several classes, and no table says which is theirs")
    starts, found = links.shapes_of(np.arange(links.n_types, dtype=np.int32))
    if (np.diff(starts) != 1).any() or (links.people_fitting != links.records).any():
        return Traced(why_not="the records of some classes are not those of the rows that fit them")
    shared = [name for name in seen.sensitive if name in original.columns]
    told = [pl.col(name).cast(pl.String) for name in shared]
    whose = original.select(pl.Series("class", found[links.types]), *told, pl.col(person).alias("whose"))
    records = frame.select(pl.Series("class", links.shapes), *told, pl.int_range(pl.len()).alias("record"))
    whose, records = (table.sort("class", *shared) for table in (whose, records))
    if not records.select(shared).equals(whose.select(shared)):
        return Traced(why_not="the sensitive values of some classes are not those of the rows that fit them")
    return Traced(records.with_columns(whose["whose"]).sort("record")["whose"].alias(person))
