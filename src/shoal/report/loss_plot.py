"""The plot of the information loss of each column."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.report.figures import cut, figure, listed
from shoal.report.grids import most_lost
from shoal.report.markup import Markup, join
from shoal.report.summary import ColumnLoss
from shoal.report.svg import WIDTH, Scale, bar, drawing, line, linear, text

_LEFT, _RIGHT, _TOP, _THICK, _GAP = 200, 60, 36, 13, 12


def column_plot(columns: Sequence[ColumnLoss]) -> Markup:
    """Horizontal bars from 0 (exact) to 1 (suppressed), one for each metric; empty if no loss is known."""
    names = list(columns[0].losses) if columns else []
    if not names:
        return Markup()
    x = linear(0, 1, _LEFT, WIDTH - _RIGHT)
    pitch = _THICK * len(names) + _GAP
    rows = most_lost(columns)
    bottom = _TOP + pitch * len(rows)
    parts = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts += [line(x(tick), _TOP, x(tick), bottom), text(f"{tick:g}", x(tick), bottom + 18, "middle")]
    parts += [_column(column, _TOP + i * pitch + _GAP / 2, x) for i, column in enumerate(rows)]
    parts += [_legend(i, name) for i, name in enumerate(names)]
    parts.append(text("0: exact, 1: suppressed", (_LEFT + WIDTH - _RIGHT) / 2, bottom + 40, "middle", "axis"))
    label = f"Loss by column, {listed([name.upper() for name in names])}; the numbers are in the table below."
    return drawing(label, bottom + 50, *parts)


def _column(column: ColumnLoss, top: float, x: Scale) -> Markup:
    middle = top + _THICK * len(column.losses) / 2 + 4
    parts = [text(cut(column.column, 22), _LEFT - 10, middle, "end", "value")]
    for i, (name, loss) in enumerate(column.losses.items()):
        at, end = top + i * _THICK, x(loss)
        parts.append(bar(_LEFT, at, max(end - _LEFT, 1), _THICK - 2, f"loss{i}", f"{name.upper()} of {column.column}"))
        parts.append(text(figure(loss), max(end, _LEFT + 1) + 5, at + 10, "start", "small"))
    return join(parts)


def _legend(i: int, name: str) -> Markup:
    left = _LEFT + 90 * i
    return join([bar(left, 8, 12, 12, f"loss{i}", name.upper()), text(name.upper(), left + 18, 18)])
