"""The rows in a grid with roles and types in its header, and a list of columns with reasons for their roles."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Literal, get_args

from nicegui.element import Element

from shoal.core.domain import Kind
from shoal.report.figures import counted, cut, listed, percent
from shoal.web.column_words import ROLES
from shoal.web.pages.doctor import findings
from shoal.web.pages.grid import Chip, GridColumn, grid
from shoal.web.pages.tags import bare_choice, hint, tag
from shoal.web.pages.upload import door
from shoal.web.pages.view import View
from shoal.web.session import Session

_KINDS = {kind: kind for kind in get_args(Kind)}


def build(view: View) -> None:
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
        hint(note)
    door(view)
    shown = tag("div")
    with shown:
        found = ColumnList(view)
    view.later(shown, found.draw)


class ColumnList:
    """The columns in the grid and in the list; a change in one shows in the other."""

    def __init__(self, view: View) -> None:
        self._view, self._found = view, dict[str, Any]()
        self._alone = tag("div", id="alone", aria_live="polite")
        self._doctor = tag("div")
        self._grid = grid(
            [GridColumn(name, cut(name, 40)) for name in view.session.table.size["columns"]],
            f"/api/sessions/{view.session.id}/rows",
            name="rows",
            label="Rows of the table",
            on_chip=self._chip,
        )
        self._list = tag("div")
        with self._alone:
            hint("Looking at the columns …")

    async def draw(self) -> None:
        """Draw the inspection results when they are available."""
        self._found = await self._view.inspect()
        if self._list.is_deleted:
            return
        with self._doctor:
            findings(self._view, self._found.get("advice", ()))
        self._show()
        self._view.told()
        await self._count()

    async def _chip(self, told: dict[str, str]) -> None:
        await self._change(told["chip"], told["column"], told["value"])

    async def _change(self, what: str, name: str, value: str) -> None:
        await {"role": self._set_role, "kind": self._set_kind}[what](name, value)

    async def _set_role(self, name: str, role: str) -> None:
        await self._view.session.inspect()  # suggests roles, in case the user was faster
        self._view.session.set_role(name, role)
        self._show()
        self._view.later(self._alone, self._count)

    async def _set_kind(self, name: str, kind: str) -> None:
        found = next(column["kind"] for column in self._found["columns"] if column["name"] == name)
        self._view.session.set_kind(name, None if kind == found else kind)
        self._show()

    def _show(self) -> None:
        """Show the current roles and types in grid and list."""
        columns = [asdict(self._header(column)) for column in self._found["columns"]]
        self._grid.props["data-columns"] = json.dumps(columns)
        self._list.clear()
        with self._list:
            self._table()

    def _header(self, column: dict[str, Any]) -> GridColumn:
        chips = tuple(replace(chip, label=f"{chip.label} (in the grid)") for chip in self._chips(column))
        form: Literal["number", "text"] = "number" if column["kind"] == "numeric" else "text"
        return GridColumn(column["name"], cut(column["name"], 40), form, chips)

    def _chips(self, column: dict[str, Any]) -> tuple[Chip, ...]:
        """What can be chosen for a column, in the grid and in the list."""
        name, table = column["name"], self._view.session.table
        kinds = {column["kind"]: column["kind"], **_KINDS}  # the detected one may not be among them
        role = Chip("role", f"Role of {name}", ROLES, table.role(name))
        return role, Chip("kind", f"Type of {name}", kinds, table.kind(name) or column["kind"])

    def _table(self) -> None:
        with tag("div", class_="scroll", role="region", aria_label="Columns", tabindex="0"), tag("table"):
            tag("caption", "Columns: change the role or the type where the suggestion is wrong")
            with tag("thead"), tag("tr"):
                for head in ("Column", "Role", "Type", "Distinct", "Missing", "Why this role was suggested"):
                    tag("th", head, scope="col")
            with tag("tbody"):
                for column in self._found["columns"]:
                    self._row(column)

    def _row(self, column: dict[str, Any]) -> None:
        name = column["name"]
        with tag("tr"):
            tag("th", cut(name, 40), scope="row")
            for chip in self._chips(column):
                with tag("td"):
                    give, place = partial(self._change, chip.key, name), f"list-{chip.key}-{name}"
                    bare_choice(chip.options, chip.value, give, aria_label=chip.label, id=place)
            tag("td", f"{column['n_distinct']:,}", class_="num")
            tag("td", f"{column['n_missing']:,}", class_="num")
            tag("td", column["reason"], class_="long")

    async def _count(self) -> None:
        """Count the rows that are unique on the chosen quasi-identifiers, and show which combinations cause it."""
        session, box = self._view.session, self._alone
        quasi = _quasi(session)
        box.clear()
        with box:
            hint("Counting unique rows …")
        async with self._view.counting:
            found = await session.desk.ask("alone", quasi=quasi) if quasi == _quasi(session) else None
        if found is None or quasi != _quasi(session) or box.is_deleted:
            return
        box.clear()
        with box:
            _unique(quasi, found)


def _quasi(session: Session) -> list[str]:
    """The currently chosen quasi-identifiers."""
    return list(session.words.get("quasi_identifiers", []))


def _unique(quasi: list[str], found: dict[str, Any]) -> Element | None:
    if not quasi:
        return tag("p", "No quasi-identifier is chosen: choose the columns that an adversary may know.", class_="alert")
    share = percent(found["n_unique"] / found["n_rows"])
    names = listed([cut(name, 28) for name in quasi])
    said = f"{found['n_unique']:,} of {counted(found['n_rows'], 'row')} ({share}) are unique on {names}."
    tag("p", said, class_="note")
    if found["combinations"]:
        with tag("details"):
            tag("summary", "Which combinations make rows unique")
            with tag("ul"):
                for one in found["combinations"]:
                    names = " + ".join(cut(name, 28) for name in one["columns"])
                    tag("li", f"{names}: {percent(one['share'])} of rows unique")
    return None
