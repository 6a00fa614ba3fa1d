"""Opening tables: upload, example, database, and how a table is read if detection fails or is wrong."""

from __future__ import annotations

from functools import partial
from typing import Any

from shoal.engine.words import Word
from shoal.report.figures import cut
from shoal.web.export_process import HOW
from shoal.web.pages.confirmation import ask_in, question_box
from shoal.web.pages.drafts import draft_field
from shoal.web.pages.fields import KINDS, foldable, word_field
from shoal.web.pages.tags import button, choice, hint, on, tag
from shoal.web.pages.view import View
from shoal.web.receiving import open_example, read_again, receive_from
from shoal.web.word_forms import label, reading_words, value_of

_DELIMITERS = {
    "": "found by looking",
    ",": "comma ,",
    ";": "semicolon ;",
    "\t": "tab",
    "|": "vertical bar |",
    " ": "blank",
    ":": "colon :",
    "^": "caret ^",
    "~": "tilde ~",
}


def door(view: View) -> None:
    """A field to drop a file on; collapsed once a table is open, which is replaced only after confirmation."""
    if view.session.table.name is None:
        _zone(view)
    else:
        with foldable(view, "door", "Open another table"):
            _zone(view)
    if view.is_local:
        with foldable(view, "database", "Open a table of a database"):
            _database(view)
    _reading_fields(view)


def _zone(view: View) -> None:
    url, asks = f"/api/sessions/{view.session.id}/table", None if view.session.table.name is None else ""
    with tag("div", id="upload", class_="drop", data_upload=url, data_ask=asks) as zone:
        tag("p", "Drop a CSV, TSV, Parquet, Arrow or Excel file here, or choose one. It stays on this machine.")
        with tag("label", "File "):
            tag("input", type="file", id="file", accept=KINDS)
        tag("progress", max="1", aria_label="Upload", **{"^value": "0"})
        button("Take the example", lambda: example(), id="example")
    asking = question_box(view, "asking")

    async def example() -> None:
        if view.session.table.name is None:
            await _example(view)
        else:
            ask_in(view, asking, _question(view, "the example"), {"Replace the table": partial(_example, view)})

    def ask(name: str) -> None:
        view.asked = str(name)
        asking.clear()
        with asking, tag("div", class_="alert", role="group", aria_label="Replace the table?"):
            tag("p", _question(view, cut(view.asked, 40)))
            with tag("div", class_="fields"):
                tag("button", "Replace the table", type="button", id="replace", data_send="", class_="main")
                button("Keep it", keep, id="keep")

    def keep() -> None:
        view.asked = ""
        asking.clear()

    def sending(name: str) -> None:
        view.asked = ""
        view.say(f"Reading {cut(str(name))} …", is_good=True)

    if view.asked:
        ask(view.asked)
    on(zone, "asked", ask)
    on(zone, "sending", sending)
    on(zone, "refused", lambda sentence: view.say(str(sentence)))
    on(zone, "received", lambda _: view.clear_said())


def _database(view: View) -> None:
    draft = view.drafts.of("database", address="", query="")
    asking = question_box(view, "database-asking")

    async def take() -> None:
        view.say("Reading …", is_good=True)
        await receive_from(view.session, draft["address"], draft["query"])
        view.drafts.forget("database")
        view.clear_said()

    async def ask() -> None:
        if view.session.table.name is None:
            await take()
        else:
            ask_in(view, asking, _question(view, "this one"), {"Replace the table": take})

    hint(f"A copy is opened here. {HOW}; passwords are taken from the environment or a password file.")
    with tag("div", class_="fields"):
        draft_field("Address", "text", draft, "address", id="database-address", size="40")
        draft_field(label("query"), "text", draft, "query", id="database-query")
        button("Open it", ask, id="database-open", class_="main")


def _question(view: View, other: str) -> str:
    name = cut(str(view.session.table.name), 40)
    return f"Replace {name} by {other}? Settings start anew; runs stay. Undo brings it back."


async def _example(view: View) -> None:
    view.say("Making the example …", is_good=True)
    await open_example(view.session)
    view.clear_said()
    view.session.changed()


def _reading_fields(view: View) -> None:
    """One field for each import option, for the next table and for the open one."""
    session = view.session

    async def again() -> None:
        await read_again(session, dict(session.reading))
        session.changed()

    with foldable(view, "import-options", "Import options"), tag("div", class_="fields"):
        for one in reading_words():
            said, give = session.reading.get(one.name), partial(_set, session.reading, one)
            if one.name == "delimiter":
                chosen = str(said or "")
                known = {**_DELIMITERS, chosen: _DELIMITERS.get(chosen, chosen)}
                choice(one.label, known, chosen, give, id="reading-delimiter")
            else:
                word_field(one, said, give, f"reading-{one.name}")
        if session.table.name is not None:
            button("Read the table again", again, id="read-again")


def _set(reading: dict[str, Any], known: Word, typed: Any) -> None:
    """Store what was typed; an empty option is left to detection."""
    reading.pop(known.name, None)
    value = value_of(known, typed)
    if value is not None:
        reading[known.name] = value
