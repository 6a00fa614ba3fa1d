"""The vocabulary: every setting that a user can make, declared once.

Each setting has a name, a type, a default, one line of help and the panel it is shown in. The keyword arguments of the
library, the options of the command line, the keys of job files, the forms of the workbench and the schema of the REST
API come from here. Classes such as ``Reading`` have the settings of one subject; the settings of a function are the
subjects that it combines: ``AnonymizeWords``, ``CompareWords``, … To add a setting, add a line here and use it where it
matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainValidator, WithJsonSchema, model_validator

from shoal import models
from shoal.algorithms.clustering import Refinement
from shoal.core.contracts import Algorithm, Metric, PrivacyModel
from shoal.core.domain import Kind
from shoal.core.parameters import whole_number
from shoal.core.suppression_limit import Limit
from shoal.engine.targets import Targets
from shoal.engine.words import Where, Words, word
from shoal.errors import InputError, did_you_mean
from shoal.io.location import location_of
from shoal.io.text_layout import TextLayout
from shoal.models.parameters import model_from
from shoal.report.dossier.statement import Statement
from shoal.utility import Utility

Auditing = Literal["quick", "usual", "thorough", "off"]
"""How thoroughly a release is attacked once it is made; the quick form takes a second or two."""

Data = Annotated[Any, WithJsonSchema({"type": ["string", "null"]})]
"""A path, the address of a database table, or a pandas, polars or pyarrow table."""

Population = Annotated[Any, WithJsonSchema({"type": ["string", "integer", "null"]})]
"""The same, or the number of people."""

AT_ONCE: tuple[Where, ...] = ("memory",)
"""Where settings apply that need all rows at once."""

THIS_MACHINE: tuple[Where, ...] = ("memory", "disk")

COLUMNS, MORE_COLUMNS = "Columns", "More about columns"
READING, SEARCH, OUTPUT, SCALE = "Import options", "Search", "Output", "Large tables"
PREPARATION = "Preparation"
COMPARISON, ATTACKS, LABELS, CHECKING = "Comparison", "Attacks", "Labels", "Checking"
PROMISES = "Privacy models"
PANELS = (
    COLUMNS, PROMISES, CHECKING, ATTACKS, COMPARISON, SEARCH, OUTPUT, LABELS, MORE_COLUMNS, PREPARATION,
    READING, SCALE,
)  # fmt: skip
"""The headings, in the order in which they are shown."""


def _several(given: Any) -> Any:
    """A list of texts; a single text is refused, because it would be read letter by letter."""
    if isinstance(given, str):
        raise InputError(f"takes a list, got the text {given!r}; write [{given!r}].")
    return given if isinstance(given, Mapping) or not hasattr(given, "__iter__") else tuple(given)


def _privacy(given: Any) -> Any:
    """Privacy models, or their flags and values as job files write them."""
    if isinstance(given, Mapping):
        return given
    for one in given if isinstance(given, list | tuple) else [given]:
        if isinstance(one, type) and issubclass(one, PrivacyModel):
            got = f"the class {one.__name__}; say what must hold, as in {one.__name__}(…)"
            raise InputError(f"takes privacy models such as shoal.KAnonymity(5), got {got}.")
        if not isinstance(one, PrivacyModel):
            raise InputError(f"takes privacy models such as shoal.KAnonymity(5), got {one!r}.")
    return given


_FLAGS = {model.flag: {"description": f"{model.name}: {model.summary}"} for model in models.ALL.values()}

Names = Annotated[Sequence[str], BeforeValidator(_several)]
Privacy = Annotated[
    PrivacyModel | Sequence[PrivacyModel] | Mapping[str, Any],
    PlainValidator(_privacy),
    WithJsonSchema({"type": "object", "properties": _FLAGS, "additionalProperties": False}),
]


class QuasiIdentifiers(Words):
    """The columns that an adversary may know."""

    quasi_identifiers: Names = word(
        "Columns that an adversary may know; they are generalized. Quote names with a comma: '\"last, first\",zip'.",
        COLUMNS, (), options=("--quasi",), metavar="NAMES", example="age,zip",
    )  # fmt: skip


class RoleWords(QuasiIdentifiers):
    """The roles of columns that a published table has."""

    sensitive: Names = word(
        "Columns that must not be linked to a person; published unchanged.", COLUMNS, (), metavar="NAMES"
    )


class MeaningWords(Words):
    """The meaning of the values of columns."""

    hierarchies: Mapping[str, Any] = word(
        "Per column a file, a builder or groups: zip=zip.csv, zip=mask, age=intervals:width=10.",
        COLUMNS, {}, options=("--hierarchy",), metavar="COLUMN=SPEC", names_inputs=True,
    )  # fmt: skip
    kinds: Mapping[str, Kind] = word(
        "Per column its type, if the guess is wrong: numeric, ordinal, nominal or date.",
        MORE_COLUMNS, {}, options=("--kind",), metavar="COLUMN=KIND",
    )  # fmt: skip
    orders: Mapping[str, Sequence[str]] = word(
        "Per ordinal column its values in order, as in size=S,M,L.",
        MORE_COLUMNS, {}, form="orders", options=("--order",), metavar="COLUMN=VALUES",
    )  # fmt: skip


class Recodings(MeaningWords):
    """How the cells of columns may be generalized."""

    recodings: Mapping[str, str] = word(
        "Per column its recoding, if not the default: tree, range, sets or suppress.",
        MORE_COLUMNS, {}, options=("--recoding",), metavar="COLUMN=RECODING", label="Recoding",
    )  # fmt: skip
    weights: Mapping[str, float] = word(
        "Per column its importance for the metric and the algorithm (default 1).",
        MORE_COLUMNS, {}, options=("--weight",), metavar="COLUMN=NUMBER", label="Importance",
    )  # fmt: skip


Linked = Literal["rows", "histories"]
"""What an adversary knows about a person with several rows: one of them, or all."""


class People(Words):
    """The person of each row, what an adversary knows about people with several rows, and whether these stay linked."""

    person: str | None = word(
        "The column that identifies the person of each row; people are then counted, not rows. Never published.",
        COLUMNS, None, metavar="NAME", example="patient_id",
    )  # fmt: skip
    linked: Linked = word(
        "With person: rows if an adversary knows one row of a person, histories if all of them.",
        COLUMNS, "rows", label="What an adversary knows of a person",
    )  # fmt: skip
    publish_person: Literal["pseudonym"] | None = word(
        "With linked = histories: pseudonym publishes a random key for each person, drawn for this release only.",
        COLUMNS, None, form="text", metavar="pseudonym", label="Key of each person in the release",
    )  # fmt: skip


class Unrecoded(Words):
    """Columns that are dropped, and columns that are published unchanged."""

    identifiers: Names = word("Columns that name a person; dropped.", COLUMNS, (), metavar="NAMES")
    others: Names = word("Other columns to publish unchanged.", COLUMNS, (), metavar="NAMES")
    masked: Names = word(
        "Free text to publish with names, numbers, dates and addresses masked; anything not recognized stays.",
        COLUMNS, (), metavar="NAMES",
    )  # fmt: skip


class Weighted(Words):
    """How many people of the population each row represents."""

    sample_weight: str | None = word(
        "The column that says how many people of the population each row stands for, for risks of samples. Never "
        "published.",
        MORE_COLUMNS, None, metavar="NAME", example="weight", where=AT_ONCE,
    )  # fmt: skip
    adjust_weights: bool = word(
        "Judge and report sample risks with the weights of the published rows scaled up to the whole population, if "
        "rows were left out.",
        MORE_COLUMNS, False, where=AT_ONCE, label="Scale weights up to the population",
    )  # fmt: skip


class SampleWords(Words):
    """The population that the rows were sampled from: a table, or a number of people."""

    def refuse_outside(self, where: Where) -> None:
        """As for every setting; a table of the population needs all rows at once, its size does not."""
        number = self.population_table is None and hasattr(self, "population")
        Words.refuse_outside(self.model_copy(update={"population": None}) if number else self, where)

    @property
    def population_size(self) -> int | None:
        """The number of people, if only that was given."""
        said = getattr(self, "population", None)
        return whole_number("The population", said, least=1) if isinstance(said, int | float) else None

    @property
    def population_table(self) -> Any:
        """The table of the population, if there is one."""
        said = getattr(self, "population", None)
        return None if isinstance(said, int | float) else said


class ColumnWords(Unrecoded, Recodings, RoleWords, People, SampleWords, Weighted):
    """All settings about the columns of an original table."""

    roles: Literal["given", "suggested"] = word(
        "suggested gives each column without a role the one that inspect suggests; given uses only the roles you name.",
        COLUMNS, "given", where=THIS_MACHINE, instead="run shoal inspect on a sample, and say them",
    )  # fmt: skip
    missing: Literal["own", "drop"] = word(
        "own treats missing as a value of its own, drop leaves out rows with a missing value.",
        MORE_COLUMNS, "own", label="Missing values",
    )  # fmt: skip
    population: Population = word(
        "The population the rows were sampled from, for privacy models about it: a table, or its number of people.",
        MORE_COLUMNS, None, form="number", metavar="FILE|NUMBER", names_inputs=True, where=AT_ONCE,
        why="since a table of people needs all rows at once; its size can be given instead",
        instead="give its number of people, leave it out, or run without Spark",
    )  # fmt: skip


class LayoutWords(Words):
    """The layout of a table in its file, where it cannot be detected."""

    delimiter: str | None = word(
        "The field separator; detected if not given.", READING, None, example=";", label="Field delimiter"
    )
    encoding: str | None = word(
        "The text encoding, such as utf-8 or cp1252; detected if not given.", READING, None, example="cp1252"
    )
    quote: str | None = word(
        "The quote character, empty for none; detected if not given.",
        READING, None, example='"', label="Quote character",
    )  # fmt: skip
    sheet: str | int | None = word(
        "The sheet of a workbook, by name or number.", READING, None, form="number", example="1", where=AT_ONCE
    )
    missing_values: Names = word(
        "Texts that mean a missing value, in addition to the empty field.",
        READING, (), metavar="TEXTS", example="NA,?", label="Marks of missing values",
    )  # fmt: skip
    query: str | None = word(
        "For a database: a query instead of a table.",
        READING, None, metavar="SQL", where=AT_ONCE, label="Query, if no table is named",
    )  # fmt: skip


class Reading(LayoutWords):
    """How an original table is read; shoal inspect suggests these settings."""

    skip_rows: Annotated[int, Field(ge=0)] = word(
        "Number of rows above the header to skip, such as a title.",
        READING, 0, form="number", example="2", label="Rows to skip above the header",
    )  # fmt: skip
    header_rows: Annotated[int, Field(ge=1)] = word(
        "Number of header rows; their names are joined.", READING, 1, form="number", example="2"
    )
    missing_codes: Mapping[str, Sequence[str]] = word(
        "Per column the values that mean missing, as in age=-9,99.",
        READING, {}, form="orders", options=("--missing-code",), metavar="COLUMN=VALUES",
    )  # fmt: skip
    dates: Mapping[str, str] = word(
        "Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).",
        READING, {}, options=("--date",), metavar="COLUMN=FORM",
    )  # fmt: skip
    decimal: str | None = word(
        "The decimal mark of numbers, if not a point.", READING, None, example=",", label="Decimal mark"
    )
    thousands: str | None = word(
        "The thousands separator of numbers.", READING, None, example=".", label="Thousands separator"
    )
    units: Mapping[str, str] = word(
        "Per column the unit written with its numbers, to be removed; several spellings as in age=years|yrs.",
        READING, {}, options=("--unit",), metavar="COLUMN=UNIT",
    )  # fmt: skip
    spellings: Mapping[str, Mapping[str, str]] = word(
        "Replace one spelling of a value by another, as in 'sex:MALE=male'; may be repeated.",
        READING, {}, form="labels", options=("--spelling",), metavar="COLUMN:WRITTEN=READ",
    )  # fmt: skip
    fold: Names = word(
        "Columns whose values are merged if they differ only in blanks or in the coding of accents.",
        READING, (), metavar="NAMES", label="Columns with spellings to merge",
    )  # fmt: skip

    @property
    def reading(self) -> dict[str, Any]:
        """How to read the original table."""
        return self.of(Reading)

    @property
    def loading(self) -> dict[str, Any]:
        """How to read the table, and which levels of a frame's index are columns: those with a role."""
        roles = ("identifiers", "quasi_identifiers", "sensitive", "others", "masked")
        return {**self.of(Reading), "levels": [name for role in roles for name in getattr(self, role, ())]}

    @property
    def reading_others(self) -> dict[str, Any]:
        """How to read further tables like the original, to which the query does not apply."""
        return {**self.loading, "query": None}

    @property
    def reading_release(self) -> dict[str, Any]:
        """How to read a release: its cells are labels, not written like those of the original."""
        return {**self.of(LayoutWords), "levels": self.loading["levels"], "query": None, "is_release": True}


