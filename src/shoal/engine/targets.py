"""Where results may be written; asked before the work starts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from shoal.io.write import check_target

REPORT_ENDINGS = (".html", ".json", ".txt")


def record_path(release: Path) -> Path:
    """Where the private run record of a release goes: ``name.run.json`` beside it."""
    return release.with_suffix(".run.json")


def check_release_target(target: Path, inputs: Iterable[Path]) -> None:
    """Raise InputError where the release or its run record could not be written, or would overwrite an input."""
    given = list(inputs)
    check_target(target, given)
    check_target(record_path(target), given, endings=(".json",))


def check_report_target(target: Path, inputs: Iterable[Path]) -> None:
    """Raise InputError where a report could not be written there, or would overwrite an input."""
    check_target(target, inputs, endings=REPORT_ENDINGS)
