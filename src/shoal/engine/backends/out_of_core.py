"""Runs that do not keep the table in memory, in the words of the command line and of job files."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.core.contracts import Algorithm, Verdict
from shoal.core.progress import Progress
from shoal.engine.backends.verbs import AT_ONCE, anonymize_file, check_for_memory
from shoal.engine.record import run_record
from shoal.engine.targets import Targets, record_path
from shoal.engine.vocabulary import Reading
from shoal.errors import InputError
from shoal.io.atomic import write_private
from shoal.io.locking import temporary_folder
from shoal.io.places import Place, Remote

if TYPE_CHECKING:
    from shoal.engine.backends.spark.running import SparkRelease

_READING = tuple(word for word in Reading.model_fields if word not in ("query", "sheet", "fold"))


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is told about a release that is nowhere in memory."""

    target: str
    verdicts: tuple[Verdict, ...]
    losses: dict[str, float]
    n_rows: int
    n_records: int
    algorithm: Algorithm
    levels: tuple[int, ...] | None
    seconds: dict[str, float]
    notes: tuple[str, ...] = ()
    figures: dict[str, str] = field(default_factory=dict)


def run_within(source: Place, targets: Targets, memory: str, progress: Progress, **words: Any) -> Outcome:
    """Publish a file within a memory limit."""
    path, target = check_for_memory(source, targets)
    made = anonymize_file(path, target, memory=memory, progress=progress, **words)
    figures = {
        "Classes": f"{made.n_classes:,}, the smallest of {made.smallest_class:,} records",
        "Peak memory": f"{made.peak_memory / (1 << 30):.2f} GiB",
    }
    return Outcome(
        str(made.target), made.verdicts, made.losses, made.n_rows, made.n_records, made.algorithm, made.levels,
        made.seconds, made.notes, figures,
    )  # fmt: skip


def run_on_spark(source: Place | str, targets: Targets, master: str, progress: Progress, **words: Any) -> Outcome:
    """Publish a file or folder through Spark, to a Parquet folder that is there as a whole or not at all.

    Paths of object stores and Hadoop (``s3a://``, ``hdfs://``, …) are read and written by Spark's own readers.
    """
    from shoal.engine.backends.spark.reading import case_sensitive, read_rows
    from shoal.engine.backends.spark.running import release
    from shoal.engine.backends.spark.session import session

    refuse_words(words)
    reading = {word: words.pop(word) for word in _READING if word in words}
    target = _target(targets)
    spark = session(master)
    _refuse_existing(spark, target, replace=targets.replace)
    beside = Path(tempfile.gettempdir()) if "://" in target else Path(target).parent
    with temporary_folder(beside) as folder, case_sensitive(spark):
        made = release(read_rows(spark, str(source), folder, **reading), progress=progress, **words)
        progress.stage("writing")
        if "://" not in target:
            record_path(Path(target)).unlink(missing_ok=True)  # never a new release beside the record of an old one
        try:
            _write(made.frame, target, replace=targets.replace)
        finally:
            made.frame.unpersist()
    if "://" not in target:
        write_private(_record(made, source, target), record_path(Path(target)))
    figures = {f"Chance of finding a person, {name}": f"{risk:.4g}" for name, risk in made.risks.items()}
    return Outcome(
        target, made.verdicts, made.losses, made.n_rows, made.n_records, made.algorithm, made.levels, made.seconds,
        made.notes, figures,
    )  # fmt: skip


def refuse_words(words: dict[str, Any]) -> None:
    """Take out what Spark has no use for, where it was left as it is.

    Raises:
        InputError: it was not, and would be passed over in silence.
    """
    for word in AT_ONCE:
        if words.pop(word, None):
            raise InputError(f"On Spark {word!r} cannot be used; leave it out, or run without Spark.")
    if words.pop("seed", None) is not None:
        raise InputError("On Spark 'seed' cannot be used, as tasks end in any order; leave it out.")
    if words.pop("roles", "given") != "given":
        raise InputError("On Spark roles cannot be suggested; run shoal inspect on a sample, and say them.")
    if words.pop("audit", "quick") not in ("quick", "off"):
        raise InputError("On Spark a release gets the risks that the cluster counts; run shoal audit on it for more.")


def _target(targets: Targets) -> str:
    """Where the release goes, once it is sure that nothing is in the way."""
    if targets.output is None:
        raise InputError("Say with -o where the release should go; on Spark it is a folder of Parquet files.")
    if targets.report or targets.public_report or targets.explore or targets.save_recoding:
        raise InputError("On Spark only the release and its run record are written; leave the others out.")
    text = str(targets.output)
    if "://" not in text:
        path = Path(text)
        if path.suffix.lower() != ".parquet":
            raise InputError(
                f"On Spark the release is a folder of Parquet files; name it {path.with_suffix('.parquet')}."
            )
        if not path.parent.is_dir():
            raise InputError(f"The folder {str(path.parent)!r} of the output does not exist; make it first.")
        if path.exists() and not targets.replace:
            raise InputError(f"The output {text!r} exists already; choose another name, or say --replace.")
    return text


def _refuse_existing(spark: Any, target: str, *, replace: bool) -> None:
    """Look at a place that only Spark can reach, before the work begins.

    Raises:
        InputError: something is there, or Spark has no means of getting there.
    """
    if "://" not in target or replace:
        return
    path = spark._jvm.org.apache.hadoop.fs.Path(target)
    try:
        is_there = path.getFileSystem(spark._jsc.hadoopConfiguration()).exists(path)
    except Exception as problem:
        if not type(problem).__module__.startswith(("pyspark", "py4j")):
            raise
        raise InputError(f"Spark cannot reach {target!r}; check the address, and Spark's settings for it.") from None
    if is_there:
        raise InputError(f"The output {target!r} exists already; choose another name, or say --replace.")


def _write(frame: Any, target: str, *, replace: bool) -> None:
    """A folder under a temporary name that takes its place at the end; elsewhere Spark's own commit."""
    if "://" in target:
        frame.write.mode("overwrite" if replace else "errorifexists").parquet(target)
        return
    path = Path(target).resolve()
    temporary = path.with_name(f".shoal-{uuid.uuid4().hex}")
    try:
        frame.write.parquet(f"file://{temporary}")
        for leftover in temporary.rglob(".*.crc"):
            leftover.unlink()
        if path.exists():
            old = path.with_name(f".shoal-{uuid.uuid4().hex}")
            path.rename(old)
            temporary.rename(path)
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        else:
            temporary.rename(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _record(made: SparkRelease, source: Place | str, target: str) -> str:
    """The private run record. Hashes are of files; folders have none."""
    place = source if isinstance(source, Path) and source.is_file() else Remote(str(source))
    return run_record(
        made, place, Remote(target), levels=made.levels, losses=made.losses, rows=made.n_rows, records=made.n_records
    )
