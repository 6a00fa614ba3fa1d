"""When a sample tells enough of blocks that the table need not be read to count them; needs no session."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="the spark extra is not installed")

from shoal.core.block_tree import Cuts
from shoal.core.contracts import PrivacyModel
from shoal.engine.backends.spark.block_tasks import sample_is_enough
from shoal.models import KAnonymity, KConcealment, LDiversity
from support.tables import goal_of


@pytest.mark.parametrize(
    ("promises", "sampled", "is_enough"),
    [
        ([KAnonymity(5)], [5, 100, 200], True),
        ([KAnonymity(5)], [4, 100, 100], False),
        ([KAnonymity(5)], [5, 100, 201], False),
        ([KConcealment(7)], [7, 100], True),
        ([KConcealment(7)], [6, 100], False),
        ([KAnonymity(5), LDiversity(2)], [100, 100], False),
    ],
)
def test_every_block_is_able_by_the_rows_that_were_seen(
    promises: list[PrivacyModel], sampled: list[int], is_enough: bool
) -> None:
    nothing = np.zeros(0, np.int32)
    cuts = Cuts(nothing, nothing, nothing, np.array(sampled, np.int32))
    assert sample_is_enough(cuts, goal_of(*promises), 100.0) == is_enough
