"""Findings that must be resolved before a release is published: accepted with a reason, or fixed.

Fixes and their costs are tried out with the quick algorithm before anybody decides.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from shoal.audit import ALL
from shoal.audit.findings import Audit
from shoal.engine.verified_release import VerifiedRelease
from shoal.engine.vocabulary import promises_from
from shoal.errors import InputError, ShoalError
from shoal.io.inspect.exact_dates import share_of_exact_dates
from shoal.report.figures import listed, percent

AUDIT, DATES = "audit", "dates"
"""Kinds of findings besides attacks: no audit, exact dates."""

JobWords = dict[str, Any]

_ROLES = ("identifiers", "quasi_identifiers", "sensitive", "others")


@dataclass(frozen=True)
class ReleaseFinding:
    """A successful attack, or something that an adversary can read without one.

    Args:
        key: identifies the finding across runs: ``homogeneity:diagnosis``, ``dates:admitted``.
        sentence: what was found.
        remedy: how to resolve it.
        promises: privacy models that prevent it, as in a job file, the weakest first.
        columns: the columns concerned.
    """

    key: str
    sentence: str
    remedy: str = ""
    promises: tuple[tuple[str, str], ...] = ()
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> ReleaseFinding:
        """Restore a finding from plain data."""
        promises = tuple((str(key), str(value)) for key, value in plain["promises"])
        return cls(plain["key"], plain["sentence"], plain["remedy"], promises, tuple(plain["columns"]))


def findings(result: VerifiedRelease, audit: Audit | None = None) -> list[dict[str, Any]]:
    """Every finding about a release, as plain data, by an audit after that of the run if there was one."""
    found = audit or result.audited
    if found is None:
        said = result.not_audited or "The release was not audited."
        attacks = [ReleaseFinding(AUDIT, said, "Turn the audit on (Algorithm, under Protect), and run again.")]
    else:
        attacks = [
            ReleaseFinding(
                f"{risk.attack}:{risk.about}",
                f"{risk.attack.capitalize()}: {risk.says}",
                found.remedies.get(risk.attack, ""),
                ALL[risk.attack].stopped_by if risk.attack in ALL else (),
                risk.columns,
            )
            for risk in found.falling
        ]
    return [asdict(one) for one in [*attacks, *date_findings(result.frame)]]


def date_findings(frame: pl.DataFrame) -> list[ReleaseFinding]:
    """Columns that print exact dates, whatever their role. O(records)."""
    shares = {name: share_of_exact_dates(frame[name]) for name in frame.columns}
    return [
        ReleaseFinding(
            f"{DATES}:{name}",
            f"{percent(share)} of the cells of {name!r} print exact dates: anyone who knows a person's date "
            "can find the record.",
            "Publish only the year (bands), or remove the column.",
            columns=(name,),
        )
        for name, share in shares.items()
        if share
    ]


@dataclass(frozen=True)
class Fix:
    """A change of the settings, and the text of its button."""

    title: str
    words: JobWords


@dataclass(frozen=True)
class TriedFix:
    """Changes that were tried out: whether the findings are gone, the costs, and how many findings would be left.

    ``before`` and ``after`` are the loss, the suppressed rows and the highest risk, both with the quick algorithm, so
    that they can be compared.
    """

    title: str
    words: JobWords
    is_gone: bool
    before: dict[str, float]
    after: dict[str, float]
    n_left: int


def fixes(finding: ReleaseFinding, words: Mapping[str, Any], dates: Mapping[str, str] | None = None) -> Iterator[Fix]:
    """Changes that may resolve a finding, the mildest first; ``dates`` has the formats of dates stored as text."""
    if finding.key.startswith(f"{DATES}:"):
        yield from (_in_years(words, name, (dates or {}).get(name, "")) for name in finding.columns)
    if finding.columns:
        yield Fix(f"Remove {listed([*finding.columns])}", _removed(words, finding.columns))
    for key, value in finding.promises:
        now = words.get("privacy", {}).get(key)
        ladder = [rung for flag, rung in finding.promises if flag == key]
        if now is None or _is_stronger(value, now, ladder):
            (promise,) = promises_from({key: value})
            yield Fix(f"Ask for {promise}", _asked(words, key, value))


def _asked(words: Mapping[str, Any], key: str, value: str) -> JobWords:
    changed = copy.deepcopy(dict(words))
    number = int(value) if value.isdigit() else float(value) if value.replace(".", "", 1).isdigit() else value
    return {**changed, "privacy": {**changed.get("privacy", {}), key: number}}


def _removed(words: Mapping[str, Any], columns: Sequence[str]) -> JobWords:
    changed = copy.deepcopy(dict(words))
    changed |= {role: [name for name in changed[role] if name not in columns] for role in _ROLES if role in changed}
    return {**changed, "identifiers": [*changed.get("identifiers", []), *columns]}


def _in_years(words: Mapping[str, Any], column: str, form: str) -> Fix:
    """Publish years, before any other step and whatever the role; a hierarchy of dates is then dropped."""
    changed = copy.deepcopy(dict(words))
    trees = {name: tree for name, tree in changed.get("hierarchies", {}).items() if name != column}
    told = {**changed, "bands": {**changed.get("bands", {}), column: "year"}}
    if form:
        reading = changed.get("reading", {})
        told["reading"] = {**reading, "dates": {**reading.get("dates", {}), column: form}}
    return Fix(
        f"Publish only the year of {column}", {**told, **({"hierarchies": trees} if "hierarchies" in told else {})}
    )


def _is_stronger(value: str, now: Any, ladder: Sequence[str]) -> bool:
    """Whether a rung of a model's ladder is stricter than the current setting, in the direction of the ladder."""
    first, last, own, said = (_number(one) for one in (ladder[0], ladder[-1], value, now))
    has_options = len(now) > 1 if isinstance(now, Mapping) else ":" in str(now)
    return (own - said) * (last - first) > 0 or (own == said and ":" in value and not has_options)


