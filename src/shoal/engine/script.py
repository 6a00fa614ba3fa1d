"""A job as an equivalent Python script."""

from __future__ import annotations

from pprint import pformat

from shoal.core.contracts import PrivacyModel
from shoal.engine.job import Job
from shoal.engine.vocabulary import OFF, AnonymizeWords

_HEAD = '''"""Publishes {input} again, as the job file of the same name does: python {name}."""

from pathlib import Path

import shoal

folder = Path(__file__).parent
'''


def script_text(job: Job, name: str = "job.py") -> str:
    """A script with the settings of the job; paths are relative to the script's folder."""
    said = job.plain()
    words = {name: said[name] for name in AnonymizeWords.model_fields if name in said and name != "privacy"}
    lines = [
        _HEAD.format(input=job.input, name=name),
        "release = shoal.anonymize(",
        f"    folder / {job.input!r},",
        f"    privacy=[{', '.join(map(_promise, job.promises))}],",
        *(f"    {key}={_value(key, value)}," for key, value in words.items()),
        *(["    folder=folder,"] if job.hierarchies else []),
        ")",
        *_outputs(job),
    ]
    return "\n".join(lines) + "\n"


def _promise(model: PrivacyModel) -> str:
    """Our models by their public names; those of other packages by their module."""
    module = type(model).__module__
    return f"shoal.{model!r}" if module.startswith("shoal.") else f"__import__({module!r}, fromlist=['*']).{model!r}"


def _value(key: str, value: object) -> str:
    """The value as Python source, indented as an argument."""
    if key == "population" and isinstance(value, str):
        return f"folder / {value!r}"
    return pformat(value, indent=1, width=110, sort_dicts=False).replace("\n", "\n    ")


def _outputs(job: Job) -> list[str]:
    lines = [f"release.save_recoding(folder / {job.save_recoding!r})"] if job.save_recoding else []
    lines += [f"release.explore(folder / {job.explore!r})"] if job.explore else []
    more = ", explore=True" if job.explore else ""
    lines += [f"release.report(folder / {job.report!r}{more})"] if job.report else []
    lines += [f"release.report(folder / {job.public_report!r}, public=True)"] if job.public_report else []
    told = "".join(f", {name}={text!r}" for name, text in job.release.items())
    lines += [f"release.dossier(folder / {job.dossier!r}{told})"] if job.dossier else []
    package = job.datapackage and (repr(OFF) if job.datapackage == OFF else f"folder / {job.datapackage!r}")
    more = f", datapackage={package}" if package else ""
    return [*lines, f"release.write(folder / {job.output!r}{more})"]
