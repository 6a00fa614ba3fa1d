"""Import options: how a table is read, where looking at it does not tell, or tells wrongly."""

from __future__ import annotations

from functools import partial
from typing import Any

from shoal.web.pages.folding import foldable
from shoal.web.pages.tags import button, field, tag
from shoal.web.pages.view import View

_FIELDS = {
    "delimiter": "Field delimiter",
    "encoding": "Encoding",
    "quote": "Quote character",
    "sheet": "Sheet",
    "missing_values": "Missing values",
}
_EXAMPLES = {"delimiter": ";", "encoding": "cp1252", "quote": '"', "sheet": "1", "missing_values": "NA,?"}


def reading_fields(view: View) -> None:
    """One field for each word that says how to read, for the next table and for the one that is there."""
    session = view.session

    async def again() -> None:
        await session.read_again(dict(session.reading))
        session.changed()

    with foldable(view, "import-options", "Import options"), tag("div", class_="fields"):
        for word, label in _FIELDS.items():
            said = session.reading.get(word, "")
            shown = ",".join(said) if isinstance(said, list) else str(said)
            handler = partial(_set, session.reading, word)
            field(label, "text", shown, handler, id=f"reading-{word}", size="10", placeholder=_EXAMPLES[word])
        if session.table is not None:
            button("Read the table again", lambda: view.attempt(again), id="read-again")


def _set(reading: dict[str, Any], word: str, said: str) -> None:
    """Take a word as the command line does; what is empty is found out."""
    reading.pop(word, None)
    if said == "" or (word != "delimiter" and not said.strip()):
        return
    if word == "missing_values":
        reading[word] = [part.strip() for part in said.split(",")]
    elif word == "sheet" and said.strip().isdecimal():
        reading[word] = int(said)
    else:
        reading[word] = {"\\t": "\t"}.get(said, said)
