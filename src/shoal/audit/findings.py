"""The results of an audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from shoal.audit.adversary_view import Pace
from shoal.audit.contract import Risk
from shoal.audit.figures import RiskFigures
from shoal.core.notebook_table import html_table
from shoal.core.plain_data import plain_data


@dataclass(frozen=True)
class Audit:
    """Every attack that was run on a release, and the re-identification risks.

    For each attack, ``stories`` describe the adversary, ``remedies`` say what helps, and ``seconds`` how long it took.

    >>> import shoal
    >>> from shoal.io.example import people
    >>> table = people(60).select("sex", "job", "diagnosis")
    >>> words = {"quasi_identifiers": ["sex", "job"], "sensitive": ["diagnosis"]}
    >>> release = shoal.anonymize(table, privacy=shoal.KAnonymity(5), quick=True, **words)
    >>> audit = release.audit()
    >>> [risk.attack for risk in audit.falling]  # the attacks that succeed
    []
    """

    n_people: int
    n_records: int
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    k: int | None
    pace: Pace
    risks: tuple[Risk, ...]
    figures: RiskFigures
    stories: Mapping[str, str]
    remedies: Mapping[str, str]
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def falling(self) -> tuple[Risk, ...]:
        """The attacks that succeed."""
        return tuple(risk for risk in self.risks if risk.outcome == "falls")

    @property
    def withstands(self) -> bool:
        """Whether no attack that was run succeeds."""
        return not self.falling

    def of(self, attack: str) -> tuple[Risk, ...]:
        """The risks of one attack."""
        return tuple(risk for risk in self.risks if risk.attack == attack)

    def _repr_html_(self) -> str:
        """For notebooks: every attack and its result."""
        said = "No attack that was run succeeds" if self.withstands else f"{len(self.falling)} attacks succeed"
        rows = [(risk.attack, risk.outcome, risk.says) for risk in self.risks]
        return html_table(said, ["attack", "outcome", "what it comes to"], rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and texts; non-finite numbers become None."""
        found: dict[str, Any] = plain_data(asdict(self))
        return {"withstands": self.withstands, **found}
