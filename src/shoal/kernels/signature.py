"""What a kernel is compiled for."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types


class Signature(NamedTuple):
    """A kernel, the types of its arguments, about how many seconds it takes to compile, and what needs it."""

    kernel: Any
    arguments: tuple[Any, ...]
    seconds: float
    parts: tuple[str, ...]


def tuple_of(named: type | None, *fields: Any) -> Any:
    """The type of a tuple with these fields; ``named`` is the class of a named tuple."""
    return types.BaseTuple.from_types(fields, named)
