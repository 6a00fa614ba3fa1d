"""Plots of what analysts lose: a bar for every form, in the length of its error, and no script or network."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import shoal
from shoal.engine.usefulness import Usefulness
from shoal.report.comparison import Entry, comparison_html, comparison_parts, forms_grids, utility_grids
from shoal.report.usefulness_page import by_form, form_plots
from shoal.utility.analyses import ALL as ANALYSES

FOUND = {
    "marginals": 0.25, "labels: counts": 0.4, "labels: sums": None, "center: counts": 0.1, "center: sums": 0.02,
    "sampled: counts": 0.2, "sampled: sums": 0.04,
}  # fmt: skip


def test_errors_are_taken_apart_by_form() -> None:
    assert by_form(FOUND) == {
        "labels": {"counts": 0.4, "sums": None},
        "center": {"counts": 0.1, "sums": 0.02},
        "sampled": {"counts": 0.2, "sums": 0.04},
    }


def test_bars_are_as_long_as_errors_and_the_nearest_form_stands_out() -> None:
    drawn = form_plots(by_form(FOUND), {"counts": "total variation"})
    counts, sums = drawn.split("<h3>")[1:]
    assert counts.startswith("counts: total variation</h3>")
    bars = re.findall(r'<rect[^>]*width="([\d.]+)"[^>]*class="(\w+)"', counts)
    widths = [float(width) for width, _ in bars]
    assert widths == pytest.approx([widths[0], widths[0] / 4, widths[0] / 2])
    assert [class_ for _, class_ in bars] == ["loss3", "after", "loss3"]
    assert "no answer" in sums
    assert sums.count("<rect") == 2
    assert "center is nearest" in drawn


def test_nothing_is_drawn_where_nothing_was_measured() -> None:
    assert not form_plots({})
    assert not form_plots({"labels": {"sums": None}})


def test_a_form_without_any_error_has_a_bar_that_can_be_seen() -> None:
    assert 'width="1"' in form_plots({"labels": {"counts": 0.0}})


def test_the_page_has_tables_and_plots_and_asks_nobody(tmp_path: Path) -> None:
    found = Usefulness(FOUND)
    found.report(tmp_path / "useful.html")
    page = (tmp_path / "useful.html").read_text()
    assert page.count("<svg") == 2
    assert "0.2500" in page
    assert "<script" not in page
    assert not re.search(r'(src|href)="', page)
    assert (tmp_path / "useful.html").stat().st_mode & 0o077 == 0
    found.report(tmp_path / "useful.json")
    assert json.loads((tmp_path / "useful.json").read_text()) == FOUND
    assert "<table" in found._repr_html_()
    with pytest.raises(shoal.InputError, match=r"known are \.html, \.json"):
        found.report(tmp_path / "useful.png")


def test_a_comparison_draws_every_algorithm_in_every_form() -> None:
    done: dict[str, Any] = {"state": "done", "goal": "k = 5", "losses": {"lm": 0.1}, "highest_risk": 0.2}
    entries = [Entry(algorithm=name, utility=FOUND, **done) for name in ("mondrian", "lattice")]
    page = comparison_html(entries)
    assert "what analysts get by form" in page
    assert "mondrian, sampled" in page
    assert "lattice, center" in page
    assert "by form" not in comparison_html([Entry(algorithm="mondrian", utility={"pairs": 0.1}, **done)])


def test_a_comparison_has_a_row_for_every_algorithm_in_every_form_on_the_terminal_too() -> None:
    done: dict[str, Any] = {"state": "done", "goal": "k = 5", "losses": {"lm": 0.1}, "highest_risk": 0.2}
    entries = [Entry(algorithm=name, utility=FOUND, **done) for name in ("mondrian", "lattice")]
    (grid,) = forms_grids(entries)
    assert grid.heads == ["Release", "counts", "sums"]
    assert grid.rows[:2] == [["mondrian, labels", "0.4000", "–"], ["mondrian, center", "0.1000", "0.0200"]]
    assert len(grid.rows) == 6
    assert utility_grids(entries)[0].heads == ["Algorithm", "marginals"]
    many: dict[str, float | None] = {f"sampled: {name}": 0.5 for name in ANALYSES}
    console = Console(width=120, record=True, file=StringIO())
    console.print(*comparison_parts([Entry(algorithm="mondrian", utility=many, **done)]))
    assert "mondrian, sampled" in console.export_text()
