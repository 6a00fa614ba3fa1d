"""Notes on columns that a full-domain release could only keep or star."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shoal.core.domain import Domain
from shoal.core.release import ClaimVerdict
from shoal.core.schema import Schema
from shoal.core.table import QuasiColumn

_FEW = 2
"""With this many values there is nothing between a value and the star."""


def claimed_levels(claims: Sequence[ClaimVerdict]) -> Sequence[int]:
    """The level of each column of a full-domain release; empty for other releases."""
    return next((verdict.figures["levels"] for verdict in claims if "levels" in verdict.figures), ())


def notes_on_missing_hierarchies(quasi: Sequence[QuasiColumn], schema: Schema, levels: Sequence[int]) -> Iterator[str]:
    """One sentence if columns without a hierarchy were starred throughout, with builders that make one.

    One level per column has the least loss only among the existing levels: without a hierarchy these are the value and
    the star.
    """
    bare = [
        column
        for column, level in zip(quasi, levels, strict=False)
        if level > 0 and column.name not in schema.hierarchies and column.domain.n_leaves > _FEW
    ]
    if bare:
        offered = " ".join(f"--hierarchy {column.name}={_builder(column.domain)}" for column in bare)
        names = ", ".join(column.name for column in bare)
        yield (
            f"Without a hierarchy a full-domain release can only keep a column or star all of it, and starred {names}; "
            f"give one, as in {offered}, or use the default algorithm."
        )


def _builder(domain: Domain) -> str:
    """The builder that makes a hierarchy of such values without parameters."""
    texts = [text for code, text in enumerate(domain.texts) if code != domain.missing]
    if domain.kind == "nominal" and len({len(text) for text in texts}) == 1 and all(text.isdigit() for text in texts):
        return "mask"
    return {"numeric": "intervals", "date": "dates"}.get(domain.kind, "fanout")
