"""A dossier as one self-contained HTML file."""

from __future__ import annotations

from shoal.report.dossier.document import Blank, Block, Document
from shoal.report.grids import Grid
from shoal.report.html_edition import page
from shoal.report.markup import Markup, element
from shoal.report.sections import paragraphs, section, table


def render_html(document: Document) -> bytes:
    """Render the page."""
    note = element("p", document.note, class_="note" if document.edition == "public" else "note secret")
    parts = [
        section(f"{number}. {part.title}", *map(_block, part.blocks)) for number, part in enumerate(document.parts, 1)
    ]
    return page(document.title, note, *parts, eyebrow=f"shoal · dossier, {document.edition} edition").encode()


def _block(block: Block) -> Markup:
    if isinstance(block, Grid):
        return table(block)
    if isinstance(block, Blank):
        lines = [element("span", class_="line") for _ in range(block.n_lines)]
        return element("p", block.label, *lines, class_="blank")
    return paragraphs([block])
