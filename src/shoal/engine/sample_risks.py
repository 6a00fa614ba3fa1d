"""An audit's statements about samples: risks by the weights of those who fit, and special uniques."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from shoal.audit.adversary_view import Scene
from shoal.audit.figures import SampleRisk, Special
from shoal.audit.knowledge import Knowledge
from shoal.audit.links import Links
from shoal.audit.log_linear import log_linear
from shoal.audit.same_person import Whose
from shoal.audit.sample_risk import sample_risk, special_records
from shoal.core.arrays import Floats
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean
from shoal.io.people import read_weights

_MOST_COLUMNS = 14
"""Special uniques are searched in at most this many columns: beyond, there are too many sets of them."""

_MOST_WORK = 20_000_000
"""Special uniques are searched up to this many sets of columns times different people: some seconds."""


def weights_named(column: str | None, frame: pl.DataFrame) -> Floats | None:
    """The weights in the named column of the original, if one is named."""
    if column is None:
        return None
    if column not in frame.columns:
        hint = did_you_mean(column, frame.columns)
        raise InputError(f"The original has no column {column!r} (named sample weight).{hint}")
    return read_weights(frame[column])


def risk_by_fits(scene: Scene, weights: Floats | None, whose: Whose | None) -> SampleRisk | None:
    """The risk by the weights of the people who fit the cells of each class; of households if people are known."""
    if weights is None:
        return None
    links = Links.of(scene.seen, scene.known)
    records = links.records[: links.n_shapes]
    people = links.sum_types(np.bincount(links.types, weights, links.n_types))[: records.size]
    households = whose.people if whose is not None and whose.is_counted else None
    found = sample_risk(records, people, links.shapes, households, float(weights.sum()))
    return replace(found, log_linear_before=log_linear(scene.known.codes, weights))


def special_people(known: Knowledge, weights: Floats | None) -> Special | None:
    """SUDA2 on the original, if that takes no more than some seconds."""
    n_columns = len(known.quasi)
    if n_columns > _MOST_COLUMNS or 2**n_columns * known.types.firsts.size > _MOST_WORK:
        return None
    return special_records(Table(known.quasi, known.codes, sample_weights=weights))