class Promises(Words):
    """The privacy models that must hold."""

    privacy: Privacy = word("The privacy models that must hold, such as k = 5.", PROMISES, ())

    @property
    def promises(self) -> tuple[PrivacyModel, ...]:
        """The privacy models.

        Raises:
            InputError: there is no such model, or it cannot parse its value.
        """
        if isinstance(self.privacy, Mapping):
            return tuple(promises_from(self.privacy))
        return (self.privacy,) if isinstance(self.privacy, PrivacyModel) else tuple(self.privacy)


class Goals(Words):
    """What a release may cost."""

    suppression_limit: Limit = word(
        "How many rows may be left out: a share such as 0.05 or 5%, or a number such as '29 rows'.",
        SEARCH, 0.0, form="text", metavar="SHARE",
    )  # fmt: skip
    metric: str | Metric = word(
        "The information-loss metric to minimize.",
        SEARCH, "lm", form="text", family="metrics", label="Information-loss metric to minimize",
    )  # fmt: skip


class Attacked(Words):
    """How our own release is attacked."""

    audit: Auditing = word(
        "How thoroughly the release is attacked before it is written: quick (a second or two), usual, thorough or off.",
        SEARCH, "quick", metavar="FORM", where=AT_ONCE, idle=("off",), instead="run shoal audit on it for more",
    )  # fmt: skip
    seed: int | None = word(
        "Makes the run repeatable. With it, the shuffle can be undone: not for real releases.",
        SEARCH, None, form="number", where=THIS_MACHINE, label="Seed (only to repeat a run)",
        instead="leave it out, as tasks end in any order",
    )  # fmt: skip


