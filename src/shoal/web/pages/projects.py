"""Projects: save this session under a passphrase, and restore it, even after a restart."""

from __future__ import annotations

import asyncio

from shoal.report.figures import cut
from shoal.web.pages.confirmation import ask_in, question_box
from shoal.web.pages.drafts import draft_choice, draft_field
from shoal.web.pages.tags import button, hint, tag
from shoal.web.pages.view import View
from shoal.web.sealed import LEAST


def build(view: View) -> None:
    """Draw a form to save, and a form to open."""
    tag(
        "p",
        "A project holds the table, its files, all settings and the finished runs in one encrypted file. Everything "
        "else is deleted when the workbench stops. Without the passphrase nobody can open a project, not even you.",
    )
    with tag("div", class_="cards"):
        with tag("section", class_="card"):
            tag("h2", "Save")
            _save(view)
        with tag("section", class_="card"):
            tag("h2", "Open")
            _open(view)


def _save(view: View) -> None:
    session = view.session
    if session.table.name is None:
        hint("There is no table to save yet.")
        return
    start = cut(session.table.name.rpartition(".")[0] or session.table.name, 40)
    said = view.drafts.of("project to save", session.table.key, name=start, passphrase="")
    asking = question_box(view, "save-asking")

    async def ask() -> None:
        if said["name"].strip() in view.projects.names():
            question = f"Replace the project {said['name']}? Its current content will be lost."
            ask_in(view, asking, question, {"Replace the project": save})
        else:
            await save()

    async def save() -> None:
        view.say("Saving …", is_good=True)
        await asyncio.to_thread(view.projects.save, session, said["name"], said["passphrase"])
        view.drafts.forget("project to save", session.table.key)
        await view.draw()
        view.say(f"Saved as {said['name']}.", is_good=True)

    with tag("div", class_="fields"):
        draft_field("Name", "text", said, "name", id="project-name")
        label = f"Passphrase (at least {LEAST} characters)"
        draft_field(label, "password", said, "passphrase", id="project-passphrase")
        button("Save the project", ask, id="project-save", class_="main")


def _open(view: View) -> None:
    names = view.projects.names()
    if not names:
        hint("There is no project yet.")
        return
    said = view.drafts.of("project to open", name=names[0], passphrase="")
    asking = question_box(view, "open-asking")

    async def ask_to_open() -> None:
        if view.session.table.name is None:
            await get()
        else:
            question = (
                f"Open {said['name']} in place of the table, its settings and runs? Undo brings them back until this "
                "session ends."
            )
            ask_in(view, asking, question, {"Open it instead": get})

    def ask_to_remove() -> None:
        question = f"Remove the project {said['name']}? Undo brings it back until this session ends."
        ask_in(view, asking, question, {"Remove it": remove})

    async def get() -> None:
        view.say("Opening …", is_good=True)
        await view.projects.open(view.session, said["name"], said["passphrase"])
        view.drafts.forget("project to open")
        view.clear_said()
        view.go("prepare/table")

    async def remove() -> None:
        view.projects.remove(view.session, said["name"])
        await view.draw()
        view.say(f"{said['name']} is removed; Undo brings it back.", is_good=True)

    with tag("div", class_="fields"):
        draft_choice("Project", names, said, "name", id="project")
        draft_field("Its passphrase", "password", said, "passphrase", id="project-key")
        button("Open the project", ask_to_open, id="project-open", class_="main")
        button("Remove the project", ask_to_remove, id="project-remove")
