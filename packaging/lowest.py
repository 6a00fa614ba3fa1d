"""The lowest versions that pyproject.toml allows, as constraints for pip: ``python packaging/lowest.py [EXTRA ...]``.

``make lowest`` installs them in an environment of their own and runs tests there, so that a floor that is too low, or a
version that does not exist, is found before a user finds it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
_FLOOR = re.compile(r"([A-Za-z0-9._-]+)>=([0-9][0-9.]*)")


def lowest(extras: Iterable[str] = ()) -> Iterator[str]:
    """One pin per dependency, and per dependency of the extras.

    Raises:
        ValueError: a dependency has no lowest version.
    """
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    named = [one for extra in extras for one in project["optional-dependencies"][extra]]
    for needed in dict.fromkeys([*project["dependencies"], *named]):
        found = _FLOOR.fullmatch(needed)
        if found is None:
            raise ValueError(f"{needed!r} in pyproject.toml does not say its lowest version as name>=version.")
        yield f"{found[1]}=={found[2]}"


if __name__ == "__main__":
    sys.stdout.write("\n".join([*lowest(sys.argv[1:]), ""]))
