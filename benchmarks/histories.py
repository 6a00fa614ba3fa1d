"""Whole histories: time and loss on an invented table of hospital visits, beside the simple ways.

Usage: python benchmarks/histories.py [PEOPLE] [K]

The table is that of ``benchmarks/people.py``; one person in 2,500 comes up to 28 times more often than the others. The
default is timed as a whole command from CSV to CSV, with pseudonyms. The ways are compared without a time limit and
without the default's search, 5 % of the rows at most being left out by choice:

* ``whole-histories``: rows that too few people have are given up;
* ``usual only``: everybody with a number of rows that fewer than K people have is left out;
* ``first row only``: everybody keeps one row;
* ``full-domain``: one level per column for all, people whose history is shared by too few left out; the best that is
  found by lowering one column after the other.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

import numpy as np
import polars as pl

import shoal
from shoal.core.histories import owners_of
from shoal.core.node import level_cells
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.io.example_visits import VISIT_ROLES, visits
from shoal.metrics import LM
from shoal.models.of_histories import history_classes
from shoal.models.of_people import people_of

QUASI, PERSON = VISIT_ROLES["quasi_identifiers"], "patient_id"
BUILDERS = {"postcode": "mask", "birth_date": "dates", "visit_date": "dates"}


def with_frequent_visitors(frame: pl.DataFrame) -> pl.DataFrame:
    """Some people come again and again, each as often as nobody else."""
    rng = np.random.default_rng(1)
    firsts = frame.unique(PERSON, keep="first", maintain_order=True)
    some = firsts[rng.choice(firsts.height, max(3, firsts.height // 2_500), replace=False).tolist()]
    more = some[np.repeat(np.arange(some.height), rng.integers(1, 29, some.height)).tolist()]
    dates = frame["visit_date"].gather(rng.integers(0, frame.height, more.height))
    return pl.concat([frame, more.with_columns(dates)])


def timed(source: Path, k: int, n_rows: int) -> None:
    """The default, as a command."""
    target = source.with_name("release.csv")
    said = ["--quasi", ",".join(QUASI), "--sensitive", "diagnosis", "--person", PERSON, "--k", str(k)]
    said += ["--linked", "histories", "--publish-person", "pseudonym", "--suppression-limit", "0.01", "-q"]
    said += ["--hierarchy", "postcode=mask", "-o", str(target)]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic()
    subprocess.run([sys.executable, "-m", "shoal", "anonymize", str(source), *said], check=True)
    spent, after = monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    record = json.loads(target.with_suffix(".run.json").read_text())
    left_out = n_rows - record["records"]
    loss = record["losses"]["lm"]
    print(f"default, CSV to CSV: {spent:.1f} s, {cpu:.1f} s of processors, LM {loss:.4f}, {left_out:,} rows left out")
    print("  " + ", ".join(f"{phase} {seconds:.1f} s" for phase, seconds in record["seconds"].items()), flush=True)
    shares = pl.read_csv(target, infer_schema=False).with_columns(pl.struct(QUASI).alias("record"))
    histories = shares.group_by(PERSON).agg(pl.col("record").hash().sort()).group_by("record").len()
    print(f"  {histories.height:,} different histories, each shared by at least {histories['len'].min()} people")


def released(frame: pl.DataFrame, k: int) -> float:
    """The total loss in rows of a quick run."""
    made = shoal.anonymize(
        frame, quasi_identifiers=QUASI, sensitive=["diagnosis"], person=PERSON, linked="histories", privacy={"k": k},
        suppression_limit=0.05, hierarchies={"postcode": "mask"}, quick=True, audit="off", seed=1,
    )  # fmt: skip
    return LM().score(made.release) * frame.height


def full_domain(frame: pl.DataFrame, k: int) -> float:
    """The total loss of the best levels that a descent from the top finds."""
    from shoal.io.hierarchies import parse_hierarchy

    hierarchies = {name: parse_hierarchy(spec, Path(), name) for name, spec in BUILDERS.items()}
    schema = Schema(tuple(QUASI), ("diagnosis",), person=PERSON, hierarchies=hierarchies)
    table = encode(frame, schema).table
    levels = [column.recoding.nested.n_levels - 1 for column in table.quasi]
    best = at_levels(table, levels, k)
    while True:
        tries = [[*levels[:j], level - 1, *levels[j + 1 :]] for j, level in enumerate(levels) if level]
        losses = [at_levels(table, one, k) for one in tries]
        if not losses or min(losses) >= best:
            return best * frame.height
        best, levels = min(losses), tries[int(np.argmin(losses))]


def at_levels(table: Table, levels: list[int], k: int) -> float:
    """LM where every column is published at its level, and people with rare histories are not."""
    cells = tuple(
        level_cells(column, column.recoding.nested.low[level], column.recoding.nested.high[level], level).take(codes)
        for column, codes, level in zip(table.quasi, table.codes, levels, strict=True)
    )
    rows = np.arange(table.n_rows, dtype=np.int32)
    release = Release(table, rows, rows, cells)
    classes = history_classes(release.classes, owners_of(table))
    people = people_of(table, classes)
    kept = classes.members[np.repeat(people >= k, classes.sizes)]
    return LM().score(Release(table, kept, kept, cells))


def main(n_people: int, k: int) -> None:
    """Print one line per way."""
    frame = with_frequent_visitors(visits(n_people))
    print(f"{frame.height:,} visits of {n_people:,} people, k = {k}")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "visits.csv"
        frame.write_csv(source)
        timed(source, k, frame.height)
    counts = frame.select(pl.len().over(PERSON).alias("n"), PERSON).unique(PERSON)["n"].value_counts()
    usual = counts.filter(pl.col("count") >= k)["n"].to_list()
    few = frame.filter(pl.len().over(PERSON).is_in(usual))
    first = frame.unique(PERSON, keep="first", maintain_order=True)
    ways = {
        "whole-histories": lambda: released(frame, k),
        "usual only": lambda: released(few, k) + frame.height - few.height,
        "first row only": lambda: released(first, k) + frame.height - first.height,
        "full-domain": lambda: full_domain(frame, k),
    }
    for name, way in ways.items():
        start = monotonic()
        loss = way()
        print(f"{name}: LM {loss / frame.height:.5f}, {monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    asked = [int(one) for one in sys.argv[1:3]]
    main(*(asked + [250_000, 10][len(asked) :]))
