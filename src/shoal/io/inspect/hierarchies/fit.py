"""A hierarchy that suits a column, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fit:
    """How a job file says the hierarchy, and the reason; ``is_code`` where it suits sensitive columns, too."""

    spec: Any
    why: str
    is_code: bool = False
