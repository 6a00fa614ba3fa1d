"""The tables of a report, before anybody decides how they look: the HTML and the text edition print the same ones.

Those that the public edition has take a ``PublicSummary`` or a ``RecordRisk`` and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shoal.core.release import ClaimVerdict
from shoal.report.figures import counted, cut, figure, limit_text, listed, percent, seconds
from shoal.report.published import MAX_COLUMNS, Promise, PublicSummary, PublishedClass
from shoal.report.risk import RecordRisk
from shoal.report.solutions import Solutions, mark, spelled
from shoal.report.summary import Checked, ColumnLoss, Summary

MAX_LOSSES = 30
"""How many columns the loss by column shows; those that lost most where there are more."""

MAX_SENSITIVE = 4
"""How many sensitive columns the tables of classes count values of."""


class Good(str):
    """A word to be set in the colour of good news."""

    __slots__ = ()


class Bad(str):
    """A word to be set in the colour of bad news."""

    __slots__ = ()


@dataclass(frozen=True)
class Grid:
    """A table. ``numeric`` columns are set flush right; ``headed`` rows have their name in the first cell."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: Sequence[int] = ()
    headed: bool = True


def promises(seen: PublicSummary) -> Grid:
    """What was promised."""
    rows = [[p.name, p.meaning, _state(p)] for p in seen.asked.promises]
    return Grid("Promises and whether they hold", ["Promise", "What it means", "State"], rows)


def checked_promises(summary: Summary) -> Grid:
    """What was promised, by how much it is kept, and where it is worst."""
    heads = ["Promise", "What it means", "State", "Wanted", "Achieved", "Groups", "Failing", "Worst group"]
    return Grid("Promises and whether they hold", heads, [_verdict(c) for c in summary.checked], (3, 4, 5, 6))


def _verdict(c: Checked) -> list[str]:
    numbers = [figure(c.wanted), figure(c.achieved), f"{c.n_groups:,}", f"{c.n_failing:,}"]
    return [c.promise.name, c.promise.meaning, _state(c.promise), *numbers, cut(str(c.worst[0]), 90) if c.worst else ""]


def claims(summary: Summary) -> Grid:
    """What the algorithm guarantees by itself, and what that came to."""
    rows = [[claim.claim, cut(claim.came_to, 300), _state(claim)] for claim in summary.claims]
    return Grid("Guarantees of the algorithm itself", ["Guarantee", "Achieved", "State"], rows)


def _state(promise: Promise | ClaimVerdict) -> str:
    return Good("✓ holds") if promise.holds else Bad("✗ does not hold")


def risks(before: RecordRisk | None, after: RecordRisk) -> Grid:
    """The risk figures; without ``before`` only those of the published records."""
    sides = [before, after] if before else [after]
    heads = ["Figure", "Original", "Published"] if before else ["Figure", "Published"]
    rows = [
        ["Rows", *(f"{r.n_rows:,}" for r in sides)],
        ["Unique rows", *(f"{r.n_unique:,}" for r in sides)],
        ["Highest risk", *(risk_text(r.highest) for r in sides)],
        ["Average risk", *(risk_text(r.average) for r in sides)],
    ]
    for i, level in enumerate(after.above):
        name = f"Rows with a risk above 1/{level.size} (class smaller than {level.size})"
        rows.append([name, *(percent(r.above[i].share) for r in sides)])
    caption = "Risk of a row: 1 / size of its class"
    return Grid(caption if after.is_by_class else f"{caption}; of a record: by its matches", heads, rows, (1, 2))


def risk_text(risk: float) -> str:
    """A risk, or a dash where none can be said."""
    return percent(risk) if risk <= 1 else "–"


def losses(summary: Summary) -> Grid:
    """What the release lost in all."""
    rows = [[loss.name.upper(), figure(loss.score), loss.says] for loss in summary.losses]
    return Grid("Information loss (smaller is better)", ["Metric", "Value", "Meaning"], rows, (1,))


def column_losses(summary: Summary) -> Grid:
    """What each column lost."""
    shown = most_lost(summary.columns)
    names = list(shown[0].losses) if shown else []
    heads = ["Column", "Kind", "Recoding", "Values before", "Cells after", *(n.upper() for n in names)]
    rows = [
        [c.column, c.kind, c.recoding, f"{c.n_values:,}", f"{c.n_cells:,}", *(figure(c.losses[n]) for n in names)]
        for c in shown
    ]
    some = f"The {len(shown)} columns with the highest loss, of {len(summary.columns):,}"
    caption = some if len(shown) < len(summary.columns) else "Loss by column"
    return Grid(caption, heads, rows, range(3, len(heads)))


