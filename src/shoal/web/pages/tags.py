"""Elements of a page: plain HTML, which browsers, keyboards and screen readers support directly.

NiceGUI draws elements by their tags and updates them through its socket. Its ready-made components compile templates in
the browser, which the content security policy forbids, so none of them is used.

Clicks and input are reported by the id of the element, not by the element itself: if a page is redrawn while a click is
on its way, the click goes to the element that has replaced the old one. The element on the server also stores the new
value, so that a browser that draws it later does not show the old one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from nicegui.client import Client
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

from shoal.report.figures import cut
from shoal.report.markup import Markup

Handler = Callable[[Any], Awaitable[None] | None]
"""Called with what was typed or chosen."""


E = TypeVar("E", bound=Element)

Handlers = dict[tuple[str, str], Handler]
"""The handler of each event, by the id of its element and the name of the event."""

_HANDLERS: WeakKeyDictionary[Client, Handlers] = WeakKeyDictionary()


def handlers_of(client: Client) -> Handlers:
    """The handlers of a page."""
    return _HANDLERS.setdefault(client, {})


def tag(name: str, text: str | None = None, **attributes: Any) -> Element:
    """An element with a text. Attributes are written with ``_`` for ``-``, and ``class_`` for ``class``."""
    return _with(Element(name) if text is None else TextElement(tag=name, text=text), attributes)


def hint(text: str, **attributes: Any) -> Element:
    """A paragraph in small print."""
    return tag("p", text, class_="hint", **attributes)


def text_tag(name: str, text: str = "", **attributes: Any) -> TextElement:
    """An element whose ``text`` will change."""
    return _with(TextElement(tag=name, text=text), attributes)


def _with(element: E, attributes: dict[str, Any]) -> E:
    named = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    element.props.update(named)
    return element


def redrawn(box: Element, shape: Callable[[], object], draw: Callable[[], None]) -> Callable[[], None]:
    """A function that draws the content of a box, but again only when ``shape`` returns something else."""
    before: list[object] = []

    def tell() -> None:
        now = shape()
        if before != [now] and not box.is_deleted:
            before[:] = [now]
            box.clear()
            with box:
                draw()

    return tell


def markup(html: Markup | str, **attributes: Any) -> Element:
    """A piece of a report; its texts are already escaped."""
    element = tag("div", **attributes)
    element.props["innerHTML"] = str(html)
    return element


def on(element: Element, event: str, handler: Handler) -> Element:
    """Call the handler with the detail of an event reported by ``workbench.js``."""
    _by_id(element, event, handler)
    return element.on(event, lambda told: handler(told.args.get("detail")), args=["detail"])


def button(text: str, handler: Callable[[], Awaitable[None] | None], **attributes: Any) -> TextElement:
    """A button. Without a given id it gets a new one with every drawing."""
    element = text_tag("button", text, type="button", **attributes)
    element.props.setdefault("id", f"button-{element.id}")
    _by_id(element, "click", lambda _: handler())
    return element


def _by_id(element: Element, event: str, handler: Handler) -> None:
    if "id" in element.props:
        handlers_of(element.client)[element.props["id"], event] = handler
        element.props["data-on"] = f"{element.props.get('data-on', '')} {event}".strip()


def field(label: str, kind: str, value: object, handler: Handler, **attributes: Any) -> Element:
    """A labelled input with an id. Its content is left alone while the user types."""
    with tag("div", class_="field"):
        tag("label", label, for_=attributes["id"])
        return bare_field(kind, value, handler, **attributes)


def bare_field(kind: str, value: object, handler: Handler, **attributes: Any) -> Element:
    """An input; its label is passed as an attribute."""
    element = tag("input", type=kind, data_say="", **attributes)
    name = "^checked" if kind == "checkbox" else "^value"

    def show(said: object) -> None:
        element.props.set_optional(name, None if said is False else said)

    show(value)
    return on(element, "said", _shown_first(element, show, handler))


def choice(
    label: str, options: Mapping[str, str] | Iterable[str], value: str | None, handler: Handler, **attributes: Any
) -> Element:
    """A labelled drop-down list with an id."""
    with tag("div", class_="field"):
        tag("label", label, for_=attributes["id"])
        return bare_choice(options, value, handler, **attributes)


def bare_choice(
    options: Mapping[str, str] | Iterable[str], value: str | None, handler: Handler, **attributes: Any
) -> Element:
    """A drop-down list; its label is passed as an attribute."""
    shown = options if isinstance(options, Mapping) else {option: option for option in options}
    return _select(shown, [str(value)], handler, **attributes)


def several_choice(options: Iterable[str], chosen: Iterable[str], handler: Handler, **attributes: Any) -> Element:
    """A list with multiple selection, of which a few options are visible; its label is passed as an attribute."""
    shown = {option: cut(option, 40) for option in options}
    size = str(min(6, max(2, len(shown))))
    return _select(shown, chosen, handler, multiple=True, size=size, **attributes)


def _select(options: Mapping[str, str], chosen: Iterable[str], handler: Handler, **attributes: Any) -> Element:
    with tag("select", data_say="", **attributes) as element:
        drawn = {option: tag("option", text, value=option) for option, text in options.items()}

    def show(said: str | Iterable[str]) -> None:
        now = {said} if isinstance(said, str) else {*said}
        for option, one in drawn.items():
            one.props.set_optional("^selected", True if option in now else None)

    show(chosen)
    return on(element, "said", _shown_first(element, show, handler))


def _shown_first(element: Element, show: Callable[[Any], None], handler: Handler) -> Handler:
    """Store the new value in the element, unless the page was redrawn, and call the handler."""

    def said(value: Any) -> Awaitable[None] | None:
        if not element.is_deleted:
            show(value)
        return handler(value)

    return said
