"""Settings of the algorithm, of refinement and certificate, and of the audit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from nicegui.element import Element

from shoal import algorithms
from shoal.algorithms.clustering import REFINEMENTS
from shoal.engine.algorithm_choice import seconds_of
from shoal.engine.vocabulary import Auditing
from shoal.web.algorithm_forms import from_words
from shoal.web.pages.algorithm_options import draw_options
from shoal.web.pages.changing import set_number, set_word
from shoal.web.pages.fields import word_choice
from shoal.web.pages.tags import choice, field, hint, tag
from shoal.web.pages.view import View
from shoal.web.word_forms import label

_THEN = ", then "
_PACES = {
    "quick": "quick: a second or two",
    "thorough": "thorough: includes attacks that take minutes",
    "off": "off: not at all",
}
_ELSEWHERE = (
    "With a memory limit the run works in pieces on disk: its release is checked, but not attacked, and comes as CSV. "
    "To list the patterns that rules allow, use shoal patterns on the command line."
)


def search(view: View, verdict: Element) -> None:
    """The algorithm and its options; refinement; the certificate of optimality; the audit; the seed."""
    with tag("div", class_="fields"):
        _looking(view, verdict, lambda: draw_options(view, verdict, options))
    options = tag("div", id="options")
    draw_options(view, verdict, options)
    with tag("div", class_="fields"):
        _losing_less(view, verdict)
    tag("h3", "Certificate and audit")
    with tag("div", class_="fields"):
        _finding_out(view, verdict)
    tag("h3", "Large tables")
    with tag("div", class_="fields"):
        _memory(view, verdict)
    hint(_ELSEWHERE)


def _looking(view: View, verdict: Element, draw_form: Callable[[], None]) -> None:
    name, _ = from_words(view.session.words.get("algorithm", "auto"))
    known = {"auto": "auto: chosen by table and privacy models"} | {
        one: f"{one}: {algorithm.summary}" for one, algorithm in algorithms.ALL.items()
    }

    async def choose(value: str) -> None:
        await set_word(view, verdict, "algorithm", value, "auto")
        draw_form()

    choice(label("algorithm"), known, name, choose, id="algorithm")
    seed = set_number(view, verdict, "seed", "The seed", int)
    field(label("seed"), "number", view.session.words.get("seed", ""), seed, id="seed")


def _seconds(view: View, verdict: Element, name: str, said: str | float | None, default: Any = None) -> None:
    """A field for a time in seconds, in whatever unit the job file has it."""
    shown = "" if said is None else f"{seconds_of(said):g}"
    give = set_number(view, verdict, name, "The time", lambda number: f"{number:g}s", default)
    field(f"{label(name)} (seconds)", "number", shown, give, id=name, min="0", step="any", placeholder="60")


def _memory(view: View, verdict: Element) -> None:
    shown = str(view.session.words.get("memory", "")).removesuffix("GiB")
    limit = set_number(view, verdict, "memory", "The memory limit", lambda number: f"{number:g}GiB")
    field(f"{label('memory')} (GiB)", "number", shown, limit, id="memory", min="1", step="any")


def _losing_less(view: View, verdict: Element) -> None:
    words = view.session.words
    said = words.get("refine") or ""
    chosen = said if isinstance(said, str) else _THEN.join(said)
    known = {"": "no", **{one: one for one in (*REFINEMENTS, _THEN.join(REFINEMENTS), chosen) if one}}

    def refine(value: str) -> Any:
        several = value.split(_THEN)
        return set_word(view, verdict, "refine", several if len(several) > 1 else value or None)

    choice(label("refine"), known, chosen, refine, id="refine")
    _seconds(view, verdict, "budget", words.get("budget"))


def _finding_out(view: View, verdict: Element) -> None:
    said = view.session.words.get("certify", False)
    shown = (60 if said else None) if isinstance(said, bool) else said
    _seconds(view, verdict, "certify", shown, False)
    word_choice(view, verdict, "audit", {one: _PACES.get(one, one) for one in get_args(Auditing)}, "quick")
