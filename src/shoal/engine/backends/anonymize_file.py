"""Anonymizes a file into a verified file within a memory limit, with the settings of ``anonymize``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.core.progress import Progress, Silent
from shoal.engine.backends.contract import Outcome
from shoal.engine.backends.disk import Disk
from shoal.engine.backends.memory_limit import Memory
from shoal.engine.backends.running import run
from shoal.engine.notebook_progress import shows_progress
from shoal.engine.targets import Targets
from shoal.engine.vocabulary import OFF, AnonymizeWords
from shoal.errors import InputError
from shoal.io.location import Location
from shoal.io.place import place_at
from shoal.io.write import check_target


@shows_progress
def anonymize_file(
    source: str | Path,
    target: str | Path,
    *,
    memory: str | int,
    progress: Progress | None = None,
    folder: str | Path = ".",
    datapackage: str | Path | None = None,
    **words: Any,
) -> Outcome:
    """Publish a file that may be larger than memory, as a file.

    Full-domain levels (``algorithm="lattice"`` or ``levels``) are searched on the distinct rows with their counts.
    Any other algorithm runs on blocks of similar rows, which are kept on disk beside the target and then deleted.
    The written file is read back and checked before it gets its name; the private run record is beside it.

    Args:
        source: a .parquet, .csv, .tsv or .txt file.
        target: the .parquet, .csv or .tsv file to write.
        memory: the most memory to use, as in ``"4GiB"``.
        progress: receives the progress of the run.
        folder: where relative paths of hierarchies start.
        datapackage: where the description for programs goes; beside the target if not given, ``"off"`` for none.
        words: the settings of ``anonymize``; those that need all rows at once are refused.

    Raises:
        InputError: something given cannot be used, or needs all rows in memory.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the written file failed our own check, which is our bug; nothing is left of it.

    Example:
        >>> import shoal
        >>> from shoal.io.example import people
        >>> people(200).select("sex", "job").write_csv("people.csv")
        >>> words = {"quasi_identifiers": ["sex", "job"], "privacy": shoal.KAnonymity(5), "memory": "8GiB"}
        >>> done = shoal.anonymize_file("people.csv", "release.csv", **words)
        >>> print(done.verdicts[0])
        5-anonymity holds: achieved 5
    """
    said = AnonymizeWords.said(words)
    package = place_at(Path(target)).package_path if datapackage is None else Path(datapackage)
    described = None if datapackage == OFF else package
    return run_within(said, Path(source), Path(target), described, memory, Path(folder), progress or Silent())


def run_within(
    words: AnonymizeWords,
    source: Path,
    target: Path,
    package: Path | None,
    memory: str | int,
    folder: Path,
    progress: Progress,
) -> Outcome:
    """Run validated settings; ``package`` is the path of the data package."""
    if package is not None:
        check_target(package, [source], (".json",))
    with Disk(source, target, Memory.of(memory), progress, package) as disk:
        return run(words, disk, folder)


def check_for_memory(source: Location, targets: Targets) -> tuple[Path, Path, Path | None]:
    """The files of a run with a memory limit: the input, the release, and its data package.

    Raises:
        InputError: one is not a file, or an output needs all rows at once.
    """
    read, written = place_at(source).path, None if targets.output is None else place_at(targets.output).path
    if read is None or written is None:
        raise InputError("With a memory limit both the table and the release are files; give two paths.")
    if targets.beside():
        raise InputError(
            "With a memory limit only the release, its data package and its run record are written; leave out the "
            "other files."
        )
    if targets.layout.says_something:
        raise InputError("With a memory limit, text is written in the default layout; leave out the output_ settings.")
    return read, written, targets.package
