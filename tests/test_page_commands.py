"""Every block of the pages is run: commands outside tutorials and how-to guides, job files and sessions; no others."""

from __future__ import annotations

import inspect
import random
import re
import runpy
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from shoal.cli import main
from shoal.engine.job import read_job
from shoal.io.example import people
from shoal.io.example_visits import visits
from shoal.io.toml import to_toml
from support.page_commands import GUIDES, ROOT, TUTORIALS, commands
from support.public_names import PUBLIC

DOCS = ROOT / "docs"
EVERY_PAGE = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
ELSEWHERE = {*GUIDES, *TUTORIALS, DOCS / "plug-ins.md"}
"""Run by the tests of tutorials and guides, and by that of a plug-in, which has to be installed first."""
PAGES = [page for page in EVERY_PAGE if page not in ELSEWHERE and commands(page)]
RUN = {
    "shell": "here, in test_tutorials.py and in test_plug_in.py",
    "python": "docs_src has it: test_docs.py",
    "pycon": "a docstring has it: test_docstring_examples.py, and here",
    "toml": "here",
    "sql": "docs_src has it, or a test of PostgreSQL runs the page's: here",
    "r": "docs_src has it: test_docs.py",
    "stata": "docs_src has it: test_docs.py",
}
"""Languages of blocks, and which test runs them or compares them with what is run."""
NOT_RUN = {
    "README.md": "installs packages, and runs this suite",
    "docs/databases.md": "needs a PostgreSQL server; tests/io/databases/test_postgres.py starts one and does the same",
    "docs/tutorials/workbench.md": "starts a server, which does not end",
    "docs/workbench.md": "starts a server, and talks to it; tests/web does the same",
    "SECURITY.md": "starts the fuzzer; tests/redteam does the same",
}
"""Pages with commands in blocks of text, and why."""


def _table(columns: str, rows: int = 240, seed: int = 1) -> pl.DataFrame:
    """Columns as the pages name them."""
    draw = random.Random(seed)
    kinds: dict[str, Callable[[], object]] = {
        "age": lambda: draw.randrange(20, 80),
        "zip": lambda: f"02{draw.randrange(130, 150)}",
        "sex": lambda: draw.choice("mf"),
        "town": lambda: draw.choice(["Ely", "Ripon", "Truro"]),
        "disease": lambda: draw.choice(["flu", "asthma", "gout", "diabetes"]),
        "hours": lambda: draw.randrange(5, 60),
        "rich": lambda: draw.choice(["yes", "no"]),
    }
    money = {name: lambda: round(draw.lognormvariate(10, 1), 1) for name in ("assets", "sales", "profit")}
    return pl.DataFrame({name: [{**kinds, **money}[name]() for _ in range(rows)] for name in columns.split(",")})


def _write(table: pl.DataFrame, name: str) -> None:
    (table.write_parquet if name.endswith(".parquet") else table.write_csv)(name)


def _plain(**columns: str) -> Callable[[], None]:
    """Tables by their names, a dot being two underscores."""

    def make() -> None:
        for seed, (name, told) in enumerate(columns.items()):
            _write(_table(told, seed=seed), name.replace("__", "."))

    return make


def _discharges() -> None:
    runpy.run_path(str(ROOT / "docs_src" / "tutorials" / "discharges.py"), run_name="__main__")


ALL_OF_IT = "age,zip,sex,disease"
TABLES: dict[str, Callable[[], object]] = {
    "blocked": _plain(people__parquet="age,zip,sex"),
    "full-domain": _plain(people__csv="age,zip,sex"),
    "microaggregation": _plain(companies__csv="assets,sales,profit"),
    "audit": _plain(original__csv=ALL_OF_IT),
    "cells": _plain(people__csv="age,town", people__parquet="age,zip"),
    "compare": _plain(people__csv=ALL_OF_IT),
    "dossier": lambda: people(600).write_csv("people.csv"),
    "messy-files": _discharges,
    "people": lambda: visits(300).write_csv("visits.csv"),
    "policies": lambda: people(600).write_csv("people.csv"),
    "scale": _plain(people__parquet=ALL_OF_IT, monday__csv=ALL_OF_IT, tuesday__csv=ALL_OF_IT),
    "usefulness": _plain(people__csv="age,hours,rich", others__csv="age,hours,rich"),
}


