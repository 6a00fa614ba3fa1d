"""A small stream of pseudo-random numbers for searches, seeded with a number that the caller drew."""

from __future__ import annotations

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner

_MASK = (1 << 32) - 1
_SCALE = 1.0 / (1 << 32)


@inner
def draw(state: Array) -> int:
    """The next 32 bits (Marsaglia's xorshift); ``state`` is one int64 between 1 and 2**32 − 1."""
    x = state[0]
    x ^= (x << 13) & _MASK
    x ^= x >> 17
    x ^= (x << 5) & _MASK
    state[0] = x
    return int(x)


@inner
def below(state: Array, n: int) -> int:
    """A number between 0 and ``n − 1``."""
    return int((draw(state) * n) >> 32)


@inner
def fraction(state: Array) -> float:
    """A number between 0 and 1."""
    return float(draw(state) * _SCALE)
