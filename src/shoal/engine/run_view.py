"""What a finished run has to show: figures for lists, and pieces of the report one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shoal.algorithms.lattice.space import Space
from shoal.audit.contract import Risk as AttackRisk
from shoal.audit.findings import Audit
from shoal.engine.auditing import audit_result
from shoal.engine.exploring import solutions
from shoal.engine.published_levels import chosen_levels
from shoal.engine.result import Result
from shoal.engine.utility import heats, spreads
from shoal.errors import InputError, ShoalError
from shoal.report import grids, sections
from shoal.report.audit_sections import audit_sections
from shoal.report.heat import heat_plot
from shoal.report.markup import Markup, element, join
from shoal.report.risk import Risk
from shoal.report.solutions import Solutions
from shoal.report.spread import spread_part
from shoal.report.wording import headline, loss_headline

MOST_NODES = 20_000
"""Larger lattices are not looked through without being asked."""

_MOST_HEATS = 15


def figures(result: Result) -> dict[str, Any]:
    """The numbers that runs are compared by. O(records)."""
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
        "findings": _findings(result),
    }


def _findings(result: Result) -> list[dict[str, str]]:
    """What somebody has to answer for before the release leaves: each attack that succeeds, or that none was tried."""
    found = result.audited
    if found is None:
        return [{"key": "audit", "sentence": result.not_audited or "The release was not audited."}]
    return [
        {
            "key": f"{risk.attack}:{risk.about}",
            "sentence": f"{risk.attack.capitalize()}: {risk.says}",
            "remedy": found.remedies.get(risk.attack, ""),
        }
        for risk in found.falling
    ]


def risk_piece(result: Result) -> Markup:
    """Promises, class sizes with what was asked for, risk before and after, the worst classes."""
    summary = result.summary()
    seen = summary.public()
    table = result.release.table
    before = Risk.of_groups(table, table.distinct.groups)
    return join(
        [
            sections.section("What is promised", sections.promises(grids.checked_promises(summary), seen)),
            sections.section("Class sizes", sections.class_sizes(seen)),
            sections.section("Risk of being singled out", sections.risks(before, seen.risk, seen.asked.class_size)),
            sections.section(
                "The worst classes", element("p", _INTERNAL, class_="note secret"), sections.worst_classes(seen)
            ),
        ]
    )


def utility_piece(result: Result) -> Markup:
    """What was lost in all and by column, each column before and after, pairs of columns, rows beside records."""
    summary = result.summary()
    pictures = sorted(heats(result.release), key=lambda heat: -heat.moved)[:_MOST_HEATS]
    return join(
        [
            sections.section("What was lost", sections.losses(summary)),
            sections.section("Column by column", *map(spread_part, spreads(result.release))),
            sections.section("Two columns at a time", *map(heat_plot, pictures)),
            sections.section(
                "Rows and records", element("p", _INTERNAL, class_="note secret"), sections.pairs(summary.pairs)
            ),
        ]
    )


def audit_piece(result: Result) -> Markup:
    """What an adversary gets, in sentences: as the run found it, and what a quick look left out."""
    known = result.audited
    found = audit_result(result) if known is None or known.pace == "quick" else known
    if known is not None:
        found = replace(found, risks=_once(known, found), figures=known.figures)
    return join([element("p", _INTERNAL, class_="note secret"), *audit_sections(found)])


def _once(first: Audit, later: Audit) -> tuple[AttackRisk, ...]:
    """One figure for each fact: what the run has told already, and for attacks it did not run the later look."""
    ran = {risk.attack for risk in first.risks if risk.outcome != "not run"}
    order = {risk.attack: place for place, risk in enumerate(later.risks)}
    kept = [risk for risk in first.risks if risk.attack in ran]
    return tuple(
        sorted([*kept, *(risk for risk in later.risks if risk.attack not in ran)], key=lambda risk: order[risk.attack])
    )


def nodes_piece(result: Result) -> Solutions | str:
    """Every choice of one level per column; or a sentence where they cannot be looked through."""
    n_nodes = Space.of(result.release.table).n_nodes
    if n_nodes > MOST_NODES:
        return f"The lattice has {n_nodes:,} nodes, more than the {MOST_NODES:,} that are looked through here."
    try:
        return solutions(result.exploration, chosen_levels(result.release), result.goal.metric.name)
    except InputError as problem:
        return str(problem)


PIECES: dict[str, Callable[[Result], Markup]] = {"risk": risk_piece, "utility": utility_piece, "audit": audit_piece}
"""Pieces of a report by name, the quick ones first."""


def piece_or_sentence(make: Callable[[Result], Markup], result: Result) -> Markup:
    """The piece; where there is a reason that it cannot be had, the reason."""
    try:
        return make(result)
    except ShoalError as problem:
        return element("p", str(problem), class_="note")


_INTERNAL = "Internal: made with the original at hand. Do not pass it on with the release."
