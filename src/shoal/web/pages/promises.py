"""Promises: what the release must keep, what it may cost, and who looks for it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui.element import Element

from shoal import algorithms, metrics, models
from shoal.algorithms.clustering import REFINEMENTS
from shoal.errors import ImpossibleGoal, InputError
from shoal.report.figures import cut
from shoal.web.pages.tags import bare_field, choice, field, on, tag
from shoal.web.pages.view import View

_RECODINGS = {"": "as suits it", "tree": "tree", "range": "range", "sets": "sets", "suppress": "suppress"}


async def build(view: View) -> None:
    """Every promise there is, with what is possible for this table; then limits, importance and algorithm."""
    session = view.session
    if session.table is None:
        tag("p", "Open a table on the page Data first.")
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
    _costs(view, verdict)
    _population(view, verdict)
    tag("h2", "How much each column matters")
    _importance(view, verdict)
    tag("h2", "Who looks for it")
    _search(view, verdict)
    view.later(verdict, lambda: _judge(view, verdict))


def _least(words: dict[str, Any]) -> dict[str, Any]:
    """The words with what a job needs at least, so that limits can be asked for before all is said."""
    return {"quasi_identifiers": [], "privacy": {}, **words}


async def _judge(view: View, box: Element) -> None:
    """What would be run, and why; or why not."""
    try:
        found = await view.session.desk.ask("try_out", job=view.session.job())
    except InputError as problem:
        sentence, class_ = str(problem), "alert"
    else:
        promises = ", ".join(found["promises"])
        sentence = f"{promises} by {found['algorithm']}: {found['reason']}. {found['n_nodes']:,} nodes in the lattice."
        class_ = "good-news"
    box.clear()
    with box:
        tag("p", sentence, class_=class_)


async def _change(view: View, verdict: Element, alter: Callable[[dict[str, Any]], None]) -> None:
    """Take changed words, unless no release of this table could keep what they promise."""
    async with view.changing:
        words = copy.deepcopy(view.session.words)
        alter(words)
        view.clear_said()
        sentence = await _against(view, words)
        if not sentence:
            view.session.words = words
            await _judge(view, verdict)
    if sentence:
        await view.draw()
        view.say(sentence)


async def _against(view: View, words: dict[str, Any]) -> str:
    """What is to be said against the words; nothing where they can be taken, though something may be lacking yet."""
    try:
        await view.session.desk.ask("try_out", job=view.session.job(words))
    except ImpossibleGoal as problem:
        return str(problem)
    except InputError as problem:
        return "" if _is_understood(view, words) else str(problem)
    return ""


def _is_understood(view: View, words: dict[str, Any]) -> bool:
    """Whether each word by itself can be understood, so that what is lacking may still come."""
    try:
        view.session.job(words).promises()
    except InputError:
        return False
    return True


def _promise(view: View, model: Any, limits: dict[str, Any], verdict: Element) -> None:
    session, flag = view.session, model.flag
    said = session.words.get("privacy", {}).get(flag, "")
    most = {"k": limits["n_rows"], "l": min(limits["values"].values(), default=0)}.get(flag)
    possible = {
        "k": f"1 to {limits['n_rows']:,}, the number of rows",
        "l": _values(limits["values"]),
    }.get(flag, "")

    def alter(value: str, words: dict[str, Any]) -> None:
        privacy = {**words.get("privacy", {}), flag: _several(value)}
        words["privacy"] = {key: one for key, one in privacy.items() if one != ""}

    def change(value: str) -> Any:
        return _change(view, verdict, partial(alter, value))

    with tag("tr"):
        tag("th", f"{model.name} ({flag})", scope="row")
        with tag("td"):
            shown = " | ".join(map(str, said)) if isinstance(said, list) else str(said)
            kind = {"type": "number", "min": "1", "max": str(most)} if flag == "k" else {"type": "text", "size": "14"}
            kind_of = kind.pop("type")
            bare_field(kind_of, shown, change, aria_label=f"Value of {model.name}", id=f"promise-{flag}", **kind)
        tag("td", model.summary[:1].upper() + model.summary[1:] + ".", class_="long")
        tag("td", possible)


def _several(value: str) -> Any:
    texts = [part.strip() for part in value.split("|") if part.strip()]
    parts = [int(text) if text.isascii() and text.isdigit() else text for text in texts]
    return "" if not parts else parts if len(parts) > 1 else parts[0]


def _values(values: dict[str, int]) -> str:
    if not values:
        return "needs a sensitive column"
    return "; ".join(f"1 to {n:,}, the values of {cut(name, 28)}" for name, n in values.items())


def _set(view: View, verdict: Element, key: str, value: Any, default: Any = None) -> Any:
    """Change one word; what is as it is anyway is left out."""

    def alter(words: dict[str, Any]) -> None:
        words.pop(key, None)
        if value != default:
            words[key] = value

    return _change(view, verdict, alter)


def _set_for(view: View, verdict: Element, key: str, name: str, value: Any) -> Any:
    """Change a word about one column; None is left out."""

    def alter(words: dict[str, Any]) -> None:
        said = {column: one for column, one in words.get(key, {}).items() if column != name}
        words[key] = said if value is None else {**said, name: value}

    return _change(view, verdict, alter)


def _number(view: View, text: str, what: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        view.say(f"{what} must be a number, got {text!r}.")
        return None


def _costs(view: View, verdict: Element) -> None:
    words = view.session.words

    async def limit(value: str) -> None:
        number = _number(view, value or "0", "The share of rows that may be left out")
        if number is not None:
            await _set(view, verdict, "suppression_limit", number / 100, 0.0)

    with tag("div", class_="fields"):
        shown = f"{100 * words.get('suppression_limit', 0.0):g}"
        field("Rows that may be left out (%)", "number", shown, limit, min="0", max="100", step="any", id="limit")
        choice(
            "What to lose least of",
            {name: f"{name}: {m.summary}" for name, m in metrics.ALL.items()},
            words.get("metric", "lm"),
            lambda v: _set(view, verdict, "metric", v, "lm"),
            id="metric",
        )
        choice(
            "Missing values",
            {"own": "are a value of their own", "drop": "drop rows that have one"},
            words.get("missing", "own"),
            lambda v: _set(view, verdict, "missing", v, "own"),
            id="missing",
        )


def _population(view: View, verdict: Element) -> None:
    """Everybody of whom the rows are a sample, for promises that count people."""
    session = view.session

    async def received(name: str) -> None:
        await _set(view, verdict, "population", name)
        await view.draw()

    known = [name for name in sorted(session.files) if not name.startswith("hierarchy_")]
    with tag("div", class_="fields"):
        with tag("div", class_="field", data_upload=f"/api/sessions/{session.id}/files") as zone:
            tag("label", "Table of the whole population, for promises that count people", for_="population-file")
            tag("input", type="file", id="population-file")
        if known:
            options = {"": "none", **{name: cut(name, 40) for name in known}}
            said = session.words.get("population") or ""
            choice("Population", options, said, lambda v: _set(view, verdict, "population", v or None), id="population")
    on(zone, "received", received)
    on(zone, "refused", lambda sentence: view.say(str(sentence)))


def _importance(view: View, verdict: Element) -> None:
    words = view.session.words

    async def weigh(name: str, value: str) -> None:
        number = _number(view, value or "1", f"The importance of {name!r}")
        if number is not None:
            await _set_for(view, verdict, "weights", name, None if number == 1 else number)

    def recode(name: str, value: str) -> Any:
        return _set_for(view, verdict, "recodings", name, value or None)

    for name in words.get("quasi_identifiers", []):
        with tag("div", class_="fields"):
            weight = f"{words.get('weights', {}).get(name, 1):g}"
            field(
                f"Importance of {cut(name, 40)}",
                "number",
                weight,
                partial(weigh, name),
                min="0",
                step="any",
                id=f"weight-{name}",
            )
            choice(
                f"Recoding of {cut(name, 40)}",
                _RECODINGS,
                words.get("recodings", {}).get(name, ""),
                partial(recode, name),
                id=f"recoding-{name}",
            )


def _algorithm(words: dict[str, Any]) -> tuple[str, str]:
    """The name of the algorithm, and its options as the command line writes them."""
    said = words.get("algorithm", "auto")
    if isinstance(said, str):
        name, _, options = said.partition(":")
        return name, options
    return said["name"], ",".join(f"{key}={value}" for key, value in said.items() if key != "name")


def _search(view: View, verdict: Element) -> None:
    words = view.session.words
    name, options = _algorithm(words)
    known = {"auto": "auto: what suits table and promises"} | {
        one: f"{one}: {algorithm.summary}" for one, algorithm in algorithms.ALL.items()
    }

    def alter(value: str, words: dict[str, Any]) -> None:
        chosen = _algorithm(words)[0]
        words["algorithm"] = f"{chosen}:{value.strip()}" if value.strip() else chosen

    def options_of(value: str) -> Any:
        return _change(view, verdict, partial(alter, value))

    async def seed(value: str) -> None:
        number = _number(view, value, "The seed") if value.strip() else None
        await _set(view, verdict, "seed", None if number is None else int(number))

    with tag("div", class_="fields"):
        choice("Algorithm", known, name, lambda v: _set(view, verdict, "algorithm", v, "auto"), id="algorithm")
        field("Its options", "text", options, options_of, id="options", placeholder="relaxed=true")
        choice(
            "Refine afterwards",
            {"": "no", **{one: one for one in REFINEMENTS}},
            words.get("refine") or "",
            lambda v: _set(view, verdict, "refine", v or None),
            id="refine",
        )
        field(
            "Time for losing less",
            "text",
            words.get("budget") or "",
            lambda v: _set(view, verdict, "budget", v or None),
            id="budget",
            placeholder="60s",
            size="8",
        )
        field("Seed (only to repeat a run)", "number", words.get("seed", ""), seed, id="seed")
