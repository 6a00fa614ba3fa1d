"""The tables of a report, independent of their format: the HTML and the text edition print the same ones.

Tables of the public edition take only a ``PublicSummary`` or a ``RecordRisk``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shoal.core.contracts import Verdict
from shoal.core.release import ClaimVerdict
from shoal.report.figures import counted, cut, figure, limit_text, listed, percent, seconds
from shoal.report.published import MAX_COLUMNS, Promise, PublicSummary, PublishedClass
from shoal.report.risk import RecordRisk
from shoal.report.solutions import Solutions, mark, spelled
from shoal.report.summary import Checked, ColumnLoss, Summary

MAX_LOSSES = 30
"""Maximum number of columns in the table of losses: those with the largest losses."""

MAX_SENSITIVE = 4
"""Maximum number of sensitive columns in the tables of classes."""


class Good(str):
    """A text in the color of good news."""

    __slots__ = ()


class Bad(str):
    """A text in the color of bad news."""

    __slots__ = ()


@dataclass(frozen=True)
class Grid:
    """A table. ``numeric`` columns are right-aligned; ``headed`` rows have their name in the first cell."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: Sequence[int] = ()
    headed: bool = True


def promises(seen: PublicSummary) -> Grid:
    """The privacy models of the release."""
    rows = [[p.name, p.meaning, _state(p)] for p in seen.asked.promises]
    return Grid("Promises and whether they hold", ["Promise", "What it means", "State"], rows)


def checked_promises(summary: Summary) -> Grid:
    """The privacy models, the values achieved, and the worst group."""
    heads = ["Promise", "What it means", "State", "Wanted", "Achieved", "Groups", "Failing", "Worst group"]
    return Grid("Promises and whether they hold", heads, [_verdict(c) for c in summary.checked], (3, 4, 5, 6))


def _verdict(c: Checked) -> list[str]:
    numbers = [figure(c.wanted), figure(c.achieved), f"{c.n_groups:,}", f"{c.n_failing:,}"]
    return [c.promise.name, c.promise.meaning, _state(c.promise), *numbers, cut(str(c.worst[0]), 90) if c.worst else ""]


def claims(summary: Summary) -> Grid:
    """The guarantees of the algorithm itself, and the values achieved."""
    rows = [[claim.claim, cut(claim.came_to, 300), _state(claim)] for claim in summary.claims]
    return Grid("Guarantees of the algorithm itself", ["Guarantee", "Achieved", "State"], rows)


def _state(promise: Promise | ClaimVerdict) -> str:
    return Good("✓ holds") if promise.holds else Bad("✗ does not hold")


def risks(before: RecordRisk | None, after: RecordRisk) -> Grid:
    """The risk figures; without ``before``, only those of the published records."""
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
    """A risk, or a dash if it is undefined."""
    return percent(risk) if risk <= 1 else "–"


def losses(summary: Summary) -> Grid:
    """The information loss of the whole release."""
    rows = [[loss.name.upper(), figure(loss.score), loss.says] for loss in summary.losses]
    return Grid("Information loss (smaller is better)", ["Metric", "Value", "Meaning"], rows, (1,))


def column_losses(summary: Summary) -> Grid:
    """The information loss of each column."""
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
    """All columns in order if they fit, otherwise those with the largest losses."""
    if len(columns) <= MAX_LOSSES:
        return list(columns)
    return sorted(columns, key=lambda column: -max(column.losses.values(), default=0.0))[:MAX_LOSSES]


def sample(seen: PublicSummary) -> Grid:
    """The first records."""
    more = f"; {counted(seen.sample.n_more_columns, 'more column')} not shown" if seen.sample.n_more_columns else ""
    caption = f"{counted(len(seen.sample.rows), 'record')} of {seen.n_records:,}, as published{more}"
    return Grid(caption, seen.sample.columns, seen.sample.rows, headed=False)


def worst_classes(seen: PublicSummary) -> list[Grid]:
    """The smallest classes, and those with the fewest sensitive values if there are sensitive columns."""
    few = "The classes with the fewest different sensitive values"
    return [_classes("The smallest classes", seen, seen.smallest), _classes(few, seen, seen.least_diverse)]


def _classes(caption: str, seen: PublicSummary, classes: Sequence[PublishedClass]) -> Grid:
    names, sensitive = seen.columns.quasi[:MAX_COLUMNS], seen.diversity[:MAX_SENSITIVE]
    heads = [*names, "Records", *(f"Values of {poor.column}" for poor in sensitive)]
    rows = [[*c.labels, f"{c.size:,}", *(f"{n:,}" for n in c.n_values[:MAX_SENSITIVE])] for c in classes]
    return Grid(caption, heads, rows, range(len(names), len(heads)), headed=False)


def prepared(seen: PublicSummary) -> Grid:
    """What was done to columns before the table was anonymized, and the limits of that."""
    rows = [[name, said] for name, said in seen.asked.prepared]
    caveats = [["Mind", Bad(said)] for said in seen.asked.caveats]
    return Grid("Preparation", ["Column", "Preparation"], [*rows, *caveats], headed=True)


def making(seen: PublicSummary) -> Grid:
    """The public settings of the run."""
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
    """The other settings of the run, except the seed."""
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


def _names(names: Sequence[str]) -> str:
    return listed([cut(name) for name in names], 20)


def front_grid(found: Solutions) -> Grid:
    """The nodes with the least loss at their risk."""
    front = [node for node in found.nodes if node.is_on_front][:20]
    rows = [
        [spelled(node.levels), figure(node.loss), percent(node.risk), f"{node.n_suppressed:,}", mark(node, found)]
        for node in front
    ]
    caption = f"Nodes that no other node beats in both loss and risk; levels of {', '.join(found.names)}"
    return Grid(caption, ["Levels", found.metric.upper(), "Highest risk", "Suppressed", "Note"], rows, (1, 2, 3))


def verdict_grid(verdicts: Sequence[Verdict]) -> Grid:
    """For each privacy model: the required and achieved values, and whether it holds."""
    heads = ["Promise", "Wanted", "Achieved", "Holds", "Groups", "Failing"]
    rows = [
        [v.title, figure(v.wanted), figure(v.achieved), _holds(v), f"{v.n_groups:,}", f"{v.n_failing:,}"]
        for v in verdicts
    ]
    return Grid("Promises", heads, rows, (1, 2, 4, 5))


def _holds(verdict: Verdict) -> str:
    return Good("yes") if verdict.holds else Bad("NO")
