"""The meaning of a privacy model, in its own words."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from shoal.core.contracts import PrivacyModel
from shoal.report.figures import figure


def meaning(model: PrivacyModel) -> str:
    """Describe a privacy model, with its parameters in place of the letters.

    Models describe themselves with their flag or parameters as capital letters: "at least K - 1 others".
    """
    text = model.means
    said: dict[str, Any] = dataclasses.asdict(model) if dataclasses.is_dataclass(model) else {}
    for name, value in ({model.flag: getattr(model, model.flag, None)} | said).items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            letter = re.escape(name.upper())
            text = re.sub(rf"\b{letter} - 1\b", figure(value - 1), text)
            text = re.sub(rf"\b{letter}\b", figure(value), text)
    return text[:1].upper() + text[1:] + "."