class Searched(Goals):
    """Which algorithm searches for a release, and for how long."""

    algorithm: str | Mapping[str, Any] | Algorithm = word(
        "The algorithm, with options as in mondrian:relaxed; auto chooses by table and privacy models.",
        SEARCH, "auto", form="text", family="algorithms",
    )  # fmt: skip
    refine: str | Sequence[str | Refinement] | Refinement | None = word(
        "Refinements that run after the algorithm to reduce the loss, in this order.",
        SEARCH, None, form="several", metavar="HOW", family="refinements", where=AT_ONCE, label="Refinement",
    )  # fmt: skip
    budget: str | float | None = word(
        "Time that auto or a refinement may spend on reducing the loss: 60, 60s, 2m. More never makes it worse.",
        SEARCH, None, form="text", metavar="60s", example="60s", label="Time to search",
    )  # fmt: skip
    quick: bool = word(
        "Take the first valid release instead of searching a few seconds for a better one.",
        SEARCH, False, label="Take the first valid release",
    )  # fmt: skip


class SearchWords(Searched, Attacked):
    """How a release is searched for, certified and attacked."""

    certify: bool | str | float = word(
        "Prove how far the release is, at most, from the least possible loss; takes a minute, or certify_budget.",
        SEARCH, False, form="flag", where=AT_ONCE, label="Certify the distance from the optimum",
    )  # fmt: skip
    certify_budget: str | float | None = word(
        "Time for certify; more time gives a tighter bound.",
        SEARCH, None, form="text", metavar="60s", example="60s", where=AT_ONCE,
    )  # fmt: skip
    levels: Sequence[int] | Mapping[str, int] | None = word(
        "Publish exactly these hierarchy levels, one per quasi-identifier; 0 is the value itself.",
        SEARCH, None, form="levels", metavar="1,0,2",
    )  # fmt: skip


