"""The commands of a page of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]


def commands(page: Path) -> list[str]:
    """The lines of the page's shell blocks, also of those inside a list."""
    blocks = re.findall(r"```shell\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines() if line.strip()]
