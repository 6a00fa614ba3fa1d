"""What each privacy model measures in one group of people, by its definition.

A twin takes the model, the sensitive values of each member and those of every row of the original table, and
returns what ``measure`` returns: larger is safer. Add one per model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import e, inf, lgamma, log, log2
from typing import Any

from naive.plain import grouped

People = Sequence[Mapping[str, object]]
Number = float | Fraction
Twin = Callable[[Any, People, People], Number]
Column = Callable[[Any, Sequence[object], Sequence[object]], Number]
"""The same for the values of one sensitive column."""

HAIR = Fraction(1, 10**15)
"""What a strict promise must be kept by."""


def k_anonymity(model: Any, people: People, everybody: People) -> Number:
    """How many they are."""
    return len(people)


def largest_risk(model: Any, people: People, everybody: People) -> Number:
    """How many they are: one over that is the risk."""
    return len(people)


def _least_size(risk: float) -> int:
    """The smallest number of people among whom a guess is right with at most this chance."""
    return next(size for size in range(1, 10**6) if float(Fraction(1, size)) <= risk)


def _one_over(model: Any, people: People, everybody: People) -> Number:
    """Without weights every row stands for itself."""
    return -1 / len(people)


def _rarely_reached(model: Any) -> int:
    """The fewest records that k people of the population leave with a chance of at most the significance."""
    rate = model.k * model.sample / model.population
    chances = [e ** (records * log(rate) - rate - lgamma(records + 1)) for records in range(model.k + 1)]
    if model.estimator == "truncated":
        chances = [0.0, *(chance / (1 - e**-rate) for chance in chances[1:])]
    sizes = range(1, model.k + 1)
    return next((size for size in sizes if sum(chances[:size]) >= 1 - model.significance), model.k)


def _worst(judge: Column) -> Twin:
    """The least safe column, and in it the least safe of those who agree on all other sensitive columns."""

    def twin(model: Any, people: People, everybody: People) -> Number:
        names = [model.of] if model.of is not None else list(people[0])
        found: list[Number] = []
        for name in names:
            others = [other for other in people[0] if other != name and model.others == "quasi"]
            keyed: list[tuple[Hashable, object]] = [(tuple(p[o] for o in others), p[name]) for p in people]
            found += [judge(model, values, [p[name] for p in everybody]) for values in grouped(keyed)]
        return min(found)

    return twin


def _l_diversity(model: Any, values: Sequence[object], everybody: Sequence[object]) -> Number:
    """By kind."""
    counts = sorted(Counter(values).values(), reverse=True)
    n = len(values)
    if model.kind == "distinct":
        return len(counts)
    if model.kind == "frequency":
        return Fraction(n, counts[0])
    if model.kind == "recursive":
        tail = sum(counts[model.l - 1 :])
        return Fraction(-counts[0], tail) if tail else -inf
    if model.kind == "entropy":
        return float(e ** sum(-c / n * log(c / n) for c in counts))
    return float(min(e ** (_grassberger(n) - sum(c * _grassberger(c) for c in counts) / n), len(counts)))


def _grassberger(count: int) -> float:
    """ψ(n) + (−1)^n / 2 · (ψ((n + 1) / 2) − ψ(n / 2))."""
    sign = -1 if count % 2 else 1
    return _digamma(count) + sign / 2 * (_digamma((count + 1) / 2) - _digamma(count / 2))


def _digamma(x: float) -> float:
    """By recurrence from far out, where the asymptotic series is exact enough."""
    below = 0.0
    while x < 30:
        below += 1 / x
        x += 1
    return log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4) - 1 / (252 * x**6) - below


def _t_closeness(model: Any, values: Sequence[object], everybody: Sequence[object]) -> Number:
    """Earth moved from value to value, all equally far or along the line; hierarchies have a test of their own."""
    too_much = _excess(values, everybody)
    if model.distance == "equal":
        return -sum(map(abs, too_much.values()), Fraction(0)) / 2
    order = sorted(too_much, key=lambda value: (value is None, value))
    steps = [sum((too_much[value] for value in order[: i + 1]), Fraction(0)) for i in range(len(order))]
    return -sum(map(abs, steps), Fraction(0)) / max(1, len(order) - 1)


def _excess(values: Sequence[object], everybody: Sequence[object]) -> dict[Any, Fraction]:
    """The share of each value that occurs, less its share among everybody."""
    return {v: _share(values, v) - _share(everybody, v) for v in dict.fromkeys(everybody)}


def _share(values: Sequence[object], value: object) -> Fraction:
    return Fraction(sum(v == value for v in values), len(values))


def _rarest(model: Any, values: Sequence[object], everybody: Sequence[object]) -> Number:
    """alpha over the share of the commonest chosen value."""
    chosen = [v for v in set(values) if not model.values or v in model.values]
    return Fraction(str(model.alpha)) / max(_share(values, v) for v in chosen) if chosen else inf


def alpha_k_anonymity(model: Any, people: People, everybody: People) -> Number:
    """The part of the promise that is kept."""
    return min(Fraction(len(people), model.k), _worst(_rarest)(model, people, everybody))


def p_sensitivity(model: Any, people: People, everybody: People) -> Number:
    """The part of the promise that is kept."""
    poorest = _worst(lambda m, values, _: len(set(values)))(model, people, everybody)
    return min(Fraction(len(people), model.k), Fraction(int(poorest), model.p))


def _beta_likeness(model: Any, values: Sequence[object], everybody: Sequence[object]) -> Number:
    """The largest relative gain; if enhanced, as a part of what is allowed."""
    worst: Number = Fraction(0)
    for value, more in _excess(values, everybody).items():
        before = _share(everybody, value)
        gain, bound = more / before, min(model.beta, -log(before))
        if model.kind == "enhanced" and more > 0:
            worst = max(worst, float(gain) * model.beta / bound)
        worst = max(worst, gain) if model.kind == "basic" else worst
    return -worst


def _delta_disclosure(model: Any, values: Sequence[object], everybody: Sequence[object]) -> Number:
    """The largest logarithm of a ratio, up or down."""
    ratios = [_share(values, value) / _share(everybody, value) for value in set(everybody)]
    return -max(abs(log2(ratio)) if ratio else inf for ratio in ratios)


def _wanted_diversity(model: Any) -> Number:
    if model.kind == "recursive":
        return -Fraction(str(model.c)) + HAIR
    return float(model.l) if model.kind in ("distinct", "frequency") else model.l * (1 - 1e-12)


WANTED: Mapping[str, Callable[[Any], Number]] = {
    "k-anonymity": lambda model: model.k,
    "largest-risk": lambda model: _least_size(model.r),
    "estimated-k-map": lambda model: _rarely_reached(model),
    "individual-risk": lambda model: -model.r,
    "l-diversity": _wanted_diversity,
    "t-closeness": lambda model: -Fraction(str(model.t)),
    "alpha-k-anonymity": lambda model: 1,
    "p-sensitivity": lambda model: 1,
    "beta-likeness": lambda model: -Fraction(str(model.beta)),
    "delta-disclosure": lambda model: -model.delta + float(HAIR),
    "k-map": lambda model: model.k,
    "delta-presence": lambda model: -Fraction(str(model.delta)),
}
"""What the measure has to reach, by the model's name."""