def _number(said: Any) -> float:
    """The number of a model in any notation: 3, "3:entropy", {"l": 3, "kind": "entropy"}, or a list."""
    if isinstance(said, Mapping):
        return _number(next(iter(said.values())))
    if isinstance(said, list | tuple):
        return _number(said[0])
    return float(str(said).partition(":")[0].partition(",")[0] or 0)


Run = Callable[[JobWords], VerifiedRelease]
"""Anonymizes quickly with these settings, and audits."""


def try_fixes(
    found: Sequence[ReleaseFinding], words: JobWords, run: Run, dates: Mapping[str, str] | None = None
) -> TriedFix:
    """For each finding in turn, the mildest change that resolves it; and the cost of all of them.

    Columns come first: what is no longer published needs no privacy model.

    Raises:
        InputError: there is nothing to try, or no release of this table could satisfy any of it.
    """
    before = now = run(words)
    titles: list[str] = []
    is_gone, problem = True, "No privacy model stops this; change the columns or accept it with a reason."
    for finding in sorted(found, key=lambda one: not one.columns):
        if titles and finding.key not in _keys(now):
            continue
        step = _first_that_works(finding, fixes(finding, words, dates), run)
        if isinstance(step, str):
            is_gone, problem = False, step or problem
            continue
        titles.append(step.fix.title)
        words, now, is_gone = step.fix.words, step.result, is_gone and step.is_gone
    if not titles:
        raise InputError(problem)
    return TriedFix(", ".join(titles), words, is_gone, _cost(before), _cost(now), len(_keys(now)))


@dataclass(frozen=True)
class _Step:
    fix: Fix
    result: VerifiedRelease
    is_gone: bool


def _first_that_works(finding: ReleaseFinding, candidates: Iterable[Fix], run: Run) -> _Step | str:
    """The mildest fix that works, else the last one that could be tried, else why none could."""
    last: _Step | str = ""
    for fix in candidates:
        try:
            result = run(fix.words)
        except ShoalError as problem:
            last = last or str(problem)
            continue
        last = _Step(fix, result, finding.key not in _keys(result))
        if last.is_gone:
            break
    return last


def _keys(result: VerifiedRelease) -> set[str]:
    return {found["key"] for found in findings(result)}


def _cost(result: VerifiedRelease) -> dict[str, float]:
    risk = result.summary().public().risk
    return {
        "loss": float(result.goal.metric.score(result.release)),
        "suppressed": result.release.n_suppressed,
        "risk": risk.highest,
    }
