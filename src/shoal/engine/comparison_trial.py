"""Runs one algorithm on one goal in its own process, so that time and memory can be measured and limited.

Run as ``python -m shoal.engine.comparison_trial FOLDER``: reads ``request.pickle`` there and writes ``answer.json``.
"""

from __future__ import annotations

import json
import pickle
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from shoal import metrics
from shoal.core.contracts import Algorithm, PrivacyModel
from shoal.core.plain_data import plain_data
from shoal.core.release import Release
from shoal.engine.anonymizing import anonymize
from shoal.engine.backends.memory_limit import peak
from shoal.engine.usefulness import usefulness_of
from shoal.errors import GoalNotMet, InputError, ShoalError
from shoal.models.of_people import people_of
from shoal.report.comparison import LOSSES, Entry
from shoal.utility import Utility


@dataclass(frozen=True)
class Trial:
    """What to run, and what to measure."""

    data: Path
    algorithm: str | Algorithm
    spelled: str
    promises: tuple[PrivacyModel, ...]
    words: dict[str, Any] = field(default_factory=dict)
    measures: tuple[str | Utility, ...] | None = None
    target: str | None = None
    forms: tuple[str, ...] = ()

    @property
    def goal(self) -> str:
        """The privacy models in one line."""
        return " and ".join(str(promise) for promise in self.promises)

    def run(self) -> Entry:
        """Make the release and measure it. Errors are reported in the entry, not raised."""
        wall, cpu = perf_counter(), process_time()
        try:
            result = anonymize(self.data, privacy=self.promises, algorithm=self.algorithm, audit="off", **self.words)
        except ShoalError as problem:
            return Entry(self.spelled, self.goal, _state(problem), str(problem))
        wall, cpu = perf_counter() - wall, process_time() - cpu
        used, release = peak() / (1 << 20), result.release
        highest, average = _risks(release)
        return Entry(
            self.spelled,
            self.goal,
            "done",
            losses={name: metrics.ALL[name]().score(release) for name in LOSSES},
            utility=usefulness_of(release, self.target, self.measures, self.forms, result.schema, result.shows_people),
            highest_risk=highest,
            average_risk=average,
            n_suppressed=release.n_suppressed,
            seconds=wall,
            cpu_seconds=cpu,
            peak_mib=used,
        )


def _risks(release: Release) -> tuple[float, float]:
    """The largest and mean risk over rows: 1 / the records that may be theirs, or the people of their class."""
    groups = release.pools if release.buckets is None else release.classes
    if not len(groups):
        return 0.0, 0.0
    risks = 1 / (people_of(release.table, groups) if release.table.counts_people else groups.sizes)
    rows = groups.sizes if release.matches is None else np.ones(len(groups), np.int64)
    return float(risks.max()), float(np.average(risks, weights=rows))


def _state(problem: ShoalError) -> str:
    if isinstance(problem, GoalNotMet):
        return "not met"
    return "refused" if isinstance(problem, InputError) else "failed"


def main(folder: Path) -> None:
    """Run the trial of a request file and write its answer."""
    trial: Trial = pickle.loads((folder / "request.pickle").read_bytes())  # noqa: S301 (written by ourselves)
    (folder / "answer.json").write_text(json.dumps(plain_data(asdict(trial.run()))))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