class Coarsening(Words):
    """What is done to the values of columns before a table is anonymized, by rules that may be public."""

    top: Mapping[str, str] = word(
        "Top coding: per column the largest value to publish; larger values become it, as in income=200000.",
        PREPARATION, {}, metavar="COLUMN=LIMIT", label="Largest value to publish",
    )  # fmt: skip
    bottom: Mapping[str, str] = word(
        "Bottom coding: per column the smallest value to publish; smaller values become it.",
        PREPARATION, {}, metavar="COLUMN=LIMIT", label="Smallest value to publish",
    )  # fmt: skip
    rounding: Mapping[str, str] = word(
        "Per column the step to round its numbers to, as in income=1000.",
        PREPARATION, {}, metavar="COLUMN=STEP", label="Round to multiples of",
    )  # fmt: skip
    bands: Mapping[str, str] = word(
        "Per column its bands, whatever its role: a width (age=10), edges (age=0,18,65), or month, quarter, year or "
        "decade.",
        PREPARATION, {}, options=("--band",), metavar="COLUMN=BANDS", label="Width of bands, or their edges",
    )  # fmt: skip
    rare: Mapping[str, int] = word(
        "Per column the number of rows (people, with person) that a category needs; rarer categories become 'other'.",
        PREPARATION, {}, metavar="COLUMN=NUMBER", label="Rows that a category needs",
    )  # fmt: skip


