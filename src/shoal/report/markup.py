"""HTML and SVG elements. Text that is not already markup is escaped automatically."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_VOID = frozenset({"meta", "br", "input"})


class Markup(str):
    """Text that is HTML; other text becomes markup by escaping."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str | float) -> Markup:
    """Create an element. Attributes are written with ``_`` for ``-``, and ``class_`` for ``class``.

    >>> element("p", "1 < 2", element("br"), class_="small", aria_label='"x"')
    '<p class="small" aria-label="&quot;x&quot;">1 &lt; 2<br></p>'
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(_number(value))}"' for name, value in attributes.items()
    )
    if tag in _VOID:
        return Markup(f"<{tag}{named}>")
    return Markup(f"<{tag}{named}>{join(children)}</{tag}>")


def join(parts: Iterable[str]) -> Markup:
    """Concatenate parts, each escaped unless it is markup."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in parts))


def _number(value: str | float) -> str:
    """Format a value; coordinates need no more than two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
