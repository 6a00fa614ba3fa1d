"""The results of an inspection, for the terminal and as JSON.

Both take the inspection as plain data: ``n_rows``, ``columns`` (each with name, kind, n_distinct, n_missing, n_unique,
separation, largest_share, role, reason, examples), ``n_unique``, ``n_unique_others``, ``combinations``, ``notes`` and
``advice``.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from shoal.core.plain_data import plain_data
from shoal.report.figures import counted, cut, listed, percent

Data = Mapping[str, Any]

OPTIONS = {"identifier": "--identifiers", "quasi-identifier": "--quasi", "sensitive": "--sensitive"}
"""The command-line options for the roles."""

_STYLES = {
    "identifier": "bold red",
    "quasi-identifier": "yellow",
    "sensitive": "magenta",
    "other": "dim",
    "person": "bold red",
}
_MOST_COLUMNS = 60
_MOST_NAMES = 8
_MOST_KEYS = 3
_WIDTH = 96


def inspection_text(
    data: Data, file: str = "FILE", reading: Sequence[str] | None = (), job: object = None
) -> RenderableType:
    """A table of the columns, how many rows they single out, and the next command to run. Fits 100 columns."""
    parts: list[RenderableType] = [_table(data), Text(_uniqueness(data), "bold")]
    if n := data["n_unique_others"]:
        others = "on the other columns, which are published unchanged: give them a role if anybody may know them."
        parts.append(Text(f"{_rows(n, data['n_rows'])} {others}"))
    if data["combinations"]:
        parts.append(Text("\nWorst combinations"))
        for found in data["combinations"]:
            names = " + ".join(cut(name, 28) for name in found["columns"])
            parts.append(Text(f"  {names}: {percent(found['share'])} of rows unique"))
    keys = data.get("keys", ())[:_MOST_KEYS]
    parts += [Text("\n" + _people(key), "dim" if place else "bold") for place, key in enumerate(keys)]
    parts += [Text("\n" + note, "dim") for note in data["notes"]]
    parts += _advice(data.get("advice", ()))
    return Group(*parts, Text(), *_next_step(data, file, reading, job))


def _advice(advice: Sequence[Data]) -> list[RenderableType]:
    """The problems of the table, each with the settings that fix it."""
    if not advice:
        return []
    parts: list[RenderableType] = [Text("\nWhat was found")]
    for one in advice:
        fix = "; ".join(
            f"{word} = {cut(json.dumps(said, ensure_ascii=False), 60)}" for word, said in one["words"].items()
        )
        parts.append(Text(f"  {one['what']}") + Text(f"  → {fix}" if fix else "", "green"))
        if one["question"]:
            parts.append(Text(f"    You have to decide: {one['question']}", "bold red"))
    return parts


def inspection_json(data: Data, file: str = "FILE", reading: Sequence[str] | None = ()) -> dict[str, object]:
    """The same for programs. Original values are left out."""
    return {
        "n_rows": data["n_rows"],
        "columns": [
            plain_data({key: column[key] for key in column if key != "examples"}) for column in data["columns"]
        ],
        "roles": {role: _named(data, role) for role in (*OPTIONS, "other")},
        "n_unique": data["n_unique"],
        "share_unique": data["n_unique"] / data["n_rows"],
        "n_unique_others": data["n_unique_others"],
        "combinations": plain_data(data["combinations"]),
        "person_keys": plain_data(data.get("keys", ())),
        "notes": list(data["notes"]),
        "advice": plain_data(data.get("advice", ())),
        "command": " ".join(_command(data, file, reading)) or None,
    }


def _table(data: Data) -> Table:
    """One line per column; if there are very many, those with a role first and only some of the rest."""
    columns = list(data["columns"])
    if len(columns) > _MOST_COLUMNS:
        columns = sorted(columns, key=lambda column: column["role"] == "other")[:_MOST_COLUMNS]
    left_out = len(data["columns"]) - len(columns)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption_justify="left")
    for head in ("column", "kind", "distinct", "missing", "suggested role", "why"):
        table.add_column(head, justify="right" if head in ("distinct", "missing") else "left")
    for column in columns:  # as Text, because rich would interpret ``[a]`` in a name as markup
        table.add_row(
            Text(cut(column["name"], 28), "bold"),
            Text(column["kind"]),
            Text(f"{column['n_distinct']:,}"),
            Text(f"{column['n_missing']:,}" if column["n_missing"] else "–"),
            Text(column["role"], _STYLES[column["role"]]),
            Text(cut(column["reason"], 120)),
        )
    if left_out:
        table.caption = Text(f"… and {counted(left_out, 'more column')}; JSON has them all.")
    return table


def _uniqueness(data: Data) -> str:
    """How many rows the suggested quasi-identifiers single out."""
    quasi = _named(data, "quasi-identifier")
    if not quasi:
        return "No quasi-identifier is suggested: no column is known by its name or singles people out."
    shown = listed([cut(name, 28) for name in quasi], _MOST_NAMES)
    return f"{_rows(data['n_unique'], data['n_rows'])} on {shown}."


def _people(key: Data) -> str:
    """How many rows people have, by a column that looks like a person key."""
    return (
        f"{cut(key['name'], 28)} looks like a person's key that repeats: {key['n_keys']:,} people have "
        f"{key['mean_rows']:.1f} rows on average and at most {key['most_rows']:,}. With --person people are "
        "counted, not rows."
    )


def _rows(n_unique: int, n_rows: int) -> str:
    verb = "is" if n_unique == 1 else "are"
    return f"{n_unique:,} of {counted(n_rows, 'row')} ({percent(n_unique / n_rows)}) {verb} unique"


def _next_step(data: Data, file: str, reading: Sequence[str] | None, job: object) -> list[Text]:
    """The command that follows the suggestion, in lines that a shell reads as one."""
    if job is not None:
        return [Text("Look through the job file, then"), Text(f"  shoal run {shlex.quote(str(job))}", "green")]
    words = _command(data, file, reading, folded=True)
    if not words:
        return [Text("Name the columns that an adversary may know with --quasi, or in a job file for shoal run.")]
    wider = "With --write-job job.toml this becomes a job file, with hierarchies and the reason behind each line.\n"
    return [Text(wider), Text("To go on"), Text("  " + " \\\n  ".join(words), "green")]


def _command(data: Data, file: str, reading: Sequence[str] | None, *, folded: bool = False) -> list[str]:
    """The command in pieces; empty if there is nothing to suggest or a name contains a comma."""
    named = {option: _named(data, role) for role, option in OPTIONS.items()}
    odd = any("," in name or not name.isprintable() for names in named.values() for name in names)
    if odd or reading is None or not named["--quasi"]:
        return []
    if keys := [key["name"] for key in data.get("keys", ())[:1]]:
        named["--identifiers"] = [name for name in named["--identifiers"] if name not in keys]
        named["--person"] = keys
    options = [_option(option, names, folded) for option, names in named.items() if names]
    return [f"shoal anonymize {shlex.quote(file)}", *reading, *options, "--k 5 -o release.csv"]


def _option(option: str, names: Sequence[str], folded: bool) -> str:
    """An option with its names; folded after a comma, where the shell joins the lines again."""
    lines = [option + ("=" if names[0].startswith("-") else " ")]
    for position, name in enumerate(names):
        word = shlex.quote(name) + ("," if position < len(names) - 1 else "")
        if folded and len(lines[-1]) + len(word) > _WIDTH - 4 and position:
            lines.append("")
        lines[-1] += word
    return "\\\n".join(lines)


def _named(data: Data, role: str) -> list[str]:
    return [column["name"] for column in data["columns"] if column["role"] == role]
