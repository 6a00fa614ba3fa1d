from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from report.made_by_hand import SCRIPT, Made
from shoal.report.before_after import Pair, before_after_table, pairs_of
from shoal.report.figures import figure
from shoal.report.json_edition import render_json
from shoal.report.summary import Summary
from shoal.report.text_edition import render_plain, render_text


def printed(thing: object, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(thing)
    return capture.get()


def test_the_text_has_the_numbers_of_the_summary(summary: Summary) -> None:
    text = render_plain(summary)
    for loss in summary.losses:
        assert figure(loss.score) in text
    assert "✓ holds" in text
    assert "Internal edition" in text
    assert SCRIPT[:20] in text
    assert "Public edition" in render_plain(summary, public=True)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_fit_the_terminal(summary: Summary, width: int) -> None:
    assert max(map(len, printed(render_text(summary), width).splitlines())) <= width


def test_values_are_not_taken_for_instructions() -> None:
    pair = Pair({"[bold]q": "[red]x"}, {"[bold]q": "[bad..good]"}, {"s": "[/]"})
    text = printed(before_after_table([pair], identifiers=["[blink]"]))
    for value in ("[bold]q", "[red]x", "[bad..good]", "[/]", "Removed: [blink]"):
        assert value in text


def test_before_stands_above_after(made: Made) -> None:
    pairs = pairs_of(made.release, 2)
    lines = printed(before_after_table(pairs), 200).splitlines()
    before = [line for line in lines if "│ before " in line]
    after = [line for line in lines if "│ after " in line]
    assert (len(before), len(after)) == (2, 2)
    for line, pair in zip(after, pairs, strict=True):
        assert pair.after["age"] in line
        assert pair.sensitive["diagnosis"][:20] in line


def test_pairs_of_few_records(made: Made) -> None:
    assert len(pairs_of(made.release, 10_000)) == 593
    assert printed(before_after_table([])).strip() != ""


def test_json_has_the_same_numbers(summary: Summary) -> None:
    internal, public = json.loads(render_json(summary)), json.loads(render_json(summary, public=True))
    assert (internal["edition"], public["edition"]) == ("internal", "public")
    assert internal["published"]["risk"] == public["risk"]
    assert public["risk"]["smallest"] == summary.published.risk.smallest
    assert internal["before"]["n_unique"] == (summary.before.n_unique if summary.before else None)
    assert {loss["name"]: loss["score"] for loss in internal["losses"]} == {x.name: x.score for x in summary.losses}
    assert internal["n_suppressed"] == 20
    assert "n_suppressed" not in json.dumps(public)
