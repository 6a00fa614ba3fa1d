"""Release: a checklist, open findings, and exports once no finding is open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from shoal.report.figures import counted
from shoal.web.downloads import LEAVING, RELEASES, SECOND, has_table, to_database
from shoal.web.export_process import HOW
from shoal.web.findings import DOSSIER, findings_of, open_findings
from shoal.web.pages.confirmation import question_box
from shoal.web.pages.drafts import draft_field
from shoal.web.pages.fields import foldable
from shoal.web.pages.finding_cards import finding_card, fix_all
from shoal.web.pages.runs import ask_to_remove
from shoal.web.pages.shown_run import keep_up
from shoal.web.pages.tags import button, hint, redrawn, tag
from shoal.web.pages.view import View
from shoal.web.run import Run
from shoal.web.run_process import PACKAGE, RECODING, RECORD

_KINDS = {".csv": "CSV", ".parquet": "Parquet", ".arrow": "Arrow", ".xlsx": "Excel"}
_REPORTS = {
    "public.html": "Public report",
    PACKAGE: "Data package: a description of release.csv for programs",
    "report.html": "Internal report (for you alone)",
    DOSSIER: "Dossier to sign, internal and public edition, with what was accepted",
}
_AGAIN = {
    "job.toml": "Job file: shoal run job.toml",
    "job.py": "Script: python job.py",
    "again.zip": "Both, with the hierarchy files they read",
    RECORD: "Run record, with what was accepted and why (for you alone)",
}


def build(view: View, run: Run) -> None:
    """The checklist, findings, exports, and a list of tasks for the command line."""
    box = tag("div", id="release")

    def shape() -> object:
        return run.is_being_attacked, [one.key for one in findings_of(run)], dict(run.accepted)

    keep_up(view, run, redrawn(box, shape, partial(_draw, view, run)))


def _draw(view: View, run: Run) -> None:
    tag("h2", "Checklist")
    with tag("ul", class_="checklist", id="checklist"):
        for is_done, sentence in checklist(view, run):
            with tag("li", class_="done" if is_done else "open"):
                tag("span", "Done: " if is_done else "Open: ", class_="mark")
                tag("span", sentence)
    found = findings_of(run)
    if found:
        tag("h2", "Findings")
        fixable = [one for one in open_findings(run) if one.promises or one.columns]
        if len(fixable) > 1:
            fix_all(view, run, fixable)
        for finding in found:
            finding_card(view, run, finding)
    _exports(view, run, is_locked=run.is_being_attacked or bool(open_findings(run)))
    if view.is_local:
        _database(view, run)
    _elsewhere()
    _remove(view, run)


def checklist(view: View, run: Run) -> list[tuple[bool, str]]:
    """What must hold before a release is exported: whether it does, and a sentence."""
    unanswered, n_accepted = open_findings(run), len(run.accepted)
    attacked = "Attacks are still being tried." if run.is_being_attacked else "All attacks of the audit have run."
    attacked = "No attack was tried, because the run had a memory limit." if run.is_in_pieces else attacked
    is_whole = not run.is_being_attacked and not unanswered
    if unanswered:
        answered = f"{counted(len(unanswered), 'finding')} must be fixed, or accepted with a reason."
    elif n_accepted:
        answered = f"{counted(n_accepted, 'finding')} accepted with a reason, which is in the run record."
    else:
        answered = "No attack that was run succeeds."
    current = view.session.is_current(run)
    made = f"Made by the recoding of {run.applied}." if run.applied else "Made with the current settings."
    return [
        (True, f"Every privacy model holds, checked on what was written: {'; '.join(run.figures['promises'])}."),
        (not run.is_being_attacked and not run.is_in_pieces, attacked),
        (is_whole, "Wait for the attacks." if run.is_being_attacked and not unanswered else answered),
        (current, made if current else "The settings have changed since this run; run again."),
    ]


def _exports(view: View, run: Run, *, is_locked: bool) -> None:
    tag("h2", "Export")
    if is_locked:
        tag("p", "The release is locked until every finding above is fixed or accepted.", class_="alert", id="locked")
    with tag("div", class_="cards"):
        _card(view, run, "Release", _form_of_cells(run), _tables(run), is_locked)
        if not run.is_in_pieces:
            _card(view, run, "Reports", "The internal report contains facts about the original.", _REPORTS, is_locked)
        again = "Put them beside the table. With a seed, and no time limit that was used up, they give the same bytes."
        _card(view, run, "Make it again", again, _again(run), is_locked)


def _again(run: Run) -> dict[str, str]:
    """The files to repeat the run: a job, unless the rows were published with the recoding of another run."""
    told = {RECORD: _AGAIN[RECORD]} if run.applied else dict(_AGAIN)
    return told | ({RECODING: "Recoding, for shoal apply (for you alone)"} if RECODING in run.written else {})


def _form_of_cells(run: Run) -> str:
    said = run.words.get("cells", "labels")
    forms = said if isinstance(said, str) else ", ".join(f"{name}: {form}" for name, form in said.items())
    return f"Cells are printed as {forms}; change that under Protect, expert settings."


def _tables(run: Run) -> dict[str, str]:
    kinds = RELEASES[:1] if run.is_in_pieces else RELEASES
    first = {name: _KINDS[f".{name.rpartition('.')[2]}"] for name in kinds}
    names = {"sensitive": "Second table (sensitive values)", "codes": "Codebook"}
    more = {
        name: f"{names[name.split('.')[1]]}, {_KINDS['.' + name.rpartition('.')[2]]}"
        for name in SECOND
        if has_table(run, name)
    }
    return {**first, **more}


def _card(view: View, run: Run, title: str, about: str, links: Mapping[str, str], is_locked: bool) -> None:
    url = f"/api/sessions/{view.session.id}/runs/{run.id}/files"
    with tag("section", class_="card"):
        tag("h3", title)
        hint(about)
        with tag("ul"):
            for name, text in links.items():
                with tag("li"):
                    if is_locked and name in LEAVING:
                        tag("span", f"{text}: locked", class_="locked")
                    else:
                        tag("a", text, href=f"{url}/{name}", download=name, id=f"take-{name}", class_="take")


def _database(view: View, run: Run) -> None:
    draft = view.drafts.of("target", run.id, address="", replace=False)

    async def write() -> None:
        view.say("Writing …", is_good=True)
        where = await to_database(run, draft["address"], replace=bool(draft["replace"]))
        view.say(f"The release is in {where}; it was read back and compared.", is_good=True)

    with foldable(view, "to-database", "Write it to a database"):
        hint(f"A new table: {HOW}. Locked as long as the release is.")
        with tag("div", class_="fields"):
            draft_field("Address", "text", draft, "address", id="target-address", size="40")
            draft_field("Replace the table if there is one", "checkbox", draft, "replace", id="target-replace")
            button("Write it", write, id="target-write")


_COMMANDS = {
    "Tables too large to be opened here, and Spark": "shoal anonymize people.csv --memory 4GiB … (or --backend spark)",
    "Pseudonyms and shifted dates, which need a secret key": 'pseudonyms = ["id"], key_file = "key" in the job file',
    "SPSS, Stata or SAS files": 'output = "release.sav" in the job file (.dta, .xpt)',
    "Several drawn tables": 'cells = "sampled" and draws = 5 in the job file',
    "Linked tables": "shoal run job.toml, with a section for each table",
    "Later rows that have to wait": "shoal apply recoding.json later.csv -o out.csv --hold held.parquet",
    "The patterns that rules allow": "shoal patterns people.csv --quasi age,zip --algorithm patterns:max_stars=2",
}
"""Tasks that need the command line, and the commands for them."""


def _elsewhere() -> None:
    with tag("details"):
        tag("summary", "For the command line only")
        with tag("dl", class_="commands"):
            for what, command in _COMMANDS.items():
                tag("dt", what)
                with tag("dd"):
                    tag("code", command)


def _remove(view: View, run: Run) -> None:
    tag("h2", "When you are done")
    tag(
        "p",
        "All files are deleted when the workbench stops, or after some hours without a visit. To delete this run now:",
    )

    asking = question_box(view, "asking")
    button(f"Remove {run.name} and its files", lambda: ask_to_remove(view, run, asking), id="remove")