TWINS: Mapping[str, Twin] = {
    "k-anonymity": k_anonymity,
    "largest-risk": largest_risk,
    "estimated-k-map": k_anonymity,
    "individual-risk": _one_over,
    "l-diversity": _worst(_l_diversity),
    "t-closeness": _worst(_t_closeness),
    "alpha-k-anonymity": alpha_k_anonymity,
    "p-sensitivity": p_sensitivity,
    "beta-likeness": _worst(_beta_likeness),
    "delta-disclosure": _worst(_delta_disclosure),
}
"""The twins by the model's name."""


def _inside(cells: Sequence[frozenset[int]], codes: Any) -> int:
    """How many columns of ``codes[quasi-identifier, person]`` lie in the cells."""
    return sum(all(int(code) in cell for code, cell in zip(person, cells, strict=True)) for person in codes.T)


def _population(table: Any) -> Any:
    return table.codes if table.population is None else table.population


CELL_TWINS: Mapping[str, Callable[[Any, Sequence[frozenset[int]], Any], Number]] = {
    "k-map": lambda model, cells, table: _inside(cells, _population(table)),
    "delta-presence": lambda model, cells, table: (
        -Fraction(_inside(cells, table.codes), max(1, _inside(cells, _population(table))))
    ),
}
"""The same for promises about the cells of a class and the whole table."""
