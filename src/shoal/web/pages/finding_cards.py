"""A finding about a release on a page: fix it, with a preview of the cost, or accept it with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from nicegui.element import Element

from shoal.engine.release_findings import ReleaseFinding
from shoal.errors import InputError
from shoal.report.figures import counted, figure, percent
from shoal.web.findings import answer
from shoal.web.pages.drafts import draft_field
from shoal.web.pages.running_jobs import start_run
from shoal.web.pages.tags import button, hint, tag
from shoal.web.pages.view import View
from shoal.web.receiving import say
from shoal.web.run import Run


def finding_card(view: View, run: Run, finding: ReleaseFinding) -> None:
    """Draw a card with both options; for an accepted finding, the reason and a button to withdraw it."""
    reason = run.accepted.get(finding.key)
    key = _id(finding)
    with tag("section", class_=f"card finding {'accepted' if reason else 'open'}", id=f"finding-{key}"):
        tag("h3", "Accepted" if reason else "Open finding")
        tag("p", finding.sentence)
        if reason:
            tag("p", f"Accepted because: {reason}")
            button("Take this back", lambda: _answer(view, run, finding, ""), id=f"reopen-{key}")
            return
        if finding.remedy:
            hint(finding.remedy)
        _ways_out(view, run, finding, key)


def _ways_out(view: View, run: Run, finding: ReleaseFinding, key: str) -> None:
    draft = view.drafts.of("reason", run.id, finding.key, reason="")

    async def look() -> None:
        await _preview(view, run, [finding], box, key)

    async def take() -> None:
        await _answer(view, run, finding, draft["reason"] or " -")

    with tag("div", class_="fields"):
        if finding.promises or finding.columns:
            button("Fix it", look, id=f"fix-{key}", class_="main", aria_label=f"Fix {finding.key.replace(':', ' ')}")
        draft_field("Or accept it, because", "text", draft, "reason", id=f"reason-{key}", size="40")
        button("Accept", take, id=f"accept-{key}", aria_label=f"Accept {finding.key.replace(':', ' ')}")
    box = tag("div", id=f"cost-{key}", aria_live="polite")


async def _answer(view: View, run: Run, finding: ReleaseFinding, reason: str) -> None:
    answer(view.session, run, finding.key, reason)
    view.drafts.forget("reason", run.id, finding.key)
    await view.draw()


def fix_all(view: View, run: Run, found: Sequence[ReleaseFinding]) -> None:
    """One button for everything that can be fixed, with a preview of the cost before anything is changed."""

    async def look() -> None:
        await _preview(view, run, found, box, "all")

    button("Fix all of them", look, id="fix-all", class_="main")
    box = tag("div", id="cost-all", aria_live="polite")


async def _preview(view: View, run: Run, found: Sequence[ReleaseFinding], box: Element, key: str) -> None:
    """Try the fix, show its cost, and offer to run it."""
    session = view.session
    if run.job.input != session.table.name:
        raise InputError("This run was made of another table; open that table first.")
    box.clear()
    with box:
        hint("Trying out what helps …")
    try:
        plain = [asdict(finding) for finding in found]
        tried = await session.desk.ask("fix", job=run.job, words=run.words, found=plain)
    except InputError as problem:
        tried = {"sentence": str(problem)}
    if box.is_deleted:
        return
    box.clear()
    with box:
        _cost(view, tried, key)


def _cost(view: View, found: dict[str, Any], key: str) -> None:
    if "sentence" in found:
        tag("p", found["sentence"], class_="note")
        return
    before, after = found["before"], found["after"]
    works = "That helps" if found["is_gone"] else "That is the most that could be tried, and does not stop all of it"
    tag(
        "p",
        f"{found['title']}. {works}, and leaves {counted(found['n_left'], 'finding')}. By the quick algorithm on "
        f"{counted(found['n_rows'], 'row')}: loss ({found['metric']}) from {figure(before['loss'])} to "
        f"{figure(after['loss'])}, suppressed rows from {before['suppressed']:,} to {after['suppressed']:,}, highest "
        f"risk from {percent(before['risk'])} to {percent(after['risk'])}.",
        class_="note",
    )

    async def apply() -> None:
        await say(view.session, found["words"])
        await start_run(view)

    button(f"{found['title']} and run again", apply, id=f"apply-{key}", class_="main")


def _id(finding: ReleaseFinding) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in finding.key)
