"""The plot of several runs: what each lost, and how risky it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.report.figures import cut, figure, percent
from shoal.report.markup import Markup, element, join
from shoal.report.svg import WIDTH, drawing, line, linear, text, turned

_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 120, 24, 230


@dataclass(frozen=True)
class RunDot:
    """A run: its name, loss and highest risk, and whether it is the one that is looked at."""

    name: str
    loss: float
    risk: float
    is_chosen: bool


def runs_plot(runs: Sequence[RunDot], metric: str) -> Markup:
    """Each run a dot; the further down and left, the better. Nothing where there are none."""
    if not runs:
        return Markup()
    most_loss, most_risk = max(run.loss for run in runs) or 1.0, max(run.risk for run in runs) or 1.0
    x, y = linear(0, most_loss * 1.05, _LEFT, WIDTH - _RIGHT), linear(0, most_risk * 1.1, _BOTTOM, _TOP)
    ticks = [
        join([line(_LEFT, y(risk), WIDTH - _RIGHT, y(risk)), text(percent(risk), _LEFT - 8, y(risk) + 4, "end")])
        for risk in (0, most_risk / 2, most_risk)
    ]
    ticks += [text(figure(loss), x(loss), _BOTTOM + 22, "middle") for loss in (0, most_loss / 2, most_loss)]
    names = [text(f"loss ({metric})", (_LEFT + WIDTH - _RIGHT) / 2, _BOTTOM + 44, "middle", "axis")]
    dots = [_dot(run, x(run.loss), y(run.risk)) for run in runs]
    axis = turned("highest risk", 14, (_TOP + _BOTTOM) / 2)
    return drawing(f"Loss against highest risk of {len(runs)} runs.", _BOTTOM + 54, *ticks, *dots, *names, axis)


def _dot(run: RunDot, x: float, y: float) -> Markup:
    said = f"{cut(run.name)}: loss {figure(run.loss)}, risk {percent(run.risk)}"
    dot = element("circle", element("title", said), cx=x, cy=y, r=6.0, class_="dot chosen" if run.is_chosen else "dot")
    return join([dot, text(cut(run.name, 18), x + 9, y + 4, "start", "small")])
