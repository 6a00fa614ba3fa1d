"""A document independent of its format: numbered sections of sentences, tables and lines to fill in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shoal.report.dossier.files import Edition
from shoal.report.grids import Grid


@dataclass(frozen=True)
class Blank:
    """One or more lines to fill in by hand."""

    label: str
    n_lines: int = 1


Block = str | Grid | Blank


@dataclass(frozen=True)
class Part:
    """A section. Tables without rows are left out."""

    title: str
    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, title: str, *blocks: Block | Iterable[Block]) -> Part:
        """Build a section from blocks and lists of blocks."""
        return cls(title, tuple(block for block in _flat(blocks) if not isinstance(block, Grid) or block.rows))

    def texts(self) -> Iterator[str]:
        """All texts of the section."""
        yield self.title
        for block in self.blocks:
            yield from _texts(block)


@dataclass(frozen=True)
class Document:
    """A dossier: its title, who may read it, and its sections, which are numbered from 1."""

    title: str
    edition: Edition
    note: str
    parts: tuple[Part, ...]

    def texts(self) -> Iterator[str]:
        """All texts of the document, for tests and searches."""
        yield from (self.title, self.note)
        for part in self.parts:
            yield from part.texts()


def _flat(blocks: Iterable[Block | Iterable[Block]]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, str | Grid | Blank):
            yield block
        else:
            yield from block


def _texts(block: Block) -> Iterator[str]:
    if isinstance(block, Grid):
        yield from (block.caption, *block.heads, *(text for row in block.rows for text in row))
    else:
        yield block.label if isinstance(block, Blank) else block
