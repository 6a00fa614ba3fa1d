"""Prepare: open a table, set the roles of its columns, and define how their values are generalized."""

from __future__ import annotations

from shoal.report.figures import counted, cut
from shoal.web.pages import hierarchies, preparation, projects
from shoal.web.pages.column_list import ColumnList
from shoal.web.pages.parts import parts
from shoal.web.pages.tags import tag
from shoal.web.pages.upload import door
from shoal.web.pages.view import Build, View


async def build(view: View) -> None:
    """The table and its columns; the hierarchies; preparation of values; projects that outlive the session."""
    known: dict[str, Build] = {
        "table": _table,
        "hierarchies": hierarchies.build,
        "preparation": preparation.build,
        "projects": projects.build,
    }
    await parts(view, {name: (name.capitalize(), draw) for name, draw in known.items()})


def _table(view: View) -> None:
    """The upload; then the import doctor's findings, the rows and the columns."""
    session = view.session
    if session.table.name is None:
        tag("p", "Open a table about people, or use the example of invented patients.")
        door(view)
        return
    size = session.table.size
    columns = counted(len(size["columns"]), "column")
    tag("h2", f"{cut(session.table.name, 60)}: {counted(size['n_rows'], 'row')}, {columns}")
    for note in size["notes"]:
        tag("p", note, class_="hint")
    door(view)
    shown = tag("div")
    with shown:
        found = ColumnList(view)
    view.later(shown, found.draw)
