"""Ages in bands of five years, with the oldest in one group."""

from __future__ import annotations

from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Sight
from shoal.io.inspect.hierarchies.fit import Fit

_AGES = "age, ages, alter, edad, eta, leeftijd"
_OLDEST, _TOP = 130, 90
_CUTS = "/".join(str(age) for age in range(0, _TOP + 5, 5))


def fit(column: Sight) -> Fit | None:
    """Match integers in the range of ages, if the column is named like an age."""
    if column.kind != "numeric" or not hints.has(_AGES, column.normal):
        return None
    are_ages = column.numbers.is_between(0, _OLDEST).all() and (column.numbers == column.numbers.round()).all()
    if not are_ages or float(column.numbers.max()) < 15:  # type: ignore[arg-type]
        return None
    why = f"ages in bands of 5, 10 and 20 years; everybody from {_TOP} on is one group, since the oldest are few"
    return Fit(f"intervals:cuts={_CUTS},factors=2/2", why)
