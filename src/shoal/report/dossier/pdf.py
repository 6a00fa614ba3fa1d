"""A dossier as PDF, typeset by typst with its bundled fonts: needs neither a network nor installed fonts."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from shoal.report.dossier.document import Blank, Block, Document
from shoal.report.grids import Bad, Good, Grid

_WIDEST, _NARROW = 60, 18


def render_pdf(document: Document) -> bytes:
    """Return the file. It has no date, so that the same dossier always gives the same bytes."""
    import typst

    template = files("shoal.report.dossier").joinpath("dossier.typ").read_bytes()
    said = {
        "title": document.title,
        "note": document.note,
        "edition": document.edition,
        "parts": [{"title": part.title, "blocks": [*map(_block, part.blocks)]} for part in document.parts],
    }
    made: bytes = typst.compile(template, sys_inputs={"dossier": json.dumps(said)}, format="pdf")
    return made


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Blank):
        return {"kind": "blank", "label": block.label, "lines": block.n_lines}
    if not isinstance(block, Grid):
        return {"kind": "text", "text": block}
    return {
        "kind": "table",
        "caption": block.caption,
        "heads": list(block.heads),
        "rows": [[{"text": text, "tone": _tone(text)} for text in row] for row in block.rows],
        "numeric": list(block.numeric),
        "widths": [None if width <= _NARROW else width for width in widths(block)],
    }


def _tone(text: str) -> str:
    return "good" if isinstance(text, Good) else "bad" if isinstance(text, Bad) else ""


def widths(grid: Grid) -> list[float]:
    """Relative column widths: by their longest texts, but at most that of a long line.

    A column to be filled in by hand gets extra room.
    """
    columns = [[row[i] for row in grid.rows] for i in range(len(grid.heads))]
    longest = [
        max((len(text) for text in (head, *texts)), default=1) for head, texts in zip(grid.heads, columns, strict=True)
    ]
    return [
        float(min(longest, _WIDEST)) if any(texts) else _WIDEST / 2
        for longest, texts in zip(longest, columns, strict=True)
    ]