class PreparationWords(Coarsening):
    """Everything that is done to a table before it is anonymized; some of it depends on a secret key."""

    pseudonyms: Names = word(
        "Columns to publish as keyed pseudonyms (HMAC): linkable by the same key, and not covered by k-anonymity.",
        PREPARATION, (), metavar="NAMES",
    )  # fmt: skip
    shift_dates: Names = word(
        "Date columns to shift by a secret number of days per person (with person); intervals stay. No k-anonymity.",
        PREPARATION, (), metavar="NAMES",
    )  # fmt: skip
    shift_days: int = word("The largest shift of dates in days, in either direction.", PREPARATION, 365, form="number")
    key_file: str | Path | None = word(
        "The file with the secret key of pseudonyms and shifted dates; created, readable by you alone, if missing.",
        PREPARATION, None, form="text", metavar="FILE", names_inputs=True,
    )  # fmt: skip
    sample_share: float = word(
        "Publish a random sample: each row (with person, each person) is kept with this probability, as in 0.1.",
        PREPARATION, 1.0, form="number", metavar="SHARE", label="Share to publish",
    )  # fmt: skip


class FormWords(Words):
    """How the cells of a release are printed."""

    cells: str | Mapping[str, str] = word(
        "How cells are printed: labels, bounds, codes, center or sampled; for all columns, or per column as in "
        "age=bounds.",
        OUTPUT, "labels", form="each", metavar="FORM", label="Print cells as",
    )  # fmt: skip
    draws: int = word(
        "The number of tables to draw if cells are sampled, for multiple imputation.",
        OUTPUT, 1, form="number", where=THIS_MACHINE,
        instead="one table is drawn there; shoal read draws several of a release as labels",
    )  # fmt: skip


class InspectWords(Reading):
    """The settings of ``inspect``."""

    write_job: str | Path | None = word(
        "Write the suggestions to a job file that can be run, with the reason for each line.",
        OUTPUT, None, form="text", metavar="JOB.toml",
    )  # fmt: skip


class ByPolicy(Promises):
    """The privacy models that must hold, and the policy that requires them."""

    policy: str | Mapping[str, Any] | None = word(
        "A policy by name: settings that regulators or contracts require. Other options override it.",
        PROMISES, None, form="text", metavar="NAME", family="policies",
    )  # fmt: skip


