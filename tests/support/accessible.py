"""What every page keeps to at every width, light and dark: axe finds nothing, nothing overflows, targets are large."""

from __future__ import annotations

from functools import cache
from typing import Any

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page

WIDTHS = (1440, 768, 390)

LOOKS = ((1440, "light"), (390, "dark"))
"""Where axe looks: it takes a second for each. At night it looks at every width in either scheme."""

_AXE = (
    "async () => (await axe.run({ resultTypes: ['violations'] })).violations.map((one) => [one.id, one.nodes[0].html])"
)

_TOO_WIDE = """
() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".scroll, data-grid, .tree"))
  .slice(0, 3).map((one) => one.outerHTML.slice(0, 160))
"""

_TOO_SMALL = """
() => [...document.querySelectorAll("button, select, input, summary, header a, nav a")]
  .map((one) => one.type === "checkbox" ? one.closest("label") || one : one)
  .filter((one) => one.checkVisibility() && !one.closest(".ag-hidden, .visually-hidden"))
  .filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.width < 24 || box.height < 24);
  })
  .map((one) => one.outerHTML.slice(0, 160))
"""
"""What is clicked and is not as large as WCAG 2.2 wants it: 24 by 24 pixels. Links in a sentence are as high as it."""


@cache
def _axe() -> str:
    return AXE_FILE_PATH.read_text("utf-8")


_DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
"""Charts fit themselves to a new width in the frame after it."""


def faults_of(page: Page, *, is_thorough: bool = False) -> list[Any]:
    """Everything that stands against the page as it is drawn now, with the width and the scheme it was seen at."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    found: list[Any] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(_DRAWN)
        for question in (_TOO_WIDE, _TOO_SMALL):
            found += [(width, one) for one in page.evaluate(question)]
        for scheme in ("light", "dark"):
            if is_thorough or (width, scheme) in LOOKS:
                page.emulate_media(color_scheme=scheme)
                found += [(width, scheme, *one) for one in page.evaluate(_AXE)]
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    return found
