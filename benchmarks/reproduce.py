"""Every published table and figure again, ours beside theirs: ``make reproduce`` writes docs/results/.

Each script runs in a process of its own; what it prints goes into a file of its name, with the command, the seconds it
took, the machine and the commit. Lines that begin with "verdict |" (``verdicts.py``) make up the summary. Needs
SHOAL_DATA.
``python benchmarks/reproduce.py [NAME ...]`` runs only those and leaves the other files as they are.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from verdicts import Verdict

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = ROOT / "docs" / "results"
BEGIN, END = "<!-- peers: written by make reproduce -->", "<!-- end of peers -->"


@dataclass(frozen=True)
class Run:
    """One script with its words, and what of the papers it is about."""

    name: str
    command: tuple[str, ...]
    about: str

    @property
    def path(self) -> Path:
        """Where its output goes."""
        return RESULTS / f"{self.name}.txt"


def script(name: str, words: str, about: str, as_name: str = "") -> Run:
    command = ("python", f"benchmarks/{name}.py", *words.split())
    return Run(as_name or name.replace("_", "-"), command, about)


RUNS = (
    Run(
        "arx-optima",
        ("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/papers/test_arx_optima.py"),
        "ARX's own optima and losses on Adult",
    ),
    script("full_domain", "", "full-domain searches beside ARX's times"),
    script("pattern_guided", "", "pattern-guided k-anonymity, tables 1 to 8"),
    script("nonhomogeneous", "", "non-homogeneous and freeform generalization, tables and figures"),
    script("local_recoding", "", "k-anonymization with minimal loss, figures 5 to 8; HR, HS, HP; every algorithm"),
    script("concealment", "", "k-concealment, figures 5 to 10; loss at a bounded linkage probability"),
    script("mondrian", "", "Mondrian's speed"),
    script("end_to_end", "", "from file to file"),
    script("picture", "", "the picture of the README"),
    script("peers", "", "other tools on the same rows"),
    script("audit_adult", "", "every algorithm against every attack"),
    script("growth", "", "how cost grows"),
)


def main(wanted: list[str]) -> None:
    if not os.environ.get("SHOAL_DATA"):
        sys.exit("Set SHOAL_DATA to the folder that holds datasets/ and reference/.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    for run in RUNS:
        if not wanted or run.name in wanted:
            print(f"{run.name}: {' '.join(run.command)}", flush=True)
            run.path.write_text(done(run), encoding="utf-8")
    (RESULTS / "README.md").write_text(summary(), encoding="utf-8")
    write_into_readme()
    print(f"{RESULTS / 'README.md'} is the summary.")


def done(run: Run) -> str:
    """Run it; its output under a heading that says where it comes from."""
    start = perf_counter()
    ended = subprocess.run(
        [sys.executable, *run.command[1:]], cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ
    )
    spent = perf_counter() - start
    failed = f"\nFAILED with status {ended.returncode}: {ended.stderr.strip()[-400:]}\n" if ended.returncode else ""
    head = f"$ {' '.join(run.command)}\n# {spent:.0f} s, {machine()}, commit {commit()}\n\n"
    return head + without_paths(ended.stdout) + failed


def without_paths(text: str) -> str:
    """The same without where things lie on this machine."""
    for place, word in ((str(ROOT), "."), (os.environ.get("SHOAL_DATA", ""), "$SHOAL_DATA"), (str(Path.home()), "~")):
        text = text.replace(place, word) if len(place) > 1 else text
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def summary() -> str:
    """Per run what it is about and its verdicts."""
    lines = [
        "# Results",
        "",
        "Written by `make reproduce`. Each file holds what a script printed, with the command, the machine and the",
        "commit. *Reproduced* is within 5% of what was published, or the same to the paper's own rounding; *better*",
        "loses or takes less; *differs* says why.",
        "",
        "| table or figure | outcome | what and why | output |",
        "|---|---|---|---|",
    ]
    for run in RUNS:
        if run.path.exists():
            text = run.path.read_text(encoding="utf-8")
            link = f"[{run.name}]({run.path.name})"
            found = [v for line in text.splitlines() if (v := Verdict.read(line))]
            rows = [f"| {v.table} | {v.outcome} | {v.why} | {link} |" for v in found]
            lines += rows or [f"| {run.about} | {passed(run, text)} | | {link} |"]
    return "\n".join(lines) + "\n"


def write_into_readme() -> None:
    """The table of tools, as ``peers.py`` printed it, between two marks of the README."""
    readme, printed = ROOT / "README.md", RESULTS / "peers.txt"
    text = readme.read_text(encoding="utf-8")
    if not printed.exists() or BEGIN not in text:
        return
    rows = [line for line in printed.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    readme.write_text("\n".join([before + BEGIN, *rows, END + after]), encoding="utf-8")


def passed(run: Run, text: str) -> str:
    """What to say of a run without verdicts."""
    if "\nFAILED with status" in text:
        return "failed"
    return "reproduced" if run.command[1:3] == ("-m", "pytest") else "measured"


def machine() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


if __name__ == "__main__":
    main(sys.argv[1:])
