"""Compares several algorithms on several goals."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any, Literal

import polars as pl

from shoal import algorithms as known
from shoal.core.contracts import Algorithm, Metric, PrivacyModel
from shoal.core.domain import Kind
from shoal.core.plugins import build
from shoal.core.progress import Progress, Silent
from shoal.core.schema import refuse_unknown
from shoal.core.suppression_limit import Limit
from shoal.engine.algorithm_choice import seconds_of
from shoal.engine.comparison_trial import Trial
from shoal.engine.notebook_progress import shows_progress
from shoal.engine.plan import with_suggested
from shoal.engine.source import load
from shoal.engine.usefulness import chosen_measures
from shoal.engine.vocabulary import ColumnWords, CompareWords, Goals, Promises
from shoal.errors import InputError
from shoal.io.atomic import write_private
from shoal.io.cell_forms.printing import check_forms
from shoal.io.inspect.columns_without_role import refuse_unspoken
from shoal.io.write import check_target, write_frame
from shoal.report.comparison import LOSSES, Entry, comparison_fragment, comparison_html, comparison_json
from shoal.utility import Utility

ALL = "all"
ENDINGS = (".html", ".json", ".csv", ".parquet")


@dataclass(frozen=True)
class Comparison:
    """The results of each algorithm for each goal.

    >>> import shoal
    >>> from shoal.io.example import people
    >>> table = people(60).select("sex", "job", "diagnosis")
    >>> words = {"quasi_identifiers": ["sex", "job"], "sensitive": ["diagnosis"]}
    >>> goals = [shoal.KAnonymity(5)]
    >>> found = shoal.compare(table, goals=goals, algorithms="mondrian", processes=1, utility=False, **words)
    >>> found.frame.height
    1
    """

    entries: tuple[Entry, ...]

    @property
    def frame(self) -> pl.DataFrame:
        """One row per algorithm and goal, one column per figure."""
        return pl.DataFrame([_flat(entry) for entry in self.entries], infer_schema_length=None)

    def best(self, goal: str | PrivacyModel | None = None) -> Entry:
        """The entry with the least information loss (LM), for one goal or for all.

        Raises:
            InputError: no algorithm made a release for it.
        """
        done = [entry for entry in self.entries if entry.is_done and (goal is None or entry.goal == str(goal))]
        if not done:
            raise InputError(f"No algorithm made a release{'' if goal is None else f' with {goal}'}.")
        return min(done, key=lambda entry: entry.losses["lm"])

    def report(self, target: str | Path) -> None:
        """Write the comparison as HTML with plots, as JSON, or as a table (CSV, Parquet); readable by you alone."""
        path = Path(target)
        check_target(path, (), ENDINGS)
        if path.suffix.lower() in (".csv", ".parquet"):
            write_frame(self.frame, path, private=True)
        else:
            render = comparison_html if path.suffix.lower() == ".html" else comparison_json
            write_private(render(self.entries), path)

    def _repr_html_(self) -> str:
        """For notebooks."""
        return comparison_fragment(self.entries)


@shows_progress
def compare(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str] = (),
    goals: Sequence[PrivacyModel | Sequence[PrivacyModel]] = (),
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    others: Sequence[str] = (),
    masked: Sequence[str] = (),
    person: str | None = None,
    linked: Literal["rows", "histories"] = "rows",
    publish_person: Literal["pseudonym"] | None = None,
    roles: Literal["given", "suggested"] = "given",
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    recodings: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    missing: Literal["own", "drop"] = "own",
    population: str | Path | Any | None = None,
    sample_weight: str | None = None,
    adjust_weights: bool = False,
    algorithms: str | Sequence[str | Algorithm] = ALL,
    time_limit: str | float = 60.0,
    processes: int | None = None,
    utility: bool | Sequence[str | Utility] = True,
    measures: Sequence[str | Utility] | None = None,
    forms: Sequence[str] = (),
    target: str | None = None,
    suppression_limit: Limit = 0.0,
    metric: str | Metric = "lm",
    progress: Progress | None = None,
    folder: str | Path = ".",
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    missing_values: Sequence[str] = (),
    query: str | None = None,
    skip_rows: int = 0,
    header_rows: int = 1,
    missing_codes: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    units: Mapping[str, str] | None = None,
    spellings: Mapping[str, Mapping[str, str]] | None = None,
    fold: Sequence[str] = (),
    **more: Any,
) -> Comparison:
    """Run algorithms on goals, each in a process of its own, and measure loss, utility, risk, time and memory.

    Args:
        data: A path, the address of a database table, or a pandas, polars or pyarrow table; the same kind comes back.
        quasi_identifiers: Columns that an adversary may know; they are generalized. Quote names with a comma:
            '"last, first",zip'.
        goals: The privacy models to try, each alone or several together.
        sensitive: Columns that must not be linked to a person; published unchanged.
        identifiers: Columns that name a person; dropped.
        others: Other columns to publish unchanged.
        masked: Free text to publish with names, numbers, dates and addresses masked; anything not recognized stays.
        person: The column that identifies the person of each row; people are then counted, not rows. Never published.
        linked: With person: rows if an adversary knows one row of a person, histories if all of them.
        publish_person: With linked = histories: pseudonym publishes a random key for each person, drawn for this
            release only.
        roles: suggested gives each column without a role the one that inspect suggests; given uses only the roles you
            name.
        hierarchies: Per column a file, a builder or groups: zip=zip.csv, zip=mask, age=intervals:width=10.
        kinds: Per column its type, if the guess is wrong: numeric, ordinal, nominal or date.
        orders: Per ordinal column its values in order, as in size=S,M,L.
        recodings: Per column its recoding, if not the default: tree, range, sets or suppress.
        weights: Per column its importance for the metric and the algorithm (default 1).
        missing: own treats missing as a value of its own, drop leaves out rows with a missing value.
        population: The population the rows were sampled from, for privacy models about it: a table, or its number of
            people.
        sample_weight: The column that says how many people of the population each row stands for, for risks of samples.
            Never published.
        adjust_weights: Judge and report sample risks with the weights of the published rows scaled up to the whole
            population, if rows were left out.
        algorithms: all, or names separated by commas, with options as in mondrian:relaxed,lattice.
        time_limit: When to stop each run: 60, 60s, 2m.
        processes: How many run at once; one per processor if not given.
        utility: Measure errors of queries, marginals and correlations as well.
        measures: Only these measures of utility, with options as in count-queries:dimensions=3.
        forms: Forms of cells to analyse as well: counts, quantiles, correlations, a regression, boosting, a forest.
        target: A published column that a model is trained to predict.
        suppression_limit: How many rows may be left out: a share such as 0.05 or 5%, or a number such as '29 rows'.
        metric: The information-loss metric to minimize.
        progress: Receives the progress of the run.
        folder: Where relative paths of hierarchies start.
        delimiter: The field separator; detected if not given.
        encoding: The text encoding, such as utf-8 or cp1252; detected if not given.
        quote: The quote character, empty for none; detected if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that mean a missing value, in addition to the empty field.
        query: For a database: a query instead of a table.
        skip_rows: Number of rows above the header to skip, such as a title.
        header_rows: Number of header rows; their names are joined.
        missing_codes: Per column the values that mean missing, as in age=-9,99.
        dates: Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).
        decimal: The decimal mark of numbers, if not a point.
        thousands: The thousands separator of numbers.
        units: Per column the unit written with its numbers, to be removed; several spellings as in age=years|yrs.
        spellings: Replace one spelling of a value by another, as in 'sex:MALE=male'; may be repeated.
        fold: Columns whose values are merged if they differ only in blanks or in the coding of accents.
        more: Any other keyword is refused; the error suggests the one that was meant.

    Raises:
        InputError: something given cannot be used by any algorithm.

    Example:
        >>> import shoal
        >>> from shoal.io.example import people
        >>> table = people(60).select("sex", "job", "diagnosis")
        >>> words = {"quasi_identifiers": ["sex", "job"], "sensitive": ["diagnosis"]}
        >>> goals = [shoal.KAnonymity(5)]
        >>> found = shoal.compare(table, goals=goals, algorithms="mondrian", processes=1, utility=False, **words)
        >>> found.best("5-anonymity").algorithm
        'mondrian'
    """
    words = CompareWords.called_with(locals())
    progress = progress or Silent()
    wanted = [Promises.said({"privacy": goal}).promises for goal in words.goals]
    if not wanted:
        raise InputError("compare needs at least one goal, such as shoal.KAnonymity(5).")
    limit = seconds_of(words.time_limit)
    chosen = chosen_algorithms(words.algorithms, limit)
    asked = words.utility if words.measures is None else words.measures
    tried = ((), None)[asked] if isinstance(asked, bool) else tuple(asked)
    chosen_measures(tried, counts_people=words.person is not None)
    check_forms(words.forms)
    frame = load(data, **words.loading).frame
    refuse_unknown([*words.quasi_identifiers, *([target] if target else [])], frame.columns)
    refuse_unspoken(frame, with_suggested(words, frame))
    said = {**words.of(ColumnWords), **words.of(Goals), "folder": Path(folder).resolve()}
    with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
        table = Path(folder) / "table.arrow"
        frame.write_ipc(table)
        trials = [
            Trial(table, algorithm, spelled, goal, said, tried, target, tuple(words.forms))
            for goal, (spelled, algorithm) in product(wanted, chosen)
        ]
        progress.stage("comparing", len(trials))
        entries = _run_all(trials, Path(folder), limit, processes or os.cpu_count() or 1, progress)
    return Comparison(_with_front(entries))


def chosen_algorithms(
    said: str | Sequence[str | Algorithm], limit: float | None = None
) -> list[tuple[str, str | Algorithm]]:
    """The requested algorithms, each with its name in tables.

    With "all", algorithms that search until a time limit get a third of it.
    """
    if said == ALL:
        return [(spelled := _in_time(name, limit), spelled) for name in known.ALL]
    chosen: list[tuple[str, str | Algorithm]] = []
    for each in [said] if isinstance(said, str) else said:
        if isinstance(each, str):
            build("algorithm", each, known.ALL)
        chosen.append((each if isinstance(each, str) else repr(each), each))
    return chosen


def _in_time(name: str, limit: float | None) -> str:
    """The algorithm with its own time limit, if it has one."""
    options = [field.name for field in fields(known.ALL[name]) if field.name in ("budget", "time_limit")]  # type: ignore[arg-type]
    return f"{name}:{options[0]}={limit / 3:g}" if options and limit else name


def _run_all(
    trials: Sequence[Trial], folder: Path, limit: float | None, processes: int, progress: Progress
) -> list[Entry]:
    """Run all trials, a few at a time; results in the given order."""
    found: dict[int, Entry] = {}
    children: set[subprocess.Popen[bytes]] = set()
    with ThreadPoolExecutor(processes) as pool:
        waiting = {pool.submit(_run, trial, folder / str(i), limit, children): i for i, trial in enumerate(trials)}
        try:
            for done in as_completed(waiting):
                found[waiting[done]] = done.result()
                progress.advance()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in list(children):
                child.kill()
            raise
    return [found[i] for i in range(len(trials))]


def _run(trial: Trial, folder: Path, limit: float | None, children: set[subprocess.Popen[bytes]]) -> Entry:
    """Run one trial in its own process; it is killed when its time is up."""
    folder.mkdir()
    (folder / "request.pickle").write_bytes(pickle.dumps(trial))
    command = [sys.executable, "-m", "shoal.engine.comparison_trial", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:  # noqa: S603
        children.add(child)
        try:
            _, said = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            child.kill()
            return Entry(trial.spelled, trial.goal, "time limit", f"Not done after {limit:g} seconds.")
        finally:
            children.discard(child)
    answer = folder / "answer.json"
    if child.returncode or not answer.exists():
        last = said.decode(errors="replace").strip().splitlines()[-1:] or [f"exit status {child.returncode}"]
        return Entry(trial.spelled, trial.goal, "failed", last[0])
    return Entry(**json.loads(answer.read_text()))


def _with_front(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries, marked if no other loses less at no higher risk."""
    done = [entry for entry in entries if entry.is_done]
    return tuple(
        replace(entry, is_on_front=entry.is_done and not any(_beats(other, entry) for other in done))
        for entry in entries
    )


def _beats(one: Entry, other: Entry) -> bool:
    ours, theirs = ((round(e.losses["lm"], 9), round(e.highest_risk or 0.0, 9)) for e in (one, other))
    return ours != theirs and ours[0] <= theirs[0] and ours[1] <= theirs[1]


def _flat(entry: Entry) -> dict[str, Any]:
    return {
        "algorithm": entry.algorithm,
        "goal": entry.goal,
        "state": entry.state,
        "reason": entry.reason,
        **{name: entry.losses.get(name) for name in LOSSES},
        **{f"error of {name}": value for name, value in entry.utility.items()},
        "suppressed rows": entry.n_suppressed,
        "highest risk": entry.highest_risk,
        "average risk": entry.average_risk,
        "seconds": entry.seconds,
        "CPU seconds": entry.cpu_seconds,
        "peak MiB": entry.peak_mib,
        "on the front": entry.is_on_front,
    }
