"""The risk of a weighted sample: individual and household risk, the expected number of people found, SUDA2."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.audit.figures import SampleRisk, Special, exposure
from shoal.audit.log_linear import log_linear
from shoal.audit.suda import suda
from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.node import levels_of
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models.population_frequencies import (
    household_risk,
    individual_risk,
    people_estimated,
    weights_published,
)

ADJUSTED = "individual, weights adjusted"
"""The scenario in which the weights of the published rows are scaled up to the population."""


def risk_of_release(release: Release) -> SampleRisk | None:
    """Compute the risk from the published classes and the weights of their rows; None without weights. O(rows)."""
    table, classes = release.table, release.classes
    if table.sample_weights is None:
        return None
    people = people_estimated(weights_published(release), classes)
    ids = np.repeat(np.arange(len(classes), dtype=np.int32), classes.sizes)
    households = None if table.people is None else table.people[classes.members]
    total = float(table.sample_weights.sum())
    found = sample_risk(classes.sizes, people, ids, households, total)
    if table.adjusts_weights and release.n_suppressed:
        found = replace(found, individual=replace(found.individual, scenario=ADJUSTED))
    before = log_linear(table.codes, table.sample_weights)
    if levels_of(release) is None:
        return replace(found, log_linear_before=before)
    cells = np.array([column.ids[release.shapes] for column in release.cells], np.int32)
    after = log_linear(cells, weights_published(release)[release.owners])
    return replace(found, log_linear=after, log_linear_before=before)


def sample_risk(
    sizes: Offsets, people: Floats, classes: Codes, households: Codes | None, population: float
) -> SampleRisk:
    """Compute all figures from the size and estimated people of each class, and each record's class and household.

    ``population`` is the sum of the weights of all rows. If published rows represent fewer people, ``adjusted`` holds
    the risks with their weights scaled up to that.
    """
    own = individual_risk(sizes, people)
    risks = own[classes]
    published = float(people.sum())
    scaled = None
    if published < population * (1 - 1e-9):
        adjusted = individual_risk(sizes, people * (population / published))
        scaled = exposure(ADJUSTED, adjusted, sizes)
    told, expected = None, 0.0
    if households is not None:
        known, members = np.unique(households, return_inverse=True)
        of_household = np.zeros(known.size)
        of_household[members] = household_risk(risks, members.astype(np.int32))
        told = exposure("household", of_household, np.ones(known.size, np.int64))
        expected = float(of_household.sum())
    return SampleRisk(
        population=population,
        individual=exposure("individual", own, sizes),
        expected=float(risks.sum()),
        adjusted=scaled,
        household=told,
        expected_households=expected,
    )


def special_records(table: Table) -> Special:
    """SUDA2 on the original rows of a table. O(2^columns · different rows)."""
    codes, missing = table.codes, [column.domain.missing for column in table.quasi]
    lacking = np.array(
        [np.zeros(table.n_rows, bool) if at is None else row == at for row, at in zip(codes, missing, strict=True)]
    )
    fraction = 0.01 if table.sample_weights is None else min(1.0, table.n_rows / float(table.sample_weights.sum()))
    found = suda(codes, lacking, fraction=fraction)
    return Special(
        n_records=found.n_special,
        highest=float(found.scores.max(initial=0.0)),
        dis_highest=float(found.dis.max(initial=0.0)),
        columns=tuple((c.name, float(share)) for c, share in zip(table.quasi, found.by_column, strict=True)),
    )