class AnonymizeWords(ColumnWords, ByPolicy, SearchWords, PreparationWords, FormWords, Reading):
    """The settings of ``anonymize``."""

    auto: bool = word(
        "Use what inspect suggests for everything not specified; refused if only a person can decide.",
        COLUMNS, False, where=AT_ONCE,
    )  # fmt: skip


OFF = "off"
"""Turns off an output that is written by default."""


class Output(Words):
    """What is written."""

    output: str | None = word(
        "The release: .csv, .tsv, .parquet, .arrow, .feather, .xlsx, .sav (SPSS), .dta (Stata) or .xpt (SAS), or a new "
        "table of a database. A private .run.json is written next to it.",
        OUTPUT, None, options=("-o",), metavar="FILE",
    )  # fmt: skip
    replace: bool = word("Overwrite the output table if it exists.", OUTPUT, False)
    output_delimiter: str | None = word(
        "The field separator of a .csv or .tsv release: , ; | or a tab; by its ending if not given.",
        OUTPUT, None, example=";",
    )  # fmt: skip
    output_decimal: str | None = word(
        "The decimal mark of numbers in a .csv or .tsv release: a point or a comma.", OUTPUT, None, example=","
    )
    output_encoding: str | None = word(
        "The encoding of a .csv or .tsv release; utf-8 if not given.", OUTPUT, None, example="cp1252"
    )
    report: str | None = word("A report for you alone: .html, .json or .txt.", OUTPUT, None, metavar="FILE")
    public_report: str | None = word("A report that may be published with the release.", OUTPUT, None, metavar="FILE")
    datapackage: str | None = word(
        "Where to write the machine-readable description of the release (Frictionless): types, what was done to each "
        "column, which promises hold. If not given, beside a release that is a file (release.datapackage.json); off "
        "for none.",
        OUTPUT, None, metavar="FILE.json",
    )  # fmt: skip
    explore: str | None = word(
        "Every choice of one hierarchy level per column, with its loss and risk: .csv, .parquet, …; the report then "
        "draws them.",
        OUTPUT, None, metavar="FILE",
    )  # fmt: skip
    save_recoding: str | None = word(
        "The recoding of a full-domain release, for shoal apply on later rows. For you alone.",
        OUTPUT, None, metavar="FILE.json",
    )  # fmt: skip

    dossier: str | None = word(
        "A folder for the dossier that a board or regulator signs: HTML, PDF and DOCX, internal and public edition.",
        OUTPUT, None, metavar="FOLDER",
    )  # fmt: skip
    release: Mapping[str, str] = word(
        "Facts about the release for the dossier: title, purpose, recipient, controls, contact, review_date, …",
        OUTPUT, {}, metavar="FIELD=TEXT",
    )  # fmt: skip

    def targets(self, folder: Path = Path()) -> Targets:
        """What to write; relative paths start at ``folder``."""
        files = {name: folder / said for name in _REPORTS if (said := getattr(self, name))}
        place = None if self.output is None else location_of(self.output, folder)
        layout = TextLayout(self.output_delimiter, self.output_decimal, self.output_encoding)
        told, is_described = Statement.said(self.release), self.datapackage != OFF
        if not is_described:
            del files["datapackage"]
        return Targets(
            place, replace=self.replace, folder=folder, layout=layout, statement=told, is_described=is_described,
            **files,
        )  # fmt: skip


_REPORTS = ("report", "public_report", "datapackage", "explore", "save_recoding", "dossier")


class Scale(Words):
    """Where a run takes place."""

    memory: str | int | None = word(
        "The memory limit: the table is processed in pieces, with blocks on disk.",
        SCALE, None, form="text", metavar="4GiB", label="Memory limit of the run",
    )  # fmt: skip
    backend: Literal["local", "spark"] = word("Where to run: on this machine, or on Spark.", SCALE, "local")
    master: str | None = word("The Spark master: spark://host:7077, yarn, local[*].", SCALE, None, metavar="URL")

    @property
    def where(self) -> Where:
        """The backend."""
        return "spark" if self.backend == "spark" else "disk" if self.memory else "memory"

    @model_validator(mode="after")
    def _one_place(self) -> Scale:
        if self.master and self.backend != "spark":
            raise InputError("master is for Spark; set backend = spark as well.")
        if self.memory and self.backend == "spark":
            raise InputError("memory is for this machine; Spark's executors have their own settings.")
        return self


