"""Pseudonyms: reversed by guessing how they were made, by their frequency, or by the records they join."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Outcome, Risk
from shoal.audit.knowledge import Pseudonymized
from shoal.audit.number_wording import counted
from shoal.audit.scorer import Referee


class UndonePseudonyms(Attack):
    """Try three ways to find out to whom a pseudonym belongs, knowing everybody's id but not the key.

    By dictionary: unkeyed hashes of the ids, and hashes with keys that anyone would try, in the usual spellings. By
    frequency: an id whose number of rows is unique belongs to the pseudonym with the same number. By joining: records
    of one pseudonym belong together, and their common cells may fit nobody else. The rate is the share of pseudonyms
    identified by one of them; the baseline is 0.

    Stopped by: keyed pseudonyms that no two records share.

    Cost: O(records).

    Reference: European Union Agency for Cybersecurity 2019, Pseudonymisation Techniques and Best Practices.
    """

    name: ClassVar[str] = "pseudonyms"
    story: ClassVar[str] = (
        "An adversary has a list of everybody's ids and of how many rows each has, hashes the ids in all usual ways, "
        "counts, and puts the records of a pseudonym together."
    )
    remedy: ClassVar[str] = (
        "Leave the pseudonyms out, or publish one for each person with linked = histories; never hash without a key."
    )

    def lacks(self, scene: Scene) -> str:
        """Requires a column of pseudonyms."""
        return "" if scene.pseudonymized else "It needs a column of pseudonyms, and none is published."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Return one risk for each column."""
        return [_risk(self.name, column) for column in scene.pseudonymized]


def _risk(name: str, column: Pseudonymized) -> Risk:
    found = max(column.n_hashed, column.n_counted, column.n_singled_out)
    figures: dict[str, float] = {
        "pseudonyms": column.n_pseudonyms,
        "named by hashing": column.n_hashed,
        "named by their frequency": column.n_counted,
        "singled out by their records together": column.n_singled_out,
    }
    outcome: Outcome = "falls" if found else "stopped"
    return Risk(name, outcome, _says(column), found / max(1, column.n_pseudonyms), about=column.name, figures=figures)


def _says(column: Pseudonymized) -> str:
    said = []
    if column.n_hashed:
        said.append(f"{counted(column.n_hashed, 'pseudonym')} of {column.name!r} are plain hashes of known ids")
    if column.n_counted:
        said.append(f"{counted(column.n_counted, 'pseudonym')} occur as often as no other, and so does the id")
    if column.n_singled_out:
        said.append(f"the records of {counted(column.n_singled_out, 'pseudonym')} fit together like nobody else's")
    if told := "; ".join(said):
        return f"{told[0].upper()}{told[1:]}."
    return (
        f"Without the key none of {counted(column.n_pseudonyms, 'pseudonym')} of {column.name!r} can be told: "
        f"{counted(column.n_tried, 'guess', 'guesses')} how they were made fail, and neither their frequency nor their "
        "records together name one."
    )
