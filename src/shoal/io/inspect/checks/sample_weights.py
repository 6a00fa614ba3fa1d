"""Sample weights: how many people of the population a row represents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Advice, Sight

WEIGHTS = (
    "*wgt*, wt, wts, weights, "
    "(sampl*|survey|design|final|instance|person|household|hh|calibrat*|replicate|rake*|pop*|analysis) weight*, "
    "weight (factor|final|#), *gewichtung*, hochrechnung*, gewichtungsfaktor, "
    "(stichproben|design|personen|haushalts|querschnitts) gewicht*, pond*, "
    "(facteur|coefficient) (extrapol*|pond*), factor (expansion|elevacion|de expansion), fattore espansione, "
    "peso (campionario|muestral), poids (sondage|enquete), weegfactor"
)
BODY = "weight, weights, gewicht, poids, peso"
_BODIES = (30.0, 130.0)
_FEW = 20


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns of sample weights by their names and by values that cannot be body weights; they are dropped.

    Nobody knows a person's sample weight, but many weights are unique: published, they distinguish rows and link
    tables.
    """
    for column in columns:
        if is_sample_weight(column):
            what = (
                f"{column.name!r} is a sample weight. It is left out, because many weights occur only once. To weight "
                "risks by it, name it as sample_weight; to publish it, as one of others."
            )
            yield Advice((column.name,), what, {"identifiers": [column.name]})


def is_sample_weight(column: Sight) -> bool:
    """Whether name and values indicate a sample weight."""
    if column.kind != "numeric" or not column.n_distinct or float(column.numbers.min()) < 0:  # type: ignore[arg-type]
        return False
    if hints.has(WEIGHTS, column.normal):
        return True
    return column.normal in ("_w_", *(f"_{name}_" for name in BODY.split(", "))) and not _are_bodies(column)


def _are_bodies(column: Sight) -> bool:
    """Whether these are body weights in kilograms or pounds: many different values, half of them between 30 and 130."""
    median = float(column.numbers.repeat_by(column.counts).explode().median() or 0)  # type: ignore[arg-type]
    steps = (column.numbers * 10 - (column.numbers * 10).round()).abs()
    return (
        column.n_distinct > _FEW
        and _BODIES[0] <= median <= 3 * _BODIES[1]
        and bool((steps < 1e-6).all())
        and float(column.numbers.max()) < 700  # type: ignore[arg-type]
        and column.numbers.is_between(*_BODIES).any()
    )
