"""Leaks in workbooks: properties, comments, hidden sheets, strings that no cell uses."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import polars as pl

from shoal.audit.knowledge import Leak

_PROPERTIES = ("creator", "lastModifiedBy", "title", "subject", "description", "keywords", "Company", "Manager")
_PARTS = {
    "xl/comments": ("comments", "remove them"),
    "xl/threadedComments": ("comments", "remove them"),
    "xl/pivotCache": ("a pivot table with a copy of its source", "remove it"),
    "xl/externalLinks": ("links to other files", "break them"),
    "xl/vbaProject": ("macros", "save it without"),
    "customXml": ("custom parts", "remove them"),
    "docProps/custom": ("custom properties", "remove them"),
}


def look_at_excel(path: Path, frame: pl.DataFrame) -> tuple[list[Leak], int]:
    """Check document properties, parts besides the sheets, hidden and further sheets, and shared strings."""
    try:
        with ZipFile(path) as file:
            names = file.namelist()
            read = {name: file.read(name).decode("utf-8", "replace") for name in names if name.endswith(".xml")}
    except BadZipFile:
        return [], 0
    leaks = _properties(read) + _parts(names) + _sheets(read) + _strings(read)
    return leaks, len(_PROPERTIES) + len(_PARTS) + 2


def _properties(read: dict[str, str]) -> list[Leak]:
    leaks = []
    text = read.get("docProps/core.xml", "") + read.get("docProps/app.xml", "")
    for name in _PROPERTIES:
        found = re.search(rf"<(?:\w+:)?{name}[^>]*>([^<]+)</", text)
        if found and found[1].strip():
            leaks.append(Leak("document properties", f"{name} is {found[1].strip()[:60]!r}", "clear it"))
    return leaks


def _parts(names: list[str]) -> list[Leak]:
    return [
        Leak("the workbook", f"it holds {what}", remedy)
        for part, (what, remedy) in _PARTS.items()
        if any(name.startswith(part) for name in names)
    ]


def _sheets(read: dict[str, str]) -> list[Leak]:
    sheets = re.findall(r"<sheet [^>]*>", read.get("xl/workbook.xml", ""))
    hidden = [sheet for sheet in sheets if re.search(r'state="(?:veryH|h)idden"', sheet)]
    if hidden:
        return [Leak("the workbook", f"{len(hidden)} of its {len(sheets)} sheets are hidden", "remove them")]
    if len(sheets) > 1:
        return [Leak("the workbook", f"it has {len(sheets)} sheets", "keep the one with the release")]
    return []


def _strings(read: dict[str, str]) -> list[Leak]:
    """Strings in the shared table that no cell of any sheet refers to."""
    n_strings = len(re.findall(r"<si\b", read.get("xl/sharedStrings.xml", "")))
    used: set[str] = set()
    for name, text in read.items():
        if name.startswith("xl/worksheets/"):
            used |= set(re.findall(r'<c [^>]*t="s"[^>]*><v>(\d+)</v>', text))
    n_unused = n_strings - len(used)
    if n_unused <= 0:
        return []
    return [Leak("the workbook", f"it holds {n_unused:,} texts that no cell uses", "write the file anew")]
