"""Write the reference pages of the documentation from the code: ``python packaging/reference.py [FOLDER]``.

The words come from the vocabulary, commands from their options, privacy models, metrics, attacks and algorithms from
their families, the library from docstrings. A test holds the pages in ``docs/reference`` equal to what this writes.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import typer

import shoal
from shoal import algorithms, audit, metrics, models
from shoal.cli import entry
from shoal.engine import vocabulary
from shoal.engine.words import Word, Words

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
MADE = "<!-- Made by packaging/reference.py: change the code it describes, then run it again. -->\n"


def words_page() -> Iterator[str]:
    """Every key of a job file, which is also a keyword of the library and an option of the command line."""
    yield "# Keys of job files\n"
    yield (
        "Every key of a job file is a keyword argument of `shoal.anonymize` and an option of `shoal anonymize`. "
        "*Where* says on which backends a key can be used: in memory, on disk (with `memory`), on Spark.\n"
    )
    words = _without_promises(vocabulary.CommandWords)
    for panel in vocabulary.PANELS:
        of_panel = [word for word in words if word.panel == panel]
        if of_panel:
            yield f"## {panel}\n"
            yield "| key | option | default | where | meaning |\n|---|---|---|---|---|"
            yield from (_row(word) for word in of_panel)
            yield ""
    yield "## Privacy models\n"
    yield "Under `[privacy]` in a job file. Each can be given once, or as a list.\n"
    yield "| key | option | meaning |\n|---|---|---|"
    for model in models.ALL.values():
        yield f"| `{model.flag.replace('-', '_')}` | `--{model.flag}` | {_cell(model.summary)} |"


def _without_promises(words: type[Words]) -> list[Word]:
    return [word for word in words.vocabulary().values() if word.name != "privacy"]


def _row(word: Word) -> str:
    default = "" if word.default is None or word.default in ((), {}, "") else f"`{_toml(word.default)}`"
    where = "everywhere" if len(word.where) == 3 else ", ".join(word.where)
    options = ", ".join(f"`{option}`" for option in word.options)
    return f"| `{word.name}` | {options} | {default} | {where} | {_cell(word.full_help)} |"


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def commands_page() -> Iterator[str]:
    """Every command with its options."""
    yield "# Commands\n"
    yield f"{entry.EPILOG}\n"
    for name, summary in entry.COMMANDS.items():
        command = typer.main.get_command(entry._alone(entry._load(name)))
        paragraphs = [_markdown(one) for one in (command.help or summary).split("\n\n") if one.strip()]
        yield f"## shoal {name}\n"
        yield "\n\n".join(_example(one) if one.startswith("shoal ") else one for one in paragraphs) + "\n"
        rows = list(_option_rows(command))
        if rows:
            yield "| argument or option | meaning |\n|---|---|"
            yield from rows
            yield ""


def _example(commands: str) -> str:
    """Commands that a help text shows, one under the other."""
    return "\n\n".join(f"`{one}`" for one in re.split(r"\s+(?=shoal )", " ".join(commands.split())))


def _option_rows(command: Any) -> Iterator[str]:
    for parameter in command.params:
        names = parameter.opts if parameter.param_type_name == "option" else [parameter.name.upper()]
        if "--help" not in names:
            yield f"| {', '.join(f'`{name}`' for name in names)} | {_cell(_markdown(parameter.help or ''))} |"


def _markdown(text: str) -> str:
    return re.sub(r"\[/?(?:bold|italic|dim|cyan|green)\]", "", text).replace("\\[", "[")


def plug_ins_page() -> Iterator[str]:
    """Privacy models, metrics, attacks and algorithms, as their classes describe them."""
    families: tuple[tuple[str, Mapping[str, type]], ...] = (
        ("Privacy models", models.ALL),
        ("Metrics", metrics.ALL),
        ("Attacks", audit.ALL),
        ("Algorithms", algorithms.ALL),
    )
    yield "# Privacy models, metrics, attacks and algorithms\n"
    yield (
        "Every privacy model with its definition, guarantee, threat model, cost and source; every metric, attack and "
        "algorithm likewise. The text comes from the docstrings of their classes.\n"
    )
    for title, family in families:
        yield f"## {title}\n"
        for name, plug_in in family.items():
            yield f"### {name}\n"
            yield f"`{plug_in.__name__}`\n"
            yield from _adversary(plug_in)
            yield f"{_labelled(_docstring(plug_in))}\n"


def _adversary(plug_in: Any) -> Iterator[str]:
    """Who attacks, and what helps: the sentences that reports show."""
    if hasattr(plug_in, "story"):
        yield f"**Threat model:** {plug_in.story}\n"
        yield f"**Remedy:** {plug_in.remedy}\n"


LABELS = "Guarantee|Threat model|People counted|Monotone|Not monotone|Stopped by|Cost|Reference"


def _labelled(text: str) -> str:
    """What a paragraph is about stands out."""
    return re.sub(rf"^({LABELS}): ", r"**\1:** ", text, flags=re.MULTILINE)


def library_page() -> Iterator[str]:
    """The public names of the package."""
    yield "# The library\n"
    yield "`import shoal` offers these names; algorithms and privacy models have [a page of their own](plug-ins.md).\n"
    elsewhere = {one.__name__ for family in (models.ALL, algorithms.ALL) for one in family.values()}
    for name in shoal.__all__:
        thing = getattr(shoal, name)
        if name in elsewhere or not callable(thing):
            continue
        yield f"## shoal.{name}\n"
        if inspect.isfunction(thing):
            yield f"```text\n{name}{_signature(thing)}\n```\n"
        yield f"{_docstring(thing)}\n"
        if inspect.isclass(thing):
            yield from _members(thing)


def _members(thing: type) -> Iterator[str]:
    """The public methods and properties, one line each."""
    for name, member in inspect.getmembers(thing):
        is_told = isinstance(member, property | cached_property) or callable(member)
        told = inspect.getdoc(getattr(member, "fget", None) or member) if is_told else None
        if not name.startswith("_") and told and _is_ours(thing, name):
            call = "()" if callable(member) else ""
            yield f"- `{name}{call}`: {_cell(told.split(chr(10) * 2)[0]).replace('``', '`')}"
    yield ""


def _is_ours(thing: type, name: str) -> bool:
    return any(name in vars(one) and one.__module__.startswith("shoal") for one in thing.__mro__)


def _signature(function: Any) -> str:
    """Names and defaults; the types are in the descriptions."""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(function).parameters.values()
    ]
    told = [str(parameter) for parameter in parameters]
    lone = [at for at, parameter in enumerate(parameters) if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    if lone and not any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters):
        told.insert(lone[0], "*")
    return "(" + ", ".join(told) + ")"


def _docstring(thing: Any) -> str:
    """A Google docstring as Markdown: sections become bold words with lists, examples become blocks."""
    lines, out, is_list, is_code = (inspect.getdoc(thing) or "").splitlines(), [], False, False
    for line in lines:
        is_prompt = line.lstrip().startswith((">>>", "..."))
        if is_code and not line.strip():
            out.append("```")
            is_code = False
        elif is_prompt and not is_code:
            out.append("```pycon")
            is_code = True
        if re.fullmatch(r"(Args|Returns|Raises|Yields|Attributes|Example|Examples):", line):
            out += ["", f"**{line[:-1]}**", ""]
            is_list = True
        elif is_list and re.match(r"    [\w*]+: ", line):
            name, _, rest = line.strip().partition(": ")
            out.append(f"- `{name}`: {rest.replace('``', '`')}")
        elif is_code:
            out.append(line.strip() if is_list else line)
        else:
            out.append((line.strip() if is_list else line).replace("``", "`"))
    if is_code:
        out.append("```")
    return "\n".join(out).strip()


PAGES = {
    "job-files.md": words_page,
    "commands.md": commands_page,
    "plug-ins.md": plug_ins_page,
    "library.md": library_page,
}


def main(folder: Path) -> None:
    """Write all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        text = MADE + "\n".join(page()).rstrip() + "\n"
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
