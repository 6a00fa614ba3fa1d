"""A small run on Spark in its own process; at its end, Java archives the classes that it has loaded."""

from __future__ import annotations

import sys
from pathlib import Path

from shoal.core.progress import Silent
from shoal.engine.backends.spark.anonymize_frame import run_on_spark
from shoal.engine.backends.spark.class_archive import QUIET
from shoal.engine.backends.spark.session import session
from shoal.engine.targets import Targets
from shoal.engine.vocabulary import AnonymizeWords
from shoal.io.example import people
from shoal.models import KAnonymity

_MASTER = "local[2]"


def main(made: Path, folder: Path) -> None:
    """Run, end Java, and wait until it has written ``made``."""
    spark = session(_MASTER, f"-XX:ArchiveClassesAtExit={made} {QUIET}")
    proc = spark.sparkContext._gateway.proc
    source = folder / "people.parquet"
    rows = people(2_000).select("birth_date", "sex", "job", "marital_status", "diagnosis")
    rows.write_parquet(source)
    said = {"quasi_identifiers": rows.columns[:-1], "sensitive": ["diagnosis"], "privacy": [KAnonymity(5)]}
    run_on_spark(
        AnonymizeWords.said(said), source, Targets(output=folder / "release.parquet"), _MASTER, folder, Silent()
    )
    spark.stop()
    proc.stdin.close()
    proc.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
