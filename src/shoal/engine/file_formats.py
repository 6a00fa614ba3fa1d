"""Files that shoal writes and reads again later: job files, run records, saved recodings, each with its version.

A file says in ``format`` what it is, as in ``shoal recoding 2``. Older versions are brought to the present one when
they are read; newer ones are refused, since what they ask for might be passed over. A version changes where an older
shoal would misread the file; to change one, raise its number here, add the step from the last one, and keep an old
file in ``tests/data/formats``.
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
    """A kind of file: what it is called, and how each older version is brought to the next.

    ``unmarked`` is the version of a file that says nothing about its format; None where every file does.
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
        """What a file of this version says."""
        return f"shoal {self.kind} {self.version}"

    def read(self, said: Mapping[str, Any], where: str) -> dict[str, Any]:
        """What a file says, in the words of this version and without its mark.

        Raises:
            InputError: it is another kind of file, or of a version that is not known yet.
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


JOB = Format("job", "job file", unmarked=1)
RUN = Format(
    "run",
    "run record",
    (
        lambda said: {
            "policy": None,
            "preparation": {},
            **said,
            "roles": {"masked": [], **said.get("roles", {})},
        },
    ),
    unmarked=1,
)
RECODING = Format("recoding", "recoding", (lambda said: {"masked": [], "builders": {}, "person": None, **said},))
"""Version 2 has masked columns, which an older shoal would publish as they are."""
