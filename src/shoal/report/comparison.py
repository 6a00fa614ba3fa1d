"""A comparison of algorithms: its entries, its table, its plot, its page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import itemgetter

from rich.console import RenderableType
from rich.text import Text

from shoal.report import svg
from shoal.report.figures import counted, figure, percent, seconds
from shoal.report.grids import Bad, Good, Grid
from shoal.report.html_edition import page
from shoal.report.markup import Markup, element, join
from shoal.report.sections import paragraphs, section, table
from shoal.report.text_edition import rich_table
from shoal.report.usefulness_page import by_form, errors_grid, form_plots, is_of_form

LOSSES = {"lm": "LM", "gcp": "GCP", "entropy": "Entropy", "dm": "DM", "aecs": "AECS", "usefulness": "Usefulness"}
"""The loss metrics in a comparison."""


@dataclass(frozen=True)
class Entry:
    """The result of one algorithm for one goal.

    ``state`` is "done", "refused" (the algorithm does not support the goal), "not met" (it found no release), "time
    limit" or "failed"; ``reason`` says why it is not done. Risks are 1 / the number of records among which a person
    hides, the highest and the mean. ``is_on_front``: no other entry has both less LM loss and a lower risk.
    """

    algorithm: str
    goal: str
    state: str
    reason: str = ""
    losses: dict[str, float] = field(default_factory=dict)
    utility: dict[str, float | None] = field(default_factory=dict)
    highest_risk: float | None = None
    average_risk: float | None = None
    n_suppressed: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    peak_mib: float | None = None
    is_on_front: bool = False

    @property
    def is_done(self) -> bool:
        """Whether there is a release."""
        return self.state == "done"


def comparison_parts(entries: Sequence[Entry]) -> list[RenderableType]:
    """The parts shown in the terminal."""
    grids = [*short_grids(entries), *forms_grids(entries), left_out(entries)]
    return [*(Text(said, "bold") for said in headlines(entries)), *(rich_table(grid) for grid in grids if grid.rows)]


def comparison_html(entries: Sequence[Entry]) -> str:
    """The comparison as a page."""
    return page("Algorithms compared", *comparison_sections(entries))


def comparison_sections(entries: Sequence[Entry]) -> list[Markup]:
    """The same as sections, for notebooks and other pages."""
    done = [entry for entry in entries if entry.is_done]
    plot = scatter(
        [(e.losses["lm"], e.highest_risk or 0.0, f"{e.algorithm}, {e.goal}", e.is_on_front) for e in done],
        "loss (LM)",
        "highest risk",
    )
    return [
        section("Which loses least", paragraphs(headlines(entries)), plot),
        *(section(grid.caption, table(grid)) for grid in goal_grids(entries)),
        section("Utility", *(table(grid) for grid in utility_grids(entries))),
        *(
            section(grid.caption, table(grid), form_plots(rows))
            for grid, rows in zip(forms_grids(entries), _forms(entries).values(), strict=True)
        ),
        section("Left out", table(left_out(entries))),
    ]


def comparison_fragment(entries: Sequence[Entry]) -> str:
    """Only the tables, for a notebook's cell."""
    grids = [*goal_grids(entries), *forms_grids(entries), left_out(entries)]
    return join([element("div", *(table(grid) for grid in grids if grid.rows))])


