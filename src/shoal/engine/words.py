"""What a word of the vocabulary is, and how what was said is checked; the words themselves are in ``vocabulary``."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, Self, TypeVar, get_args, get_origin

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
"""Under which a verb is told which of its words were said; no word has a blank in its name."""

_Said = ParamSpec("_Said")
_Made = TypeVar("_Made")


@dataclass(frozen=True)
class Word:
    """A word as the faces show it."""

    name: str
    type: Any
    default: Any
    help: str
    panel: str
    form: Form
    label: str
    """How a form of the workbench calls it."""
    options: tuple[str, ...]
    """How the command line calls it, the long form first."""
    metavar: str | None
    example: str
    family: str
    names_inputs: bool
    where: tuple[Where, ...]
    """The backends on which it can be said; on others only values that change nothing: ``idle`` and the default."""
    idle: tuple[Any, ...]
    why: str
    """Why it cannot be said with a memory limit, where it cannot."""
    instead: str
    formerly: Mapping[str, str]
    """Its old names, which still work, and the version that refuses each."""

    @property
    def full_help(self) -> str:
        """The help, and the names of the family where it takes one of them."""
        return f"{self.help} One of: {', '.join(_family(self.family))}." if self.family else self.help

    @property
    def choices(self) -> tuple[str, ...]:
        """The values it can have, where they are few texts."""
        kinds = get_args(self.type) if _is_union(self.type) else (self.type,)
        lists = [get_args(kind) for kind in kinds if kind is not type(None) and get_origin(kind) is Literal]
        return lists[0] if len(lists) == len(kinds) - (type(None) in kinds) else ()

    def refuse_outside(self, said: Any, where: Where) -> None:
        """Raise InputError where this was said and means nothing on that backend."""
        harmless = (self.default, *self.idle)
        if where in self.where or any(said is one or (type(said) is type(one) and said == one) for one in harmless):
            return
        refusal = {
            "disk": f"With a memory limit {self.name!r} cannot be used, {self.why}.",
            "spark": f"On Spark {self.name!r} cannot be used; {self.instead or 'leave it out, or run without Spark'}.",
        }
        raise InputError(refusal[where])

    def named_places(self, said: Any, folder: Path) -> Iterator[Location]:
        """The files and database tables that it tells shoal to read."""
        several = said.values() if isinstance(said, Mapping) else said if isinstance(said, list | tuple) else [said]
        for one in several if self.names_inputs else ():
            if isinstance(one, str | Path) and one:
                place = location_of(one if isinstance(one, str) else one.expanduser(), folder)
                if place_at(place).is_protected:
                    yield place


def word(
    help: str,  # noqa: A002 (what every face calls it)
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
    """Declare a word: a field of a ``Words`` class whose name and type stand before it.

    Args:
        help: one line.
        panel: the heading it is shown under.
        default: what holds where nothing is said; left out, the word must be said.
        form: how the command line writes it, where its type does not tell.
        label: how a form of the workbench calls it, where its name in plain letters would not do.
        options: shorter spellings on the command line.
        metavar: what stands for the value in the help of the command line.
        example: what a form shows in an empty field.
        family: the plug-ins whose names it takes, such as ``"metrics"``; faces list them after the help.
        names_inputs: whether the value names files or tables that are read, which no output may overwrite.
        where: the backends on which it can be said.
        idle: values besides the default that may be said on the others, too, as they change nothing there.
        why: why it cannot be said with a memory limit, where it cannot.
        instead: what to do on Spark, where it cannot be said there.
        formerly: old names that still work with a warning, and the version that refuses each: ``{"old": "0.4"}``.
    """
    more: dict[str, Any] = {"form": form, "label": label, "options": list(options), "metavar": metavar}
    more["family"] = family
    more |= {"names_inputs": names_inputs, "where": list(where), "idle": list(idle), "why": why, "instead": instead}
    more["formerly"] = dict(formerly or {})
    extra: dict[str, Any] = {"panel": panel, "examples": [example] if example else [], "x-shoal": more}
    return Field(default, description=help, json_schema_extra=extra)


class Words(BaseModel):
    """What was said in one verb's words, checked."""

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
        """Check what was said.

        Args:
            given: words and their values; None stands for "not said".
            where: how a message begins, such as ``"The job file 'a.toml'"``.
            spelled: how a message calls a word.

        Raises:
            InputError: a word that does not exist or is missing, or a value that it cannot have.
        """
        present = {name: value for name, value in given.items() if value is not None}
        if not present.keys() <= cls.model_fields.keys():
            present = renamed(present, cls.old_names(), spelled)
        try:
            return cls.model_validate(present)
        except ValidationError as problem:
            sentence = _sentence(problem, cls, spelled)
            raise InputError(f"{where}: {sentence}" if where else _begun(sentence)) from None

    @classmethod
    def called_with(cls, arguments: Mapping[str, Any]) -> Self:
        """Check the arguments of a function whose keywords are these words: its ``locals()``, ``more`` taken apart.

        Of a function that is ``told_what_was_said`` only what was said is, even where that is the default.
        """
        more = dict(arguments.get("more", {}))
        aloud = more.pop(_ALOUD, cls.model_fields)
        given = {name: value for name, value in arguments.items() if name in cls.model_fields and name in aloud}
        return cls.said({**given, **more})

    @classmethod
    def vocabulary(cls) -> dict[str, Word]:
        """The words by name."""
        return {name: _word(name, field) for name, field in cls.model_fields.items()}

    @classmethod
    def old_names(cls) -> dict[str, tuple[str, str]]:
        """For each name that a word once had its present one, and the version that refuses the old one."""
        return {old: (one.name, until) for one in cls.vocabulary().values() for old, until in one.formerly.items()}

    def of(self, subject: type[Words]) -> dict[str, Any]:
        """What was said in the words of one subject, and the defaults of the rest."""
        return {name: getattr(self, name) for name in subject.model_fields}

    def aloud(self, subject: type[Words]) -> dict[str, Any]:
        """What was said in the words of one subject, and nothing else."""
        return {name: value for name, value in self.of(subject).items() if name in self.model_fields_set}

    def refuse_outside(self, where: Where) -> None:
        """Raise InputError where a word was said that means nothing on that backend."""
        for name, known in self.vocabulary().items():
            known.refuse_outside(getattr(self, name), where)

    def named_inputs(self, folder: Path = Path()) -> list[Location]:
        """Every file and database table that is named to be read; no output may overwrite one."""
        known = self.vocabulary()
        return [place for name in known for place in known[name].named_places(getattr(self, name), folder)]

    def named_files(self) -> list[Path]:
        """The files among them."""
        return [path for place in self.named_inputs() if (path := place_at(place).path) is not None]

    def plain(self) -> dict[str, Any]:
        """What was said and is not the default, as plain data for a job file."""
        return self.model_dump(exclude_defaults=True, exclude_none=True)

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The schema of the words as JSON and TOML write them."""
        schema = cls.model_json_schema(schema_generator=_Written)
        for name, said in schema.get("properties", {}).items():
            said["description"] = cls.vocabulary()[name].full_help
            said.pop("x-shoal", None)
        return schema


def told_what_was_said(verb: Callable[_Said, _Made]) -> Callable[_Said, _Made]:
    """Lets a verb tell a word that was said from one that was not, where both come to the default.

    The verb takes further words as ``more``, and reads its own by ``called_with(locals())``.
    """

    @wraps(verb)
    def called(*given: _Said.args, **words: _Said.kwargs) -> _Made:
        return verb(*given, **words, **{_ALOUD: frozenset(words)})  # type: ignore[arg-type]

    return called


class _Written(GenerateJsonSchema):
    """Leaves out of a union what only Python can say, such as an ``Algorithm``."""

    def is_instance_schema(self, schema: core_schema.IsInstanceSchema) -> JsonSchemaValue:
        raise PydanticOmit


def _word(name: str, field: FieldInfo) -> Word:
    extra: Any = field.json_schema_extra or {}
    more = extra["x-shoal"]
    return Word(
        name=name,
        type=field.annotation,
        default=None if field.is_required() else field.get_default(call_default_factory=True),
        help=field.description or "",
        panel=extra["panel"],
        form=more["form"] or _form(field.annotation),
        label=more["label"] or name.replace("_", " ").capitalize(),
        options=(long_option(name), *more["options"]),
        metavar=more["metavar"],
        example=extra["examples"][0] if extra["examples"] else "",
        family=more["family"],
        names_inputs=more["names_inputs"],
        where=tuple(more["where"]),
        idle=tuple(more["idle"]),
        why=more["why"],
        instead=more["instead"],
        formerly=more["formerly"],
    )


def long_option(name: str) -> str:
    """How the command line calls a word."""
    return f"--{name.replace('_', '-')}"


def _form(kind: Any) -> Form:
    """How the command line writes a value of this type."""
    parts = [one for one in (get_args(kind) if _is_union(kind) else (kind,)) if one is not type(None)]
    if parts == [bool]:
        return "flag"
    first = get_origin(parts[0])
    if first is not None and _is_class_of(first, Mapping):
        return "pairs"
    return "names" if first is not None and first is not Literal and not _is_union(parts[0]) else "text"


def _is_class_of(kind: Any, parent: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, parent)


def _is_union(kind: Any) -> bool:
    return get_origin(kind) is typing.Union or type(kind).__name__ == "UnionType"


def _family(name: str) -> Iterable[str]:
    """The names of plug-ins, looked up when somebody reads them."""
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
    """The first complaint."""
    error = problem.errors(include_url=False)[0]
    name, *inside = [str(part) for part in error["loc"]] or [""]
    said, what = error["input"], spelled(name)
    if error["type"] == "extra_forbidden":
        return f"the setting {what} is unknown.{_meant(name, words)}"
    if error["type"] == "missing":
        return f"the setting {what} is missing."
    if error["type"] == "value_error":
        return f"{name} {error['ctx']['error']}" if name else str(error["ctx"]["error"])
    if error["type"] == "literal_error":
        known = words.vocabulary()[name].choices or _known(error["msg"])
        return f"{what} cannot be {said!r}{_inside(inside)}.{did_you_mean(str(said), known)}"
    wanted = _WANTED.get(error["type"], f"be as asked for ({error['msg'][0].lower()}{error['msg'][1:].rstrip('.')})")
    return f"{what} must {wanted}, got {said!r}{_inside(inside)}."


def _meant(name: str, words: type[Words]) -> str:
    """The word that has this as its short option, or where promises are named; otherwise the nearest word."""
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
"""What pydantic complains about, in our words."""


def _inside(where: list[str]) -> str:
    """The column that a value was said for."""
    return f" for {where[0]!r}" if where and where[0] not in ("[key]", "float", "int", "str") else ""


def _begun(sentence: str) -> str:
    """With a capital where it does not begin with a word of the vocabulary."""
    return sentence[0].upper() + sentence[1:] if sentence.startswith("the ") else sentence


def _known(message: str) -> list[str]:
    """The values that pydantic names: ``Input should be 'a', 'b' or 'c'``."""
    return message.split("'")[1::2]
