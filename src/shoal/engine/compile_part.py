"""One process of ``warming``: publish a few made-up rows, so that the kernels they need are compiled.

Run as ``python -m shoal.engine.compile_part PART PROMISES``.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

from shoal.engine.anonymizing import anonymize
from shoal.engine.warming import DEFAULT, Promises
from shoal.errors import ShoalError
from shoal.io.example import ROLES, hierarchies, people
from shoal.models import KAnonymity, LDiversity


def compile_part(part: str, promises: Promises) -> None:
    """Publish a few made-up rows by the algorithm of the part, so that its kernels are compiled."""
    algorithm, *refinements = DEFAULT.get(part, (part,))
    privacy = {"sizes": [KAnonymity(5)], "values": [KAnonymity(5), LDiversity(2, of=ROLES["sensitive"][0])]}[promises]
    words: dict[str, Any] = {**ROLES, "hierarchies": hierarchies(), "privacy": privacy, "seed": 1}
    with suppress(ShoalError):
        anonymize(people(400), **words, algorithm=algorithm, refine=refinements or None)


if __name__ == "__main__":
    compile_part(sys.argv[1], "values" if sys.argv[2] == "values" else "sizes")
