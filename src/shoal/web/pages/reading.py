"""Import options: how a table is read, where looking at it does not tell, or tells wrongly."""

from __future__ import annotations

from functools import partial
from typing import Any

from shoal.web.pages.folding import foldable
from shoal.web.pages.several import several
from shoal.web.pages.tags import button, choice, field, tag
from shoal.web.pages.view import View
from shoal.web.receiving import read_again

_FIELDS = {"encoding": "Encoding", "quote": "Quote character", "sheet": "Sheet"}
_EXAMPLES = {"encoding": "cp1252", "quote": '"', "sheet": "1"}
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
    """One field for each word that says how to read, for the next table and for the one that is there."""
    session = view.session

    async def again() -> None:
        await read_again(session, dict(session.reading))
        session.changed()

    with foldable(view, "import-options", "Import options"), tag("div", class_="fields"):
        delimiter = str(session.reading.get("delimiter", ""))
        known = {**_DELIMITERS, delimiter: _DELIMITERS.get(delimiter, delimiter)}
        set_delimiter = partial(_set, session.reading, "delimiter")
        choice("Field delimiter", known, delimiter, set_delimiter, id="reading-delimiter")
        for word, label in _FIELDS.items():
            said = str(session.reading.get(word, ""))
            handler = partial(_set, session.reading, word)
            field(label, "text", said, handler, id=f"reading-{word}", size="10", placeholder=_EXAMPLES[word])
        marks = session.reading.get("missing_values", [])
        set_marks = partial(_set, session.reading, "missing_values")
        several("Marks of missing values", "text", marks, set_marks, name="reading-missing_values")
        if session.table.name is not None:
            button("Read the table again", lambda: view.attempt(again), id="read-again")


def _set(reading: dict[str, Any], word: str, said: Any) -> None:
    """Take what was typed; what is empty is found out."""
    reading.pop(word, None)
    if said:
        reading[word] = int(said) if word == "sheet" and said.strip().isdecimal() else said
