"""The files of a dossier: one for each edition and format, as far as the necessary packages are installed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

Edition = Literal["internal", "public"]

EDITIONS: tuple[Edition, ...] = ("internal", "public")
ENDINGS = (".html", ".pdf", ".docx")
_NEEDED = {".pdf": ("typst", "typst"), ".docx": ("docx", "python-docx")}


def formats() -> list[str]:
    """The file extensions that can be written on this machine."""
    return [ending for ending in ENDINGS if ending not in _NEEDED or find_spec(_NEEDED[ending][0])]


def missing_formats() -> str:
    """One sentence on how to enable the other formats; empty if none is missing."""
    lacking = [ending for ending in ENDINGS if ending not in formats()]
    packages = [_NEEDED[ending][1] for ending in lacking]
    said = " and ".join(ending.removeprefix(".").upper() for ending in lacking)
    return f"{said} need {' and '.join(packages)}: pip install 'shoal[dossier]'." if lacking else ""


def dossier_paths(folder: Path, endings: Iterable[str] | None = None) -> dict[tuple[Edition, str], Path]:
    """The path of each file by edition and extension; by default all extensions that can be written."""
    wanted = formats() if endings is None else list(endings)
    return {(edition, ending): folder / f"{edition}{ending}" for edition in EDITIONS for ending in wanted}
