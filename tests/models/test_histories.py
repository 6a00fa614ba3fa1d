"""Promises of histories: sets of equal records are compared with all rows, not with all people."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.core.contracts import GroupModel
from shoal.core.groups import Groups
from shoal.core.schema import Schema
from shoal.io.encode import encode
from shoal.models.of_histories import of_histories


@pytest.mark.parametrize(
    ("promise", "farthest"),
    [
        (shoal.BetaLikeness(1), 0.5),
        (shoal.DeltaDisclosure(2), math.log2(2)),
        (shoal.TCloseness(0.5), 0.25),
    ],
    ids=str,
)
def test_equal_records_of_equal_histories_are_compared_with_the_shares_of_all_rows(
    promise: GroupModel, farthest: float
) -> None:
    """Everybody has two rows; half of all are flu, three quarters of the first ones."""
    rows = [(f"p{n}", "first", "flu" if n else "cold") for n in range(4)]
    rows += [(f"p{n}", "second", "cold" if n else "flu") for n in range(4)]
    frame = pl.DataFrame(rows, ["who", "visit", "ill"], orient="row")
    table = encode(frame, Schema(("visit",), ("ill",), person="who")).table
    classes = Groups.from_ids(np.repeat([0, 1], 4).astype(np.int32), 2)
    (_, whole), (_, parts) = of_histories(promise.of_people()).judged_groups(table, classes)
    assert promise.shown(whole).tolist() == [0]
    assert promise.shown(parts).tolist() == pytest.approx([farthest] * 2)
