"""One case: a table, what is asked of it, and how; as plain data, so that it can be saved, made smaller and told."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import shlex
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Value = str | int | float | bool | None

ARROW = {
    "text": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
}
"""The types of columns."""


@dataclass(frozen=True)
class Column:
    """A column: its type, its values (dates as texts), its role, and the rows of its hierarchy where it has one."""

    name: str
    type: str
    role: str
    values: list[Value]
    tree: list[list[str]] | None = None


@dataclass(frozen=True)
class Promise:
    """A promise: the option, its number, and what else is said."""

    flag: str
    number: float
    kind: str = ""
    k: int = 0
    c: float = 0.0

    def spelled(self) -> str:
        """As the command line and job files say it."""
        if self.flag == "risk-share":
            return f"{self.number:g},{self.c:g}"
        number = f"{self.number:g},{self.k}" if self.k else f"{self.number:g}"
        return number + (f":{self.kind}" if self.kind else "") + (f":c={self.c:g}" if self.c else "")


@dataclass(frozen=True)
class Case:
    """What is tried."""

    columns: list[Column]
    promises: list[Promise]
    algorithm: str = "mondrian"
    words: dict[str, Any] = field(default_factory=dict)
    verb: str = "anonymize"
    source: str = "csv"
    target: str = "csv"
    population: list[Column] = field(default_factory=list)
    """The table of the population, where there is one."""
    attack: str = ""
    """The attack that an audit is to try, and no other."""
    seed: int = 0

    @property
    def n_rows(self) -> int:
        """How many rows the table has."""
        return len(self.columns[0].values) if self.columns else 0

    def of_role(self, role: str) -> list[Column]:
        """The columns of a role, in the order of the table."""
        return [column for column in self.columns if column.role == role]

    def take(self, rows: list[int]) -> Case:
        """The same with these rows only."""
        kept = [replace(column, values=[column.values[row] for row in rows]) for column in self.columns]
        return replace(self, columns=kept)

    def to_json(self) -> str:
        """As a text that ``from_json`` reads."""
        return json.dumps(asdict(self), ensure_ascii=True)

    @staticmethod
    def from_json(text: str) -> Case:
        """Read what ``to_json`` wrote."""
        said = json.loads(text)
        said["columns"] = [Column(**column) for column in said["columns"]]
        said["population"] = [Column(**column) for column in said["population"]]
        said["promises"] = [Promise(**promise) for promise in said["promises"]]
        return Case(**said)


def lay_out(case: Case, folder: Path) -> None:
    """Write the table, its hierarchies and the job file."""
    write_table(case.columns, folder / f"people.{case.source}")
    if case.population:
        write_table(case.population, folder / f"population.{case.source}")
    for number, column in enumerate(case.columns):
        if column.tree is not None:
            lines = io.StringIO()
            csv.writer(lines, delimiter=";", lineterminator="\n").writerows(column.tree)
            (folder / f"tree{number}.csv").write_text(lines.getvalue(), "utf-8")
    (folder / "job.toml").write_text(job_text(case), "utf-8")


def write_table(columns: list[Column], path: Path) -> None:
    """By the standard library or pyarrow, never by shoal."""
    if path.suffix == ".parquet":
        arrays = [
            pa.array([_typed(column.type, value) for value in column.values], ARROW[column.type]) for column in columns
        ]
        pq.write_table(pa.Table.from_arrays(arrays, names=[column.name for column in columns]), path)
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow([column.name for column in columns])
        writer.writerows(zip(*([as_text(value) for value in column.values] for column in columns), strict=True))


def _typed(kind: str, value: Value) -> Any:
    if value is None or kind not in ("date", "datetime"):
        return value
    made = dt.datetime.fromisoformat(str(value))
    return made.date() if kind == "date" else made


def as_text(value: Value) -> str:
    """How a value is written to a text file."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


ROLES = {
    "identifier": "identifiers",
    "quasi": "quasi_identifiers",
    "sensitive": "sensitive",
    "other": "others",
}
FLAGS = {"identifier": "--identifiers", "quasi": "--quasi", "sensitive": "--sensitive", "other": "--others"}


