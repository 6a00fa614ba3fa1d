"""The function that writes each file format of a dossier."""

from __future__ import annotations

from collections.abc import Callable

from shoal.report.dossier.document import Document
from shoal.report.dossier.docx import render_docx
from shoal.report.dossier.html import render_html
from shoal.report.dossier.pdf import render_pdf

RENDERERS: dict[str, Callable[[Document], bytes]] = {".html": render_html, ".pdf": render_pdf, ".docx": render_docx}
