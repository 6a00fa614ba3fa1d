"""Job files: the settings of ``shoal anonymize`` in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import model_validator

from shoal.core.parallel_work import meanwhile
from shoal.core.progress import Progress, Silent
from shoal.engine.anonymizing import run_in_memory
from shoal.engine.backends.contract import Outcome
from shoal.engine.file_formats import JOB
from shoal.engine.result import Result
from shoal.engine.vocabulary import OUTPUT, AnonymizeWords, CommandWords, Output
from shoal.engine.words import word
from shoal.engine.writing import write_all
from shoal.errors import InputError
from shoal.io.dictionaries import kept_dictionaries
from shoal.io.location import Location, check_regular, location_of


class Job(CommandWords):
    """The settings of a job file. Paths are relative to the file."""

    input: str = word("The table: a file, or the address of a database table.", OUTPUT, names_inputs=True)

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, said: Any) -> Any:
        """Settings for reading may be in a section ``[reading]``."""
        if isinstance(said, Mapping) and isinstance(said.get("reading"), Mapping):
            return {**{key: value for key, value in said.items() if key != "reading"}, **said["reading"]}
        return said

    @model_validator(mode="after")
    def _has_output(self) -> Job:
        if not self.output:
            raise InputError("the setting 'output' is missing.")
        if not isinstance(self.population, str | int | None):
            raise InputError(
                f"the setting 'population' must be the name of a file or a number of people, got {self.population!r}."
            )
        return self

    def source(self, folder: Path) -> Location:
        """Where the table is."""
        return location_of(self.input, folder)

    def asked(self, folder: Path) -> AnonymizeWords:
        """The settings of ``anonymize`` among those of the job, with the population's path resolved."""
        said = self.aloud(AnonymizeWords)
        if isinstance(self.population, str):
            said["population"] = folder / self.population
        return AnonymizeWords.said(said)


def read_job(path: Path) -> Job:
    """Read a job file.

    Raises:
        InputError: it is missing, not TOML, or has settings that a job cannot have.
    """
    return Job.said(read_toml(path), f"The job file {str(path)!r}")


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a job file, without checking its settings.

    Raises:
        InputError: it is missing, not TOML, or of a format that is not known yet.
    """
    check_regular(path)
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"There is no job file {str(path)!r}.") from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder and cannot be read as a job file; give a .toml file.") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"The job file {str(path)!r} cannot be read: {problem}.") from None
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"The job file {str(path)!r} is not valid TOML: {problem}.") from None
    return JOB.read(said, repr(str(path)))


def run_job(path: Path, progress: Progress | None = None) -> Result | Outcome:
    """Run a job file and write its outputs; nothing is written unless every model holds."""
    job, folder = read_job(path), path.resolve().parent
    return run_command(job, job.source(folder), folder, progress or Silent(), also_read=(path,))


def run_command(
    words: CommandWords,
    source: Location,
    folder: Path,
    progress: Progress,
    also_read: Sequence[Path] = (),
    *,
    is_shown: bool = False,
) -> Result | Outcome:
    """Publish a table on the requested backend, and write the requested files.

    ``also_read`` names files that no output may overwrite, besides those named in the settings. A result that
    ``is_shown`` afterwards is summarized while it is written.
    """
    targets = words.targets(folder)
    asked = words.narrowed(AnonymizeWords) if not isinstance(words, Job) else words.asked(folder)
    if words.where == "spark":
        from shoal.engine.backends.spark.session import require_pyspark  # imported here and below only when needed

        require_pyspark()
        from shoal.engine.backends.spark.anonymize_frame import run_on_spark

        return run_on_spark(asked, source, targets, words.master or "local[*]", folder, progress)
    targets.check([source, *also_read, *words.named_inputs(folder)])
    if words.memory:
        from shoal.engine.backends.anonymize_file import check_for_memory, run_within

        return run_within(asked, *check_for_memory(source, targets), words.memory, folder, progress)
    with kept_dictionaries():
        result = run_in_memory(asked, source, folder, progress)
        if any((words.output, *words.of(Output).values())):
            progress.stage("writing")
            with meanwhile(result.summary if is_shown else tuple):
                write_all(targets, result)
    return result
