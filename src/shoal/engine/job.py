"""Job files: the words of ``anonymize`` in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from shoal import models
from shoal.core.contracts import PrivacyModel
from shoal.core.progress import Progress, Silent
from shoal.engine.anonymizing import anonymize
from shoal.engine.result import Result
from shoal.engine.self_audit import Auditing
from shoal.engine.targets import Targets
from shoal.errors import InputError, did_you_mean
from shoal.io.places import Place, place_of
from shoal.io.regular import check_regular

if TYPE_CHECKING:
    from shoal.engine.scale.elsewhere import Outcome

ELSEWHERE = {"input", "output", "report", "public_report", "explore", "save_recoding", "privacy", "reading", "replace"}
ELSEWHERE |= {"memory", "backend", "master"}
"""The keys that are not arguments of ``anonymize`` under the same name."""


class Reading(BaseModel):
    """How to read the input, where that is not found out by itself."""

    model_config = ConfigDict(extra="forbid")

    delimiter: str | None = None
    encoding: str | None = None
    quote: str | None = None
    sheet: str | int | None = None
    missing_values: list[str] = []
    query: str | None = None


class Job(BaseModel):
    """What a job file may say. Paths are relative to the file."""

    model_config = ConfigDict(extra="forbid", strict=False)

    input: str
    output: str
    report: str | None = None
    public_report: str | None = None
    explore: str | None = None
    save_recoding: str | None = None
    replace: bool = False
    memory: str | None = None
    backend: Literal["local", "spark"] = "local"
    master: str | None = None
    identifiers: list[str] = []
    quasi_identifiers: list[str]
    sensitive: list[str] = []
    others: list[str] = []
    privacy: dict[str, Any]
    hierarchies: dict[str, Any] = {}
    kinds: dict[str, Literal["numeric", "ordinal", "nominal", "date"]] = {}
    orders: dict[str, list[str]] = {}
    recodings: dict[str, str] = {}
    weights: dict[str, float] = {}
    missing: Literal["own", "drop"] = "own"
    population: str | None = None
    algorithm: str | dict[str, Any] = "auto"
    refine: str | list[str] | None = None
    budget: str | float | None = None
    certify: bool | str | float = False
    levels: list[int] | dict[str, int] | None = None
    suppression_limit: float | str = 0.0
    metric: str = "lm"
    audit: Auditing = "quick"
    seed: int | None = None
    reading: Reading = Reading()

    def targets(self, folder: Path) -> Targets:
        """What to write, from the folder of the job file."""
        others = ("report", "public_report", "explore", "save_recoding")
        files = {name: folder / said for name in others if (said := getattr(self, name))}
        return Targets(place_of(self.output, folder), replace=self.replace, folder=folder, **files)

    def promises(self) -> list[PrivacyModel]:
        """The promises of the ``[privacy]`` section: ``k = 10``, ``l = "3:disease"`` or a list of such."""
        return promises_from(self.privacy)


def promises_from(said: dict[str, Any]) -> list[PrivacyModel]:
    """Promises from flags and their values, each a value or a list of values."""
    by_flag = {model.flag: model for model in models.ALL.values()}
    promises = []
    for flag, value in said.items():
        if flag not in by_flag:
            raise InputError(f"There is no promise {flag!r}.{did_you_mean(flag, by_flag)}")
        values = value if isinstance(value, list) else [value]
        promises += [by_flag[flag].parse(str(one)) for one in values]
    return promises


def read_job(path: Path) -> Job:
    """Read a job file.

    Raises:
        InputError: it is missing, not TOML, or says something that a job cannot say.
    """
    check_regular(path)
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"There is no job file {str(path)!r}.") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"The job file {str(path)!r} cannot be read: {problem}.") from None
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"The job file {str(path)!r} is not valid TOML: {problem}.") from None
    return check_job(said, f"The job file {str(path)!r}")


def check_job(said: Mapping[str, Any], where: str) -> Job:
    """The job that was said, wherever it was said.

    Raises:
        InputError: a key is unknown or missing, or has a value of another kind.
    """
    try:
        return Job.model_validate(said)
    except ValidationError as problem:
        raise InputError(f"{where}: {_first(problem)}") from None


def run_job(path: Path, progress: Progress | None = None) -> Result | Outcome:
    """Do what a job file says and write its outputs; nothing is written unless every promise holds."""
    job, folder = read_job(path), path.resolve().parent
    progress = progress or Silent()
    targets, source = job.targets(folder), place_of(job.input, folder)
    if job.backend == "local":
        targets.check([path, source, *_files(job.hierarchies, folder)])
    words = job.model_dump(exclude=ELSEWHERE)
    if job.population:
        words["population"] = folder / job.population
    reading = job.reading.model_dump(exclude_defaults=True)
    words |= {"privacy": job.promises(), "folder": folder, **reading}
    if job.memory or job.backend == "spark":
        return _run_elsewhere(job, source, targets, progress, words)
    result = anonymize(source, progress=progress, **words)
    progress.stage("writing")
    targets.write(result)
    return result


def _run_elsewhere(job: Job, source: Place, targets: Targets, progress: Progress, words: dict[str, Any]) -> Outcome:
    """Within a memory limit, or on Spark."""
    from shoal.engine.scale.elsewhere import run_on_spark, run_within

    if job.memory and job.backend == "spark":
        raise InputError("A job with the backend 'spark' has no memory limit; Spark's executors have their own.")
    if job.memory:
        return run_within(source, targets, job.memory, progress, **words)
    return run_on_spark(source, targets, job.master or "local[*]", progress, **words)


def _files(hierarchies: dict[str, Any], folder: Path) -> list[Path]:
    """The hierarchies that are files."""
    named = [folder / spec for spec in hierarchies.values() if isinstance(spec, str)]
    return [path for path in named if path.is_file()]


def _first(problem: ValidationError) -> str:
    """The first complaint in a sentence."""
    error = problem.errors()[0]
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        known = Reading.model_fields if key.startswith("reading.") else Job.model_fields
        return f"the key {key!r} is unknown.{did_you_mean(str(error['loc'][-1]), known)}"
    if error["type"] == "missing":
        return f"the key {key!r} is missing."
    return f"the key {key!r}: {error['msg'][0].lower()}{error['msg'][1:]}, got {error['input']!r}."