def comparison_json(entries: Sequence[Entry]) -> str:
    """All fields as JSON."""
    return json.dumps([asdict(entry) for entry in entries], ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def headlines(entries: Sequence[Entry]) -> list[str]:
    """The algorithm with the least loss for each goal."""
    said = []
    for goal, done in _by_goal(entries).items():
        best = min(done, key=lambda entry: entry.losses["lm"])
        said.append(
            f"{goal}: {best.algorithm} loses least, LM {figure(best.losses['lm'])} in {seconds(best.seconds or 0)}, "
            f"of {counted(len(done), 'algorithm')}."
        )
    return said or ["No algorithm made a release."]


def goal_grids(entries: Sequence[Entry]) -> list[Grid]:
    """A table for each goal, least LM first."""
    heads = ["Algorithm", *LOSSES.values(), "Suppressed", "Top risk", "Mean risk", "Time", "CPU", "Memory", "Front"]
    return [
        Grid(goal, heads, [_row(entry) for entry in sorted(done, key=lambda e: e.losses["lm"])], range(1, 13))
        for goal, done in _by_goal(entries).items()
    ]


def short_grids(entries: Sequence[Entry]) -> list[Grid]:
    """The same, reduced to fit a terminal."""
    keep = (0, 1, 2, 4, 5, 8, 9, 10, 12, 13)
    pick = itemgetter(*keep)
    return [Grid(grid.caption, pick(grid.heads), [*map(pick, grid.rows)], range(1, 9)) for grid in goal_grids(entries)]


def utility_grids(entries: Sequence[Entry]) -> list[Grid]:
    """The error of query answers from the releases, for each goal."""
    grids = []
    for goal, done in _by_goal(entries).items():
        names = list(dict.fromkeys(name for entry in done for name in entry.utility if not is_of_form(name)))
        rows = [
            [entry.algorithm, *(_figure(entry.utility.get(name)) for name in names)]
            for entry in sorted(done, key=lambda e: e.losses["lm"])
        ]
        if names:
            grids.append(Grid(f"{goal}: errors of answers", ["Algorithm", *names], rows, range(1, len(names) + 1)))
    return grids


def forms_grids(entries: Sequence[Entry]) -> list[Grid]:
    """The errors of analyses on each algorithm's release in each requested form, for each goal."""
    grids = [
        errors_grid(f"{goal}: what analysts get by form", "Release", rows) for goal, rows in _forms(entries).items()
    ]
    # two lines, for narrow terminals
    return [replace(grid, heads=[head.replace("-", "\n") for head in grid.heads]) for grid in grids]


def _forms(entries: Sequence[Entry]) -> dict[str, dict[str, dict[str, float | None]]]:
    """The errors of analyses per goal, for each algorithm and requested form."""
    return {
        goal: {
            f"{entry.algorithm}, {form}": errors for entry in done for form, errors in by_form(entry.utility).items()
        }
        for goal, done in _by_goal(entries).items()
    }


def left_out(entries: Sequence[Entry]) -> Grid:
    """The algorithms without a release, and why."""
    rows = [[e.algorithm, e.goal, Bad(e.state), e.reason] for e in entries if not e.is_done]
    return Grid("Algorithms without a release", ["Algorithm", "Goal", "State", "Why"], rows)


def _row(entry: Entry) -> list[str]:
    return [
        entry.algorithm,
        *(_figure(entry.losses.get(name)) for name in LOSSES),
        f"{entry.n_suppressed or 0:,}",
        percent(entry.highest_risk or 0.0),
        percent(entry.average_risk or 0.0),
        seconds(entry.seconds or 0.0),
        seconds(entry.cpu_seconds or 0.0),
        f"{entry.peak_mib or 0:,.0f} MiB",
        Good("yes") if entry.is_on_front else "",
    ]


def _figure(value: float | None) -> str:
    return "" if value is None else figure(value)


def _by_goal(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    goals = dict.fromkeys(entry.goal for entry in entries if entry.is_done)
    return {goal: [entry for entry in entries if entry.goal == goal and entry.is_done] for goal in goals}


_TOP, _BOTTOM = 24, 300

Point = tuple[float, float, str, bool]
"""Loss, risk, name, and whether no other point beats it in both."""


def scatter(points: Sequence[Point], across: str, up: str) -> Markup:
    """A scatter plot; each dot shows its name on hover. Empty if there are no points."""
    if not points:
        return Markup()
    most_x, most_y = (1.08 * max(values) or 1.0 for values in ([p[0] for p in points], [p[1] for p in points]))
    x, y = svg.linear(0, most_x, svg.LEFT, svg.WIDTH - svg.RIGHT), svg.linear(0, most_y, _BOTTOM, _TOP)
    parts = [svg.text(figure(most_x * i / 4), x(most_x * i / 4), _BOTTOM + 20, "middle") for i in range(5)]
    parts += [svg.level(percent(most_y * i / 4), y(most_y * i / 4)) for i in range(5)]
    front = sorted((point for point in points if point[3]), key=lambda point: point[0])
    parts += [svg.joined((x(point[0]), y(point[1])) for point in front)] if front else []
    parts += [_dot(x(loss), y(risk), name, is_front) for loss, risk, name, is_front in points]
    description = f"{up} against {across} of {len(points)} releases; {len(front)} of them no other beats in both."
    return svg.drawing(description, _BOTTOM + 54, *parts, svg.axes(across, up, 0, _BOTTOM))


def _dot(x: float, y: float, name: str, is_front: bool) -> Markup:
    class_ = "dot chosen" if is_front else "dot"
    return element("circle", element("title", name), cx=x, cy=y, r=6 if is_front else 4, class_=class_)
