"""The stand-in for CENSUS that ``datasets/census/GENERATOR.md`` specifies: same columns and cardinalities, made up."""

from __future__ import annotations

import numpy as np
import polars as pl

QUASI = ["age", "gender", "education", "marital", "race", "workclass", "country"]
_EDUCATION = np.array([8, 10, 15, 20, 40, 30, 35, 40, 45, 290, 140, 90, 60, 45, 150, 60, 22])
_MARITAL = np.array(
    [
        [18, 2, 1, 2, 1, 176],
        [100, 4, 5, 14, 1, 76],
        [130, 4, 6, 30, 4, 26],
        [132, 4, 5, 28, 20, 11],
        [100, 3, 2, 12, 74, 9],
    ]
)
_WORK = np.array([620, 70, 35, 65, 45, 30, 8, 4, 110, 13])
_HOME = np.array([940, 915, 970, 280, 560, 260, 480, 800, 850])


def census(n: int) -> pl.DataFrame:
    """The first ``n`` rows."""
    status = _pick(np.ones((1, 10), np.int64), _draw(n, 0), np.zeros(n, np.int64))
    ages = np.repeat([120, 140, 110, 75, 45, 18, 4], [18, 15, 10, 10, 10, 10, 6])[None]
    age = 17 + _pick(ages, _draw(n, 1))
    gender = _pick(np.array([[49, 51]]), _draw(n, 2))
    levels = np.arange(17)
    wanted = _EDUCATION * np.maximum(2, 12 - np.abs(levels - (4 + np.arange(10)[:, None]))) ** 2
    education = _pick(wanted, _draw(n, 3), status)
    marital = _pick(_MARITAL, _draw(n, 4), np.searchsorted([25, 35, 55, 70], age, side="right"))
    race = _pick(np.array([[765, 115, 9, 10, 4, 28, 45, 21, 3]]), _draw(n, 5))
    work = np.array([np.where(np.arange(10) == 8, _WORK * factor, _WORK) for factor in (4, 1, 12)])
    workclass = _pick(work, _draw(n, 6), np.searchsorted([20, 65], age, side="right"))
    abroad = 1 + (_pick((10000 // (np.arange(82) + 2))[None], _draw(n, 8)) + 9 * race) % 82
    country = np.where((_draw(n, 7) * 1000) >> 32 < _HOME[race], 0, abroad)
    jobs = np.arange(50)
    base = (100 + 37 * ((7 * jobs) % 11)) * np.where(jobs % 4 == np.arange(2)[:, None], 3, 1)
    near = np.maximum(3, 25 - np.abs(jobs - (5 * np.arange(10)[:, None] + 2))) ** 2
    weights = (base[:, None, :] * near[None]).reshape(20, 50)
    occupation = _pick(weights, _draw(n, 9), gender * 10 + status)
    target = np.minimum(
        49, 3 * status + education + np.array([0, 3, 6, 2])[np.searchsorted([25, 35, 65], age, "right")]
    )
    pay = (10 + (13 * jobs) % 17) * np.maximum(3, 24 - np.abs(jobs - np.arange(50)[:, None])) ** 2
    salary = _pick(pay, _draw(n, 10), target)
    columns = (age, gender, education, marital, race, workclass, country, occupation, salary)
    return pl.DataFrame(dict(zip([*QUASI, "occupation", "salary"], columns, strict=True)))


def _draw(n: int, column: int) -> np.ndarray:
    """32 random bits for each row."""
    z = np.uint64(2010) + (np.arange(n, dtype=np.uint64) * np.uint64(16) + np.uint64(column + 1)) * np.uint64(
        0x9E3779B97F4A7C15
    )
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(32)).astype(np.int64)


def _pick(weights: np.ndarray, drawn: np.ndarray, which: np.ndarray | None = None) -> np.ndarray:
    """The value that each row draws by the weights of its kind."""
    which = np.zeros(drawn.size, np.int64) if which is None else which
    picked = np.empty(drawn.size, np.int64)
    for kind, row in enumerate(weights):
        mine = which == kind
        sums = np.cumsum(row)
        picked[mine] = np.searchsorted(sums, (drawn[mine] * int(sums[-1])) >> 32, side="right")
    return picked
