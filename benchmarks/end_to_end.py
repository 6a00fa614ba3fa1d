"""What a user of the command line feels: start-up, the first run, later runs, Adult, and a million rows.

Usage: python benchmarks/end_to_end.py [PYTHON]

PYTHON is the interpreter of an environment with the same shoal and nothing else, as users have it: numba imports
coverage and yaml where they are installed. Without it, this environment is measured.

Every line has seconds on the clock, CPU seconds and the largest memory of one command, and the aim for a quiet
machine with two cores. The fastest of three runs counts where a run changes nothing for the next. Byte code is written
beforehand, as an installer does. Needs hatchling, for a wheel with machine code; Adult needs SHOAL_DATA. What memory is
told is never less than that of this script, some 150 MiB.
"""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from data import ADULT_EIGHT, adult, eight_columns, resampled
from shoal.io.example import ROLES, people
from shoal.kernels.bundled_code import runs_baseline
from tables import folder

ROOT = Path(__file__).parent.parent
LEFT_OUT = ("OMP_NUM_THREADS", "PYTHONDONTWRITEBYTECODE", "NUMBA_NUM_THREADS")
"""Settings of whoever runs this that users do not have: pyarrow reads on as many threads as the first one says."""

PYTHON = next(iter(sys.argv[1:]), sys.executable)
"""The interpreter that runs shoal."""

OPTIONS = ("identifiers", "quasi", "sensitive")

LM, GCP = {5: 0.0510, 10: 0.0790}, {5: 0.018, 10: 0.034}
"""What Adult may lose by default, by k: nine columns with hierarchies, and eight without."""


@dataclass(frozen=True, order=True)
class Spent:
    """What a command took: seconds, CPU seconds of all its processes, and MiB of its largest."""

    clock: float
    processors: float
    memory: float

    def __str__(self) -> str:
        return f"{self.clock:6.2f} s {self.processors:6.2f} CPU s {self.memory:6,.0f} MiB"


def spent(*words: str, **environment: str) -> Spent:
    """What ``shoal`` takes for these words."""
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    start = perf_counter()
    child = subprocess.Popen(
        [PYTHON, "-m", "shoal", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**kept, **environment},
    )  # fmt: skip
    assert child.stderr is not None
    told = child.stderr.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, told
    return Spent(perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def tell(what: str, found: Spent, aim: str, loss: str = "") -> None:
    """One line."""
    print(f"{what:46} {found}   {loss:12} aim {aim}", flush=True)


def best(*words: str, runs: int = 3, **environment: str) -> Spent:
    """The least of some runs."""
    return min(spent(*words, **environment) for _ in range(runs))


def twenty_thousand(here: Path, kept: str) -> None:
    """First and later runs on made-up people; kernels are compiled by the first."""
    people(20_000).write_csv(here / "people.csv")
    roles = [f"--{name}={','.join(ROLES[word])}" for name, word in zip(OPTIONS, ROLES, strict=True)]
    job = ["anonymize", str(here / "people.csv"), "--k=10", "--l=3", *roles, "-o", str(here / "release.csv")]
    tell("20,000 rows, first run, compiling", spent(*job, NUMBA_CACHE_DIR=kept), "12 s")
    tell("20,000 rows, later runs", best(*job, NUMBA_CACHE_DIR=kept), "3.5 s")
    tell("20,000 rows, later runs, --quick", best(*job, "--quick", NUMBA_CACHE_DIR=kept), "1.2 s")
    if runs_baseline():
        installed = str(with_code(here))
        first = spent(*job, NUMBA_CACHE_DIR=str(here / "empty"), PYTHONPATH=installed)
        tell("20,000 rows, first run, wheel with code", first, "5 s")
        assert not list((here / "empty").rglob("*.nbc")), "something was compiled"


def with_code(here: Path) -> Path:
    """The package out of a wheel that has machine code."""
    script = str(ROOT / "packaging" / "wheel_with_code.py")
    subprocess.run([sys.executable, script, str(here)], check=True, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(next(here.glob("*.whl"))) as wheel:
        wheel.extractall(here / "installed")
    compileall.compile_dir(here / "installed", quiet=2)
    return here / "installed"


def of_adult(here: Path, kept: str) -> None:
    """Adult by default, and what it loses."""
    data = folder() / "adult-arx"
    names = (data / "adult.csv").read_text("utf-8").splitlines()[0].split(";")
    trees = [f"--hierarchy={name}={data / 'hierarchies' / f'adult_hierarchy_{name}.csv'}" for name in names]
    for k, most in LM.items():
        found, lost = published(here, data / "adult.csv", names, k, trees, kept)
        tell(f"Adult, 9 columns with hierarchies, k = {k}", found, f"4.5 s, LM {most:.4f}", f"LM {lost['lm']:.4f}")
    others = f"--identifiers={','.join(set(names) - set(ADULT_EIGHT))}"
    for k, most in GCP.items():
        found, lost = published(here, data / "adult.csv", ADULT_EIGHT, k, [others], kept)
        tell(f"Adult, 8 columns in sets, k = {k}", found, f"4.5 s, GCP {most:.3f}", f"GCP {lost['gcp']:.4f}")


def published(
    here: Path, data: Path, quasi: Sequence[str], k: int, more: Sequence[str], kept: str
) -> tuple[Spent, dict[str, float]]:
    """What it takes, and loses."""
    words = [str(data), "--quasi", ",".join(quasi), f"--k={k}", *more, "-o", str(here / "release.csv")]
    found = spent("anonymize", *words, NUMBA_CACHE_DIR=kept)
    return found, json.loads((here / "release.run.json").read_text("utf-8"))["losses"]


def million(here: Path, kept: str) -> None:
    """A million rows of nine columns from CSV to CSV."""
    name, frame = eight_columns()
    rows = resampled(frame, 1_000_000)
    rows.with_columns(rows.to_series(0).alias("sensitive")).write_csv(here / "million.csv")
    del rows
    quasi = ["--quasi", ",".join(frame.columns), "--sensitive", "sensitive"]
    job = ["anonymize", str(here / "million.csv"), *quasi, "--k=10", "-o", str(here / "release.csv")]
    found = best(*job, "--quick", NUMBA_CACHE_DIR=kept)
    tell(f"{name}, 1,000,000 x 9, CSV to CSV, --quick", found, "5 s, 1.2 GiB")
    found = best(*job, NUMBA_CACHE_DIR=kept)
    reading = json.loads((here / "release.run.json").read_text("utf-8"))["seconds"]["read"]
    tell(f"{name}, 1,000,000 x 9, CSV to CSV", found, f"5 s + 3 x reading = {5 + 3 * reading:.1f} s")


def main() -> None:
    """All of it."""
    home = subprocess.run([PYTHON, "-c", "import shoal; print(shoal.__path__[0])"], capture_output=True, text=True)
    compileall.compile_dir(home.stdout.strip(), quiet=2)
    with tempfile.TemporaryDirectory() as made:
        here, kept = Path(made), str(Path(made, "cache"))
        spent("--help")
        tell("shoal --help", best("--help", runs=5), "0.15 s")
        twenty_thousand(here, kept)
        spent("warm-up", NUMBA_CACHE_DIR=kept)
        if adult() is not None:
            of_adult(here, kept)
        million(here, kept)


if __name__ == "__main__":
    main()
