"""Whatever a command writes that may hold originals, nobody but its owner may read; what may go out, others may."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import shoal as library
from shoal.cli.entry import COMMANDS

pytestmark = pytest.mark.usefixtures("trials_here")

PUBLIC = (
    "release.csv",
    "release.parquet",
    "release.xlsx",
    "release.sensitive.csv",
    "release.datapackage.json",
    "public.html",
    "job.toml",
    "bounds.csv",
)
"""The only names that the commands below give to what others may read; everything else must be private."""

ANONYMIZE = ("anonymize", "people.csv", "--identifiers", "name", "--quasi", "age,zip,sex", "--sensitive", "disease")
LATTICE = (*ANONYMIZE, "--hierarchy", "zip=mask", "--hierarchy", "age=intervals:width=5,factors=2", "--k", "3")
OUTPUTS = ("-o", "release.csv", "--report", "report.html", "--public-report", "public.html")
RECODING = (*LATTICE, "--algorithm", "lattice", "-o", "release.csv", "--save-recoding", "recoding.json")
CALLS: dict[str, list[tuple[str, ...]]] = {
    "anonymize": [
        (*LATTICE, "--algorithm", "lattice", *OUTPUTS, "--explore", "nodes.csv", "--save-recoding", "recoding.json"),
        (*ANONYMIZE, "--k", "3", "-o", "release.xlsx", "--report", "report.json"),
        (*ANONYMIZE, "--k", "3", "-o", "release.parquet", "--memory", "8GiB"),
        (*ANONYMIZE, "--l", "2", "--algorithm", "anatomy", "-o", "release.csv", "--report", "report.txt"),
    ],
    "apply": [
        RECODING,
        ("apply", "recoding.json", "people.csv", "-o", "release.parquet", "--hold", "held.parquet"),
    ],
    "run": [("run", "here.toml")],
    "audit": [
        (*ANONYMIZE, "--k", "3", "-o", "release.csv"),
        *(
            ("audit", "people.csv", "release.csv", "--quasi", "age,zip,sex", "--report", to)
            for to in ("audit.html", "audit.json", "audit.txt")
        ),
    ],
    "compare": [
        (
            "compare",
            "people.csv",
            "--identifiers",
            "name",
            "--quasi",
            "age",
            "--others",
            "zip,sex,disease",
            "--k",
            "3",
            "--algorithms",
            "hilbert",
            "--report",
            f"compared{end}",
        )
        for end in (".html", ".csv")
    ],
    "hierarchy": [("hierarchy", "people.csv", "--column", "zip", "--builder", "mask", "-o", "zip.csv")],
    "demo": [("demo", "--rows", "200", "--folder", "demo")],
    "inspect": [("inspect", "people.csv", "--write-job", "inspected.toml")],
    "read": [
        (*ANONYMIZE, "--k", "3", "-o", "release.csv"),
        ("read", "release.csv", "--cells", "bounds", "-o", "bounds.csv"),
    ],
}
"""Every command that writes, with everything it writes."""

SILENT = {"patterns", "policy", "verify", "usefulness", "serve", "warm-up"}
"""Commands that write no file of the user's; the workbench has a private folder, which has tests of its own."""

JOB = """
input = "people.csv"
output = "release.csv"
report = "report.html"
public_report = "public.html"
explore = "nodes.parquet"
save_recoding = "recoding.json"
identifiers = ["name"]
quasi_identifiers = ["zip", "sex"]
others = ["age", "disease"]
privacy = {k = 3}
algorithm = "lattice"
hierarchies = {zip = "mask", sex = "mask"}
"""


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    """New files are readable by all, as on most machines."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_every_command_is_known_to_write_or_not_to() -> None:
    assert {*CALLS} | SILENT == {*COMMANDS}


@pytest.mark.parametrize("command", CALLS)
def test_what_holds_originals_is_for_its_owner_alone(
    folder: Path, shoal: Callable[..., Any], files: Callable[[], dict[str, bytes]], command: str
) -> None:
    (folder / "here.toml").write_text(JOB)
    before = {*files()}
    for words in CALLS[command]:
        answer = shoal(*words)
        assert answer.status == 0 or words[0] == "audit", answer.err
        for name in _private(words):
            assert f"{name} " in answer.err
            assert "alone" in next(line for line in answer.err.splitlines() if line.startswith(f"{name} "))
    made = {name: folder / name for name in files() if name not in before}
    assert made
    for name, path in made.items():
        may_go_out = Path(name).name in PUBLIC or name == "demo/people.csv"
        assert stat.S_IMODE(path.stat().st_mode) == (0o644 if may_go_out else 0o600), name


def _private(words: tuple[str, ...]) -> list[str]:
    """The private files that the options of a call name, but for the hold file, which is said when it is made."""
    said = dict(pairwise(words))
    return [said[flag] for flag in ("--report", "--explore", "--save-recoding") if flag in said]


def test_an_old_file_that_all_may_read_is_not_kept_so(folder: Path, shoal: Callable[..., Any]) -> None:
    (folder / "report.html").write_text("old")
    (folder / "report.html").chmod(0o666)
    assert shoal(*ANONYMIZE, "--k", "3", "--report", "report.html").status == 0
    assert stat.S_IMODE((folder / "report.html").stat().st_mode) == 0o600


def test_the_library_writes_as_the_commands_do(folder: Path) -> None:
    made = library.anonymize(
        "people.csv",
        quasi_identifiers=["age", "sex"],
        identifiers=["name"],
        others=["zip", "disease"],
        privacy=[library.KAnonymity(3)],
    )
    made.report(folder / "report.html")
    made.report(folder / "public.html", public=True)
    made.write(folder / "release.csv")
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("*[lvn]") if path.name != "people.csv"
    }
    assert modes == {
        "report.html": 0o600, "public.html": 0o644, "release.csv": 0o644, "release.datapackage.json": 0o644,
        "release.run.json": 0o600,
    }  # fmt: skip
