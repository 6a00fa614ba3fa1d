"""The solution space of a full-domain search in the report: the lattice by height, and loss against risk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shoal.report import svg
from shoal.report.figures import figure, percent
from shoal.report.markup import Markup, element, join
from shoal.report.svg import LEFT, RIGHT, WIDTH, Scale, drawing, linear, text

_TOP = 24
_MOST_DOTS = 3_000


@dataclass(frozen=True)
class Solution:
    """One node: its levels, loss, highest risk, number of suppressed rows, and whether it satisfies the goal."""

    levels: tuple[int, ...]
    loss: float
    risk: float
    n_suppressed: int
    is_feasible: bool
    is_on_front: bool


@dataclass(frozen=True)
class Solutions:
    """All nodes, the best of them, and the published one."""

    names: tuple[str, ...]
    metric: str
    nodes: tuple[Solution, ...]
    best: tuple[int, ...] | None
    chosen: tuple[int, ...] | None


def solutions_part(found: Solutions) -> Markup:
    """A sentence and two plots."""
    n_feasible = sum(node.is_feasible for node in found.nodes)
    said = (
        f"The lattice has {len(found.nodes):,} nodes, one for each choice of a level per column; {n_feasible:,} "
        "of them keep every promise within the suppression limit. Any of them can be published with --levels."
    )
    return join([element("p", said), lattice_plot(found), front_plot(found)])


def spelled(levels: Sequence[int]) -> str:
    """Levels in the format of the command line."""
    return ",".join(str(level) for level in levels)


def mark(node: Solution, found: Solutions) -> str:
    """Whether the node is the optimum, the published one, or both."""
    words = [word for word, levels in (("optimum", found.best), ("published", found.chosen)) if node.levels == levels]
    return ", ".join(words)


def lattice_plot(found: Solutions) -> Markup:
    """A dot for each node, in the row of its height, further right the more it loses."""
    top = max(sum(node.levels) for node in found.nodes)
    bottom = _TOP + max(160, 14 * top)
    x, y = _losses(found), linear(0, max(1, top), bottom, _TOP)
    ticks = [text(str(height), LEFT - 8, y(height) + 4, "end") for height in range(0, top + 1, max(1, top // 8))]
    dots = [_dot(node, x(node.loss), y(sum(node.levels)), found) for node in _thinned(found)]
    axes = _axes(found, x, bottom, "height: sum of levels")
    description = f"{len(found.nodes):,} nodes of the lattice by height and loss."
    return drawing(description, bottom + 54, *ticks, *dots, *axes)


def front_plot(found: Solutions) -> Markup:
    """Loss against risk for the nodes that satisfy the goal, with the front joined by a line."""
    feasible = [node for node in found.nodes if node.is_feasible]
    if not feasible:
        return Markup()
    bottom = _TOP + 230
    most = max(node.risk for node in feasible) or 1.0
    x, y = _losses(found), linear(0, most * 1.1, bottom, _TOP)
    ticks = [svg.level(percent(risk), y(risk)) for risk in (0, most / 2, most)]
    dots = [_dot(node, x(node.loss), y(node.risk), found) for node in _thinned(found) if node.is_feasible]
    front = sorted((node for node in feasible if node.is_on_front), key=lambda node: node.loss)
    line = svg.joined((x(node.loss), y(node.risk)) for node in front)
    description = f"Loss against highest risk of the {len(feasible):,} nodes that keep the goal."
    return drawing(description, bottom + 54, *ticks, *dots, line, *_axes(found, x, bottom, "highest risk"))


def _losses(found: Solutions) -> Scale:
    losses = [node.loss for node in found.nodes]
    return linear(min(losses), max(losses), LEFT + 8, WIDTH - RIGHT - 8)


def _axes(found: Solutions, x: Scale, bottom: float, name: str) -> Iterable[Markup]:
    losses = [node.loss for node in found.nodes]
    low, high = min(losses), max(losses)
    for tick in (low, low + (high - low) / 2, high):
        yield text(figure(tick), x(tick), bottom + 22, "middle")
    yield svg.axes(f"loss ({found.metric})", name, _TOP, bottom)


def _thinned(found: Solutions) -> list[Solution]:
    """At most a few thousand nodes, always including the optimum, the published one and the front."""
    step = -(-len(found.nodes) // _MOST_DOTS)
    special = {found.best, found.chosen}
    return [node for i, node in enumerate(found.nodes) if i % step == 0 or node.is_on_front or node.levels in special]


def _dot(node: Solution, x: float, y: float, found: Solutions) -> Markup:
    is_special = node.levels in (found.best, found.chosen)
    title = f"{spelled(node.levels)}: loss {figure(node.loss)}, risk {percent(node.risk)} {mark(node, found)}".strip()
    class_, r = ("dot chosen", 6.0) if is_special else ("dot" if node.is_feasible else "dot out", 2.5)
    return element("circle", element("title", title), cx=x, cy=y, r=r, class_=class_, data_node=spelled(node.levels))
