"""Who looks for a release, what follows, and how it is attacked once it is made."""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

from nicegui.element import Element

from shoal import algorithms
from shoal.algorithms.clustering import REFINEMENTS
from shoal.engine.vocabulary import Auditing
from shoal.web.pages.changing import change, number_of, set_word
from shoal.web.pages.tags import choice, field, tag
from shoal.web.pages.view import View

_THEN = ", then "
_PACES = {"quick": "quick: a second or two", "thorough": "thorough: also what takes minutes", "off": "off: not at all"}
_ELSEWHERE = (
    "With a memory limit the run works in pieces on disk: its release is checked, but not attacked, and comes as CSV. "
    "To list what the rules of patterns allow, use shoal patterns on the command line."
)


def _algorithm(words: dict[str, Any]) -> tuple[str, str]:
    """The name of the algorithm, and its options as the command line writes them."""
    said = words.get("algorithm", "auto")
    if isinstance(said, str):
        name, _, options = said.partition(":")
        return name, options
    return said["name"], ",".join(f"{key}={value}" for key, value in said.items() if key != "name")


def search(view: View, verdict: Element) -> None:
    """The algorithm and its options; what follows it; how near the best it comes; how it is attacked; the seed."""
    with tag("div", class_="fields"):
        _looking(view, verdict)
    with tag("div", class_="fields"):
        _losing_less(view, verdict)
    tag("h3", "Certificate and audit")
    with tag("div", class_="fields"):
        _finding_out(view, verdict)
    tag("h3", "Large tables")
    with tag("div", class_="fields"):
        _memory(view, verdict)
    tag("p", _ELSEWHERE, class_="hint")


def _looking(view: View, verdict: Element) -> None:
    name, options = _algorithm(view.session.words)
    known = {"auto": "auto: what suits the table and the privacy models"} | {
        one: f"{one}: {algorithm.summary}" for one, algorithm in algorithms.ALL.items()
    }

    def alter(value: str, words: dict[str, Any]) -> None:
        chosen = _algorithm(words)[0]
        words["algorithm"] = f"{chosen}:{value.strip()}" if value.strip() else chosen

    def options_of(value: str) -> Any:
        return change(view, verdict, partial(alter, value))

    async def seed(value: str) -> None:
        number = number_of(view, value, "The seed") if value.strip() else None
        await set_word(view, verdict, "seed", None if number is None else int(number))

    choice("Algorithm", known, name, lambda v: set_word(view, verdict, "algorithm", v, "auto"), id="algorithm")
    field("Options of the algorithm", "text", options, options_of, id="options", placeholder="relaxed=true")
    field("Seed (only to repeat a run)", "number", view.session.words.get("seed", ""), seed, id="seed")


def _memory(view: View, verdict: Element) -> None:
    said = str(view.session.words.get("memory", ""))

    async def limit(value: str) -> None:
        number = number_of(view, value, "The memory limit") if value.strip() else None
        await set_word(view, verdict, "memory", None if number is None else f"{number:g}GiB")

    shown = said.removesuffix("GiB")
    field("Memory limit of the run (GiB)", "number", shown, limit, id="memory", min="1", step="any")


def _losing_less(view: View, verdict: Element) -> None:
    words = view.session.words
    said = words.get("refine") or ""
    chosen = said if isinstance(said, str) else _THEN.join(said)
    known = {"": "no", **{one: one for one in (*REFINEMENTS, _THEN.join(REFINEMENTS), chosen) if one}}

    def refine(value: str) -> Any:
        several = value.split(_THEN)
        return set_word(view, verdict, "refine", several if len(several) > 1 else value or None)

    choice("Refinement", known, chosen, refine, id="refine")
    field(
        "Time to search (such as 60s)",
        "text",
        words.get("budget") or "",
        lambda v: set_word(view, verdict, "budget", v.strip() or None),
        id="budget",
        placeholder="60s",
        size="8",
    )


def _finding_out(view: View, verdict: Element) -> None:
    words = view.session.words
    said = words.get("certify", False)
    field(
        "Certify the distance from the optimum (time, such as 60s)",
        "text",
        ("60s" if said else "") if isinstance(said, bool) else said,
        lambda v: set_word(view, verdict, "certify", v.strip() or False, False),
        id="certify",
        placeholder="60s",
        size="8",
    )
    choice(
        "Audit",
        {one: _PACES.get(one, one) for one in get_args(Auditing)},
        words.get("audit", "quick"),
        lambda v: set_word(view, verdict, "audit", v, "quick"),
        id="audit",
    )
