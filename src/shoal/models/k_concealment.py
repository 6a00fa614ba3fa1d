"""k-concealment: every row has at least k records that it gets in some complete assignment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from shoal.core.parameters import checked, one_of
from shoal.models.match_degrees import DegreeModel

Side = Literal["both", "rows", "records"]
"""Whose matches are counted."""


@dataclass(frozen=True)
class KConcealment(DegreeModel):
    """Each row has at least ``k`` matches, and so does each record (or one of the two: ``side``).

    Guarantee: for every person, k records remain possible after all eliminations. A record is a match of a row if some
    complete assignment of records to rows uses the pair. It says that k matches are possible, not that they are equally
    likely: a few fully suppressed records give everybody k matches that are almost impossible. Use LinkageBound as
    well; the algorithm of this name does so by itself.

    Threat model: the adversary knows the quasi-identifiers of all people in the table and eliminates every pair of a
    person and a record that is impossible.

    The paper's k-concealment counts the matches of rows (``side="rows"``); its (k,1) and (k,k) versions are "records"
    and "both".

    People counted: judged in classes: rows of at least ``k`` different people, all of whom fit all records of the
    class.

    Cost: O(pairs that fit) time and memory.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Definition 6,
    Algorithm 4).

    >>> str(KConcealment(5)), str(KConcealment(5, "rows"))
    ('5-concealment', '5-concealment of rows')
    """

    side: Side = field(default="both", metadata=checked(one_of, "side", known=get_args(Side)))

    name: ClassVar[str] = "k-concealment"
    flag: ClassVar[str] = "concealment"
    summary: ClassVar[str] = (
        "every row has at least CONCEALMENT records, and every record as many rows, that some complete assignment "
        "pairs; with :rows or :records only those are counted"
    )
    in_assignments: ClassVar[bool] = True

    @classmethod
    def parse(cls, text: str) -> KConcealment:
        """Parse ``5``, ``5:rows`` or ``5:records``."""
        number, _, side = text.partition(":")
        return cls(number, side or "both")  # type: ignore[arg-type]

    @property
    def counts_rows(self) -> bool:  # type: ignore[override]
        """Whether the matches of rows are counted."""
        return self.side != "records"

    @property
    def counts_records(self) -> bool:  # type: ignore[override]
        """Whether the matches of records are counted."""
        return self.side != "rows"

    def __str__(self) -> str:
        return f"{self.k}-concealment" + ("" if self.side == "both" else f" of {self.side}")
