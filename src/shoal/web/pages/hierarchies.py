"""Hierarchies: a tree for each column that can be built, edited, imported and exported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from shoal.errors import InputError
from shoal.report.figures import counted, cut, listed
from shoal.web.names import column_of
from shoal.web.pages.drafts import Draft, draft_choice, draft_field
from shoal.web.pages.hierarchy_rules import draw_rules
from shoal.web.pages.hierarchy_tree import draw_tree, groups_of
from shoal.web.pages.tags import button, choice, hint, on, tag
from shoal.web.pages.view import View


async def build(view: View) -> None:
    """Choose a column; then show its tree and the ways to change it."""
    session = view.session
    columns = [*session.words.get("quasi_identifiers", []), *session.words.get("sensitive", [])]
    if session.table.name is None or not columns:
        tag("p", "Open a table and choose quasi-identifiers under Prepare first.")
        return
    column = str(session.table.column if session.table.column in columns else columns[0])
    session.table.column = column

    async def choose(column: str) -> None:
        session.table.column = column
        await view.draw()

    with tag("div", class_="fields"):
        shown = {name: f"{cut(name, 40)}{' ✓' if session.table.hierarchy(name) else ''}" for name in columns}
        choice("Column", shown, session.table.column, choose, id="column")
    await _column(view, column)


async def _column(view: View, column: str) -> None:
    session = view.session
    spec = session.table.hierarchy(column)
    meanwhile = f"Looking at the values of {cut(column, 40)} …"
    try:
        found = await view.ask(meanwhile, "tree", column=column, spec=spec, kind=session.table.kind(column))
    except InputError as problem:
        view.say(str(problem))
        found = await session.desk.ask("tree", column=column, spec=None, kind=session.table.kind(column))
    picture = tag("div")
    _coverage(view, column, spec, found)
    draw_rules(view, column, found, picture, partial(_set, view, column))
    _files(view, column)
    if found["rows"]:
        _editing(view, column, found)
    elif spec is None:
        tag("p", f"{counted(found['n_values'], 'value')} and no hierarchy: ranges or sets of values are published.")
        button("Start with all values under the root", lambda: _edit(view, column, "keep", {}), id="begin")


def _coverage(view: View, column: str, spec: object, found: dict[str, Any]) -> None:
    """Show whether every value that occurs is covered, and the sizes of the levels."""
    if spec is None:
        return
    if found["lacking"]:
        tag("p", found["lacking"], class_="alert", id="coverage")
        button("Put them under the root", lambda: _edit(view, column, "cover", {}), id="cover")
        return
    sizes = ", ".join(f"{size:,}" for size in found["sizes"])
    tag(
        "p",
        f"Every value has a place. {len(found['sizes'])} levels, of {sizes} nodes.",
        class_="good-news",
        id="coverage",
    )


async def _set(view: View, column: str, spec: object) -> None:
    """Set a hierarchy if it can be built over the values of the column."""
    kind = view.session.table.kind(column)
    await view.session.desk.ask("tree", column=column, spec=spec, kind=kind)
    await _use(view, {column: spec})


async def _use(view: View, specs: Mapping[str, object]) -> None:
    view.session.set_hierarchies(specs)
    view.clear_said()
    await view.draw()


def _files(view: View, column: str) -> None:
    """Import and export in ARX's format; remove the hierarchy."""
    session = view.session
    url = f"/api/sessions/{session.id}"

    with tag("div", class_="fields"):
        with tag("div", id="trees", class_="field", data_upload=f"{url}/files", data_several="") as zone:
            tag("label", "Import hierarchy files (value;level 1;…;*)", for_="import")
            tag("input", type="file", id="import", accept=".csv,.txt", multiple=True)
        if session.table.hierarchy(column) is not None:
            address = f"{url}/hierarchies?column={quote(column, safe='')}"
            tag("a", "Export", href=address, class_="button", id="export", download="hierarchy.csv")
            button("No hierarchy", partial(_use, view, {column: None}), id="none")
    on(zone, "received", partial(_import, view, column))
    on(zone, "refused", lambda sentence: view.say(str(sentence)))


