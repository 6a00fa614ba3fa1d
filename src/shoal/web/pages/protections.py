"""The privacy models of the job: a card for each, and a form to add one, generated from its parameters."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from nicegui.element import Element

from shoal import models
from shoal.core.contracts import PrivacyModel
from shoal.models.parameters import Parameter, parameters_of, said_of
from shoal.report.figures import cut
from shoal.report.published import meaning
from shoal.web.pages.tags import button, choice, field, hint, several_choice, tag
from shoal.web.pages.view import View, without_options
from shoal.web.protection_forms import from_form, privacy_of, protections, starting_values

Say = Callable[[dict[str, Any]], Awaitable[bool]]
"""Sets the privacy models; False, with a message, if no release could satisfy them."""


Asked = tuple[Callable[[], dict[str, Any]], Callable[[], Awaitable[dict[str, Any]]]]
"""Returns the current privacy models; and what the table allows, according to the desk."""


def _of_session(view: View) -> Asked:
    session = view.session
    return (
        lambda: dict(session.words.get("privacy", {})),
        lambda: session.desk.ask("possible", job=session.table.least_job()),
    )


class Protections:
    """The cards of the privacy models of a job; a form that is being filled in has no effect yet."""

    def __init__(self, view: View, box: Element, say: Say, asked: Asked | None = None) -> None:
        """Draw cards for the job of the session, or for what ``asked`` returns: models, and what the table allows."""
        self._view, self._box, self._say = view, box, say
        self._asked = asked or _of_session(view)
        self._draft = view.drafts.of("new privacy model", box.props["id"], flag="", given={})

    @property
    def _promises(self) -> list[PrivacyModel]:
        return protections(self._asked[0]())

    async def draw(self) -> None:
        """Draw every model, with what the table allows; then the form for another one."""
        found = await self._asked[1]()
        if self._box.is_deleted:
            return
        self._box.clear()
        with self._box:
            with tag("div", class_="cards"):
                for number, promise in enumerate(self._promises):
                    self._card(number, promise, found)
            self._adding(found)

    def _card(self, number: int, promise: PrivacyModel, found: dict[str, Any]) -> None:
        said = said_of(promise)

        async def give(name: str, value: Any) -> None:
            changed = from_form(promise.flag, {**said, name: value})
            await self._take([*self._promises[:number], changed, *self._promises[number + 1 :]])

        async def remove() -> None:
            await self._take([*self._promises[:number], *self._promises[number + 1 :]])

        with tag("section", class_="card", id=f"protection-{number}"):
            tag("h3", str(promise))
            hint(meaning(promise))
            with tag("div", class_="fields"):
                for one in parameters_of(type(promise)):
                    parameter_field(one, said.get(one.name, one.default), partial(give, one.name), f"p{number}", found)
            if number < len(found["against"]):
                against = found["against"][number]
                tag("p", against or "Possible on this table.", class_="alert" if against else "hint")
            button(f"Remove {promise}", remove, id=f"remove-protection-{number}")

    async def _take(self, promises: list[PrivacyModel]) -> None:
        await self._say(privacy_of(promises))
        await self.draw()

    def _adding(self, found: dict[str, Any]) -> None:
        known = {"": "choose a privacy model …", **{model.flag: model.name for model in models.ALL.values()}}

        async def begin(flag: str) -> None:
            self._draft.update(flag=flag, given=starting_values(_model(flag)) if flag else {})
            await self.draw()

        with tag("div", class_="card adding"):
            choice("Add a protection", known, self._draft["flag"], begin, id="add-protection")
            if self._draft["flag"]:
                self._form(self._draft["flag"], self._draft["given"], found)

    def _form(self, flag: str, given: dict[str, Any], found: dict[str, Any]) -> None:
        model = _model(flag)

        def give(name: str, value: Any) -> None:
            given[name] = value

        async def add() -> None:
            added = from_form(flag, given)
            if await self._say(privacy_of([*self._promises, added])):
                self._draft["flag"] = ""
            await self.draw()

        async def cancel() -> None:
            self._draft["flag"] = ""
            await self.draw()

        summary = without_options(model.summary.partition(";")[0])
        hint(f"{summary[:1].upper()}{summary[1:]}.")
        with tag("div", class_="fields"):
            for one in parameters_of(model):
                parameter_field(one, given.get(one.name, one.default), partial(give, one.name), "new", found)
        with tag("div", class_="fields"):
            button(f"Add {model.name}", add, id="add", class_="main")
            button("Cancel", cancel, id="add-cancel")


def parameter_field(parameter: Parameter, value: Any, give: Callable[[Any], Any], prefix: str, found: Any) -> None:
    """The field of one parameter: a number, or a list to choose from."""
    name = f"{prefix}-{parameter.name}"
    if parameter.form == "choice":
        choice(parameter.label, parameter.options, value or parameter.default, give, id=name)
    elif parameter.form == "column":
        columns = {"": "every sensitive column", **{one: cut(one, 40) for one in found["sensitive"]}}
        choice(parameter.label, columns, value or "", give, id=name)
    elif parameter.form in ("values", "columns"):
        _several(parameter, value, give, name, found)
    else:
        limits = {"step": "1", "min": "1"} if parameter.form == "whole" else {"step": "any", "min": "0"}
        shown = "" if value is None else value if isinstance(value, str) else f"{value:g}"
        field(parameter.label, "number", shown, give, id=name, **limits)


def _several(parameter: Parameter, value: Any, give: Callable[[Any], Any], name: str, found: Any) -> None:
    """A list with multiple selection; selecting none means all."""
    known = found["quasi"] if parameter.form == "columns" else found["texts"]
    chosen = {*(value[0] if parameter.form == "columns" and value else value or ())}
    with tag("div", class_="field"):
        tag("label", f"{parameter.label} (none chosen: all)", for_=name)
        several_choice(known, chosen, give, id=name)


def _model(flag: str) -> type[PrivacyModel]:
    return next(model for model in models.ALL.values() if model.flag == flag)
