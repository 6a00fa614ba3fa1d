"""l-diversity: the records that may belong to a person have at least l well-represented sensitive values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.block_union import naming_all_fits
from shoal.core.contracts import Verdict
from shoal.core.groups import Groups
from shoal.core.parameters import checked, one_of, positive_number, real_number, whole_number
from shoal.core.release import Release
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.errors import ImpossibleGoal, InputError
from shoal.kernels.grouping import count_distinct
from shoal.models import diversity_kinds
from shoal.models.parameters import take_apart
from shoal.models.sensitive import SensitiveModel, about

Kind = Literal["distinct", "entropy", "grassberger", "recursive", "frequency"]

MatchReading = Literal["printed", "named"]
"""The matches whose values are judged."""

_EXACT = 1 - 1e-12
"""Allows for rounding of logarithms: a group of l equally frequent values is l-diverse."""


@dataclass(frozen=True)
class LDiversity(SensitiveModel):
    """Each pool has at least ``l`` well-represented values of each sensitive column, or of the column ``of``.

    The ``kind`` defines *well-represented*:

    * ``distinct``: l different values;
    * ``entropy``: the entropy of the values is at least ln l, as with l equally frequent ones;
    * ``grassberger``: the same with an entropy estimate that does not underrate small groups, and l different values;
    * ``recursive``: with the frequencies r1 ≥ r2 ≥ … of the values, r1 < c · (r_l + r_{l + 1} + …): the most frequent
      value is not too frequent, and stays so if an adversary rules out l − 2 others;
    * ``frequency``: no value has a share above 1 / l.

    Guarantee: a person's sensitive value remains uncertain among l values. ``l`` is an integer for ``distinct`` and
    ``recursive``. Every kind implies l different values.

    Threat model: the adversary knows a person's quasi-identifiers and that the person is in the table; with l values,
    they may also know that the person does not have up to l − 2 of them.

    If records have matches instead of classes, ``matches`` says which values are judged: those of the matches that the
    algorithm named and drew from (``named``); or also those of all records whose printed cells cover a person's values
    and that some complete assignment gives them (``printed``), which is what an adversary sees who does not know the
    named ones. Printed matches include the named ones, so only ``distinct`` is the same for both.

    People counted: of k people, c(v) have the value v at least once. ``distinct``: l different values, none of which
    all k have. ``frequency``: c(v) / k is at most 1 / l for every v. ``recursive``: with c1 ≥ c2 ≥ …, c1 is below c
    times k − c1 − … − c_{l − 1}, the smallest possible number of people with none of the l − 1 most frequent values.
    ``entropy`` and ``grassberger``: each person counts with the one of their values that is commonest in the group, the
    least uncertain case. No kind is monotone then: in a union a person may have more values than in its parts.

    Monotone, except ``grassberger``. Distinct: a union has the values of its parts. Entropy: the shares of a union are
    a mixture of those of its parts, and entropy is concave, so it is at least the smaller of the two. Frequency: the
    largest share of a mixture is at most the larger one. Recursive: in a union, r1 is at most the sum of the parts' r1,
    and the l − 1 most frequent values have at most as many rows as those of the parts together, so the rest is at least
    the sum of the rests of the parts; the inequalities add up. The estimate of ``grassberger`` is not concave: the
    corrections of two small groups may be lost in their union.

    Cost: O(members · sensitive columns).

    Reference: Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam 2006, l-Diversity: Privacy Beyond k-Anonymity;
    Ciriani et al. 2007, k-Anonymity (Definition 5.1); Grassberger 2003, Entropy Estimates from Insufficient Samplings.

    >>> str(LDiversity(3, of="disease"))
    '3-diversity of disease'
    >>> str(LDiversity.parse("3:recursive:c=4"))
    'recursive (4, 3)-diversity'
    """

    l: float  # noqa: E741 (the paper's letter)
    kind: Kind = field(default="distinct", metadata=checked(one_of, "kind", known=get_args(Kind)))
    c: float | None = field(default=None, metadata=checked(positive_number, "c"))
    matches: MatchReading = field(
        default="printed", kw_only=True, metadata=checked(one_of, "matches", known=get_args(MatchReading))
    )

    name: ClassVar[str] = "l-diversity"
    flag: ClassVar[str] = "l"
    summary: ClassVar[str] = (
        "the records that may belong to a person have at least L different sensitive values; L, L:column, L:entropy, "
        "L:frequency, L:grassberger or L:recursive:c=4, also followed by :column; matches=named judges only the "
        "matches among which owners were drawn"
    )

    @property
    def means(self) -> str:
        """What each kind guarantees."""
        whose = "the records that may belong to a person"
        kinds = {
            "entropy": f"the sensitive values of {whose} are as uncertain as L equally likely ones",
            "grassberger": f"the sensitive values of {whose} are, by estimate, as uncertain as L equally likely ones",
            "recursive": f"among {whose}, the commonest sensitive value is less than C times as frequent as those "
            "from rank L on together",
            "frequency": f"no sensitive value has more than {100 / self.l:.3g}% of {whose}",
        }
        return kinds.get(self.kind, super().means)

    def __post_init__(self) -> None:
        whole = self.kind in ("distinct", "recursive")
        number = whole_number("l", self.l, least=1) if whole else real_number("l", self.l, least=1)
        object.__setattr__(self, "l", number)
        super().__post_init__()
        if self.c is None and self.kind == "recursive":
            raise InputError(
                "Recursive (c, l)-diversity needs c as well as l, as in "
                f"{self.l:g}:recursive:c=4 (LDiversity({self.l:g}, 'recursive', c=4))."
            )
        if self.c is not None and self.kind != "recursive":
            raise InputError(
                f"c is for recursive l-diversity; leave it out, or write {self.l:g}:recursive:c={self.c:g}."
            )

    @classmethod
    def parse(cls, text: str) -> LDiversity:
        """Parse ``3``, ``3:disease``, ``2.5:entropy:disease`` or ``3:recursive:c=4``."""
        said = take_apart(text, words=get_args(Kind), options=("c", "matches"))
        known: dict[str, Any] = {name: said.options[name] for name in ("c", "matches") if name in said.options}
        return cls(said.numbers, said.word or "distinct", **known, **about(said))  # type: ignore[arg-type]

    @property
    def is_monotone(self) -> bool:  # type: ignore[override]
        """True except for ``grassberger``."""
        return self.kind != "grassberger"

    @property
    def reads_printed(self) -> bool:  # type: ignore[override]
        """True if printed matches are judged and may violate what named matches satisfy."""
        return self.matches == "printed" and not self.is_growing

    def check(self, release: Release) -> Verdict:
        """Measure every class or pool; if matches are named, also the matches by printed cells."""
        if release.matches is None:
            return super().check(release)
        measures, n_named = self.measure(release.table, release.pools), len(release.pools)
        if self.reads_printed:
            printed = naming_all_fits(release).pools
            measures = np.concatenate([measures, self.measure(release.table, printed)])
        found, on = self.verdict(measures), "as named" if self.matches == "named" else "as named and as printed"
        shown = [(g, m) for g, m in zip(found.worst, found.worst_measures, strict=True) if g < n_named]
        return replace(
            found,
            worst=tuple(g for g, _ in shown),
            worst_measures=tuple(m for _, m in shown),
            judged_on=f"matches {on}",
        )

    @property
    def threshold(self) -> float:
        """l; for ``recursive`` just above −c."""
        if self.c is not None:
            return math.nextafter(-self.c, math.inf)
        return self.l if self.kind in ("distinct", "frequency") else self.l * _EXACT

    @property
    def floor(self) -> int:
        """l rows, one for each value."""
        return math.ceil(self.l)

    def shown(self, measures: Floats) -> Floats:
        """The number of values; for ``recursive`` the achieved c."""
        return -measures if self.kind == "recursive" else measures

    def look(self, column: SensitiveColumn, groups: Groups) -> Floats:
        """The number of well-represented values of each group, or minus the c of ``recursive``."""
        if self.kind != "distinct":
            return super().look(column, groups)
        counts = count_distinct(groups.offsets, groups.members, column.codes, column.domain.n_leaves)
        return np.asarray(counts, np.float64)

    def judge(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """The measure of the chosen kind."""
        if self.kind == "recursive":
            return diversity_kinds.recursive(tallies, int(self.l))
        return np.asarray(getattr(diversity_kinds, self.kind)(tallies))

    @property
    def is_growing(self) -> bool:  # type: ignore[override]
        """True for ``distinct``: a larger group has no fewer different values."""
        return self.kind == "distinct"

    @property
    def takes_each_for_one(self) -> bool:
        """True for kinds that measure entropy."""
        return self.kind in ("entropy", "grassberger")

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """All rows of groups with too few values, and the bound from the kind's concavity (see the class)."""
        lost = diversity_kinds.doomed(self.kind, tallies, self.l, self.c)
        return np.where(diversity_kinds.distinct(tallies) < self.l, tallies.sizes, lost)

    def forbids(self, attack: str, about: str) -> bool:
        """Attacks that infer a value with certainty: every kind implies l different values in every pool."""
        return self.l > 1 and attack == "homogeneity" and self.of in (None, about)

    def refuse(self, table: Table) -> None:
        """Refuse l above the number of values that occur together, and c too small even for equally frequent values."""
        for column in self.columns(table):
            best = self.most_values(table, column)
            if self.l > best:
                raise ImpossibleGoal(
                    f"l = {self.l:g} needs at least {math.ceil(self.l)} different values of {column.name!r}, which has "
                    f"{best}{self._with_others(table)}; ask for l of at most {best}."
                )
            least = 1 / (best - self.l + 1)
            if self.c is not None and self.c <= least:
                raise ImpossibleGoal(
                    f"c = {self.c:g} cannot be kept: with l = {self.l:g} and the {best} values of {column.name!r} even "
                    f"equally frequent ones need c above {least:g}."
                )

    def _with_others(self, table: Table) -> str:
        if self.others == "ignore" or len(table.sensitive) < 2:
            return ""
        return " at most in rows that agree on the other sensitive columns (others = 'ignore' judges it by itself)"

    def __str__(self) -> str:
        about = self._about() + ("" if self.matches == "printed" else " of named matches")
        if self.c is not None:
            return f"recursive ({self.c:g}, {self.l:g})-diversity{about}"
        kind = "" if self.kind == "distinct" else f"{self.kind} "
        return f"{kind}{self.l:g}-diversity{about}"
