"""The variables of a release: what each identifies, how and why it was changed, the loss, and what remains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from shoal.core.schema import Role
from shoal.report.dossier.sections import EVERY_VARIABLE, LOOKED_UP
from shoal.report.dossier.statement import STEWARD
from shoal.report.figures import counted, cut, figure
from shoal.report.grids import Grid

KINDS: dict[Role, str] = {
    "identifier": "direct identifier",
    "person": "person key",
    "quasi-identifier": "quasi-identifier",
    "sensitive": "sensitive",
    "other": "other",
    "sample weight": "sample weight",
}
"""The roles in the terms of the literature."""


@dataclass(frozen=True)
class Variable:
    """One column of the original. ``n_before`` and ``n_after`` count distinct values; ``loss`` is by LM."""

    name: str
    role: Role
    technique: str
    reason: str
    n_before: int
    n_after: int
    loss: float | None = None

    @property
    def remains(self) -> str:
        """What can still be distinguished: cells of a recoded column may overlap, so they may outnumber its values."""
        if not self.n_after:
            return "nothing"
        if self.role == "quasi-identifier":
            return f"{counted(self.n_after, 'cell')} for {counted(self.n_before, 'value')}"
        return f"all {counted(self.n_after, 'value')}"


def variables_grid(variables: Sequence[Variable]) -> Grid:
    """Every column of the original. Internal."""
    heads = ["Variable", "Kind", "Technique", "Reason", "Loss", "Remains"]
    rows = [
        [
            cut(one.name),
            KINDS[one.role],
            one.technique,
            one.reason,
            "all" if not one.n_after else figure(one.loss or 0.0),
            one.remains,
        ]
        for one in variables
    ]
    return Grid(EVERY_VARIABLE, heads, rows, (4,))


def looked_up_grid(variables: Sequence[Variable]) -> Grid:
    """Published variables by which people may be recognized: how many values distinguish them, and the steward's part.

    HHS and Health Canada rank variables by these principles. Internal.
    """
    heads = ["Variable", "Different values in the original", "Stays the same over time", "Known from"]
    rows = [[cut(one.name), f"{one.n_before:,}", STEWARD, STEWARD] for one in variables if one.n_after]
    return Grid(LOOKED_UP, heads, rows, (1,))


MASKED = "free text; recognized identifiers are masked"


def published_variables(frame: pl.DataFrame, roles: Mapping[str, Role], masked: Sequence[str] = ()) -> Grid:
    """The published columns, as anybody who has the release can see them."""
    rows = [_published(frame[name], roles.get(name, "other"), is_masked=name in masked) for name in frame.columns]
    return Grid("Published variables", ["Variable", "Kind", "Technique", "Different values published"], rows, (3,))


def _published(values: pl.Series, role: Role, *, is_masked: bool) -> list[str]:
    as_it_is = MASKED if is_masked else "published unchanged"
    done = "recoded until every promise holds" if role == "quasi-identifier" else as_it_is
    return [cut(values.name), KINDS[role], done, f"{values.n_unique():,}"]
