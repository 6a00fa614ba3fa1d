"""Protect: who receives the release, the privacy models, a preview of their cost, and the runs."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui.element import Element

from shoal import policies
from shoal.report.figures import cut
from shoal.web.pages.changing import against, judge
from shoal.web.pages.cost_settings import costs, importance, population, printing
from shoal.web.pages.fields import foldable, more_settings
from shoal.web.pages.k_slider import LiveSlider
from shoal.web.pages.protections import Protections
from shoal.web.pages.search_settings import search
from shoal.web.pages.tags import button, choice, hint, tag
from shoal.web.pages.view import View

_PRESETS = {"internal-use": "Internal use", "research-partner": "Research partner", "public-release": "Public release"}
"""The policies offered as buttons."""


async def build(view: View) -> None:
    """The slider with its preview, the privacy models, and a drawer for experts."""
    if view.session.table.name is None:
        tag("p", "Open a table under Prepare first.")
        return
    meanwhile = hint("Looking at the columns …")
    await view.inspect()
    if not meanwhile.is_deleted:
        meanwhile.delete()
        await _Models(view).draw()


class _Models:
    """The page of privacy models, whose parts update each other."""

    def __init__(self, view: View) -> None:
        self._view = view

    async def draw(self) -> None:
        """Draw everything; the preview follows when it is available."""
        view = self._view
        _presets(view)
        self._verdict = tag("div", id="verdict", aria_live="polite")
        self._live = LiveSlider(view, self._set_k)
        self._live.draw()
        tag("h2", "Privacy models")
        self._cards = Protections(view, tag("div", id="protections"), self.say)
        await self._cards.draw()
        drawer(view, self._verdict)
        view.later(self._verdict, self._judge)

    async def _judge(self) -> None:
        await judge(self._view, self._verdict)
        await self._live.refresh()

    async def _set_k(self, k: int) -> None:
        if await self.say({**self._view.session.words.get("privacy", {}), "k": k}):
            await self._cards.draw()

    async def say(self, privacy: dict[str, Any]) -> bool:
        """Set the privacy models; False, with a message, if no release of this table could satisfy them."""
        view = self._view
        async with view.changing:
            words = {**view.session.words, "privacy": privacy}
            view.clear_said()
            sentence = await against(view, words)
            if sentence:
                view.say(sentence)
            else:
                view.session.change(words)
            self._live.draw(anew=bool(sentence))
            await judge(view, self._verdict)
        view.later(self._verdict, self._live.refresh)
        return not sentence


def drawer(view: View, verdict: Element) -> None:
    """Expert settings: limits, metric, population, weights of columns, algorithm, certificate, audit."""
    with foldable(
        view, "expert", "Expert settings: algorithm, metric, suppression, population, cells, certificate, audit"
    ):
        tag("h3", "Suppression and metric")
        costs(view, verdict)
        population(view, verdict)
        tag("h3", "Columns")
        importance(view, verdict)
        tag("h3", "Cells of the release")
        printing(view, verdict)
        tag("h3", "Algorithm")
        search(view, verdict)
        tag("h3", "More settings")
        more_settings(view, verdict)


def _presets(view: View) -> None:
    """Three buttons, and a list of all policies; later changes take precedence."""
    session = view.session
    said = session.words.get("policy")

    async def follow(name: str) -> None:
        if name:
            await session.follow(name)
        else:
            session.change({key: value for key, value in session.words.items() if key != "policy"})
        await view.draw()

    def preset(name: str, title: str) -> None:
        pressed = "true" if said == name else "false"
        about = policies.ALL[name].summary
        with tag("div", class_="preset"):
            button(title, partial(follow, name), id=f"preset-{name}", aria_pressed=pressed)
            hint(about[:1].upper() + about[1:] + ".")

    with tag("section", class_="card", aria_label="Who receives the release"):
        with tag("div", class_="presets"):
            for name, title in _PRESETS.items():
                preset(name, title)
        known = {
            "": "none: as set below",
            **{name: f"{name}: {cut(one.summary, 90)}" for name, one in policies.ALL.items()},
        }
        choice("Policy", known, said if isinstance(said, str) else "", follow, id="policy")
