"""Releases of two large tables in which people have several rows, made by commands and judged by their files alone.

Usage: python benchmarks/people_judged.py [FOLDER OF DATA SETS] [PEOPLE]

One table is invented (hospital visits, 250,000 people). The other is real: the KDD census extract, whose rows are
members of households that it does not name. Members of a household share a survey weight, race and origin, so rows that
agree on these three, the state of previous residence and the year are taken for a household; that joins strangers too,
which makes it no easier. For each table three commands: rows, rows with l and t, histories with l. The judge
(``people_judge.py``) runs in a process of its own and imports nothing of shoal. Ends with status 1 where it complains.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.io.example_visits import VISIT_ROLES, visits

CENSUS = "census-kdd/census_income_kdd_test.parquet"
UNIT = ["instance weight", "race", "hispanic origin", "state of previous residence", "year"]
ROW, LOOSE = "row_number", "1000"
"""A distance that nothing is beyond stands for no promise of closeness, and 1 for none of diversity."""


@dataclass(frozen=True)
class Source:
    """A table and its roles."""

    name: str
    frame: pl.DataFrame
    person: str
    quasi: list[str]
    sensitive: str
    more: tuple[str, ...] = ()


def sources(folder: Path, n_people: int) -> list[Source]:
    """The invented table and the real one."""
    made = visits(n_people)
    census = pl.read_parquet(folder / CENSUS)
    unit = census.select(pl.concat_str(UNIT, separator="/", ignore_nulls=False).fill_null("unknown").alias("unit"))
    quasi = ["age", "sex", "education", "marital stat", "race"]
    real = census.select(*quasi, "income").with_columns(unit["unit"])
    return [
        Source("hospital visits", made, "patient_id", VISIT_ROLES["quasi_identifiers"], "diagnosis",
               ("--hierarchy", "postcode=mask")),
        Source("KDD census", real, "unit", quasi, "income"),
    ]  # fmt: skip


WAYS: dict[str, tuple[str, list[str], tuple[str, str, str]]] = {
    "rows": ("rows", ["--k", "10"], ("10", "1", LOOSE)),
    "rows, values": ("rows", ["--k", "5", "--l", "2", "--t", "0.6"], ("5", "2", "0.6")),
    "histories": ("histories", ["--k", "10", "--l", "2"], ("10", "2", LOOSE)),
}


def judged(source: Source, path: Path, way: str) -> int:
    """Run one command and let the judge look at what it wrote."""
    linked, promises, asked = WAYS[way]
    target = path.with_name("release.csv")
    said = ["--quasi", ",".join(source.quasi), "--sensitive", source.sensitive, "--person", source.person]
    said += ["--others", ROW, "--linked", linked, *promises, *source.more, "--quick", "--audit", "off", "-q"]
    said += ["--suppression-limit", "0.05"] if linked == "histories" else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "shoal", "anonymize", str(path), *said, "-o", str(target)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{source.name}, {way} ({' '.join(promises)}): {spent:.1f} s of processors", flush=True)
    judge = [str(Path(__file__).with_name("people_judge.py")), str(path), str(target), linked]
    # in isolation, where shoal cannot be imported by accident
    done = subprocess.run(
        [sys.executable, "-I", *judge, source.person, source.sensitive, *asked, *source.quasi],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    print("".join(f"  {line}\n" for line in (done.stdout + done.stderr).splitlines()), end="", flush=True)
    return done.returncode


def main(folder: Path, n_people: int) -> int:
    """Judge every way on every table."""
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        for source in sources(folder, n_people):
            path = Path(made) / "original.csv"
            source.frame.with_row_index(ROW).write_csv(path)
            counts = source.frame[source.person].value_counts()["count"]
            print(
                f"{source.name}: {source.frame.height:,} rows of {counts.len():,} people, at most {counts.max()} each"
            )
            wrong += sum(judged(source, path, way) for way in WAYS)
    return int(wrong > 0)


if __name__ == "__main__":
    given = sys.argv[1:3]
    sys.exit(main(Path(given[0] if given else "data"), int(given[1]) if len(given) > 1 else 250_000))