class CommandWords(AnonymizeWords, Output, Scale):
    """The settings of ``shoal anonymize``."""


class Analysed(Words):
    """The forms in which a release is analysed, and the column that a model predicts."""

    forms: Names = word(
        "Forms of cells to analyse as well: counts, quantiles, correlations, a regression, boosting, a forest.",
        COMPARISON, (), metavar="FORMS", example="center,sampled",
    )  # fmt: skip
    target: str | None = word(
        "A published column that a model is trained to predict.", COMPARISON, None, metavar="COLUMN"
    )


class CompareWords(ColumnWords, Goals, Analysed, Reading):
    """The settings of ``compare``."""

    goals: Any = word("The privacy models to try, each alone or several together.", PROMISES, ())
    algorithms: str | Sequence[str | Algorithm] = word(
        "all, or names separated by commas, with options as in mondrian:relaxed,lattice.",
        COMPARISON, "all", form="algorithms", metavar="NAMES",
    )  # fmt: skip
    time_limit: str | float = word(
        "When to stop each run: 60, 60s, 2m.", COMPARISON, 60.0, form="text", metavar="60s", label="Time for each"
    )
    processes: int | None = word(
        "How many run at once; one per processor if not given.", COMPARISON, None, form="number"
    )
    utility: bool | Sequence[str | Utility] = word(
        "Measure errors of queries, marginals and correlations as well.", COMPARISON, True, form="flag"
    )
    measures: Sequence[str | Utility] | None = word(
        "Only these measures of utility, with options as in count-queries:dimensions=3.",
        COMPARISON, None, form="several", options=("--measure",), metavar="NAME", family="measures",
    )  # fmt: skip


class LabelWords(MeaningWords):
    """How the labels of a release are read."""

    labels: Mapping[str, Mapping[str, str]] = word(
        "The meaning of a label that cannot be read otherwise, as in 'age:young=[..17]'; may be repeated.",
        LABELS, {}, form="labels", options=("--label",), metavar="COLUMN:LABEL=MEANING",
    )  # fmt: skip


class OriginalPeople(Words):
    """The person of each row of the original."""

    person: str | None = word(
        "The column of the original that identifies the person of each row; people are then counted, not rows.",
        COLUMNS, None, metavar="NAME", example="patient_id",
    )  # fmt: skip


class OriginalWeights(Words):
    """How many people of the population each row of the original represents."""

    sample_weight: str | None = word(
        "The column of the original that says how many people of the population each row stands for, for risks of "
        "samples.",
        COLUMNS, None, metavar="NAME", example="weight",
    )  # fmt: skip


class ReadWords(QuasiIdentifiers, MeaningWords, Reading):
    """The settings of ``read_release``."""

    cells: str | Mapping[str, str] = word(
        "What cells become: bounds, codes, center, sampled or labels, for all columns or per column as in age=bounds; "
        "in the library also structs and intervals.",
        LABELS, "structs", form="each", metavar="FORM",
    )  # fmt: skip
    codebook: Data = word(
        "The codebook of a release whose cells are codes.", LABELS, None, form="text", metavar="FILE", names_inputs=True
    )
    draws: int = word(
        "The number of tables to draw if cells are sampled, for multiple imputation.", LABELS, 1, form="number"
    )
    seed: int | None = word("Makes the drawn values repeatable.", LABELS, None, form="number")


