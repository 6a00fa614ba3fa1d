"""Preparation: changes to the values of columns before the table is anonymized, and sampling of its rows."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui.element import Element

from shoal.io.preparation.bands import PERIODS
from shoal.report.figures import cut
from shoal.web.pages.changing import change, set_number
from shoal.web.pages.fields import several
from shoal.web.pages.tags import button, choice, field, hint, tag
from shoal.web.pages.view import View
from shoal.web.preparation_forms import PreparationField, everything_said, said_of, suited, with_preparation
from shoal.web.word_forms import label


async def build(view: View) -> None:
    """A column and its possible steps; a sample; all steps chosen so far."""
    session = view.session
    if session.table.name is None:
        tag("p", "Open a table under Prepare first.")
        return
    hint(
        "Changes made before the table is anonymized. They are not secret, the report lists them, and none of them "
        "is a privacy model."
    )
    kinds = {one["name"]: session.table.kind(one["name"]) or one["kind"] for one in (await view.inspect())["columns"]}
    published = [name for name in kinds if session.table.role(name) not in ("identifier", "person", "masked")]
    verdict = tag("div", id="verdict", aria_live="polite")
    if published:
        _column(view, verdict, published, kinds)
    _sample(view, verdict)
    _all(view, verdict)


def _column(view: View, verdict: Element, names: list[str], kinds: dict[str, str]) -> None:
    session = view.session
    column = session.table.column if session.table.column in names else names[0]

    async def choose(name: str) -> None:
        session.table.column = name
        await view.draw()

    with tag("section", class_="card"):
        tag("h2", "One column")
        choice("Column", {name: cut(name, 40) for name in names}, column, choose, id="prepared-column")
        with tag("div", class_="fields"):
            for one in suited(kinds[column]):
                _field(view, verdict, one, column, kinds[column])
        for one in suited(kinds[column]):
            hint(one.hint)


def _field(view: View, verdict: Element, one: PreparationField, column: str, kind: str) -> None:
    said, name = said_of(view.session.words, one.word, column), f"prepare-{one.word}"
    give = partial(_say, view, verdict, one.word, column)
    if one.form == "periods":
        choice(one.label, {"": "no", **{period: period for period in PERIODS}}, said, give, id=name)
    elif one.form == "bands":
        values = said.split(",") if said else []
        several(one.label, "number", values, lambda all_: give(",".join(all_)), name=name, step="any")
    elif kind == "date":
        field(one.label, "date", said, give, id=name)
    else:
        limits = {"step": "1", "min": "2"} if one.form == "whole" else {"step": "any"}
        field(one.label, "number", said, give, id=name, **limits)


async def _say(view: View, verdict: Element, word: str, column: str, value: str) -> None:
    def alter(words: dict[str, Any]) -> None:
        changed = with_preparation(words, word, column, value.strip())
        words.clear()
        words.update(changed)

    await change(view, verdict, alter)
    await view.draw()


def _sample(view: View, verdict: Element) -> None:
    said = view.session.words.get("sample_share", 1.0)
    share = set_number(view, verdict, "sample_share", "The sample", lambda number: number / 100, 1.0)
    with tag("section", class_="card"):
        tag("h2", "A sample of the rows")
        limits = {"min": "0", "max": "100", "step": "any"}
        field(f"{label('sample_share')} (%)", "number", f"{100 * said:g}", share, id="sample-share", **limits)
        hint("Each row, or each person with all rows, is kept with this chance.")


def _all(view: View, verdict: Element) -> None:
    """List all steps chosen, each with a button to remove it."""
    said = everything_said(view.session.words)
    if not said:
        return
    with tag("section", class_="card", id="prepared"):
        tag("h2", "What is prepared")
        with tag("ul", class_="plain"):
            for number, (word, column, value) in enumerate(said):
                with tag("li"):
                    tag("span", f"{cut(column, 40)}: {word} {value} ")
                    take_back = partial(_say, view, verdict, word, column, "")
                    button("Remove", take_back, id=f"unprepare-{number}", aria_label=f"Remove {word} of {column}")
