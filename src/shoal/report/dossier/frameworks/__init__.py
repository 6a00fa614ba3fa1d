"""Which part of the dossier answers each field of the regulations, standards and guidance that boards use.

``field`` defines a field; one framework per file.
"""

from __future__ import annotations

from collections.abc import Sequence

from shoal.report.dossier.document import Part
from shoal.report.dossier.frameworks.ema_health_canada import EMA_HEALTH_CANADA
from shoal.report.dossier.frameworks.field import Field, Framework
from shoal.report.dossier.frameworks.hipaa_expert import HIPAA_EXPERT
from shoal.report.dossier.frameworks.ico import ICO
from shoal.report.dossier.frameworks.iso_27559 import ISO_27559
from shoal.report.dossier.frameworks.nist_800_188 import NIST_800_188
from shoal.report.dossier.statement import STEWARD
from shoal.report.grids import Grid

__all__ = ["ALL", "HEADS", "Field", "Framework", "annex"]

ALL: tuple[Framework, ...] = (EMA_HEALTH_CANADA, ISO_27559, NIST_800_188, HIPAA_EXPERT, ICO)

HEADS = ["Field", "Section", "Where in it"]


def annex(parts: Sequence[Part]) -> list[Grid]:
    """A table for each framework, with section numbers; what the dossier cannot answer is left to the steward."""
    numbers = {part.title: f"{number}. {part.title}" for number, part in enumerate(parts, 1)}
    told = {part.title: set(part.texts()) for part in parts}
    return [
        Grid(
            f"{one.name}: {one.edition}",
            HEADS,
            [[asked, numbers[title], where if where in told[title] else STEWARD] for asked, title, where in one.fields],
        )
        for one in ALL
    ]
