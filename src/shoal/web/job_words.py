"""The settings of a session's job: those of a job file, except for paths."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from shoal.core.builders import BUILDERS
from shoal.engine.job import Job
from shoal.errors import InputError
from shoal.io.toml import to_toml

OUTPUTS = {"output": "release.csv", "report": "report.html", "public_report": "public.html"}
"""The files that a run writes."""

JOB, SCRIPT = "job.toml", "job.py"
"""The files to repeat the run."""

OWN = ("input", *OUTPUTS, "explore", "save_recoding", "datapackage", "dossier", "replace")
"""Settings that the workbench manages itself."""

ELSEWHERE = (
    "backend", "master", "draws", "pseudonyms", "shift_dates", "shift_days", "key_file",
    "output_delimiter", "output_decimal", "output_encoding",
)  # fmt: skip
"""Settings the workbench does not offer.

They are for other machines, for tables that are drawn several times, which pages cannot show, and for steps that need a
secret key, which does not belong on a server.
"""


def checked_job(words: Mapping[str, Any], table: str, files: Collection[str]) -> Job:
    """Validate the job of a session as ``shoal run`` validates a job file.

    Args:
        words: the settings.
        table: the name of the table.
        files: the names of other files that the session has.

    Raises:
        InputError: an invalid setting or value, or one that would lead to another file.
    """
    for key in OWN:
        if key in words:
            raise InputError(f"The job: the key {key!r} is set by the workbench; leave it out.")
    for key in ELSEWHERE:
        if key in words:
            raise InputError(f"The job: the key {key!r} is for the command line; leave it out here.")
    names = _outputs({table, *files})
    written = {"output": names["output"]} if words.get("memory") else names
    job = Job.said({**words, "input": table, **written}, "The job")
    for column, spec in job.hierarchies.items():
        if is_file(spec) and spec not in files:
            raise InputError(f"The hierarchy of {column!r} is neither a builder nor a file that was uploaded here.")
    if job.population_table is not None and job.population_table not in files:
        raise InputError("The file of the population was not uploaded here; upload it first.")
    return job


def _outputs(taken: Collection[str]) -> dict[str, str]:
    """Names of outputs that differ from those of all inputs, so that the job file can be in the same folder."""
    prefix, said = "", {name.casefold() for name in taken}
    while said & {f"{prefix}{name}" for name in (*OUTPUTS.values(), "release.run.json", "release.datapackage.json")}:
        prefix += "new_"
    return {key: f"{prefix}{name}" for key, name in OUTPUTS.items()}


def laid_out(job: Job, inputs: str, outputs: str) -> Job:
    """The same job with all inputs in one folder, and all outputs in another.

    There the outputs have their standard names, whatever the inputs are called.
    """
    trees = {column: f"{inputs}/{spec}" if is_file(spec) else spec for column, spec in job.hierarchies.items()}
    population = {"population": f"{inputs}/{job.population_table}"} if job.population_table else {}
    written = {key: f"{outputs}/{name}" for key, name in OUTPUTS.items() if getattr(job, key)}
    return job.model_copy(update={"input": f"{inputs}/{job.input}", "hierarchies": trees, **population, **written})


def job_text(job: Job) -> str:
    """The job as a file that ``shoal run`` reads."""
    said = job.plain()
    plain = {key: value for key, value in said.items() if key not in ("privacy", "hierarchies")}
    return "# Made by the workbench of shoal. Run it with: shoal run job.toml\n\n" + to_toml(
        {**plain, "privacy": job.privacy, **({"hierarchies": job.hierarchies} if job.hierarchies else {})}
    )


def words_schema() -> dict[str, Any]:
    """The JSON schema of the settings that a session accepts."""
    schema = Job.json_schema()
    for key in (*OWN, *ELSEWHERE):
        schema["properties"].pop(key, None)
    return {**schema, "required": []}


def files_of(job: Job) -> list[str]:
    """The files besides the table that a job reads."""
    trees = [spec for spec in job.hierarchies.values() if is_file(spec)]
    return [*trees, *([job.population_table] if job.population_table else [])]


def is_file(spec: Any) -> bool:
    """Whether a hierarchy is given by a file name, rather than by a builder or groups."""
    return isinstance(spec, str) and spec.partition(":")[0].strip().lower() not in BUILDERS
