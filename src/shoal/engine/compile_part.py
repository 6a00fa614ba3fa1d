"""One process of ``warming``: publish a few made-up rows, so that the kernels they need are compiled.

Run as ``python -m shoal.engine.compile_part PART PROMISES``.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from shoal.algorithms.clustering import Specialization
from shoal.core.cells import SMALL, Cells
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.engine.anonymizing import anonymize
from shoal.engine.warming import Promises
from shoal.errors import ShoalError
from shoal.io.example import ROLES, hierarchies, people
from shoal.kernels.callee_code import without_code_of_callees
from shoal.models import KAnonymity, LDiversity

_ROWS, _CLASS = 400, 20

_MANY = 24_000
"""Rows in so many classes that a search looks at them in parts."""


@dataclass(frozen=True)
class _InOrder(Algorithm):
    """Rows in classes as they come: something for a search to begin with that needs no kernels of its own."""

    name: ClassVar[str] = "in-order"
    summary: ClassVar[str] = "rows in classes as they come"
    serves = (GroupModel,)
    is_local: ClassVar[bool] = True

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Twenty rows a class."""
        ids = np.arange(table.n_rows, dtype=np.int32) // _CLASS
        return Release.from_groups(table, Groups.from_ids(ids, int(ids[-1]) + 1))


def _publish(promises: Promises, n_rows: int = _ROWS, **more: Any) -> None:
    """Publish made-up rows: so many that clusters leave some over, whose kernel is needed too."""
    privacy = {"sizes": [KAnonymity(5)], "values": [KAnonymity(5), LDiversity(2, of=ROLES["sensitive"][0])]}[promises]
    words: dict[str, Any] = {**ROLES, "hierarchies": hierarchies(), "privacy": privacy, "seed": 1}
    with suppress(ShoalError):
        anonymize(people(n_rows), **{**words, **more})


def _find_sets(promises: Promises) -> None:
    """Find the sets of values of a group that is large enough for the kernels to do so."""
    n = SMALL + 1
    Cells.of_sets(Groups.whole(n), np.zeros(n, np.int32), 1)


_PARTS: Mapping[str, Sequence[Callable[[Promises], None]]] = {
    "search": [partial(_publish, n_rows=_MANY, algorithm=_InOrder(), refine="search:steps=100", audit="off")],
    "cuts": [partial(_publish, algorithm="mondrian:relaxed", audit="off")],
    "clusters": [partial(_publish, algorithm="agglomerative:block=100", audit="off")],
    "neighbours": [partial(_publish, algorithm="agglomerative:block=100,neighbours=5", audit="off")],
    "specialization": [partial(_publish, algorithm=Specialization(), recodings={"sex": "suppress"}, audit="off")],
    "curve": [partial(_publish, algorithm="hilbert", hierarchies={}, audit="off")],
    "sets": [_find_sets],
    "program": [partial(_publish, algorithm="column-generation:rounds=2", recodings={"sex": "suppress"}, audit="off")],
    "clustering": [partial(_publish, algorithm="clustering:steps=10")],
    "agglomerative": [partial(_publish, algorithm=f"agglomerative:block=100,neighbours={near}") for near in (0, 5)],
}
"""The parts of a default run, whose audit needs no kernels of its own, and algorithms whose options need others."""


def compile_part(part: str, promises: Promises) -> None:
    """Do what the part does on a few made-up rows, so that its kernels are compiled; a part may be any algorithm."""
    for work in _PARTS.get(part, [partial(_publish, algorithm=part)]):
        work(promises)


if __name__ == "__main__":
    without_code_of_callees()
    gc.disable()  # it would look through all that the compiler keeps, again and again, for a twentieth of the time
    compile_part(sys.argv[1], "values" if sys.argv[2] == "values" else "sizes")
