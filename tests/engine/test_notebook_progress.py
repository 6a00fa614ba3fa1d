"""A bar in notebooks: it appears in the cell that runs once that takes a while, and leaves nothing behind."""

from __future__ import annotations

import sys
from itertools import count
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.progress import Silent
from shoal.engine import notebook_progress
from shoal.engine.notebook_progress import NotebookBar, in_notebook, shows_progress

TABLE = pl.DataFrame({"age": [20, 21, 22, 23] * 5, "sex": ["f", "m"] * 10})
WORDS: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "privacy": {"k": 4}, "quick": True, "audit": "off"}


class Cell:
    """As much of a notebook's cell as a bar uses: what it shows, picture by picture."""

    def __init__(self) -> None:
        self.pictures: list[str] = []

    def display(self, shown: Any, *, display_id: bool) -> Cell:
        assert display_id
        self.update(shown)
        return self

    def update(self, shown: Any) -> None:
        self.pictures.append(shown._repr_html_())


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    cell = Cell()
    shell = SimpleNamespace(kernel=object())
    shown = SimpleNamespace(get_ipython=lambda: shell, display=SimpleNamespace(display=cell.display))
    monkeypatch.setitem(sys.modules, "IPython", shown)
    return cell


def test_a_run_in_a_notebook_shows_its_stages_and_takes_the_bar_away(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook_progress, "PACE", 0.0)
    monkeypatch.setattr(NotebookBar.__init__, "__defaults__", (0.0, NotebookBar.__init__.__defaults__[1]))  # type: ignore[index]
    shoal.anonymize(TABLE, **WORDS)
    assert any("reading" in picture for picture in cell.pictures)
    assert all("<progress" in picture for picture in cell.pictures[:-1])
    assert cell.pictures[-1] == ""


def test_what_is_done_within_a_second_shows_nothing(cell: Cell) -> None:
    bar = NotebookBar(clock=lambda: 5.0)
    bar.stage("cutting", 10)
    bar.advance(3)
    bar.close()
    assert cell.pictures == []


def test_it_tells_how_far_a_stage_is_and_escapes_what_it_says(cell: Cell) -> None:
    bar = NotebookBar(patience=0.0, clock=count().__next__)
    bar.stage("sorting <b>", 4)
    bar.advance(1)
    bar.stage("checking")
    bar.close()
    first, half, other, gone = cell.pictures
    assert first == '<div><progress value="0.000"></progress> sorting &lt;b&gt;</div>'
    assert 'value="0.250"' in half
    assert other == "<div><progress></progress> checking</div>"
    assert gone == ""


def test_pictures_are_drawn_no_faster_than_anybody_sees(cell: Cell) -> None:
    ticks = iter([0.0, *(1 + i / 100 for i in range(100))])
    bar = NotebookBar(patience=1.0, clock=lambda: next(ticks))
    for _ in range(100):
        bar.advance()
    assert 4 <= len(cell.pictures) <= 6


def test_a_failing_run_leaves_no_bar(cell: Cell) -> None:
    @shows_progress
    def verb(progress: Any = None) -> None:
        progress._next = 0.0
        progress.stage("working")
        raise shoal.GoalNotMet("no")

    with pytest.raises(shoal.GoalNotMet):
        verb()
    assert cell.pictures[-1] == ""
    assert len(cell.pictures) == 2


def test_who_gives_a_progress_of_their_own_or_uses_a_terminal_gets_no_bar(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    verb = shows_progress(lambda progress=None: seen.append(progress))
    mine = Silent()
    verb(progress=mine)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace()))
    assert not in_notebook()
    verb()
    monkeypatch.delitem(sys.modules, "IPython")
    assert not in_notebook()
    assert seen == [mine, None]


@pytest.mark.slow
def test_a_real_notebook_shows_it() -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: pip install nbclient ipykernel")
    nbformat = pytest.importorskip("nbformat")
    code = (
        "from shoal.engine import notebook_progress as n\n"
        "assert n.in_notebook()\n"
        "bar = n.NotebookBar(patience=0.0)\nbar.stage('sorting', 2)\nn.PACE = 0.0\nbar._next = 0\nbar.advance(1)"
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbclient.NotebookClient(book, timeout=120).execute()
    (shown,) = [out for out in book.cells[0].outputs if out.output_type == "display_data"]
    assert 'value="0.500"' in shown.data["text/html"]
