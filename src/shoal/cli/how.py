"""How a release is looked for: algorithm, metric, suppression limit, seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from shoal import algorithms, metrics
from shoal.algorithms.clustering import REFINEMENTS
from shoal.algorithms.lattice.optimal import parse_levels
from shoal.core.suppression_limit import parse_limit

_PANEL = "Search"

AuditOption = Annotated[
    str,
    typer.Option(
        metavar="FORM",
        help="How the release is attacked once it is made: quick (a second or two), usual, thorough or off.",
        rich_help_panel=_PANEL,
    ),
]


@dataclass(frozen=True)
class How:
    """What may differ from run to run with the promises unchanged."""

    algorithm: Annotated[
        str,
        typer.Option(
            help=f"auto or {', '.join(algorithms.ALL)}; with options as in mondrian:relaxed.", rich_help_panel=_PANEL
        ),
    ] = "auto"
    refine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOW",
            help=f"What follows the algorithm to lose less: {', '.join(REFINEMENTS)}; may be given twice.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="60s",
            help="Time that auto or a refinement may spend on losing less: 60, 60s, 2m; more never makes it worse.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    certify: Annotated[
        bool,
        typer.Option(
            "--certify",
            help="Find out how far from the best possible the release is at most; takes a minute.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    certify_budget: Annotated[
        str | None,
        typer.Option(metavar="60s", help="Time for --certify; more gives a sharper answer.", rich_help_panel=_PANEL),
    ] = None
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="1,0,2",
            help="Publish exactly these hierarchy levels, one per quasi-identifier; 0 is the value itself.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    suppression_limit: Annotated[
        str,
        typer.Option(
            metavar="5%", help="How many rows may be left out: 5%, 0.05 or '29 rows'.", rich_help_panel=_PANEL
        ),
    ] = "0"
    metric: Annotated[
        str, typer.Option(help=f"What to lose least of: {', '.join(metrics.ALL)}.", rich_help_panel=_PANEL)
    ] = "lm"
    audit: AuditOption = "quick"
    seed: Annotated[
        int | None,
        typer.Option(
            help="Makes the run repeatable, and whoever knows it can undo the shuffle; not for real releases.",
            rich_help_panel=_PANEL,
        ),
    ] = None

    def words(self) -> dict[str, Any]:
        """The same in the words of the library."""
        return {
            "algorithm": self.algorithm,
            "refine": self.refine or None,
            "budget": self.budget,
            "certify": self.certify if self.certify_budget is None else self.certify_budget,
            "levels": None if self.levels is None else parse_levels(self.levels),
            "suppression_limit": parse_limit(self.suppression_limit),
            "metric": self.metric,
            "audit": self.audit,
            "seed": self.seed,
        }
