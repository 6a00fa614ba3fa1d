"""A list of values: a field for each, and an empty one for the next, so that no separators are typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from nicegui.element import Element

from shoal.web.pages.tags import bare_field, tag


def several(
    label: str, kind: str, values: Sequence[Any], give: Callable[[list[str]], Any], *, name: str, **attributes: Any
) -> Element:
    """Draw fields under one label; ``give`` gets all values whenever one changes, without empty ones.

    Args:
        label: what the values are.
        kind: ``number`` or ``text``.
        values: the initial values.
        give: called with the texts of all fields that are not empty.
        name: the id; each field's id is this, ``-`` and its number.
        attributes: attributes of each field.
    """
    said = [str(value) for value in values]

    async def change(place: int, value: str) -> None:
        said[place:] = [*([value] if value.strip() else []), *said[place + 1 :]]
        draw()
        answer = give(list(said))
        if answer is not None:
            await answer

    def draw() -> None:
        box.clear()
        with box:
            for place, value in enumerate([*said, ""]):
                named = {"id": f"{name}-{place}", "aria_label": f"{label}, number {place + 1}"}
                bare_field(kind, value, partial(change, place), size="7", **named, **attributes)

    with tag("fieldset", class_="several", id=name):
        tag("legend", label)
        box = tag("div")
    draw()
    return box


def several_of(
    label: str, options: Sequence[str], chosen: Sequence[str], give: Callable[[list[str]], Any], *, name: str
) -> Element:
    """Checkboxes for a few options; ``give`` is called with the selected ones, in order."""
    ticked = {*chosen}

    async def tick(option: str, is_ticked: bool) -> None:
        (ticked.add if is_ticked else ticked.discard)(option)
        answer = give([one for one in options if one in ticked])
        if answer is not None:
            await answer

    with tag("fieldset", class_="several", id=name) as box:
        tag("legend", label)
        for option in options:
            with tag("label", class_="tick"):
                bare_field("checkbox", option in ticked, partial(tick, option), id=f"{name}-{option}")
                tag("span", option)
    return box
