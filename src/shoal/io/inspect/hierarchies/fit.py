"""A hierarchy that suits a column, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fit:
    """The hierarchy as in a job file, and the reason; ``is_code`` if it also suits sensitive columns."""

    spec: Any
    why: str
    is_code: bool = False