def job_text(case: Case) -> str:
    """The case as a job file."""
    lines = [f"input = {_toml(f'people.{case.source}')}", f"output = {_toml(f'release.{case.target}')}"]
    lines += [f"{word} = {_toml([c.name for c in case.of_role(role)])}" for role, word in ROLES.items()]
    lines += [f"algorithm = {_toml(case.algorithm)}"]
    lines += [f"{key} = {_toml(value)}" for key, value in case.words.items()]
    lines += [f"population = {_toml(f'population.{case.source}')}"] if case.population else []
    lines += ["[privacy]", *(f"{promise.flag} = {_toml(promise.spelled())}" for promise in case.promises)]
    trees = {column.name: f"tree{i}.csv" for i, column in enumerate(case.columns) if column.tree is not None}
    lines += ["[hierarchies]", *(f"{_toml(name)} = {_toml(file)}" for name, file in trees.items())]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def options(case: Case) -> list[str]:
    """The columns and promises as options; names with strange characters are quoted as in a CSV file."""
    said = []
    for role, flag in FLAGS.items():
        names = [column.name for column in case.of_role(role)]
        said += [flag, _listed(names)] if names else []
    for number, column in enumerate(case.columns):
        said += ["--hierarchy", f"{column.name}=tree{number}.csv"] if column.tree is not None else []
    for promise in case.promises:
        said += [f"--{promise.flag}", promise.spelled()]
    return said


def commands(case: Case) -> list[list[str]]:
    """What is called, one after the other; the last is the one that is judged."""
    if case.verb == "run":
        return [["run", "job.toml", "--quiet"]]
    out = ["-o", f"release.{case.target}", "--quiet"]
    more = [word for key, value in case.words.items() for word in (f"--{key.replace('_', '-')}", str(value))]
    everybody = ["--population", f"population.{case.source}"] if case.population else []
    first = ["anonymize", f"people.{case.source}", *options(case), "--algorithm", case.algorithm, *more]
    first += everybody if _counts_people(case) or case.verb == "anonymize" else []
    if case.verb == "apply":
        again = ["apply", "recoding.json", f"people.{case.source}", *out]
        return [[*first, "--save-recoding", "recoding.json", "--quiet"], again]
    if case.verb == "verify":
        quasi = _listed([column.name for column in case.of_role("quasi")])
        said = ["verify", f"people.{case.source}", "--quasi", quasi]
        sensitive = [column.name for column in case.of_role("sensitive")]
        said += ["--sensitive", _listed(sensitive)] if sensitive else []
        said += ["--original", f"people.{case.source}", *everybody]
        return [[*said, *(w for p in case.promises for w in (f"--{p.flag}", p.spelled())), "--quiet"]]
    if case.verb == "audit":
        known = ["--quasi", _listed([column.name for column in case.of_role("quasi")])]
        sensitive = [column.name for column in case.of_role("sensitive")]
        known += ["--sensitive", _listed(sensitive)] if sensitive else []
        trees = [
            w
            for n, c in enumerate(case.columns)
            if c.tree is not None
            for w in ("--hierarchy", f"{c.name}=tree{n}.csv")
        ]
        tried = [*everybody, *(["--attack", case.attack] if case.attack else []), "--quiet"]
        return [[*first, *out], ["audit", f"people.{case.source}", f"release.{case.target}", *known, *trees, *tried]]
    return [[*first, *out]]


def _counts_people(case: Case) -> bool:
    return any(promise.flag in ("k-map", "presence") for promise in case.promises)


def _listed(names: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def told(case: Case) -> str:
    """The case for somebody who wants to see it happen."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([f"{column.name} ({column.role}, {column.type})" for column in case.columns])
    writer.writerows(zip(*(map(repr, column.values) for column in case.columns), strict=True))
    if case.population:
        writer.writerow([f"population: {column.name} ({column.type})" for column in case.population])
        writer.writerows(zip(*(map(repr, column.values) for column in case.population), strict=True))
    calls = "\n".join(f"  shoal {shlex.join(words)}" for words in commands(case))
    return f"{table.getvalue()}{calls}\n  replay: python -m redteam --replay {shlex.quote(case.to_json())}"
