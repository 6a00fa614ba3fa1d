"""The files of a dossier: one for each edition and format, as far as what makes them is installed."""

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
    """The endings that can be written here."""
    return [ending for ending in ENDINGS if ending not in _NEEDED or find_spec(_NEEDED[ending][0])]


def missing_formats() -> str:
    """How to have the others, in a sentence; empty where none is missing."""
    lacking = [ending for ending in ENDINGS if ending not in formats()]
    packages = [_NEEDED[ending][1] for ending in lacking]
    said = " and ".join(ending.removeprefix(".").upper() for ending in lacking)
    return f"{said} need {' and '.join(packages)}: pip install 'shoal[dossier]'." if lacking else ""


def dossier_paths(folder: Path, endings: Iterable[str] | None = None) -> dict[tuple[Edition, str], Path]:
    """Every file of a dossier by edition and ending: those that can be written here, unless it is said."""
    wanted = formats() if endings is None else list(endings)
    return {(edition, ending): folder / f"{edition}{ending}" for edition in EDITIONS for ending in wanted}