def _run(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command, comments=True)
    assert words[0] == "shoal", command
    into = Path(words.pop()) if words[-2] == ">" else None
    words = words[:-1] if into else words
    status = main(words[1:])
    said = capsys.readouterr()
    assert status == 0, f"{command}\n{said.err}"
    if into:
        into.write_text(said.out)


def _with_spark(page: Path) -> list[str]:
    return [command for command in commands(page) if "spark" in command]


@pytest.mark.slow
@pytest.mark.usefixtures("trials_here")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_page_succeeds(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    TABLES[page.stem]()
    for command in commands(page):
        if command not in _with_spark(page):
            _run(command, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if _with_spark(page)], ids=lambda page: page.stem)
def test_every_command_with_spark_succeeds(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    TABLES[page.stem]()
    for command in _with_spark(page):
        _run(command, capsys)


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_block_that_looks_like_a_program_is_run(page: Path) -> None:
    """Text may be in a block of its own; commands in one are listed here with the reason why nobody runs them."""
    name = str(page.relative_to(ROOT))
    for language, block in _blocks(page):
        assert language in {*RUN, "text"}, f"{name}: a block of {language or 'no language'}"
        is_program = re.search(r"^ *(?:\w+=\S+ )?(?:shoal|pip|make|curl|python) ", block, flags=re.MULTILINE)
        assert language != "text" or not is_program or name in NOT_RUN, f"{name}: {block[:60]!r}"


@pytest.mark.parametrize("page", [page for page in EVERY_PAGE if "```toml" in page.read_text("utf-8")], ids=str)
def test_every_job_file_of_a_page_can_be_read(page: Path, tmp_path: Path) -> None:
    """A whole file of docs_src is run by its own test; a part of a job file stands in a job that has the rest."""
    shown = [path.read_text("utf-8") for path in (ROOT / "docs_src").rglob("*.toml")]
    for language, block in _blocks(page):
        if language != "toml" or block in shown:
            continue
        said = tomllib.loads(block)
        rest = {"input": "people.csv", "output": "release.csv", "quasi_identifiers": ["age"], "privacy": {"k": 5}}
        (tmp_path / "job.toml").write_text(to_toml({**rest, **said}))
        assert set(said) <= set(read_job(tmp_path / "job.toml").model_fields_set)


def test_the_job_file_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (job,) = [block for language, block in _blocks(DOCS / "guide.md") if language == "toml"]
    people = _table("age,zip,sex,disease").with_row_index("name").with_columns(pl.col("name").alias("ssn"))
    people.write_csv("people.csv")
    Path("job.toml").write_text(job)
    assert main(["run", "job.toml", "--quiet"]) == 0
    assert pl.read_csv("release.csv").columns == ["age", "zip", "sex", "disease"]


def test_every_query_of_a_page_is_run() -> None:
    postgres = (ROOT / "tests" / "io" / "databases" / "test_postgres.py").read_text("utf-8")
    shown = [path.read_text("utf-8") for path in (ROOT / "docs_src").rglob("*.sql")]
    for page in EVERY_PAGE:
        queries = [block for language, block in _blocks(page) if language == "sql"]
        assert all(query in shown for query in queries) or f'"{page.name}"' in postgres, page.name


def test_every_session_of_the_reference_is_the_example_of_a_docstring() -> None:
    """Those of all public names and metrics are run by test_docstring_examples.py."""
    told = _flush("\n".join(inspect.getdoc(thing) or "" for thing in PUBLIC.values()))
    for page in EVERY_PAGE:
        for language, block in _blocks(page):
            if language == "pycon":
                assert _flush(block).strip() in told, f"{page.name}: {block[:60]!r}"


def _flush(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def _blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of each block, also of those inside a list."""
    return re.findall(r"^ *```(\w*)\n(.*?)^ *```", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
