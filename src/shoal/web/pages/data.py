"""Data: open a table, look at it, say what its columns are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from nicegui.element import Element

from shoal.core.domain import Kind
from shoal.core.schema import Role
from shoal.engine.vocabulary import Reading
from shoal.io.inspect.advice import merged
from shoal.report.figures import counted, cut, listed, percent
from shoal.report.grids import Grid
from shoal.report.sections import table
from shoal.web.pages.reading import reading_fields
from shoal.web.pages.tags import bare_choice, button, markup, on, tag
from shoal.web.pages.view import View
from shoal.web.session import Session

_ROWS = 20


async def build(view: View) -> None:
    """The door for files; then rows, columns, and who stands alone."""
    _door(view)
    session = view.session
    if session.table is None:
        tag("p", "Open a table of people, or take the example: patients who do not exist.")
        return
    size = session.size
    tag("h2", f"{session.table}: {counted(size['n_rows'], 'row')}, {counted(len(size['columns']), 'column')}")
    for note in size["notes"]:
        tag("p", note, class_="hint")
    alone = tag("div", id="alone", aria_live="polite")
    with alone:
        tag("p", "Looking at the columns …", class_="hint")
    columns = tag("div")
    grid = tag("div")
    with grid:
        await _rows(view, grid, 0)
    view.later(columns, lambda: _columns(view, columns, alone))


def _door(view: View) -> None:
    """Where files come in."""
    url = f"/api/sessions/{view.session.id}/table"
    with tag("div", class_="drop", data_upload=url) as zone:
        tag("p", "Drop a CSV, TSV, Parquet, Arrow or Excel file here, or choose one. It stays on this machine.")
        with tag("label", "File "):
            tag("input", type="file", id="file", accept=".csv,.tsv,.txt,.parquet,.arrow,.feather,.xlsx")
        tag("progress", max="1", aria_label="Upload", **{"^value": "0"})
        button("Take the example", lambda: view.attempt(_example, view), id="example")
    reading_fields(view)
    on(zone, "sending", lambda name: view.say(f"Reading {cut(str(name))} …", is_good=True))
    on(zone, "refused", lambda sentence: view.say(str(sentence)))
    on(zone, "received", lambda _: view.clear_said())


async def _example(view: View) -> None:
    view.say("Making the example …", is_good=True)
    await view.session.open_example()
    view.clear_said()
    view.session.changed()


async def _rows(view: View, box: Element, start: int) -> None:
    """Some rows, and the way to more."""
    session = view.session
    rows = await view.ask("Looking at the rows …", "rows", start=start, n=_ROWS)
    names = [cut(name, 28) for name in session.size["columns"]]
    caption = f"Rows {start + 1:,} to {start + len(rows):,}"
    if box.is_deleted:
        return
    box.clear()
    with box:
        tag("h2", "Rows")
        markup(table(Grid(caption, names, rows, headed=False)), class_="preview")
        with tag("div", class_="fields"):
            if start:
                button("Rows before", lambda: _rows(view, box, max(0, start - _ROWS)), id="before")
            if start + _ROWS < session.size["n_rows"]:
                button("Next rows", lambda: _rows(view, box, start + _ROWS), id="next")


async def _columns(view: View, box: Element, alone: Element) -> None:
    """Every column with its suggested kind, role and reason, which can be changed."""
    session = view.session
    found = await session.inspect()
    if box.is_deleted:
        return
    box.clear()
    with box:
        _ask_whose(view, found.get("keys", []))
    with box, tag("div", class_="scroll", role="region", aria_label="Columns", tabindex="0"), tag("table"):
        tag("caption", "Columns: change the kind or the role where the suggestion is wrong")
        with tag("thead"), tag("tr"):
            for head in ("Column", "Role", "Kind", "Distinct", "Missing", "Why this role was suggested"):
                tag("th", head, scope="col")
        with tag("tbody"):
            for column in found["columns"]:
                _column(view, column, alone)
    with box:
        _advice(view, found.get("advice", ()))
    await _alone(view, alone)


def _advice(view: View, advice: Sequence[dict[str, Any]]) -> None:
    """What is wrong with the table, and the way to have it read as suggested."""
    if not advice:
        return
    tag("h2", "What was found")
    with tag("ul"):
        for one in advice:
            tag("li", f"{one['what']} {one['question']}".strip())
    words = merged(one["words"] for one in advice)
    reading = {word: said for word, said in words.items() if word in Reading.model_fields}

    async def read() -> None:
        await view.session.read_again({**view.session.reading, **reading})
        view.session.reading.update(reading)
        view.session.changed()

    if reading:
        button("Read the table as suggested", lambda: view.attempt(read), id="read-as-suggested")


def _ask_whose(view: View, keys: list[dict[str, Any]]) -> None:
    """Whose row each row is, where a column looks as if it said so and nobody spoke of it."""
    session = view.session
    if not keys or session.words.get("person"):
        return
    name = cut(keys[0]["name"], 40)
    with tag("div", id="whose", class_="note", role="group", aria_label="Whose row is it?"):
        tag(
            "p",
            f"{name} looks like a person's key: {keys[0]['n_keys']:,} people have {keys[0]['mean_rows']:.1f} rows on "
            "average. To count people instead of rows, give it the role person below.",
        )


def _column(view: View, column: dict[str, Any], alone: Element) -> None:
    session, name = view.session, column["name"]

    async def set_role(role: str) -> None:
        session.set_role(name, role)
        await _alone(view, alone)

    def set_kind(kind: str) -> None:
        session.set_kind(name, None if kind == column["kind"] else kind)

    with tag("tr"):
        tag("th", cut(name, 40), scope="row")
        with tag("td"):
            bare_choice(get_args(Role), session.role(name), set_role, aria_label=f"Role of {name}", id=f"role-{name}")
        with tag("td"):
            kind = session.kind(name) or column["kind"]
            bare_choice(get_args(Kind), kind, set_kind, aria_label=f"Kind of {name}", id=f"kind-{name}")
        tag("td", f"{column['n_distinct']:,}", class_="num")
        tag("td", f"{column['n_missing']:,}", class_="num")
        tag("td", column["reason"], class_="long")


async def _alone(view: View, box: Element) -> None:
    """How many people are unique on the chosen quasi-identifiers, and what does it."""
    session = view.session
    quasi = _quasi(session)
    box.clear()
    with box:
        tag("p", "Counting who stands alone …", class_="hint")
    async with view.counting:
        found = await session.desk.ask("alone", quasi=quasi) if quasi == _quasi(session) else None
    if found is None or quasi != _quasi(session) or box.is_deleted:
        return
    box.clear()
    with box:
        if not quasi:
            tag("p", "No quasi-identifier is chosen: say which columns an adversary may know.", class_="alert")
            return
        share = percent(found["n_unique"] / found["n_rows"])
        names = listed([cut(name, 28) for name in quasi])
        tag(
            "p",
            f"{found['n_unique']:,} of {counted(found['n_rows'], 'row')} ({share}) are unique on {names}.",
            class_="note",
        )
        if found["combinations"]:
            with tag("details"):
                tag("summary", "Which combinations do it")
                with tag("ul"):
                    for one in found["combinations"]:
                        names = " + ".join(cut(name, 28) for name in one["columns"])
                        tag("li", f"{names}: {percent(one['share'])} of rows unique")


def _quasi(session: Session) -> list[str]:
    """The quasi-identifiers as they are chosen now."""
    return list(session.words.get("quasi_identifiers", []))
