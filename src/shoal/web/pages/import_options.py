"""Import options: how a table is read if detection fails or is wrong."""

from __future__ import annotations

from functools import partial
from typing import Any

from shoal.engine.words import Word
from shoal.web.pages.folding import foldable
from shoal.web.pages.tags import button, choice, tag
from shoal.web.pages.view import View
from shoal.web.pages.word_fields import word_field
from shoal.web.receiving import read_again
from shoal.web.word_forms import reading_words, value_of

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


def reading_fields(view: View) -> None:
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
            button("Read the table again", lambda: view.attempt(again), id="read-again")


def _set(reading: dict[str, Any], known: Word, typed: Any) -> None:
    """Store what was typed; an empty option is left to detection."""
    reading.pop(known.name, None)
    value = value_of(known, typed)
    if value is not None:
        reading[known.name] = value
