"""What a setting of the vocabulary is, and how settings are validated; the settings are in ``vocabulary``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from types import UnionType
from typing import Any, Literal, ParamSpec, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticOmit, core_schema

from shoal.engine.deprecation import renamed
from shoal.errors import InputError, did_you_mean
from shoal.io.location import Location, location_of
from shoal.io.place import place_at

Form = Literal[
    "text", "flag", "number", "names", "several", "pairs", "orders", "labels", "levels", "algorithms", "each"
]
"""How the command line writes a value."""

Where = Literal["memory", "disk", "spark"]
"""Where a run takes place: in memory, on disk within a memory limit, on a Spark cluster."""

EVERYWHERE: tuple[Where, ...] = get_args(Where)

_ALOUD = "said aloud"
"""The key under which a function learns which settings were given; no setting has a blank in its name."""

_Said = ParamSpec("_Said")
_Made = TypeVar("_Made")
_Narrower = TypeVar("_Narrower", bound="Words")


@dataclass(frozen=True)
class Word:
    """A setting as interfaces show it: its name, its type, and what ``word`` declares.

    ``options`` begin with the long form of the name.
    """

    name: str
    type: Any
    default: Any
    help: str
    panel: str
    form: Form
    label: str
    options: tuple[str, ...]
    metavar: str | None
    example: str
    family: str
    names_inputs: bool
    where: tuple[Where, ...]
    idle: tuple[Any, ...]
    why: str
    instead: str
    formerly: Mapping[str, str]

    @property
    def full_help(self) -> str:
        """The help, with the names of the family if it takes one of them."""
        return f"{self.help} One of: {', '.join(_family(self.family))}." if self.family else self.help

    @property
    def choices(self) -> tuple[str, ...]:
        """The possible values, if they are a few texts."""
        kinds = _alternatives(self.type)
        return get_args(kinds[0]) if all(get_origin(kind) is Literal for kind in kinds) else ()

    def refuse_outside(self, said: Any, where: Where) -> None:
        """Raise InputError if it was set and does not apply on that backend."""
        harmless = (self.default, *self.idle)
        if where in self.where or any(said is one or (type(said) is type(one) and said == one) for one in harmless):
            return
        refusal = {
            "disk": f"With a memory limit {self.name!r} cannot be used, {self.why}.",
            "spark": f"On Spark {self.name!r} cannot be used; {self.instead or 'leave it out, or run without Spark'}.",
        }
        raise InputError(refusal[where])

    def named_places(self, said: Any, folder: Path) -> Iterator[Location]:
        """The files and database tables that it names as inputs."""
        several = said.values() if isinstance(said, Mapping) else said if isinstance(said, list | tuple) else [said]
        for one in several if self.names_inputs else ():
            if isinstance(one, str | Path) and one:
                place = location_of(one if isinstance(one, str) else one.expanduser(), folder)
                if place_at(place).is_protected:
                    yield place


def word(
    help: str,  # noqa: A002 (its name in every interface)
    panel: str,
    default: Any = ...,
    *,
    form: Form | None = None,
    label: str = "",
    options: tuple[str, ...] = (),
    metavar: str | None = None,
    example: str = "",
    family: str = "",
    names_inputs: bool = False,
    where: tuple[Where, ...] = EVERYWHERE,
    idle: tuple[Any, ...] = (),
    why: str = "because it needs all rows at once",
    instead: str = "",
    formerly: Mapping[str, str] | None = None,
) -> Any:
    """Declare a setting: a field of a ``Words`` class, with its name and type before it.

    Args:
        help: one line.
        panel: the heading it is shown under.
        default: the value if it is not given; without a default the setting is required.
        form: how the command line writes it, if that does not follow from its type.
        label: its label in a form of the workbench, if not its name in plain letters.
        options: shorter options on the command line.
        metavar: the placeholder for the value in the help of the command line.
        example: what a form shows in an empty field.
        family: the plug-ins whose names it takes, such as ``"metrics"``; interfaces list them after the help.
        names_inputs: whether the value names files or tables that are read, which no output may overwrite.
        where: the backends on which it applies.
        idle: values besides the default that are allowed on other backends, because they change nothing there.
        why: why it does not apply with a memory limit, if it does not.
        instead: what to do on Spark, if it does not apply there.
        formerly: old names that still work with a warning, and the version that removes each: ``{"old": "0.4"}``.
    """
    declared = {name: said for name, said in locals().items() if name != "default"}
    extra: dict[str, Any] = {"panel": panel, "examples": [example] if example else [], "x-shoal": declared}
    return Field(default, description=help, json_schema_extra=extra)


class Words(BaseModel):
    """The validated settings of one function."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        arbitrary_types_allowed=True,
        coerce_numbers_to_str=True,
        validate_default=False,
        defer_build=True,
    )

    @classmethod
    def said(cls, given: Mapping[str, Any], where: str = "", spelled: Callable[[str], str] = repr) -> Self:
        """Validate settings.

        Args:
            given: settings and their values; None means "not given".
            where: how a message begins, such as ``"The job file 'a.toml'"``.
            spelled: how a message writes a setting.

        Raises:
            InputError: a setting does not exist or is missing, or has an invalid value.
        """
        present = {name: value for name, value in given.items() if value is not None}
        if not present.keys() <= cls.model_fields.keys():
            present = renamed(present, cls.old_names(), spelled)
        try:
            return cls.model_validate(present)
        except ValidationError as problem:
            sentence = _sentence(problem, cls, spelled)
            begun = sentence[0].upper() + sentence[1:] if sentence.startswith("the ") else sentence
            raise InputError(f"{where}: {sentence}" if where else begun) from None

    @classmethod
    def called_with(cls, arguments: Mapping[str, Any]) -> Self:
        """Validate the arguments of a function with these settings as keywords: its ``locals()``, ``more`` expanded.

        For a function decorated with ``told_what_was_said``, only settings that were given count as given, even if they
        equal the default.
        """
        more = dict(arguments.get("more", {}))
        aloud = more.pop(_ALOUD, cls.model_fields)
        given = {name: value for name, value in arguments.items() if name in cls.model_fields and name in aloud}
        return cls.said({**given, **more})

    @classmethod
    def vocabulary(cls) -> dict[str, Word]:
        """The settings by name."""
        return dict(_vocabulary(cls))

    @classmethod
    def old_names(cls) -> dict[str, tuple[str, str]]:
        """For each old name of a setting the current one, and the version that removes the old one."""
        return {old: (one.name, until) for one in cls.vocabulary().values() for old, until in one.formerly.items()}

    def of(self, subject: type[Words]) -> dict[str, Any]:
        """The settings of one subject, given or default."""
        return {name: getattr(self, name) for name in subject.model_fields}

    def aloud(self, subject: type[Words]) -> dict[str, Any]:
        """The given settings of one subject, without defaults."""
        return {name: value for name, value in self.of(subject).items() if name in self.model_fields_set}

    def narrowed(self, subject: type[_Narrower]) -> _Narrower:
        """The given settings of one subject, which were validated when these were."""
        return subject.model_construct(**self.aloud(subject))

    def refuse_outside(self, where: Where) -> None:
        """Raise InputError if a setting was given that does not apply on that backend."""
        for name, known in self.vocabulary().items():
            known.refuse_outside(getattr(self, name), where)

    def named_inputs(self, folder: Path = Path()) -> list[Location]:
        """Every file and database table that is named as an input; no output may overwrite one."""
        known = self.vocabulary()
        return [place for name in known for place in known[name].named_places(getattr(self, name), folder)]

    def named_files(self) -> list[Path]:
        """The files among the named inputs."""
        return [path for place in self.named_inputs() if (path := place_at(place).path) is not None]

    def plain(self) -> dict[str, Any]:
        """The settings that differ from the default, as plain data for a job file."""
        return self.model_dump(exclude_defaults=True, exclude_none=True)

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The schema of the settings as written in JSON and TOML."""
        schema = cls.model_json_schema(schema_generator=_Written)
        for name, said in schema.get("properties", {}).items():
            said["description"] = cls.vocabulary()[name].full_help
            said.pop("x-shoal", None)
        return schema


def told_what_was_said(verb: Callable[_Said, _Made]) -> Callable[_Said, _Made]:
    """Let a function tell a setting that was given from one that was not, if both equal the default.

    The function takes further settings as ``more``, and reads its own by ``called_with(locals())``.
    """

    @wraps(verb)
    def called(*given: _Said.args, **words: _Said.kwargs) -> _Made:
        return verb(*given, **words, **{_ALOUD: frozenset(words)})  # type: ignore[arg-type]

    return called


class _Written(GenerateJsonSchema):
    """Leaves out of a union what only Python can express, such as an ``Algorithm``."""

    def is_instance_schema(self, schema: core_schema.IsInstanceSchema) -> JsonSchemaValue:
        raise PydanticOmit


@cache
def _vocabulary(words: type[Words]) -> dict[str, Word]:
    return {name: _word(name, field) for name, field in words.model_fields.items()}


def _word(name: str, field: FieldInfo) -> Word:
    extra: Any = field.json_schema_extra or {}
    more = extra["x-shoal"]
    found: dict[str, Any] = {
        "name": name,
        "type": field.annotation,
        "default": None if field.is_required() else field.get_default(call_default_factory=True),
        "form": more["form"] or _form(field.annotation),
        "label": more["label"] or name.replace("_", " ").capitalize(),
        "options": (long_option(name), *more["options"]),
        "formerly": more["formerly"] or {},
    }
    return Word(**{**more, **found})


def long_option(name: str) -> str:
    """The long command-line option of a setting."""
    return f"--{name.replace('_', '-')}"


def _form(kind: Any) -> Form:
    """How the command line writes a value of this type."""
    kinds = _alternatives(kind)
    if kinds == [bool]:
        return "flag"
    first = get_origin(kinds[0])
    if first is None or first is Literal:
        return "text"
    return "pairs" if issubclass(first, Mapping) else "names"


def _alternatives(kind: Any) -> list[Any]:
    """The types of a union, or the type itself, without None."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return [one for one in kinds if one is not type(None)]


