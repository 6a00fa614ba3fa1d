"""What each privacy model measures in one group where people have several rows, by its definition.

A twin takes the model, the rows of the group and those of the whole table, each the key of a person and their sensitive
values, and returns what ``measure`` returns: larger is safer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import e, inf, log, log2
from typing import Any

from naive.models import Number, _grassberger
from naive.plain import grouped

Row = tuple[Hashable, Mapping[str, object]]
Pair = tuple[Hashable, object]
"""A person and a value."""


def _people(rows: Sequence[tuple[Hashable, Any]]) -> int:
    return len({person for person, _ in rows})


def _holders(pairs: Sequence[Pair]) -> Counter[object]:
    """How many people have each value."""
    return Counter(value for _, value in set(pairs))


def _chance(pairs: Sequence[Pair], value: object) -> Fraction:
    """The chance that one of these people has the value."""
    return Fraction(_holders(pairs)[value], _people(pairs))


def _worst(judge: Callable[[Any, Sequence[Pair], Sequence[Pair]], Number]) -> Callable[..., Number]:
    def twin(model: Any, rows: Sequence[Row], everybody: Sequence[Row]) -> Number:
        names = [model.of] if model.of is not None else list(rows[0][1])
        found: list[Number] = []
        for name in names:
            others = [other for other in rows[0][1] if other != name and model.others == "quasi"]
            keyed: list[tuple[Hashable, Pair]] = [
                (tuple(said[o] for o in others), (person, said[name])) for person, said in rows
            ]
            whole = [(person, said[name]) for person, said in everybody]
            found += [judge(model, pairs, whole) for pairs in grouped(keyed)]
        return min(found)

    return twin


def _values(pairs: Sequence[Pair]) -> int:
    """Different values, but one where everybody has it."""
    holders = _holders(pairs)
    return 1 if max(holders.values()) == _people(pairs) else len(holders)


def _diversity(model: Any, pairs: Sequence[Pair], everybody: Sequence[Pair]) -> Number:
    holders, n = _holders(pairs), _people(pairs)
    counts = sorted(holders.values(), reverse=True)
    if model.kind == "distinct":
        return _values(pairs)
    if model.kind == "frequency":
        return Fraction(n, counts[0])
    if model.kind == "recursive":
        tail = n - sum(counts[: model.l - 1])
        return Fraction(-counts[0], tail) if tail > 0 and len(counts) >= model.l else -inf
    taken = Counter(
        min((value for person, value in set(pairs) if person == one), key=lambda value: (-holders[value], value))
        for one in {person for person, _ in pairs}
    ).values()
    if model.kind == "entropy":
        return float(e ** sum(-c / n * log(c / n) for c in taken))
    return float(min(e ** (_grassberger(n) - sum(c * _grassberger(c) for c in taken) / n), len(taken)))


def _closeness(model: Any, pairs: Sequence[Pair], everybody: Sequence[Pair]) -> Number:
    here, there = _holders(pairs), _holders(everybody)
    each, usual = Fraction(here.total(), _people(pairs)), Fraction(there.total(), _people(everybody))
    more = {value: Fraction(here[value], here.total()) - Fraction(n, there.total()) for value, n in there.items()}
    order = sorted(more)  # type: ignore[type-var]
    if model.distance == "equal":
        away = sum(map(abs, more.values()), Fraction(0)) / 2
    else:
        steps = [sum((more[value] for value in order[: i + 1]), Fraction(0)) for i in range(len(order))]
        away = sum(map(abs, steps), Fraction(0)) / max(1, len(order) - 1)
    return -(each * away + abs(each - usual))


def _alpha(model: Any, pairs: Sequence[Pair], everybody: Sequence[Pair]) -> Number:
    chosen = [value for _, value in pairs if not model.values or value in model.values]
    return Fraction(str(model.alpha)) / max(_chance(pairs, value) for value in chosen) if chosen else inf


def _likeness(model: Any, pairs: Sequence[Pair], everybody: Sequence[Pair]) -> Number:
    worst: float = 0.0
    for value in {value for _, value in pairs}:
        before = _chance(everybody, value)
        gain = float(_chance(pairs, value) / before) - 1
        bound = min(model.beta, -log(before))
        is_bounded = model.kind == "enhanced" and gain > 0
        worst = max(worst, gain * model.beta / (bound or 1.0) if is_bounded else gain)
    return -worst


def _disclosure(model: Any, pairs: Sequence[Pair], everybody: Sequence[Pair]) -> Number:
    values = {value for _, value in everybody}
    ratios = [_chance(pairs, value) / _chance(everybody, value) for value in values]
    return -max(abs(log2(ratio)) if ratio else inf for ratio in ratios)


def _sized(judge: Callable[..., Number]) -> Callable[..., Number]:
    return lambda model, rows, everybody: min(Fraction(_people(rows), model.k), _worst(judge)(model, rows, everybody))


def _largest_part(model: Any, rows: Sequence[Row], everybody: Sequence[Row]) -> Number:
    return -Fraction(max(Counter(person for person, _ in rows).values()), len(rows))


def _number(model: Any, rows: Sequence[Row], everybody: Sequence[Row]) -> Number:
    return _people(rows)


TWINS: Mapping[str, Callable[..., Number]] = {
    "k-anonymity": _number,
    "l-diversity": _worst(_diversity),
    "t-closeness": _worst(_closeness),
    "alpha-k-anonymity": _sized(_alpha),
    "p-sensitivity": _sized(lambda model, pairs, _: Fraction(_values(pairs), model.p)),
    "beta-likeness": _worst(_likeness),
    "delta-disclosure": _worst(_disclosure),
    "one-k-anonymity": _number,
    "k-one-anonymity": _number,
    "kk-anonymity": _number,
    "k-concealment": _number,
    "linkage-bound": _largest_part,
    "uniform-matching": _largest_part,
}
"""The twins by the model's name."""


def owners_inside(
    cells: Sequence[Sequence[set[int]]], rows: Sequence[Sequence[int]], people: Sequence[int]
) -> list[int]:
    """Per class, one set of codes per column, how many different people have a row with all its codes in them."""
    found = []
    for place in range(len(cells[0])):
        held = [column[place] for column in cells]
        inside = {who for who, row in zip(people, rows, strict=True) if all(map(set.__contains__, held, row))}
        found.append(len(inside))
    return found