def most_lost(columns: Sequence[ColumnLoss]) -> list[ColumnLoss]:
    """All columns in their order where they fit, else those that lost most."""
    if len(columns) <= MAX_LOSSES:
        return list(columns)
    return sorted(columns, key=lambda column: -max(column.losses.values(), default=0.0))[:MAX_LOSSES]


def sample(seen: PublicSummary) -> Grid:
    """The first records."""
    more = f"; {counted(seen.sample.n_more_columns, 'more column')} not shown" if seen.sample.n_more_columns else ""
    caption = f"{counted(len(seen.sample.rows), 'record')} of {seen.n_records:,}, as published{more}"
    return Grid(caption, seen.sample.columns, seen.sample.rows, headed=False)


def worst_classes(seen: PublicSummary) -> list[Grid]:
    """The smallest classes, and those with the fewest sensitive values where that is another question."""
    few = "The classes with the fewest different sensitive values"
    return [_classes("The smallest classes", seen, seen.smallest), _classes(few, seen, seen.least_diverse)]


def _classes(caption: str, seen: PublicSummary, classes: Sequence[PublishedClass]) -> Grid:
    names, sensitive = seen.columns.quasi[:MAX_COLUMNS], seen.diversity[:MAX_SENSITIVE]
    heads = [*names, "Records", *(f"Values of {poor.column}" for poor in sensitive)]
    rows = [[*c.labels, f"{c.size:,}", *(f"{n:,}" for n in c.n_values[:MAX_SENSITIVE])] for c in classes]
    return Grid(caption, heads, rows, range(len(names), len(heads)), headed=False)


def prepared(seen: PublicSummary) -> Grid:
    """What was done to columns before the table was anonymized, and what that does not do."""
    rows = [[name, said] for name, said in seen.asked.prepared]
    caveats = [["Mind", Bad(said)] for said in seen.asked.caveats]
    return Grid("Preparation", ["Column", "Preparation"], [*rows, *caveats], headed=True)


def making(seen: PublicSummary) -> Grid:
    """How it was made, as far as anybody may know."""
    asked = seen.asked
    return _facts(
        "Settings",
        [
            ("Policy", asked.policy),
            ("Algorithm", asked.algorithm),
            ("Promises", listed([p.name for p in asked.promises])),
            ("Metric to minimize", asked.metric.upper()),
            ("Quasi-identifiers", _names(seen.columns.quasi)),
            ("Sensitive columns", _names(seen.columns.sensitive)),
            ("Other columns", _names(seen.columns.others)),
            ("Version of shoal", asked.version),
        ],
    )


def internal_making(summary: Summary) -> Grid:
    """The rest of how it was made; never the seed."""
    run, limit = summary.run, summary.suppression_limit
    return _facts(
        "Internal",
        [
            ("Source", run.source),
            ("Dropped identifiers", _names(run.identifiers)),
            ("Why this algorithm", run.reason),
            ("Parameters", ", ".join(f"{name} = {value}" for name, value in run.parameters.items())),
            ("Suppression limit", "" if limit is None else limit_text(limit)),
            ("Time", ", ".join(f"{phase} {seconds(spent)}" for phase, spent in run.seconds.items())),
            ("Versions", ", ".join(f"{name} {version}" for name, version in run.versions.items())),
        ],
    )


def _facts(caption: str, rows: Iterable[tuple[str, str]]) -> Grid:
    return Grid(caption, ["Setting", "Value"], [[name, cut(value, 1500)] for name, value in rows if value])


def _names(names: Sequence[str], at_most: int = 20) -> str:
    shown = [cut(name) for name in names[:at_most]]
    return listed([*shown, f"{len(names) - at_most:,} more"] if len(names) > at_most else shown)


def front_grid(found: Solutions) -> Grid:
    """The nodes that lose least at their risk."""
    front = [node for node in found.nodes if node.is_on_front][:20]
    rows = [
        [spelled(node.levels), figure(node.loss), percent(node.risk), f"{node.n_suppressed:,}", mark(node, found)]
        for node in front
    ]
    caption = f"Nodes that no other node beats in both loss and risk; levels of {', '.join(found.names)}"
    return Grid(caption, ["Levels", found.metric.upper(), "Highest risk", "Suppressed", "Note"], rows, (1, 2, 3))