def _family(name: str) -> Iterable[str]:
    """The names of plug-ins, looked up on demand."""
    from shoal import algorithms, audit, metrics, policies, utility
    from shoal.algorithms.clustering import REFINEMENTS

    families: dict[str, Iterable[str]] = {
        "algorithms": ["auto", *algorithms.ALL],
        "metrics": metrics.ALL,
        "refinements": REFINEMENTS,
        "attacks": audit.ALL,
        "measures": utility.ALL,
        "policies": policies.ALL,
    }
    return families[name]


def _sentence(problem: ValidationError, words: type[Words], spelled: Callable[[str], str]) -> str:
    """The first validation error as a sentence."""
    error = problem.errors(include_url=False)[0]
    name, *inside = [str(part) for part in error["loc"]] or [""]
    said, what = error["input"], spelled(name)
    column = f" for {inside[0]!r}" if inside and inside[0] not in ("[key]", "float", "int", "str") else ""
    if error["type"] == "extra_forbidden":
        return f"the setting {what} is unknown.{_meant(name, words)}"
    if error["type"] == "missing":
        return f"the setting {what} is missing."
    if error["type"] == "value_error":
        return f"{name} {error['ctx']['error']}" if name else str(error["ctx"]["error"])
    if error["type"] == "literal_error":
        named = error["msg"].split("'")[1::2]  # Input should be 'a', 'b' or 'c'
        return f"{what} cannot be {said!r}{column}.{did_you_mean(str(said), words.vocabulary()[name].choices or named)}"
    wanted = _WANTED.get(error["type"], f"be as asked for ({error['msg'][0].lower()}{error['msg'][1:].rstrip('.')})")
    return f"{what} must {wanted}, got {said!r}{column}."


def _meant(name: str, words: type[Words]) -> str:
    """A hint: the setting with this short option, or where models are named, or the nearest setting."""
    from shoal import models

    vocabulary = words.vocabulary()
    if whole := next((one.name for one in vocabulary.values() if long_option(name) in one.options), ""):
        return f" Did you mean {whole!r}?"
    flag = name.replace("_", "-")
    if "privacy" in vocabulary and any(flag == model.flag for model in models.ALL.values()):
        return f" Privacy models are named in privacy, as in privacy = {{{name} = …}} or privacy={{{name!r}: …}}."
    return did_you_mean(name, vocabulary)


_WANTED = {
    "float_parsing": "be a number",
    "float_type": "be a number",
    "int_parsing": "be a whole number",
    "int_type": "be a whole number",
    "int_from_float": "be a whole number",
    "bool_parsing": "be true or false",
    "bool_type": "be true or false",
    "string_type": "be a text",
    "mapping_type": "say something per column, as in {'age': …}",
    "dict_type": "say something per column, as in {'age': …}",
    "sequence_str": "be a list",
}
"""Pydantic's error types in our own words."""
