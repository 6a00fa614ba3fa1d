"""shoal beside other tools: same rows, same columns, same k, in one run; speed, and quality by a judge not ours.

One script per tool in ``tools/``. Each Python peer gets a virtual environment of its own under ``.benchmarks/``, made
on the first run; ARX runs where ``SHOAL_ARX_JAR`` names its jar. Every tool writes its release as CSV; ``judge.py``,
which imports nothing of shoal, recomputes class sizes, LM and GCP from the printed labels, and pycanon, somebody else's
checker, the achieved k. A tool that is not done after ``LIMIT`` seconds is stopped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import judge
from data import ADULT_EIGHT, adult

K, LIMIT = 10, 60
TOOLS = Path(__file__).parent / "tools"
PEERS = {
    "anonypy": ["anonypy==0.2.1", "pandas<3"],
    "anonypyx": ["anonypyx==0.2.11", "pandas<3"],
    "anjana": ["anjana==1.2.3", "pandas<3"],
    "crowds": ["crowds==0.0.1", "pandas<3"],
    "pycanon": ["pycanon==1.3.6", "pandas<3"],
}


@dataclass(frozen=True)
class Job:
    """A table as a file, and what a tool is asked to do with it."""

    original: Path
    release: Path
    k: int
    hierarchies: Path
    columns: Sequence[str]

    def words(self, more: Sequence[str] = ()) -> list[str]:
        """What every script of ``tools/`` is called with."""
        return [str(self.original), str(self.release), str(self.k), str(self.hierarchies), *self.columns, *more]


@dataclass(frozen=True)
class Tool:
    """A tool with the words its script gets, and what it publishes."""

    name: str
    package: str
    publishes: str
    more: tuple[str, ...] = ()

    def command(self, job: Job) -> list[str]:
        """What runs it on the job."""
        if self.package == "ARX":
            jar = os.environ["SHOAL_ARX_JAR"]
            return ["java", "-cp", jar, str(TOOLS / "Runner.java"), *job.words(self.more)]
        python = sys.executable if self.package == "shoal" else python_of(self.package)
        return [python, "-W", "ignore", str(TOOLS / f"run_{self.package}.py"), *job.words(self.more)]


SETS, LEVELS, NODES = "sets, ranges", "one level a column, up to 5% of rows left out", "nodes of the hierarchies"
OURS = (
    Tool("shoal", "shoal", SETS),
    Tool("shoal, quick", "shoal", SETS, ("quick=yes",)),
    Tool("shoal, 10 s", "shoal", SETS, ("algorithm=clustering:budget=10",)),
    Tool("shoal, hierarchies", "shoal", NODES, ("trees=yes",)),
    Tool("shoal, hierarchies, quick", "shoal", NODES, ("trees=yes", "quick=yes")),
    Tool("shoal, hierarchies, 10 s", "shoal", NODES, ("trees=yes", "algorithm=clustering:budget=10")),
    Tool("shoal, lattice", "shoal", LEVELS, ("trees=yes", "algorithm=lattice", "limit=0.05")),
)
THEIRS = (
    Tool("anonypy", "anonypy", SETS),
    Tool("anonypyx", "anonypyx", SETS),
    Tool("anjana", "anjana", LEVELS),
    Tool("crowds", "crowds", LEVELS),
)
ARX = (Tool("ARX", "ARX", LEVELS, ("limit=0.05",)), Tool("ARX, local", "ARX", NODES, ("local=100",)))


def python_of(peer: str) -> str:
    """The interpreter of the peer's own environment, made and filled where it is not there."""
    home = Path(".benchmarks") / peer
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS[peer]], check=True)
    return str(python)


def answered(command: list[str]) -> list[str] | str:
    """What a run has to say behind the word RESULT, or in a few words why it says nothing."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"not done after {LIMIT} s"
    found = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("RESULT")]
    if not found or done.returncode:
        return "failed: " + " ".join(done.stderr.strip().splitlines()[-1:])[:100]
    return found[0]


def checked_k(job: Job) -> str:
    """The k that pycanon finds."""
    found = answered(
        [python_of("pycanon"), "-W", "ignore", str(TOOLS / "check_pycanon.py"), str(job.release), *ADULT_EIGHT]
    )
    return found if isinstance(found, str) else found[0]


def line_of(tool: Tool, job: Job, ours: float | None) -> tuple[str, float | None]:
    """The tool's line of the table, and its CPU seconds."""
    spent, head = answered(tool.command(job)), f"| {tool.name} | {tool.publishes} |"
    if isinstance(spent, str):
        return f"{head} {spent} |" + " |" * 7, None
    wall, cpu = map(float, spent)
    times = f"{head} {wall:.2f} | {cpu:.2f} | {cpu / (ours or cpu):.1f} |"
    try:
        found = judge.judge(job.original, job.release, job.hierarchies, list(ADULT_EIGHT))
    except ValueError as problem:
        return f"{times} {problem} |" + " |" * 4, cpu
    quality = f"{found['smallest class']:.0f} | {checked_k(job)} | {found['missing']:,.0f}"
    return f"{times} {quality} | {found['lm']:.4f} | {found['gcp']:.4f} |", cpu


def main() -> None:
    frame = adult()
    if frame is None:
        sys.exit("Set SHOAL_DATA to the folder that holds datasets/.")
    folder = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx", "hierarchies").resolve()
    print(f"Adult, {frame.height:,} rows x 8, k = {K}; frame in, frame out; ratios of CPU time to the first line")
    print("| tool | publishes | wall s | CPU s | ratio | k (judge) | k (pycanon) | rows lost | LM | GCP |")
    print("|" + "---|" * 10)
    with tempfile.TemporaryDirectory() as place:
        job = Job(Path(place) / "table.csv", Path(place) / "release.csv", K, folder, [*ADULT_EIGHT, "salary-class"])
        frame.select(job.columns).write_csv(job.original)
        ours: float | None = None
        for tool in [*OURS, *THEIRS, *(ARX if os.environ.get("SHOAL_ARX_JAR") else ())]:
            line, cpu = line_of(tool, job, ours)
            ours = ours or cpu
            print(line, flush=True)


if __name__ == "__main__":
    main()
