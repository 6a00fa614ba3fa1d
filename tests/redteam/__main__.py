"""``python -m redteam``: draw cases until the time is up; print each failure with its seed, made small."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from redteam.case import Case, told
from redteam.known import is_known
from redteam.running import UGLY, Outcome, run
from redteam.shrinking import shrink
from redteam.tables import draw, on_spark

AT_ONCE = 200
"""Cases for each process, so that one that dies takes few with it."""

_SLOW = 120.0
"""Seconds after which a process that says nothing is ended."""


def main() -> int:
    """Fuzz, or replay one case.

    Returns:
        1 where something failed that is not known to.
    """
    parser = argparse.ArgumentParser(prog="python -m redteam", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to look")
    parser.add_argument("--seed", type=int, help="the first seed; drawn and printed where none is given")
    parser.add_argument("--count", type=int, help="how many cases, whatever the time")
    parser.add_argument("--spark", action="store_true", help="every case as a release on Spark; slow")
    parser.add_argument("--replay", metavar="JSON", help="one case as it was printed")
    parser.add_argument("--child", nargs=2, type=int, metavar=("SEED", "COUNT"), help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.replay is not None:
        return _replay(Case.from_json(said.replay))
    if said.child is not None:
        return _work(*said.child, spark=said.spark)
    seed = secrets.randbelow(10**9) if said.seed is None else said.seed
    return _fuzz(seed, said.minutes, said.count, spark=said.spark)


def _fuzz(first: int, minutes: float, count: int | None, *, spark: bool) -> int:
    print(f"seeds from {first}; the same again: python -m redteam --seed {first}{' --spark' * spark}", flush=True)
    end, seed, tally, failed = time.monotonic() + 60 * minutes, first, Counter[str](), 0
    while (time.monotonic() < end) if count is None else (seed < first + count):
        asked = AT_ONCE if count is None else min(AT_ONCE, first + count - seed)
        for seed_of, outcome in results(seed, asked, end if count is None else None, spark=spark):
            seed = seed_of + 1
            tally[outcome.kind or (("release judged" if outcome.status == 0 else "refused") + " on Spark" * spark)] += 1
            if outcome.kind:
                failed += _tell(case_of(seed_of, spark=spark), outcome)
    print(", ".join(f"{number} × {kind}" for kind, number in tally.most_common()))
    return int(failed > 0)


def case_of(seed: int, *, spark: bool) -> Case:
    """The case of a seed."""
    return on_spark(draw(seed)) if spark else draw(seed)


def results(seed: int, count: int, end: float | None = None, *, spark: bool = False) -> Iterator[tuple[int, Outcome]]:
    """What becomes of some cases in a process of their own, as it happens; one that kills it is an ugly end."""
    here = Path(__file__).parent.parent
    call = [sys.executable, "-m", "redteam", *["--spark"] * spark, "--child", str(seed), str(count)]
    with (
        tempfile.TemporaryFile("w+", errors="replace") as said,
        subprocess.Popen(call, cwd=here, stdout=subprocess.PIPE, stderr=said, text=True) as child,
    ):
        assert child.stdout is not None
        n_done = 0
        for line in child.stdout:
            number, *outcome = json.loads(line)
            n_done += 1
            yield number, Outcome(*outcome)
            if end is not None and time.monotonic() > end:
                child.kill()
                return
        child.wait(timeout=_SLOW)
        said.seek(0)
        if n_done < count:
            complaint = f"the process died: {said.read()[-500:]}"
            yield seed + n_done, Outcome(UGLY, complaint, child.returncode)


def _work(seed: int, count: int, *, spark: bool) -> int:
    """In the child: one line for each case."""
    if spark:
        _start_spark()
    for number in range(seed, seed + count):
        outcome = run(case_of(number, spark=spark))
        print(json.dumps([number, outcome.kind, outcome.detail, outcome.status]), flush=True)
    return 0


def _start_spark() -> None:
    """A session for all cases of this process, made for tables of a few rows."""
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    settings = {
        "ui.enabled": "false",
        "sql.shuffle.partitions": "1",
        "default.parallelism": "1",
        "log.level": "OFF",
        "ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[1]").config("spark.driver.bindAddress", "127.0.0.1")
    for name, value in {**settings, "driver.host": "127.0.0.1", "sql.codegen.wholeStage": "false"}.items():
        builder = builder.config(f"spark.{name}", value)
    builder.getOrCreate()


def _tell(case: Case, outcome: Outcome) -> int:
    """Print a failure, made small unless it kills the process or is known; 1 where it counts."""
    known = is_known(case, outcome)
    print(f"\n{outcome.kind} (status {outcome.status}), seed {case.seed}{f', known: {known}' if known else ''}")
    print(f"  {outcome.detail[:600]}")
    if known:
        return 0
    if "backend" in case.words:
        _start_spark()
    died = outcome.detail.startswith("the process died")
    print(told(case if died else shrink(case, lambda smaller: run(smaller).kind == outcome.kind)))
    return 1


def _replay(case: Case) -> int:
    outcome = run(case)
    print(told(case))
    print(f"{outcome.kind or 'nothing to be said against it'} (status {outcome.status}): {outcome.detail}")
    return int(bool(outcome.kind))


if __name__ == "__main__":
    sys.exit(main())
