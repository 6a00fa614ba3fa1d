"""Check a file: which privacy models any table satisfies, and what an attack on it reveals, whichever tool made it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.report.figures import cut
from shoal.web.pages.changing import number_of
from shoal.web.pages.drafts import begun, draft_choice, draft_field
from shoal.web.pages.fields import file_field, several_of
from shoal.web.pages.protections import Protections
from shoal.web.pages.tags import hint, tag
from shoal.web.pages.tool_answers import ask_button, tool_answer
from shoal.web.pages.view import View
from shoal.web.session import Session
from shoal.web.tools import Tool

_OPEN = "the table that is open"


async def build(view: View) -> None:
    """Choose the file and its columns; then check it and attack it, each with its results."""
    hint("Any release, made here or by another tool. Cells are read as they are printed; nothing here is published.")
    tool = view.session.tools["verify"]
    file_field(view, "Release to check or attack", "release-file", tool.said.get("file", ""), partial(_received, view))
    if "file" not in tool.said:
        return
    with tag("div", class_="fields"):
        for word, label in {"quasi": "Quasi-identifiers", "sensitive": "Sensitive columns"}.items():
            give = partial(tool.said.__setitem__, word)
            several_of(label, tool.said["columns"], tool.said[word], give, name=f"check-{word}")
    await _verifying(view, tool)
    _attacking(view, tool)


async def _received(view: View, name: str) -> None:
    session = view.session
    columns = await session.desk.ask("columns_of", name=name)
    known = session.words
    session.tools["verify"].said = {
        "file": name,
        "columns": columns,
        "quasi": [one for one in known.get("quasi_identifiers", []) if one in columns],
        "sensitive": [one for one in known.get("sensitive", []) if one in columns],
        "privacy": dict(known.get("privacy", {"k": 5})),
        "original": False,
    }
    view.clear_said()
    await view.draw()


async def _verifying(view: View, tool: Tool) -> None:
    tag("h2", "Check the privacy models")

    async def say(privacy: dict[str, Any]) -> bool:
        tool.said["privacy"] = privacy
        return True

    async def possible() -> dict[str, Any]:
        said = tool.said
        return {"quasi": said["quasi"], "sensitive": said["sensitive"], "texts": [], "against": []}

    async def ask() -> None:
        said = tool.said
        original = {"original": _open_table(view.session)} if said["original"] else {}
        words = _columns(said, view.session) | {"privacy": said["privacy"]}
        await tool.ask({"release": view.session.others / said["file"], **original}, words, view.session.changed)

    await Protections(view, tag("div", id="checked-models"), say, (lambda: tool.said["privacy"], possible)).draw()
    with tag("div", class_="fields"):
        if view.session.table.name is not None:
            label = f"Original, for models about matches: {_OPEN} ({cut(view.session.table.name, 40)})"
            draft_field(label, "checkbox", tool.said, "original", id="with-original")
        ask_button(view, "Check it", tool, ask)
    tool_answer(view, tool)


def _attacking(view: View, checked: Tool) -> None:
    session, tool = view.session, view.session.tools["audit"]
    said = begun(tool.said, original="", k="", pace="usual")
    tag("h2", "Attack it")
    hint("Attacks need the table that the release was made from; it stays here.")

    async def received(name: str) -> None:
        said["original"] = name
        await view.draw()

    async def ask() -> None:
        k = number_of(view, str(said["k"]), "k") if said["k"] else None
        words = _columns(checked.said, session) | {"k": None if k is None else int(k)}
        words["thorough"] = said["pace"] == "thorough"
        original = session.others / said["original"] if said["original"] else _open_table(session)
        files = {"original": original, "release": session.others / checked.said["file"]}
        await tool.ask(files, words, session.changed)

    here = said["original"] or (_OPEN if session.table.name else "")
    file_field(view, "Original table", "original-file", here, received)
    with tag("div", class_="fields"):
        draft_field("Promised k", "number", said, "k", id="audit-k", min="1")
        paces = {"usual": "usual: seconds", "thorough": "thorough: includes attacks that take minutes"}
        draft_choice("Attacks", paces, said, "pace", id="audit-pace")
        ask_button(view, "Attack it", tool, ask)
    tool_answer(view, tool)


def _columns(said: dict[str, Any], session: Session) -> dict[str, Any]:
    """Roles as selected; hierarchies and import options from the open table, where names match."""
    named = {"quasi_identifiers": said["quasi"], "sensitive": said["sensitive"]}
    trees = {name: tree for name, tree in session.words.get("hierarchies", {}).items() if name in said["quasi"]}
    reading = session.words.get("reading", {})
    return named | {"hierarchies": trees, "folder": str(session.inputs), **reading}


def _open_table(session: Session) -> Path:
    if session.table.name is None:
        raise InputError("There is no table open; drop the original.")
    return session.inputs / session.table.name
