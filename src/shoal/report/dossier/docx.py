"""A dossier as a Word file, to be completed and signed."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

from shoal.report.dossier.document import Blank, Block, Document
from shoal.report.dossier.pdf import widths
from shoal.report.grids import Bad, Good, Grid

_COLOURS = {Good: "1C7A43", Bad: "B3261E"}
_WIDTH_MM = 174
_LONGEST = 16
"""Words of up to this many letters are kept on one line."""
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def render_docx(document: Document) -> bytes:
    """Return the file. Its properties hold the title, no author, and a fixed date."""
    import docx

    made = docx.Document()
    _page(made)
    made.core_properties.title, made.core_properties.author = document.title, ""
    made.core_properties.comments = ""
    made.core_properties.created = made.core_properties.modified = _EPOCH
    made.add_heading(document.title, 0)
    made.add_paragraph(f"shoal · dossier, {document.edition} edition", "Subtitle")
    made.add_paragraph(document.note, "Intense Quote")
    for number, part in enumerate(document.parts, 1):
        made.add_heading(f"{number}. {part.title}", 1)
        for block in part.blocks:
            _add(made, block)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _page(made: Any) -> None:
    """A4 with small margins, and text of 10 points."""
    from docx.shared import Mm, Pt

    section = made.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(18)
    section.top_margin = section.bottom_margin = Mm(18)
    made.styles["Normal"].font.size = Pt(10)


def _add(made: Any, block: Block) -> None:
    if isinstance(block, Blank):
        made.add_paragraph(block.label).paragraph_format.keep_with_next = True
        for _ in range(block.n_lines):
            made.add_paragraph("_" * 80)
    elif isinstance(block, Grid):
        _add_table(made, block)
    else:
        made.add_paragraph(_clean(block))


def _add_table(made: Any, grid: Grid) -> None:
    from docx.shared import Mm

    made.add_paragraph(_clean(grid.caption), "Caption").paragraph_format.keep_with_next = True
    table = made.add_table(rows=1, cols=len(grid.heads), style="Light Grid Accent 1")
    table.autofit = False
    size = 7 if len(grid.heads) > 5 else 9
    lengths = [Mm(length) for length in _lengths(grid, size)]
    for column, length in zip(table.columns, lengths, strict=True):
        column.width = length  # some readers use the column width, others that of the cells
    _fill(table.rows[0], grid.heads, grid, lengths, size)
    _mark(table.rows[0], "w:tblHeader")
    table.rows[0].cells[0].paragraphs[0].paragraph_format.keep_with_next = True
    for row in grid.rows:
        added = table.add_row()
        _fill(added, row, grid, lengths, size)
        _mark(added, "w:cantSplit")
    made.add_paragraph()


def _lengths(grid: Grid, size: int) -> list[float]:
    """Column widths in millimetres: first room for the longest words, the rest in proportion to their texts."""
    letter = 0.22 * size
    columns = [[head, *(row[i] for row in grid.rows)] for i, head in enumerate(grid.heads)]
    words = [max((len(word) for text in texts for word in text.split()), default=1) for texts in columns]
    least = [letter * min(longest, _LONGEST) + 5 for longest in words]
    parts, rest = widths(grid), max(0.0, _WIDTH_MM - sum(least))
    lengths = [own + rest * part / sum(parts) for own, part in zip(least, parts, strict=True)]
    return [length * _WIDTH_MM / sum(lengths) for length in lengths]


def _fill(row: Any, texts: Any, grid: Grid, lengths: list[Any], size: int) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt, RGBColor

    for i, (cell, text) in enumerate(zip(row.cells, texts, strict=True)):
        cell.width = lengths[i]
        paragraph = cell.paragraphs[0]
        run = paragraph.add_run(_clean(text))
        run.font.size = Pt(size)
        run.bold = i == 0 and grid.headed
        if colour := _COLOURS.get(type(text)):  # type: ignore[call-overload]
            run.font.color.rgb = RGBColor.from_string(colour)
        if i in grid.numeric:
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _mark(row: Any, how: str) -> None:
    """Mark a row as the header on every page (``w:tblHeader``), or keep it on one page (``w:cantSplit``)."""
    from docx.oxml import OxmlElement

    row._tr.get_or_add_trPr().append(OxmlElement(how))


def _clean(text: str) -> str:
    """Remove characters that XML cannot hold."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else " " for sign in text)
