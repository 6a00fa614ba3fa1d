"""Findings of the import doctor: a card for each, with its fix as a button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.io.inspect.column_values import merged
from shoal.report.figures import counted
from shoal.web.fixes import fix, is_done, label_of, ready, with_those_before
from shoal.web.pages.tags import button, hint, tag
from shoal.web.pages.view import View

_PARTS = {"%Y": "year", "%y": "year (two digits)", "%m": "month", "%d": "day", "%b": "month (short)", "%B": "month"}
_PARTS |= {"%H": "hour", "%M": "minute", "%S": "second", "%I": "hour", "%p": "am/pm", "%f": "fraction", "%z": "zone"}
"""The names of the parts of a date, by their format codes."""


def spoken(sentence: str) -> str:
    """Replace the date format codes in a finding by words.

    >>> spoken("'DOB' holds dates written as %m/%d/%Y.")
    "'DOB' holds dates written as month/day/year."
    """
    for code, word in _PARTS.items():
        sentence = sentence.replace(code, word)
    return sentence


def findings(view: View, advice: Sequence[dict[str, Any]]) -> None:
    """Draw a card for each finding that is not fixed yet; one button fixes all that need no decision."""
    left = [one for one in advice if not is_done(view.session, one["words"])]
    if not left:
        return
    simple = ready(view.session)

    async def fix_all() -> None:
        await fix(view.session, merged(one["words"] for one in simple))
        await view.draw()

    with tag("section", id="findings", aria_label="Findings of the import"):
        with tag("div", class_="fields"):
            tag("h2", f"{counted(len(left), 'finding')} in this table")
            if len(simple) > 1:
                how_many = f"all {len(simple)}" if len(simple) == len(left) else f"{len(simple)} of them"
                button(f"Fix {how_many}", fix_all, id="fix-findings")
        with tag("div", class_="cards"):
            for number, one in enumerate(left):
                _card(view, number, one)


def _card(view: View, number: int, one: dict[str, Any]) -> None:
    async def act() -> None:
        await fix(view.session, with_those_before(view.session, one))
        await view.draw()

    with tag("div", class_="card doctor"):
        tag("p", spoken(one["what"]))
        if one["question"]:
            hint(spoken(one["question"]))
        if label := label_of(one["words"]):
            about = ", ".join(one["columns"])
            button(label, act, id=f"doctor-{number}", aria_label=f"{label}: {about}")
