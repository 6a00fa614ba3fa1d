"""The exceptions that shoal raises deliberately.

::

    ShoalError
    ├── InputError           the table, schema, hierarchy, job or parameter is not usable   (exit 2)
    │   └── ImpossibleGoal   no release of this table can satisfy the models: k > n, ...    (exit 2)
    ├── GoalNotMet           the algorithm found no release, or a checked table fails       (exit 1)
    └── BrokenPromise        our own release failed its check: a bug of ours                (exit 3)

Every message is one sentence or two: what was expected, what was found, what to do.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class ShoalError(Exception):
    """The base class; catch it to catch everything that shoal raises deliberately.

    >>> import shoal
    >>> try:
    ...     shoal.KAnonymity(0)
    ... except shoal.ShoalError as problem:
    ...     print(problem)
    k must be at least 1, got 0.
    """

    exit_status: ClassVar[int] = 2


class InputError(ShoalError, ValueError):
    """Something given to shoal cannot be used as it is.

    >>> import shoal
    >>> shoal.KAnonymity(0)
    Traceback (most recent call last):
        ...
    shoal.errors.InputError: k must be at least 1, got 0.
    """


class ImpossibleGoal(InputError):
    """No release of this table, by any algorithm, could satisfy the requested privacy models.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"age": [23, 25, 61]})
    >>> shoal.anonymize(table, quasi_identifiers=["age"], privacy=shoal.KAnonymity(5))
    Traceback (most recent call last):
        ...
    shoal.errors.ImpossibleGoal: k = 5 needs at least 5 rows, but the table has 3; ask for k of at most 3.
    """


class GoalNotMet(ShoalError):
    """The goal could not be met, or a checked table does not satisfy its privacy models.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> try:
    ...     shoal.anonymize(table, levels=[1], **words)
    ... except shoal.GoalNotMet as problem:
    ...     print(problem.exit_status)
    1
    """

    exit_status: ClassVar[int] = 1


class BrokenPromise(ShoalError):
    """A release failed the independent check. This is a bug in shoal; nothing was written.

    >>> import shoal
    >>> shoal.BrokenPromise.exit_status
    3
    """

    exit_status: ClassVar[int] = 3


class Deprecated(DeprecationWarning):
    """An old name was used that still works; the message gives the new name and the version that removes the old one.

    The command line prints it on standard error; in the library, Python shows it like any DeprecationWarning.

    >>> import warnings
    >>> import shoal
    >>> warnings.simplefilter("error", shoal.Deprecated)  # to find every old spelling in a program
    """


def did_you_mean(wanted: str, known: Iterable[str]) -> str:
    """A hint to append to a message: the closest known name, or the first twelve known names.

    >>> did_you_mean("agee", ["age", "zip"])
    " Did you mean 'age'?"
    """
    names = list(known)
    close = get_close_matches(wanted, names, n=1, cutoff=0.6)
    if close:
        return f" Did you mean {close[0]!r}?"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f" Known: {shown}." if names else ""
