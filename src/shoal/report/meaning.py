"""What a promise means, in the model's own words."""

from __future__ import annotations

import re

from shoal.core.contracts import PrivacyModel
from shoal.report.figures import figure


def meaning(model: PrivacyModel) -> str:
    """What a promise means, with its own number in place of the letter.

    Models describe themselves with their flag as a capital letter: "at least K - 1 others; K is …"; what
    follows a semicolon is about the command line.
    """
    text = model.summary.partition(";")[0]
    value = getattr(model, model.flag, None)
    if isinstance(value, int | float):
        letter = re.escape(model.flag.upper())
        text = re.sub(rf"\b{letter} - 1\b", figure(value - 1), text)
        text = re.sub(rf"\b{letter}\b", figure(value), text)
    return text[:1].upper() + text[1:] + "."
