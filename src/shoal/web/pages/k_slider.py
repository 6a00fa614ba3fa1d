"""A slider for k; loss, risk and some rows are updated by the quick algorithm while it moves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from shoal.errors import ShoalError
from shoal.report.figures import counted, cut, figure, percent
from shoal.report.markup import Markup, element
from shoal.web.pages.tags import bare_field, hint, markup, on, tag, text_tag
from shoal.web.pages.view import View, without_options

_MOST = 100
"""The largest k of the slider; the field beside it accepts any."""


class LiveSlider:
    """The slider and the preview of its result."""

    def __init__(self, view: View, say: Callable[[int], Awaitable[None]]) -> None:
        self._view, self._say = view, say
        self._wanted: int | None = None
        self._drawn: tuple[int | None, str] | None = None
        self._lock = asyncio.Lock()
        self._box = tag("section", class_="card live", aria_label="Preview")
        """Its ``data-k`` is the k that its figures belong to."""
        with self._box:
            self._slider_box = tag("div")
            with tag("dl", class_="tiles"):
                self._loss = _tile("Information loss", "live-loss")
                self._risk = _tile("Highest risk", "live-risk")
                self._suppressed = _tile("Rows left out", "live-suppressed")
                self._classes = _tile("Equivalence classes", "live-classes")
            self._rows = markup("", class_="scroll live-rows", tabindex="0", role="region", aria_label="Sample rows")
            self._hint = text_tag("p", class_="hint", id="live-hint")

    def draw(self, *, anew: bool = False) -> None:
        """Draw the slider if k is set; keep it if it is up to date, unless the typed value was refused."""
        k = self._k
        shows = (k, self._view.session.table.key)
        if shows == self._drawn and not anew:
            return
        self._drawn = shows
        self._slider_box.clear()
        with self._slider_box:
            if k is None:
                hint("k-anonymity is not among the privacy models; add it below to choose k on a slider.")
                return
            most = str(max(k, min(_MOST, self._view.session.table.size.get("n_rows", _MOST))))
            with tag("div", class_="slider"):
                tag("label", "k: every record looks like at least k − 1 others", for_="k-slider")
                slider = tag("input", type="range", min="1", max=most, id="k-slider", data_slide="k", data_say="")
                slider.props["^value"] = str(k)
                bare_field("number", str(k), self._commit, id="k", min="1", step="1", aria_label="Value of k")
            on(slider, "slid", self._slid)
            on(slider, "said", self._commit)

    @property
    def _k(self) -> int | None:
        said = self._view.session.words.get("privacy", {}).get("k")
        return int(str(said)) if str(said).isdigit() else None

    async def _commit(self, value: str) -> None:
        if str(value).isascii() and str(value).isdigit() and int(value) > 0:
            self._wanted = None
            await self._say(int(value))
        else:
            self._view.say(f"k must be a whole number of at least 1, got {value!r}.")

    async def _slid(self, value: str) -> None:
        self._wanted = int(value)
        await self.refresh()

    async def refresh(self) -> None:
        """Update the preview; of several requests in a row only the last is answered."""
        wanted = self._wanted
        async with self._lock:
            if wanted != self._wanted:
                return
            await self._find(wanted)

    async def _find(self, k: int | None) -> None:
        session = self._view.session
        words = dict(session.words)
        if k is not None:
            words["privacy"] = {**words.get("privacy", {}), "k": k}
        try:
            found = await session.desk.ask("preview", job=session.table.job(words))
        except ShoalError as problem:
            if not self._hint.is_deleted:
                self._show_nothing(without_options(str(problem)))
            return
        if not self._hint.is_deleted:
            self._show(found)
            self._box.props["data-k"] = str(k if k is not None else self._k)

    def _show_nothing(self, sentence: str) -> None:
        for tile in (self._loss, self._risk, self._suppressed, self._classes):
            tile.text = "–"
        self._rows.props["innerHTML"] = ""
        self._hint.text = sentence

    def _show(self, found: dict[str, Any]) -> None:
        self._loss.text = f"{found['metric'].upper()} {figure(found['loss'])}"
        self._risk.text = percent(found["highest_risk"])
        self._suppressed.text = f"{found['n_suppressed']:,}"
        self._classes.text = f"{found['n_classes']:,}"
        self._rows.props["innerHTML"] = str(_pairs_table(found))
        part = (
            f"all {counted(found['n_rows'], 'row')}"
            if found["n_rows"] == found["n_all"]
            else f"a sample of {found['n_rows']:,} of {found['n_all']:,} rows, which loses more than all of them"
        )
        self._hint.text = f"Preview by the quick algorithm ({found['algorithm']}) on {part}. A run searches longer."


def _tile(title: str, name: str) -> Any:
    with tag("div"):
        tag("dt", title)
        return text_tag("dd", "…", id=name)


def _pairs_table(found: dict[str, Any]) -> Markup:
    """Rows before and after: a changed value is shown below the original."""
    heads = [element("th", cut(name, 28), scope="col") for name in found["columns"]]
    rows = [element("tr", *_cells(before, after)) for before, after in found["pairs"]]
    caption = element("caption", "Some rows: the original above, what would be published below")
    return element("table", caption, element("thead", element("tr", *heads)), element("tbody", *rows))


def _cells(before: list[str], after: list[str] | None) -> list[Markup]:
    return [
        element("td", cut(one, 40))
        if after is not None and one == other
        else element("td", _span(one, "was"), element("br"), _span(other, "now"))
        for one, other in zip(before, after or ["left out"] * len(before), strict=True)
    ]


def _span(text: str, name: str) -> Markup:
    return element("span", cut(text, 40), class_=name)