async def _import(view: View, column: str, names: list[str]) -> None:
    """A single file is for the column shown; several are matched to columns by their names."""
    session = view.session
    columns = session.table.size["columns"]
    wanted = {name: column if len(names) == 1 else column_of(name, columns) for name in names}
    matched = {target: name for name, target in wanted.items() if target is not None}
    for target, name in matched.items():
        await session.desk.ask("tree", column=target, spec=name, kind=session.table.kind(target))
    await _use(view, matched)
    _tell_matches(view, wanted)


def _tell_matches(view: View, wanted: dict[str, str | None]) -> None:
    lost = [name for name, target in wanted.items() if target is None]
    if lost:
        view.say(f"No column matches {listed(lost)}; name files after columns, as in hierarchy_age.csv.")
    elif len(wanted) > 1:
        told = listed([f"{name} for {target}" for name, target in wanted.items()])
        view.say(f"{counted(len(wanted), 'hierarchy', 'hierarchies')} imported: {told}.", is_good=True)


async def _edit(view: View, column: str, change: str, arguments: dict[str, Any]) -> None:
    table = view.session.table
    said = {"column": column, "spec": table.hierarchy(column), "kind": table.kind(column)}
    spec = await view.session.desk.ask("edit", **said, change=change, arguments=arguments)
    view.drafts.forget("tree", table.key, column)
    await _use(view, {column: spec})


def _editing(view: View, column: str, found: dict[str, Any]) -> None:
    """The tree; values can be moved by dragging or choosing, levels renamed, added and removed."""
    inner = [str(level) for level in range(1, len(found["sizes"]) - 1)]
    about = view.session.table.key, column
    draft = view.drafts.of("tree", *about, level="", group="", old="", new="", ticked=set())
    tag("h2", "Tree")
    with tag("div", class_="columns"):
        box = draw_tree(found, draft["ticked"])
        with tag("div"):
            if inner:
                _moving(view, column, found, inner, draft)
                _renaming(view, column, found, draft)
            with tag("div", class_="fields"):
                button("Add a level", lambda: _edit(view, column, "add_level", {}), id="add-level")
                if len(inner) > 1:
                    remove = partial(_edit, view, column, "remove_level", {"level": int(inner[-1])})
                    button("Remove the top level", remove, id="remove-level")

    async def moved(detail: dict[str, Any]) -> None:
        where = {"values": [detail["value"]], "level": int(detail["level"]), "group": detail["group"]}
        await _edit(view, column, "move", where)

    on(box, "moved", moved)


def _moving(view: View, column: str, found: dict[str, Any], inner: list[str], draft: Draft) -> None:
    async def move() -> None:
        where = {"values": sorted(draft["ticked"]), "level": int(draft["level"]), "group": draft["group"].strip()}
        await _edit(view, column, "move", where)

    hint("Drag values onto a group, or tick them and choose a group; a new name makes a new group.")
    with tag("div", class_="fields"):
        draft_choice("Level", inner, draft, "level", id="move-level")
        draft_field("Group", "text", draft, "group", id="move-group", list="groups")
        with tag("datalist", id="groups"):
            for _, label in groups_of(found):
                tag("option", value=label)
        button("Move the ticked values", move, id="move")


def _renaming(view: View, column: str, found: dict[str, Any], draft: Draft) -> None:
    groups = {f"{level} {label}": f"{label} (level {level})" for level, label in groups_of(found)}

    async def rename() -> None:
        level, _, old = draft["old"].partition(" ")
        await _edit(view, column, "rename", {"level": int(level), "old": old, "new": draft["new"].strip()})

    with tag("div", class_="fields"):
        draft_choice("Group to rename", groups, draft, "old", id="rename-old")
        draft_field("New name", "text", draft, "new", id="rename-new")
        button("Rename", rename, id="rename")
