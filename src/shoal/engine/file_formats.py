"""Formats of files that shoal writes and reads again: job files, run records, saved recodings, each with a version.

A file states its format in ``format``, as in ``shoal recoding 2``. Older versions are converted to the current one when
they are read; newer ones are refused, because their settings might be ignored. A version changes if an older shoal
would misread the file; to change one, raise its number here, add the step from the last one, and keep an old file in
``tests/data/formats``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shoal.errors import InputError

_MARK = re.compile(r"shoal ([a-z]+) (\d+)")

Step = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Format:
    """A kind of file: its name, and how each older version is converted to the next.

    ``unmarked`` is the version of a file without a format; None if every file has one.
    """

    kind: str
    article: str
    steps: tuple[Step, ...] = ()
    unmarked: int | None = None

    @property
    def version(self) -> int:
        """The version that is written."""
        return len(self.steps) + 1

    @property
    def mark(self) -> str:
        """The format entry of a file of this version."""
        return f"shoal {self.kind} {self.version}"

    def read(self, said: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The content of a file, converted to this version and without its format entry.

        Raises:
            InputError: it is another kind of file, or of a newer version.
        """
        content = dict(said)
        version = self._version_of(content.pop("format", None), where)
        for step in self.steps[version - 1 :]:
            content = step(content)
        return content

    def _version_of(self, mark: object, where: str) -> int:
        found = _MARK.fullmatch(mark) if isinstance(mark, str) else None
        if mark is None and self.unmarked is not None:
            return self.unmarked
        if found is None or found[1] != self.kind or int(found[2]) < 1:
            told = "says nothing about its format" if mark is None else f"is of the format {mark!r}"
            raise InputError(f"{where} is not a {self.article}: it {told}, not {self.mark!r}.")
        if int(found[2]) > self.version:
            raise InputError(
                f"{where} is of the format {mark!r}, and this version of shoal reads none above {self.mark!r}; update "
                "shoal."
            )
        return int(found[2])


def _with_preparation(said: dict[str, Any]) -> dict[str, Any]:
    return {"policy": None, "preparation": {}, **said, "roles": {"masked": [], **said.get("roles", {})}}


JOB = Format("job", "job file", unmarked=1)
RUN = Format("run", "run record", (_with_preparation,), unmarked=1)
RECODING = Format("recoding", "recoding", (lambda said: {"masked": [], "builders": {}, "person": None, **said},))
"""Version 2 has masked columns, which an older shoal would publish unchanged."""
