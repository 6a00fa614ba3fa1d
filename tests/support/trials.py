"""Trials of comparisons in this process: to start one for each takes seconds, and most tests ask about other things."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shoal.engine import comparing, comparison_trial
from shoal.engine.comparison_trial import Trial
from shoal.report.comparison import Entry


def _here(trial: Trial, folder: Path, limit: float | None, children: object) -> Entry:
    """What the process would do, by the same function and through the same files."""
    folder.mkdir()
    (folder / "request.pickle").write_bytes(pickle.dumps(trial))
    comparison_trial.main(folder)
    return Entry(**json.loads((folder / "answer.json").read_text()))


@contextmanager
def trials_in_this_process() -> Iterator[None]:
    """Nothing is started inside the block; no limit of time is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "_run", _here)
        yield
