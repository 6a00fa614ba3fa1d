"""Threat models, what each assumes, and the risk by each of them against the threshold that was asked for."""

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
        "knows that somebody is in the table, and all their quasi-identifiers",
        "everything named as a quasi-identifier is known exactly and for everybody, and nothing else is",
        "the largest risk of a record; the attacks linking, matching and posterior",
    ),
    (
        "Journalist",
        "wants to show that anybody can be found, and does not know who is in the table",
        "no more is known than the prosecutor knows, so the prosecutor's risk bounds this one",
        "the same, and the journalist's own risk where a population was given",
    ),
    (
        "Marketer",
        "links everybody against a register and counts how many links are right",
        "the register holds the quasi-identifiers of everybody in the table",
        "the average risk of records",
    ),
    (
        "Attribute disclosure",
        "does not look for the record but for a sensitive value of somebody",
        "sensitive values are not known beforehand",
        "diversity promises; the attacks homogeneity, skewness, similarity and inference",
    ),
    (
        "Acquaintance",
        "works with the release and recognises somebody by chance",
        "knows no more of them than the quasi-identifiers",
        "the largest risk of a record; how many acquaintances recipients have is for the steward",
    ),
    (
        "Breach",
        "the release is lost or stolen, and anybody may have it",
        "nothing binds whoever finds it",
        "the same figures, without the recipient's controls",
    ),
    (
        "Insider",
        "knows how the release was made, or has another release about the same people",
        "the seed and the original are secret",
        "the attacks algorithm, minimality, composition and order, as far as they were run",
    ),
)


def models_grid() -> Grid:
    """Who is thought of, and what is assumed of them."""
    return Grid(
        "Threat models", ["Threat model", "The adversary", "What is assumed", "Covered by"], [[*row] for row in _MODELS]
    )


def assumption(seen: PublicSummary) -> str:
    """What everything rests on."""
    return (
        f"All models assume that an adversary knows of a person no more than {listed([*seen.columns.quasi])}. How "
        "likely anybody is to try depends on who gets the release and on which terms, and is for the steward to say; "
        "figures here are for somebody who does try."
    )


def risk_grid(summary: Summary) -> Grid:
    """Risk before and after by each model, against the threshold. Internal."""
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
        return [name, was, risk_text(after), "none asked for", ""]
    state = Good("✓ met") if after <= limit + 1e-12 else Bad("✗ not met")
    return [name, was, risk_text(after), percent(limit), state]


def rationale(summary: Summary) -> list[str]:
    """Where the threshold comes from."""
    policy, size = summary.run.policy, summary.public().asked.class_size
    asked = f"A class size of {size:,} was asked for: a risk of at most {1 / size:.3g}." if size else ""
    if policy is None:
        said = "No policy was named; why this threshold suits the recipient and the controls is for the steward to say."
        return [text for text in (asked, said) if text]
    changed = f"Not as the policy has it: {'; '.join(policy.changed)}." if policy.changed else ""
    told = f"The policy {policy.name} of {policy.dated} was followed: {policy.summary}. {policy.rationale}"
    return [text for text in (asked, told, f"Its source: {policy.source}.", changed) if text]