class AuditWords(RoleWords, OriginalPeople, OriginalWeights, LabelWords, Coarsening, Reading):
    """The settings of ``audit_release``."""

    k: int | None = word("The promised k; probabilities are compared with 1 / k.", ATTACKS, None, form="number")
    attacks: Sequence[str] | None = word(
        "Only these attacks, with options as in corruption:corrupted=3.",
        ATTACKS, None, form="names", options=("--attack",), metavar="NAMES", family="attacks",
    )  # fmt: skip
    thorough: bool = word("Try every attack, including those that take minutes.", ATTACKS, False)
    other: Data = word(
        "Another release about some of the same people.",
        ATTACKS, None, form="text", options=("--with",), metavar="FILE", names_inputs=True,
    )  # fmt: skip
    population: Population = word(
        "The population the people were sampled from: a table, or its number of people.",
        ATTACKS, None, form="number", metavar="FILE|NUMBER", names_inputs=True,
    )  # fmt: skip
    seed: int | None = word("Makes the sampling repeatable.", ATTACKS, None, form="number")


class UsefulnessWords(QuasiIdentifiers, Analysed, LabelWords, Reading):
    """The settings of ``usefulness``."""

    person: str | None = word(
        "The column of the original that identifies the person of each row; numbers of people are then compared, too.",
        COLUMNS, None, metavar="NAME", example="patient_id",
    )  # fmt: skip
    test: Data = word(
        "With target: original rows of people who are not in the release, to test models on.",
        COMPARISON, None, form="text", metavar="FILE", names_inputs=True,
    )  # fmt: skip
    measures: Sequence[str | Utility] | None = word(
        "Only these measures of utility, with options as in count-queries:dimensions=3.",
        CHECKING, None, form="several", options=("--measure",), metavar="NAME", family="measures",
    )  # fmt: skip


class VerifyWords(RoleWords, OriginalPeople, Promises, LabelWords, Reading, SampleWords):
    """The settings of ``verify``."""

    sensitive_table: Data = word(
        "The second table, if sensitive values are published separately (anatomy).",
        CHECKING, None, form="text", metavar="FILE", names_inputs=True,
    )  # fmt: skip
    bucket: str = word("The column that joins the two tables.", CHECKING, "bucket")
    original: Data = word(
        "The table the release was made from, for privacy models about matches.",
        CHECKING, None, form="text", metavar="FILE", names_inputs=True,
    )  # fmt: skip
    population: Population = word(
        "The population the rows were sampled from, for privacy models about it: a table, or its number of people.",
        CHECKING, None, form="number", metavar="FILE|NUMBER", names_inputs=True,
    )  # fmt: skip


class PatternWords(QuasiIdentifiers, Recodings, Reading):
    """The settings of ``list_patterns``."""

    algorithm: str | Mapping[str, Any] | Algorithm = word(
        "As in anonymize: patterns:max_stars=2,never=sex,together=a+b|c+d,at_most_one=e+f,costs=age:2.",
        SEARCH, "patterns", form="text", metavar="NAME:RULES",
    )  # fmt: skip


class ApplyWords(Attacked, Reading):
    """The settings of ``apply``."""

    hold: str | Path | None = word(
        "Keep rows that cannot be published yet in this file; the next run counts them in. For you alone.",
        OUTPUT, None, form="text", metavar="FILE.parquet", names_inputs=True,
    )  # fmt: skip
    published: Sequence[str | Path] = word(
        "An earlier release; promises are then checked on all releases together. May be repeated.",
        CHECKING, (), form="several", metavar="FILE", names_inputs=True,
    )  # fmt: skip


class ApplyCommand(ApplyWords, Output):
    """The settings of ``shoal apply``."""


def promises_from(said: Mapping[str, Any]) -> list[PrivacyModel]:
    """Privacy models from flags and their values: each a value, parameters by name, or a list of these."""
    by_flag = {model.flag: model for model in models.ALL.values()}
    promises = []
    for said_flag, value in said.items():
        flag = said_flag.replace("_", "-")
        if flag not in by_flag:
            raise InputError(f"There is no promise {flag!r}.{did_you_mean(flag, by_flag)}")
        values = value if isinstance(value, list) else [value]
        model = by_flag[flag]
        promises += [model_from(model, one) if isinstance(one, Mapping) else model.parse(str(one)) for one in values]
    return promises
