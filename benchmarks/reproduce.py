"""Every published table and figure again, ours beside theirs: ``make reproduce`` writes docs/results/.

Each script runs in a process of its own, those that measure time alone, the others two at a time; what it prints goes
into a file of its name, with the command, the seconds it took, the machine and the commit, and plots lie beside it.
Lines that begin with "verdict |" (``verdicts.py``) make up the summary. Needs SHOAL_DATA.
``python benchmarks/reproduce.py [NAME ...]`` runs only those and leaves the other files as they are.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from verdicts import Verdict

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = ROOT / "docs" / "results"
PLOTS = "--plots docs/results"
LIMIT = 3600
"""Seconds after which a script is stopped; what it has printed by then is kept."""


@dataclass(frozen=True)
class Run:
    """One script with its words, what of the papers it is about, and whether it wants the machine for itself."""

    name: str
    command: tuple[str, ...]
    about: str
    alone: bool = False

    @property
    def path(self) -> Path:
        """Where its output goes."""
        return RESULTS / f"{self.name}.txt"


def script(name: str, words: str, about: str, alone: bool = False) -> Run:
    return Run(name.replace("_", "-"), ("python", f"benchmarks/{name}.py", *words.split()), about, alone)


RUNS = (
    script(
        "concealment", f"brief idle {PLOTS}", "k-concealment, figures 5 to 10; loss at a bounded linkage probability"
    ),
    script(
        "local_recoding",
        f"brief idle {PLOTS}",
        "k-anonymization with minimal loss, figures 5 to 8; compared with ARX and others",
    ),
    Run(
        "local-recoding-table",
        ("python", "benchmarks/local_recoding.py", "small", "idle"),
        "every local-recoding algorithm on every table",
    ),
    script("link_chances", "", "k-concealment: estimated and counted probabilities of links"),
    script("left_out_rows", "", "(k,k)-anonymity with some records left out at random"),
    script("audit_adult", "10", "every algorithm against every attack"),
    Run(
        "audit-adult-50", ("python", "benchmarks/audit_adult.py", "50"), "every algorithm against every attack, k = 50"
    ),
    script("pattern_guided", "", "pattern-guided k-anonymity, tables 1 to 8"),
    script("nonhomogeneous", PLOTS, "non-homogeneous and freeform generalization, tables and figures"),
    Run(
        "arx-optima",
        ("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/papers/test_arx_optima.py"),
        "ARX's own optima and losses on Adult",
    ),
    script("picture", "", "the same rows before and after"),
    script("arx", "", "compared with ARX on Adult", alone=True),
    script("peers", "", "compared with other tools on the same rows", alone=True),
    script("full_domain", "", "full-domain searches compared with ARX's times", alone=True),
    script("many_columns", "10", "full-domain searches with up to 30 columns, 10 s"),
    script("mondrian", "", "speed of Mondrian", alone=True),
    script("certificate", "60", "how near the best possible releases of Adult are", alone=True),
    script("end_to_end", "", "time from input file to release file", alone=True),
    script("baseline", "", "speed of code for a baseline, beside code for this processor", alone=True),
    script("growth", "", "how time and memory grow with the rows", alone=True),
    script("cores", "100000", "clustering, search and blocks on one core, on two, and on more", alone=True),
    script("spark_whole", "", "whole runs on Spark at 1, 3 and 10 million rows", alone=True),
)
PAPERS = (
    "The papers:",
    "",
    "- Tassa, Mazza and Gionis 2012, *k-Concealment: An Alternative Model of k-Type Anonymity*. They print",
    "  plots without numbers, so only the order of the curves is compared.",
    "- Wong, Mamoulis and Cheung 2010, *Non-homogeneous generalization in privacy preserving data publishing*. Their",
    "  abbreviations: NH is their non-homogeneous algorithm; HP has the same parts with shared cells; HR and HS order",
    "  the rows along a Hilbert curve; AT is Anatomy.",
    "- Bredereck, Nichterlein and Niedermeier 2013, *Pattern-Guided k-Anonymity*.",
    "",
    "LM, GCP and EM (entropy) are [information-loss metrics](../metrics.md): 0 is no loss. The outcomes:",
)
"""What the rows of the summary are about."""

SHOWN = {
    "peers": "docs/other-tools.md",
    "arx": "docs/other-tools.md",
    "growth": "docs/algorithms.md",
    "audit-adult": "docs/audit.md",
}
"""Whose table is copied into which page, between two marks."""


def main(wanted: list[str]) -> None:
    if not os.environ.get("SHOAL_DATA"):
        sys.exit("Set SHOAL_DATA to the folder that holds datasets/ and reference/.")
    unknown = set(wanted) - {run.name for run in RUNS}
    if unknown:
        sys.exit(f"There is no {', '.join(sorted(unknown))} among {', '.join(run.name for run in RUNS)}.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    start, chosen = perf_counter(), [run for run in RUNS if not wanted or run.name in wanted]
    for n_workers, runs in ((2, [run for run in chosen if not run.alone]), (1, [run for run in chosen if run.alone])):
        with ThreadPoolExecutor(n_workers) as pool:
            list(pool.map(write, runs))
    (RESULTS / "README.md").write_text(summary(), encoding="utf-8")
    for name, page in SHOWN.items():
        write_into(ROOT / page, name)
    print(f"{(perf_counter() - start) / 60:.0f} minutes; {(RESULTS / 'README.md').relative_to(ROOT)} is the summary.")


def write(run: Run) -> None:
    print(f"{run.name}: {' '.join(run.command)}", flush=True)
    start = perf_counter()
    run.path.write_text(done(run), encoding="utf-8")
    print(f"{run.name}: {perf_counter() - start:.0f} s", flush=True)


def done(run: Run) -> str:
    """Run it; its output under a heading that says where it comes from."""
    start, failed = perf_counter(), ""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out, tempfile.TemporaryFile("w+", encoding="utf-8") as err:
        try:
            command = [sys.executable, *run.command[1:]]
            ended = subprocess.run(command, cwd=ROOT, stdout=out, stderr=err, check=False, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            failed = f"\nFAILED with status: stopped after {LIMIT} s\n"
        else:
            err.seek(0)
            told = err.read().strip()[-400:]
            failed = f"\nFAILED with status {ended.returncode}: {told}\n" if ended.returncode else ""
        out.seek(0)
        printed = out.read()
    head = f"$ {' '.join(run.command)}\n# {perf_counter() - start:.0f} s, {machine()}, commit {commit()}\n\n"
    return head + without_paths(printed + failed)


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
        "`make reproduce` writes this page. Each file in the last column is the output of a script, with the command,",
        "the machine and the commit.",
        "",
        *PAPERS,
        "",
        "- *Reproduced*: within 5% of the published value (10% for the curves of Wong et al., who do not describe the",
        "  layout). Equal to the paper's rounding if it prints numbers; the same order of curves if it prints figures.",
        "- *Better*: some figures lose less or take less time, and none is more than 5% above the published one.",
        "- *Differs*: the third column says why.",
        "",
        "| table or figure | outcome | what and why | output |",
        "|---|---|---|---|",
    ]
    for run in RUNS:
        if run.path.exists():
            text = run.path.read_text(encoding="utf-8")
            link = f"[{run.name}]({run.path.name})"
            found = [v for line in text.splitlines() if (v := Verdict.read(line))]
            broken = passed(run, text) == "failed"
            rows = [f"| {v.table} | {v.outcome} | {v.why} | {link} |" for v in found]
            if broken or not rows:
                rows.append(f"| {run.about} | {passed(run, text)} | | {link} |")
            lines += rows
    plots = sorted(path.name for path in RESULTS.glob("*.svg"))
    lines += ["", "## Plots", "", *(f"![{name.removesuffix('.svg')}]({name})" for name in plots)]
    return "\n".join(lines) + "\n"


def write_into(page: Path, name: str) -> None:
    """The table that a script printed, between two marks of a page."""
    printed, text = RESULTS / f"{name}.txt", page.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: written by make reproduce -->", f"<!-- end of {name} -->"
    if not printed.exists() or begin not in text:
        return
    rows = [line for line in printed.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    before, after = text.split(begin)[0], text.split(end)[1]
    page.write_text("\n".join([before + begin, *rows, end + after]), encoding="utf-8")


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
