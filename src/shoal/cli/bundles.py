"""Options that are written elsewhere: a dataclass among a command's parameters stands for its fields.

The dataclass is the parameter's type, or is named in its ``Annotated`` type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Any, get_args, get_type_hints


def bundled(function: Callable[..., None]) -> Callable[..., None]:
    """The same command for typer, with the fields of each dataclass in place of the parameter.

    >>> from dataclasses import dataclass
    >>> Point = dataclass(type("Point", (), {"__annotations__": {"x": int, "y": int}}))
    >>> def show(point: Point, loud: bool): print(point.x + point.y, loud)
    >>> show.__annotations__["point"] = Point
    >>> bundled(show)(x=1, y=2, loud=False)
    3 False
    """
    hints = get_type_hints(function, include_extras=True)
    hints = {name: next((m for m in get_args(kind)[1:] if is_dataclass(m)), kind) for name, kind in hints.items()}
    bundles: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    def command(**said: Any) -> None:
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
        yield Parameter(given.name, Parameter.KEYWORD_ONLY, default=given.default, annotation=kind)
        return
    types = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=types[field.name])
