"""The output of a release on Spark: a folder of Parquet files, on a disk or where only Spark can write."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path
from typing import Any

from shoal.engine.backends.spark.dataframes import is_of_spark
from shoal.engine.targets import Targets
from shoal.errors import InputError
from shoal.io.write import check_target


def check_folder(targets: Targets) -> str:
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


def refuse_existing(spark: Any, target: str, *, replace: bool) -> None:
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


def write_folder(frame: Any, target: str, *, replace: bool) -> None:
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
