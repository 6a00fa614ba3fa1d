"""Promises: what the release must keep, what it may cost, and who looks for it."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui.element import Element

from shoal import models
from shoal.report.figures import cut
from shoal.web.pages.changing import change, judge
from shoal.web.pages.costs import costs, importance, population
from shoal.web.pages.search import search
from shoal.web.pages.tags import bare_field, tag
from shoal.web.pages.view import View

_OF_ROWS = ("k", "matching", "one-k", "k-one", "kk", "concealment")
_OF_VALUES = ("l", "p")
_OF_PEOPLE = ("k-map", "presence")
_OF_SENSITIVE = ("t", "alpha", "beta", "delta")


async def build(view: View) -> None:
    """Every promise there is, with what is possible for this table; then limits, importance and algorithm."""
    session = view.session
    if session.table is None:
        tag("p", "Open a table under Prepare first.")
        return
    limits = await view.ask("Looking at what is possible …", "limits", job=session.job(_least(session.words)))
    verdict = tag("div", id="verdict", aria_live="polite")
    tag("h2", "What must hold")
    with tag("div", class_="scroll", role="region", aria_label="Promises", tabindex="0"), tag("table"):
        tag("caption", "Leave a promise empty where it is not wanted")
        with tag("thead"), tag("tr"):
            for head in ("Promise", "Value", "What it means", "Possible here"):
                tag("th", head, scope="col")
        with tag("tbody"):
            for model in models.ALL.values():
                _promise(view, model, limits, verdict)
    tag("h2", "What it may cost")
    costs(view, verdict)
    population(view, verdict)
    tag("h2", "How much each column matters")
    importance(view, verdict)
    tag("h2", "Who looks for it")
    search(view, verdict)
    view.later(verdict, lambda: judge(view, verdict))


def _least(words: dict[str, Any]) -> dict[str, Any]:
    """The words with what a job needs at least, so that limits can be asked for before all is said."""
    return {"quasi_identifiers": [], "privacy": {}, **words}


def _promise(view: View, model: Any, limits: dict[str, Any], verdict: Element) -> None:
    session, flag = view.session, model.flag
    said = session.words.get("privacy", {}).get(flag, "")

    def alter(value: str, words: dict[str, Any]) -> None:
        privacy = {**words.get("privacy", {}), flag: _several(value)}
        words["privacy"] = {key: one for key, one in privacy.items() if one != ""}

    def said_now(value: str) -> Any:
        return change(view, verdict, partial(alter, value))

    with tag("tr"):
        tag("th", f"{model.name} ({flag})", scope="row")
        with tag("td"):
            shown = " | ".join(map(str, said)) if isinstance(said, list) else str(said)
            kind = (
                {"type": "number", "min": "1", "max": str(limits["n_rows"])}
                if flag == "k"
                else {"type": "text", "size": "14"}
            )
            kind_of = kind.pop("type")
            bare_field(kind_of, shown, said_now, aria_label=f"Value of {model.name}", id=f"promise-{flag}", **kind)
        tag("td", model.summary[:1].upper() + model.summary[1:] + ".", class_="long")
        tag("td", _possible(flag, limits))


def _possible(flag: str, limits: dict[str, Any]) -> str:
    """What a promise may ask for on this table, where that can be told; the promise itself refuses all else."""
    if flag in _OF_ROWS:
        return f"1 to {limits['n_rows']:,}, the number of rows"
    if flag in _OF_VALUES:
        return _values(limits["values"])
    if flag in _OF_PEOPLE:
        return "counts the people of the population below; without one, the rows"
    return "needs a sensitive column" if flag in _OF_SENSITIVE and not limits["values"] else ""


def _several(value: str) -> Any:
    texts = [part.strip() for part in value.split("|") if part.strip()]
    parts = [int(text) if text.isascii() and text.isdigit() else text for text in texts]
    return "" if not parts else parts if len(parts) > 1 else parts[0]


def _values(values: dict[str, int]) -> str:
    if not values:
        return "needs a sensitive column"
    return "; ".join(f"1 to {n:,}, the values of {cut(name, 28)}" for name, n in values.items())
