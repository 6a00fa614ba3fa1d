"""Runs on Spark: from a DataFrame to a verified DataFrame, or from files to a folder of files."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.core.progress import Progress, Silent
from shoal.engine.backends.contract import Outcome
from shoal.engine.backends.running import run
from shoal.engine.backends.spark.cluster import Cluster
from shoal.engine.backends.spark.dataframes import as_polars, as_spark, is_of_spark
from shoal.engine.backends.spark.reading import case_sensitive, read_rows
from shoal.engine.backends.spark.session import same_python, session, shuffles_as_before
from shoal.engine.datapackage import datapackage
from shoal.engine.targets import Targets
from shoal.engine.vocabulary import AnonymizeWords, Reading
from shoal.engine.writing import stale_beside
from shoal.errors import BrokenPromise, GoalNotMet, InputError
from shoal.io.atomic import write_private, write_text
from shoal.io.location import Location, location_of
from shoal.io.locking import temporary_folder
from shoal.io.place import place_at
from shoal.io.write import check_target

ROWS = 200_000
"""The approximate number of rows per block."""


def anonymize(df: Any, **words: Any) -> Any:
    """Publish a Spark DataFrame so that every promise holds, as a Spark DataFrame; settings as in ``release``."""
    return release(df, **words).frame


def release(
    df: Any,
    *,
    rows: int = ROWS,
    progress: Progress | None = None,
    folder: str | Path = ".",
    **words: Any,
) -> Outcome:
    """Publish a Spark DataFrame with the settings of ``shoal.anonymize``; the table never comes to the driver.

    Full-domain levels (``algorithm="lattice"`` or ``levels``) are searched on the driver, on the distinct rows with the
    counts computed by the cluster. Other algorithms run in tasks, on blocks of about ``rows`` similar rows. The cluster
    verifies every promise in plain SQL before this returns. Records are returned in an order that is random to
    everybody without the key, which is discarded.

    Raises:
        InputError: something given cannot be used, or needs all rows in one place.
        GoalNotMet: no release was found that keeps the promises.
        BrokenPromise: the release failed our own check, which is our bug.
    """
    said = AnonymizeWords.said(words)
    for word, field in Reading.model_fields.items():
        if word != "fold" and getattr(said, word) != field.default:
            raise InputError(f"On Spark {word!r} cannot be used; leave it out, or run without Spark.")
    return _run(df, said, rows, Path(folder), progress or Silent())


def run_on_spark(
    words: AnonymizeWords, source: Location | str, targets: Targets, master: str, folder: Path, progress: Progress
) -> Outcome:
    """Publish a file or folder through Spark to a Parquet folder, which is written completely or not at all.

    The data package and the run record are written after it; those of an earlier release are removed before. Paths of
    object stores and Hadoop (``s3a://``, ``hdfs://``, …) are read and written by Spark's own readers and writers.
    """
    words.refuse_outside("spark")
    reading = {word: said for word, said in words.reading.items() if word not in ("query", "sheet", "fold")}
    target, package = _check_folder(targets), targets.package
    spark = session(master)
    codes = f"{target.removesuffix('.parquet')}.codes.parquet"
    said = [words.cells] if isinstance(words.cells, str) else words.cells.values()
    for path in (target, codes) if "codes" in said else (target,):
        _refuse_existing(spark, path, replace=targets.replace)
    is_remote = "://" in target
    beside = Path(tempfile.gettempdir()) if is_remote else Path(target).parent
    with temporary_folder(beside) as copies, case_sensitive(spark):
        made = _run(read_rows(spark, str(source), copies, **reading), words, ROWS, folder, progress)
        progress.stage("writing")
        if not is_remote:
            # a new release must never lie beside the record or the data package of an old one
            record = place_at(Path(target)).record_path(folder)
            for old in (*stale_beside(record, Path(target), ()), record):
                old.unlink(missing_ok=True)
        try:
            with _reasons():
                _write_folder(made.frame, target, replace=targets.replace)
            if made.codebook is not None:
                _write_folder(as_spark(made.codebook, spark).coalesce(1), codes, replace=True)
            columns = as_polars(made.frame.limit(0))
        finally:
            made.frame.unpersist()
    made = replace(made, target=target, frame=None, package=package)
    if package is not None:
        tables = {"": columns, **({} if made.codebook is None else {"codes": made.codebook})}
        shown = {name: frame.lazy() for name, frame in tables.items()}
        write_text(datapackage(made, shown, location_of(target), package), package)
    if not is_remote:
        write_private(made.record(location_of(source), Path(target)), place_at(Path(target)).record_path(folder))
    return made


def _run(df: Any, words: AnonymizeWords, rows: int, folder: Path, progress: Progress) -> Outcome:
    same_python(df.sparkSession)
    with _reasons(), shuffles_as_before(df.sparkSession), Cluster(df, rows, progress) as cluster:
        return run(words, cluster, folder)


@contextmanager
def _reasons() -> Iterator[None]:
    """Re-raise our own errors from tasks as such; Spark would show a Java trace."""
    try:
        yield
    except Exception as problem:
        if not is_of_spark(problem):
            raise
        text = str(problem)
        for error in (InputError, BrokenPromise, GoalNotMet):
            mark = f"shoal.errors.{error.__name__}: "
            if mark in text:
                raise error(text.partition(mark)[2].splitlines()[0]) from None
        raise


def _check_folder(targets: Targets) -> str:
    """The path of the release, after checking what can be checked without Spark.

    Raises:
        InputError: no output is given, other outputs are requested, or it exists already.
    """
    if targets.output is None:
        raise InputError("Name the output with -o; on Spark it is a folder of Parquet files.")
    if targets.beside():
        raise InputError(
            "On Spark only the release, its data package and its run record are written; leave out the other files."
        )
    if targets.layout.says_something:
        raise InputError("On Spark the release is Parquet, not text; leave out the output_ settings.")
    if targets.package is not None:
        check_target(targets.package, (), (".json",))
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
            raise _exists(text)
    return text


def _refuse_existing(spark: Any, target: str, *, replace: bool) -> None:
    """Check, through Spark for remote paths, that nothing exists at the target before the work begins.

    Raises:
        InputError: something exists there, or Spark cannot reach it.
    """
    if replace:
        return
    if "://" not in target:
        if Path(target).exists():
            raise _exists(target)
        return
    path = spark._jvm.org.apache.hadoop.fs.Path(target)
    try:
        is_there = path.getFileSystem(spark._jsc.hadoopConfiguration()).exists(path)
    except Exception as problem:
        if not is_of_spark(problem):
            raise
        raise InputError(f"Spark cannot reach {target!r}; check the address, and Spark's settings for it.") from None
    if is_there:
        raise _exists(target)


def _exists(target: str) -> InputError:
    return InputError(f"The output {target!r} exists already; choose another name, or use --replace.")


def _write_folder(frame: Any, target: str, *, replace: bool) -> None:
    """Write a folder under a temporary name and rename it at the end; remote paths use Spark's own commit."""
    if "://" in target:
        frame.write.mode("overwrite" if replace else "errorifexists").parquet(target)
        return
    path = Path(target).resolve()
    temporary = path.with_name(f".shoal-{secrets.token_hex(16)}")
    try:
        frame.write.parquet(f"file://{temporary}")
        for leftover in temporary.rglob(".*.crc"):
            leftover.unlink()
        if path.exists():
            old = path.with_name(f".shoal-{secrets.token_hex(16)}")
            path.rename(old)
            temporary.rename(path)
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        else:
            temporary.rename(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
