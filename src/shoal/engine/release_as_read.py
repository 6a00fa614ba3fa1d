"""Rebuilds a release as a third party can: from its printed labels, the original table, and the population."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.audit.links import Links
from shoal.audit.matches import Matches
from shoal.core.arrays import Codes
from shoal.core.contracts import Evidence
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.engine.audit_inputs import ReleaseRoles, code_people, read_labels, refuse_more_records
from shoal.engine.record_people import Traced, trace
from shoal.errors import InputError
from shoal.io.people import code_people as code_keys
from shoal.io.people import people_of_population


@dataclass(frozen=True, eq=False)
class AsRead:
    """The release as read from labels, and the evidence to judge it by. Record ``r`` is row ``r`` of the printed table.

    ``why_not`` says why a given original cannot be used. ``keys`` are the keys of the people behind the records, if
    requested and determined.
    """

    release: Release
    evidence: frozenset[Evidence]
    why_not: str = ""
    keys: pl.Series | None = None


def as_read(
    frame: pl.DataFrame,
    roles: ReleaseRoles,
    original: pl.DataFrame | None,
    population: pl.DataFrame | None,
    person: str | None = None,
) -> AsRead | None:
    """Read the labels in the domain of the people; None if neither table is given.

    Models about matches need some assignment of records to rows, and every complete one gives the same verdict. A third
    party cannot see which rows were suppressed, so if rows are missing there is none. O(people + records) plus the cost
    of finding an assignment.

    Raises:
        InputError: labels cannot be understood, or the records cannot all come from the original.
    """
    given = {"original": original, "population": population}
    frames = {what: people for what, people in given.items() if people is not None}
    if not frames:
        return None
    for what, people in frames.items():
        roles.check(what, people, roles.quasi)
    table, known = code_people(roles, list(frames.values()))
    cells = read_labels(frame, known[0], roles).publication
    everybody = None if population is None else known[-1].codes
    coded = Table(quasi=table.quasi, codes=known[0].codes, population=everybody)
    records = np.arange(frame.height, dtype=np.int32)
    evidence: set[Evidence] = {"population"} if population is not None else set()
    owners, traced = records, Traced()
    if original is not None:
        refuse_more_records("release", frame.height, original.height)
        if person is not None:
            traced = trace(cells, known[0], frame, original, person)
            of_population = None if population is None else people_of_population(population, person)
            coded = coded.with_people(code_keys(original[person]).codes, of_population)
        elif frame.height < original.height:
            traced = Traced(
                why_not=f"the release has {original.height - frame.height:,} records fewer than the original has rows, "
                "and which rows were left out cannot be seen; give as original only the rows that were published"
            )
        else:
            owners = _owners(Matches.of(Links.of(cells, known[0])))
        evidence |= set() if traced.why_not else {"original"}
    return AsRead(Release(coded, owners, records, cells.cells), frozenset(evidence), traced.why_not, traced.keys)


def _owners(matches: Matches) -> Codes:
    """The row of each record in one complete assignment."""
    if matches.n_unplaced:
        raise InputError(
            f"{matches.n_unplaced:,} records have no row of the original left that fits them; give "
            "the table that the release was made from."
        )
    links = matches.links
    people, records = np.argsort(links.types, kind="stable"), np.argsort(links.shapes, kind="stable")
    owners = np.empty(records.size, np.int32)
    owners[records] = people[np.argsort(matches.assigned, kind="stable")]
    return owners
