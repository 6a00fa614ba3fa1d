"""``shoal audit``: what an adversary gets out of a release."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.audit import ALL
from shoal.cli import words
from shoal.cli.bundles import bundled
from shoal.cli.columns import Roles
from shoal.cli.labels import Labels, Original, Release
from shoal.cli.progress import reporting
from shoal.cli.reading import Reading
from shoal.cli.shown import Shown, show, show_data
from shoal.core.parameters import whole_number
from shoal.engine.auditing import audit_release
from shoal.engine.targets import REPORT_ENDINGS
from shoal.io.atomic import write_private
from shoal.io.write import check_target
from shoal.report.audit_editions import audit_parts, render_audit_html, render_audit_json, render_audit_text

_ATTACKS = "Attacks"
_EDITIONS = {".html": render_audit_html, ".json": render_audit_json, ".txt": render_audit_text}


@dataclass(frozen=True)
class Attacks:
    """What is tried, and what is known besides."""

    k: Annotated[
        int | None, typer.Option(help="What was promised; chances are compared with 1 / k.", rich_help_panel=_ATTACKS)
    ] = None
    attack: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help=f"Only these: {', '.join(ALL)}; with options as in corruption:corrupted=3.",
            rich_help_panel=_ATTACKS,
        ),
    ] = None
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Try everything, also what takes minutes.", rich_help_panel=_ATTACKS)
    ] = False
    other: Annotated[
        Path | None,
        typer.Option(
            "--with", metavar="FILE", help="Another release about some of the same people.", rich_help_panel=_ATTACKS
        ),
    ] = None
    population: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|NUMBER",
            help="Everybody the people were drawn from: a table, or how many they are.",
            rich_help_panel=_ATTACKS,
        ),
    ] = None
    seed: Annotated[int | None, typer.Option(help="Makes what is sampled repeatable.", rich_help_panel=_ATTACKS)] = None

    def words(self) -> dict[str, Any]:
        """The same in the words of the library."""
        said = self.population
        return {
            "k": self.k,
            "attacks": words.names("--attack", self.attack) or None,
            "thorough": self.thorough,
            "other": self.other,
            "population": whole_number("--population", said, least=1) if said and said.isdecimal() else said,
            "seed": self.seed,
        }


Report = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Write the audit, for you alone: .html, .json or .txt.")
]


@bundled
def command(
    original: Original,
    release: Release,
    columns: Roles,
    labels: Labels,
    attacks: Attacks,
    reading: Reading,
    shown: Shown,
    report: Report = None,
) -> None:
    """Attack a release, whoever made it, and say what an adversary gets out of it.

    Labels are read as they are printed: values, ranges such as [17..30] or 17-30, sets such as {a, b}, masks such as
    021**, stars, and the labels of hierarchies you give. Exit status 1 where an attack succeeds.

    shoal audit original.csv release.csv --quasi age,zip,sex --sensitive disease --hierarchy zip=mask --k 5
    """
    if report is not None:
        check_target(report, [original, release], REPORT_ENDINGS)
    said = {**columns.words(), **labels.words(), **attacks.words(), **reading.words()}
    with reporting(shown.quiet) as progress:
        found = audit_release(original, release, progress=progress, **said)
    shown.notes(found.notes)
    if report is not None:
        write_private(_EDITIONS[report.suffix.lower()](found), report)
        shown.notes([f"{report} is the audit, readable by you alone."])
    if shown.json:
        show_data(render_audit_json(found))
    if shown.for_people:
        show(*audit_parts(found))
    if not found.withstands:
        raise typer.Exit(1)
