"""Run commands that are killed, or whose disk dies or fills up, at every call that changes the disk; see ``disk.c``.

``python -m kills FOLDER MODE MOST`` (with ``disk.c`` preloaded) prints one JSON object per command: how many
calls change the disk, at how many of them it was stopped (at most so many, evenly from all; 0 for all), in what states
the files were found, and what was wrong. To be killed a command runs in a process of its own, forked from one in which
everything is imported and nothing has run yet.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import io
import json
import multiprocessing
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from shoal.cli import main
from shoal.cli.demo import FILES as DEMO_FILES
from shoal.io.databases import address_of, rows_in
from shoal.io.transaction import recover

COUNT, DEAD, FULL, KILL = 1, 2, 3, 4
AGES = ["20", "21", "22", "70", "71", "72"]
TREE = "20;young;*\n21;young;*\n22;young;*\n70;old;*\n71;old;*\n72;old;*\n"


@dataclass(frozen=True)
class Command:
    """A command that writes, what it writes, and what has to be true of it beyond old or new."""

    said: str
    outputs: tuple[str, ...]
    holds: Callable[[], str] = lambda: ""
    starts_anew: bool = False
    """Whether old outputs are deleted before new ones are made; still never one beside the other."""


def _people(ages: Sequence[str]) -> pl.DataFrame:
    return pl.DataFrame({"age": ages, "ill": ["ab"[row % 2] for row in range(len(ages))]})


def _record_fits() -> str:
    """A run record belongs to the release beside it."""
    for record in Path().glob("*.run.json"):
        said = json.loads(record.read_text())["output"]
        if "sha256" in said and hashlib.sha256(Path(said["path"]).read_bytes()).hexdigest() != said["sha256"]:
            return f"{record} belongs to another release"
    return ""


def _of_these_people() -> str:
    """A release of the demo is of the people beside it."""
    if not Path("demo/release.run.json").exists():
        return ""
    said = json.loads(Path("demo/release.run.json").read_text())["input"]["sha256"]
    is_theirs = hashlib.sha256(Path("demo/people.csv").read_bytes()).hexdigest() == said
    return "" if is_theirs else "the release is of other people"


def _nobody_twice() -> str:
    """Run once more; then every row was published or is held, and only once: six of the days before, five new."""
    _run("apply recoding.json today.csv -o today-out.csv --hold held.parquet --audit off -q")
    published = sum(pl.read_csv(path).height for path in Path().glob("*-out.csv"))
    held = pl.read_parquet("held.parquet").height
    return "" if (published, held) == (3, 5) else f"{published} rows are published and {held} held, not 3 and 5"


def _table_fits() -> str:
    """Held rows and table together are all rows, and once only."""
    _run("apply recoding.json today.csv -o sqlite:///x.db#today --hold held.parquet --audit off -q")
    with contextlib.closing(sqlite3.connect("x.db")) as database:
        (published,) = database.execute("SELECT count(*) FROM today").fetchone()
    held = pl.read_parquet("held.parquet").height
    return "" if (published, held) == (3, 5) else f"{published} rows are in the table and {held} held, not 3 and 5"


RELEASE = "anonymize people.csv --quasi age --sensitive ill --hierarchy age=tree.csv --k 2 --audit off --seed 1 -q -o"
FILES = ("csv", "tsv", "parquet", "arrow", "feather", "xlsx")
HOLD = "apply recoding.json today.csv --hold held.parquet --audit off -q -o"
COMMANDS: dict[str, Command] = {
    **{
        f"anonymize .{end}": Command(
            f"{RELEASE} r.{end}", (f"r.{end}", "r.datapackage.json", "r.run.json"), _record_fits
        )
        for end in FILES
    },
    "anonymize with reports": Command(
        f"{RELEASE} r.csv --algorithm lattice --report r.html --public-report p.json --explore e.csv "
        "--save-recoding c.json",
        ("r.csv", "r.datapackage.json", "r.run.json", "r.html", "p.json", "e.csv", "c.json"),
        _record_fits,
    ),
    "anonymize in two tables": Command(
        "anonymize people.csv --quasi age --sensitive ill --l 2 --algorithm anatomy --audit off -q -o r.csv",
        ("r.csv", "r.sensitive.csv", "r.run.json"),
        _record_fits,
    ),
    "anonymize within memory": Command(
        f"{RELEASE} r.csv --memory 4GiB", ("r.csv", "r.datapackage.json", "r.run.json"), _record_fits
    ),
    "anonymize to SQLite": Command(f"{RELEASE} sqlite:///x.db#release --replace", ("x.db", "release.run.json")),
    "anonymize to DuckDB": Command(f"{RELEASE} duckdb:///y.db#release --replace", ("y.db", "release.run.json")),
    "run": Command("run job.toml -q", ("r.csv", "r.run.json"), _record_fits),
    "apply": Command("apply recoding.json people.csv -o r.csv --audit off -q", ("r.csv", "r.run.json"), _record_fits),
    "apply and hold": Command(
        f"{HOLD} today-out.csv", ("today-out.csv", "today-out.run.json", "held.parquet"), _nobody_twice
    ),
    "apply and hold, to SQLite": Command(
        f"{HOLD} sqlite:///x.db#today", ("today.run.json", "held.parquet"), _table_fits
    ),
    "hierarchy": Command("hierarchy people.csv --column age --builder intervals:width=10 -o h.csv", ("h.csv",)),
    "read": Command(
        "read people.csv --quasi age --cells sampled --draws 2 -o drawn.csv -q", ("drawn.csv", "drawn.draw2.csv")
    ),
    "inspect": Command("inspect people.csv --write-job suggested.toml -q", ("suggested.toml",)),
    "audit": Command(
        "audit people.csv first.csv --quasi age --sensitive ill --hierarchy age=tree.csv --report a.html -q",
        ("a.html",),
    ),
    "usefulness": Command(
        "usefulness people.csv first.csv --quasi age --hierarchy age=tree.csv --report u.html -q", ("u.html",)
    ),
    "compare": Command(
        "compare people.csv --quasi age --sensitive ill --k 2 --algorithms mondrian --report c.html -q", ("c.html",)
    ),
    "demo": Command(
        "demo --rows 120 --folder demo -q",
        tuple(f"demo/{name}" for name in DEMO_FILES if name not in ("job.toml", "release.datapackage.json")),
        _of_these_people,
        starts_anew=True,
    ),
}


def prepare(folder: Path) -> None:
    """The inputs."""
    os.chdir(folder)
    Path("tree.csv").write_text(TREE)
    Path("job.toml").write_text(
        'input = "people.csv"\noutput = "r.csv"\nquasi_identifiers = ["age"]\nsensitive = ["ill"]\naudit = "off"\n'
        'hierarchies = {age = "tree.csv"}\n[privacy]\nk = 2\n'
    )
    first = shoal.anonymize(
        _people(AGES), quasi_identifiers=["age"], sensitive=["ill"], hierarchies={"age": "tree.csv"}, levels=[1],
        privacy=shoal.KAnonymity(3), audit="off",
    )  # fmt: skip
    first.save_recoding("recoding.json")
    first.write("first.csv")
    _people(["20", "70", "70", "99", "99", "99"]).write_parquet("held.parquet")
    _people(["21", "22"]).write_csv("today.csv")
    Path("first.run.json").unlink()


def before(name: str) -> None:
    """What the command finds: its own outputs from other rows, and the rows of now.

    Held rows are as they are, and there is no job file where one would not be replaced.
    """
    command = COMMANDS[name]
    if not {"--hold", "--write-job"} & {*command.said.split()}:
        _people(AGES).write_csv("people.csv")
        status = _run(command.said.replace("--k 2", "--k 3").replace("width=10", "width=20").replace("120", "100"))
        assert status in (0, 1), f"{name} ended with {status}"
    _people([*AGES, "20", "71", "72", "22"]).write_csv("people.csv")


def _run(said: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return main(said.split())


def state(outputs: Sequence[str]) -> dict[str, bytes | None]:
    """What is in the files and tables; None where there is none."""
    return {name: _content(Path(name)) for name in outputs}


def _content(path: Path) -> bytes | None:
    if not path.exists():
        return None
    if path.suffix == ".db":
        address = address_of(f"{'sqlite' if path.name == 'x.db' else 'duckdb'}:///{path}#release")
        assert address is not None
        rows = rows_in(address)
        return None if rows is None else rows.write_csv().encode()
    return path.read_bytes()


def stopped(name: str, base: Path, folder: Path, mode: int, most: int) -> dict[str, Any]:
    """Run a command that is stopped at its calls to the disk, at most at so many; what was found afterwards."""
    command, wrong = COMMANDS[name], []
    _reset(base, folder)
    old = state(command.outputs)
    status, n_calls = run_armed(command.said, folder, COUNT, 0)
    new = state(command.outputs)
    if status not in (0, 1) or any(new[output] in (None, old[output]) for output in command.outputs):
        wrong.append(f"undisturbed it ended with {status} and left {[o for o in new if new[o] in (None, old[o])]}")
    found: Counter[str] = Counter()
    steps = range(n_calls) if not most else sorted({(2 * i + 1) * n_calls // (2 * most) for i in range(most)})
    for step in steps:
        _reset(base, folder)
        status, _ = run_armed(command.said, folder, mode, step, is_apart=mode == KILL)
        for place in {Path(output).parent for output in command.outputs}:
            recover(folder / place)
        seen = state(command.outputs)
        there = [o for o in command.outputs if not command.starts_anew or seen[o] is not None]
        is_new = {seen[output] != old[output] for output in there}
        found["mixture" if len(is_new) > 1 else "new" if True in is_new else "old"] += 1
        if len(is_new) > 1:
            wrong.append(f"at {step}: new are {[o for o in there if seen[o] != old[o]]}")
        elif status == 0 and True not in is_new:
            wrong.append(f"at {step}: it ended well and wrote nothing")
        elif complaint := command.holds():
            wrong.append(f"at {step}: {complaint}")
        if left := [path.name for path in folder.rglob(".shoal-*")]:
            wrong.append(f"at {step}: {left} were left")
    return {"command": name, "calls": n_calls, "stopped": found.total(), "found": found, "wrong": wrong}


def run_armed(said: str, folder: Path, mode: int, step: int, *, is_apart: bool = False) -> tuple[int, int]:
    """Run a command on an armed disk, here or in a process of its own: its status (−9 if killed), and its calls."""
    if not is_apart:
        return _armed(said, folder, mode, step)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["kills.harness"])
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_send_armed, args=(there, said, folder, mode, step))
    child.start()
    there.close()
    try:
        answer: tuple[int, int] = here.recv()
    except EOFError:
        answer = (-9, 0)
    child.join()
    return answer


def _send_armed(there: Connection, said: str, folder: Path, mode: int, step: int) -> None:
    os.chdir(folder)
    there.send(_armed(said, folder, mode, step))


def _armed(said: str, folder: Path, mode: int, step: int) -> tuple[int, int]:
    arm(str(folder), mode, step)
    status = _run(said)
    return status, ctypes.CDLL(None).disk_disarm()


def arm(folder: str, mode: int, step: int) -> None:
    """From the call of this number on the disk does not do what it should."""
    ctypes.CDLL(None).disk_arm(folder.encode(), mode, ctypes.c_long(step))


def _reset(base: Path, folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(base, folder, dirs_exist_ok=True)


def run_all(home: Path, names: Sequence[str], mode: int, most: int) -> Iterator[dict[str, Any]]:
    """All of these commands."""
    base, folder = home / "base", home / "disk"
    base.mkdir()
    folder.mkdir()
    prepare(base)
    for number, name in enumerate(names):
        _reset(base, folder)
        os.chdir(folder)
        before(name)
        os.chdir(home)
        ready = home / f"before-{number}"
        shutil.copytree(folder, ready)
        os.chdir(folder)
        yield stopped(name, ready, folder, mode, most)
