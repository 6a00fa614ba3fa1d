"""The view of a finished run: figures for lists, and the data of pages piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import polars as pl

from shoal.algorithms.lattice.space import Space
from shoal.audit.contract import Risk
from shoal.audit.findings import Audit
from shoal.core.node import chosen_levels
from shoal.engine.auditing_result import audit_result
from shoal.engine.column_changes import heats, spreads
from shoal.engine.compared_rows import compared_rows
from shoal.engine.release_findings import findings
from shoal.engine.result import Result
from shoal.engine.solution_space import solutions
from shoal.errors import InputError, ShoalError
from shoal.report import grids, sections
from shoal.report.risk import RecordRisk
from shoal.report.solutions import Solutions
from shoal.report.wording import (
    headline,
    how_classes_spread,
    how_near_the_best,
    loss_headline,
    what_it_was_before,
    what_was_suppressed,
)

MOST_NODES = 20_000
"""Larger lattices are only explored on request."""

_MOST_HEATS = 15
_SHOWN = ("attack", "outcome", "says", "about")


def figures(result: Result) -> dict[str, Any]:
    """The figures by which runs are compared. O(records)."""
    summary = result.summary()
    seen = summary.public()
    return {
        "headline": headline(seen) + loss_headline(summary),
        "algorithm": result.choice.algorithm.name,
        "reason": result.choice.reason,
        "metric": result.goal.metric.name,
        "promises": [str(verdict) for verdict in result.verdicts],
        "n_records": result.release.n_records,
        "n_suppressed": result.release.n_suppressed,
        "losses": {name: float(score) for name, score in result.losses().items()},
        "smallest": seen.risk.smallest,
        "n_classes": seen.risk.n_classes,
        "highest_risk": seen.risk.highest,
        "average_risk": seen.risk.average,
        "levels": chosen_levels(result.release),
        "seconds": sum(result.seconds.values()),
        "notes": list(result.notes),
        "findings": findings(result),
        "compared": [*(column.name for column in result.release.table.quasi), *result.release.table.passengers.columns],
    }


def classes_piece(result: Result) -> dict[str, Any]:
    """Privacy models with their achieved values, class sizes with the required size, the worst classes."""
    summary = result.summary()
    seen = summary.public()
    table = result.release.table
    before = RecordRisk.of_groups(table, table.distinct.groups)
    return {
        "promises": sections.promises(grids.checked_promises(summary), seen),
        "said": how_classes_spread(seen.risk),
        "sizes": [list(one) for one in seen.risk.spectrum],
        "wanted": seen.asked.class_size,
        "risks": sections.table(grids.risks(before, seen.risk)),
        "before": what_it_was_before(before, seen.risk),
        "worst": sections.worst_classes(seen),
    }


def utility_piece(result: Result) -> dict[str, Any]:
    """The losses in total and by column, each column before and after, pairs of columns."""
    summary = result.summary()
    pairs = sorted(heats(result.release), key=lambda heat: -heat.moved)[:_MOST_HEATS]
    said = [
        what_was_suppressed(summary.n_suppressed, summary.n_rows, summary.suppression_limit),
        *how_near_the_best(summary),
    ]
    return {
        "losses": sections.table(grids.losses(summary)),
        "said": said,
        "claims": sections.table(grids.claims(summary)),
        "by_column": result.loss_by_column(),
        "spreads": [asdict(spread) for spread in spreads(result.release)],
        "pairs": [{**asdict(heat), "moved": heat.moved} for heat in pairs],
    }


def audit_piece(result: Result) -> dict[str, Any]:
    """What an adversary learns: the run's audit, completed by attacks that a quick one left out; figures and findings.

    Each attack is reported once, so that no two figures are about the same fact.
    """
    found = _audit(result)
    return {
        "risks": [
            {**{name: getattr(risk, name) for name in _SHOWN}, "story": found.stories.get(risk.attack, "")}
            for risk in found.risks
        ],
        "figures": found.to_dict()["figures"],
        "notes": list(found.notes),
        "findings": findings(result, found),
    }


def _audit(result: Result) -> Audit:
    known = result.audited
    if known is not None and known.pace != "quick":
        return known
    later = audit_result(result)
    return later if known is None else replace(later, risks=_once(known, later), figures=known.figures)


def _once(first: Audit, later: Audit) -> tuple[Risk, ...]:
    """One result per attack: the run's own, and the later audit's for attacks that the run left out."""
    ran = {risk.attack for risk in first.risks if risk.outcome != "not run"}
    order = {risk.attack: place for place, risk in enumerate(later.risks)}
    kept = [risk for risk in first.risks if risk.attack in ran]
    return tuple(
        sorted([*kept, *(risk for risk in later.risks if risk.attack not in ran)], key=lambda risk: order[risk.attack])
    )


def nodes_piece(result: Result) -> Solutions | str:
    """Every choice of one level per column, or a sentence if there are too many."""
    n_nodes = Space.of(result.release.table).n_nodes
    if n_nodes > MOST_NODES:
        return f"The lattice has {n_nodes:,} nodes, more than the {MOST_NODES:,} that are looked through here."
    try:
        return solutions(result.exploration, chosen_levels(result.release), result.goal.metric.name)
    except InputError as problem:
        return str(problem)


def rows_piece(result: Result) -> pl.DataFrame:
    """Every row beside its record. Confidential."""
    return compared_rows(result.release)


PIECES: dict[str, Callable[[Result], dict[str, Any]]] = {
    "classes": classes_piece,
    "audit": audit_piece,
    "utility": utility_piece,
}
"""The pieces that pages show of a run, by name, the most important first."""


def piece_or_sentence(make: Callable[[Result], dict[str, Any]], result: Result) -> dict[str, Any]:
    """The piece, or the reason why it cannot be computed."""
    try:
        return make(result)
    except ShoalError as problem:
        return {"sentence": str(problem)}
