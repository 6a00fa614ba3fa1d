"""How a table is read, where that is not found out by looking at it, or was found out wrongly."""

from __future__ import annotations

from functools import partial
from typing import Any

from shoal.web.pages.tags import button, field, tag
from shoal.web.pages.view import View

_FIELDS = {
    "delimiter": "What separates fields",
    "encoding": "Encoding",
    "quote": "What quotes fields",
    "sheet": "Sheet of a workbook",
    "missing_values": "Texts for missing",
}
_EXAMPLES = {"delimiter": ";", "encoding": "cp1252", "quote": '"', "sheet": "1", "missing_values": "NA,?"}


def reading_fields(view: View) -> None:
    """One field for each word that says how to read, for the next table and for the one that is there."""
    session = view.session

    async def again() -> None:
        await session.read_again(dict(session.reading))
        session.changed()

    with tag("details", open=True if session.reading else None):
        tag("summary", "How to read it, where that is not found out")
        with tag("div", class_="fields"):
            for word, label in _FIELDS.items():
                said = session.reading.get(word, "")
                shown = ",".join(said) if isinstance(said, list) else str(said)
                handler = partial(_set, session.reading, word)
                field(label, "text", shown, handler, id=f"reading-{word}", size="10", placeholder=_EXAMPLES[word])
            if session.table is not None:
                button("Read it again like this", lambda: view.attempt(again), id="read-again")


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
