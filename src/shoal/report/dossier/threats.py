"""Threat models, their assumptions, and the risk under each against the required threshold."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.audit.figures import Exposure
from shoal.report.figures import listed, percent
from shoal.report.grids import Bad, Good, Grid, risk_text
from shoal.report.published import PublicSummary
from shoal.report.summary import Summary

_MODELS = (
    (
        "Prosecutor",
        "knows that a person is in the table, and all their quasi-identifiers",
        "the adversary knows every quasi-identifier of everybody exactly, and nothing else",
        "the largest risk of a record; the attacks linking, matching and posterior",
    ),
    (
        "Journalist",
        "wants to show that somebody can be found, and does not know who is in the table",
        "the adversary knows no more than the prosecutor, so the prosecutor's risk is an upper bound",
        "the same, and the journalist's own risk if a population was given",
    ),
    (
        "Marketer",
        "links everybody to a register and counts the correct links",
        "the register contains the quasi-identifiers of everybody in the table",
        "the average risk of records",
    ),
    (
        "Attribute disclosure",
        "looks for a person's sensitive value, not for the record",
        "the adversary does not know sensitive values beforehand",
        "diversity promises; the attacks homogeneity, skewness, similarity and inference",
    ),
    (
        "Acquaintance",
        "works with the release and recognizes somebody by chance",
        "the adversary knows only their quasi-identifiers",
        "the largest risk of a record; the data steward judges how many acquaintances the recipients have",
    ),
    (
        "Breach",
        "finds or steals the release",
        "no controls apply",
        "the same figures, without the recipient's controls",
    ),
    (
        "Insider",
        "knows how the release was made, or has another release about the same people",
        "the seed and the original are secret",
        "the attacks algorithm, minimality, composition and order, if they were run",
    ),
)


def models_grid() -> Grid:
    """The adversaries considered, and the assumptions about them."""
    return Grid(
        "Threat models", ["Threat model", "The adversary", "What is assumed", "Covered by"], [[*row] for row in _MODELS]
    )


def assumption(seen: PublicSummary) -> str:
    """The assumption common to all models."""
    return (
        f"All models assume that an adversary knows no more about a person than {listed([*seen.columns.quasi])}. The "
        "figures are for an adversary who does try. How likely that is depends on the recipients and the terms of "
        "access; the data steward judges it."
    )


def risk_grid(summary: Summary) -> Grid:
    """Risk before and after under each model, against the threshold. Internal."""
    seen, before = summary.public(), summary.before
    size = seen.asked.class_size
    limit = 1 / size if size and size > 1 else None
    rows = [
        _row("Prosecutor: largest", before.highest if before else None, seen.risk.highest, limit),
        _row("Marketer: average", before.average if before else None, seen.risk.average, limit),
    ]
    rows += [_row(f"{name.capitalize()}: largest", None, one.highest, limit) for name, one in _others(summary)]
    return Grid("Risk by threat model", ["Model", "Before", "After", "Threshold", "State"], rows, (1, 2, 3))


def _others(summary: Summary) -> Iterable[tuple[str, Exposure]]:
    figures = summary.audit.figures if summary.audit else None
    shown = (figures.journalist, figures.linkage, figures.whole_history) if figures else ()
    return [(one.scenario, one) for one in shown if one is not None]


def _row(name: str, before: float | None, after: float, limit: float | None) -> list[str]:
    was = "–" if before is None else risk_text(before)
    if limit is None or after > 1:
        return [name, was, risk_text(after), "none", ""]
    state = Good("✓ met") if after <= limit + 1e-12 else Bad("✗ not met")
    return [name, was, risk_text(after), percent(limit), state]


def rationale(summary: Summary) -> list[str]:
    """The justification of the threshold."""
    policy, size = summary.run.policy, summary.public().asked.class_size
    asked = f"Classes of at least {size:,} were required: a risk of at most {1 / size:.3g}." if size else ""
    if policy is None:
        said = (
            "No policy was named; the data steward explains why this threshold suits the recipients and the controls."
        )
        return [text for text in (asked, said) if text]
    changed = f"Changes to the policy: {'; '.join(policy.changed)}." if policy.changed else ""
    told = f"The policy {policy.name} of {policy.dated} was followed: {policy.summary}. {policy.rationale}"
    return [text for text in (asked, told, f"Its source: {policy.source}.", changed) if text]
