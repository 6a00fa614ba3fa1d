"""Options declared as dataclasses: typer gets the fields of a dataclass instead of the parameter.

The dataclass is the parameter's type, or is named in its ``Annotated`` type. A function named there parses the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, isfunction, signature
from typing import Annotated, Any, get_args, get_type_hints


def bundled(function: Callable[..., None]) -> Callable[..., None]:
    """The command for typer, with each dataclass parameter replaced by the fields of the dataclass.

    >>> from dataclasses import dataclass
    >>> Point = dataclass(type("Point", (), {"__annotations__": {"x": int, "y": int}}))
    >>> def show(point: Point, loud: bool): print(point.x + point.y, loud)
    >>> show.__annotations__["point"] = Point
    >>> bundled(show)(x=1, y=2, loud=False)
    3 False
    """
    hints = get_type_hints(function, include_extras=True)
    hints = {name: next((m for m in get_args(kind)[1:] if is_dataclass(m)), kind) for name, kind in hints.items()}
    readers = {name: made for name, kind in hints.items() for made in get_args(kind)[1:] if isfunction(made)}
    bundles: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    def command(**said: Any) -> None:
        said |= {name: read(said[name]) for name, read in readers.items()}
        made = {name: kind(**{f.name: said.pop(f.name) for f in fields(kind)}) for name, kind in bundles.items()}
        function(**said, **made)

    parameters = [one for given in signature(function).parameters.values() for one in _spread(given, hints)]
    command.__doc__ = function.__doc__
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return command


def _spread(given: Parameter, hints: dict[str, Any]) -> Iterator[Parameter]:
    """The parameter itself, or one for each field of its dataclass."""
    kind = hints[given.name]
    if not is_dataclass(kind):
        yield Parameter(given.name, Parameter.KEYWORD_ONLY, default=given.default, annotation=_shown(kind))
        return
    types = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=types[field.name])


def _shown(kind: Any) -> Any:
    """The type for typer: text instead of a type with a parser function, which typer does not know."""
    rest = get_args(kind)[1:]
    if not any(isfunction(made) for made in rest):
        return kind
    return Annotated[str, *(made for made in rest if not isfunction(made))]
