"""A job as an equivalent Python script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from pprint import pformat
from typing import Any

from shoal.core.contracts import PrivacyModel
from shoal.engine.job import Job
from shoal.engine.vocabulary import OFF, AnonymizeWords
from shoal.io.databases import Address
from shoal.io.location import location_of

_HEAD = '''"""Publishes {input} again, as the job file of the same name does: python job.py."""

from pathlib import Path

{imports}

folder = Path(__file__).parent
'''

_ON_SPARK = "from shoal.core.progress import Silent\nfrom shoal.engine.job import Job, run_command"

_LAYOUT = {"delimiter": "output_delimiter", "decimal": "output_decimal", "encoding": "output_encoding"}
"""The arguments of ``Result.write`` for the layout of a text file, and the settings that they are."""


def script_text(job: Job) -> str:
    """A script with all settings of the job; paths are relative to the script's folder.

    In memory it calls ``shoal.anonymize`` and the methods of its result, with a memory limit ``shoal.anonymize_file``.
    The library takes DataFrames, not files, on Spark, so there the script runs the job itself.
    """
    lines = {"memory": _in_memory, "disk": _on_disk, "spark": _on_spark}[job.where](job)
    imports = _ON_SPARK if job.where == "spark" else "import shoal"
    if any("location_of(" in line for line in lines):
        imports += "\nfrom shoal.io.location import location_of"
    return "\n".join([_HEAD.format(input=job.input, imports=imports), *lines]) + "\n"


def _in_memory(job: Job) -> list[str]:
    """Make the release, then write everything that is asked for, the release last."""
    lines = ["release = shoal.anonymize(", f"    {_place(job.input)},", *_settings(job), ")"]
    lines += [f"release.save_recoding(folder / {job.save_recoding!r})"] if job.save_recoding else []
    lines += [f"release.explore(folder / {job.explore!r})"] if job.explore else []
    more = ", explore=True" if job.explore else ""
    lines += [f"release.report(folder / {job.report!r}{more})"] if job.report else []
    lines += [f"release.report(folder / {job.public_report!r}, public=True)"] if job.public_report else []
    told = "".join(f", {name}={text!r}" for name, text in job.release.items())
    lines += [f"release.dossier(folder / {job.dossier!r}{told})"] if job.dossier else []
    layout = {name: repr(said) for name, word in _LAYOUT.items() if (said := getattr(job, word)) is not None}
    how = {**({"replace": "True"} if job.replace else {}), "folder": "folder", **layout, **_package(job)}
    return [*lines, f"release.write({', '.join([_place(job.output), *_arguments(how)])})"]


def _on_disk(job: Job) -> list[str]:
    """Make and write the release within the memory limit, which allows no other files; ``replace`` is for databases."""
    how = {"memory": repr(job.memory), **_package(job)}
    places = [f"    {_place(said)}," for said in (job.input, job.output)]
    return ["shoal.anonymize_file(", *places, *(f"    {one}," for one in _arguments(how)), *_settings(job), ")"]


def _on_spark(job: Job) -> list[str]:
    """Run the job; its settings are a dictionary."""
    return [f"job = Job.said({_source(job.plain())})", "run_command(job, job.source(folder), folder, Silent())"]


def _settings(job: Job) -> list[str]:
    """The settings of ``anonymize`` as arguments."""
    said = job.plain()
    words = {name: _value(name, said[name]) for name in AnonymizeWords.model_fields if name in said}
    if "privacy" in words:
        words["privacy"] = f"[{', '.join(map(_promise, job.promises))}]"
    return [f"    {one}," for one in _arguments({**words, "folder": "folder"})]


def _arguments(said: Mapping[str, str]) -> Iterable[str]:
    return (f"{name}={text}" for name, text in said.items())


def _promise(model: PrivacyModel) -> str:
    """Our models by their public names; those of other packages by their module."""
    module = type(model).__module__
    return f"shoal.{model!r}" if module.startswith("shoal.") else f"__import__({module!r}, fromlist=['*']).{model!r}"


def _value(name: str, value: object) -> str:
    """The value as Python source, indented as an argument."""
    return f"folder / {value!r}" if name == "population" and isinstance(value, str) else _source(value, "    ")


def _source(value: Any, indent: str = "") -> str:
    return pformat(value, indent=1, width=110, sort_dicts=False).replace("\n", f"\n{indent}")


def _place(said: str | None) -> str:
    """A file, an object of a store, or a table of a database, which may be a file as well."""
    assert said is not None
    place = location_of(said)
    if isinstance(place, Address):
        return f"location_of({said!r}, folder)"
    return f"folder / {said!r}" if isinstance(place, Path) else repr(said)


def _package(job: Job) -> dict[str, str]:
    """Where the data package goes, if that is said."""
    if not job.datapackage:
        return {}
    return {"datapackage": repr(OFF) if job.datapackage == OFF else f"folder / {job.datapackage!r}"}
