"""The judge of releases in which people are counted: reads the printed files with plain Python, and nothing of shoal.

``python people_judge.py ORIGINAL.csv RELEASE.csv rows|histories PERSON SENSITIVE K L T COLUMN ...``

Records carry ``row_number``, a column that only a judge would ask for, by which each finds its original row and so the
key of its person. A row without a key is a person of its own. Counted are classes (equal labels) or histories (equal
multisets of labels) of fewer than K people; those in which people have fewer than L different values or all have one in
common; and those in which the shares of people who have a value differ from the shares of all people by more than T,
summed over the values that are commoner, and over those that are rarer. Among equal records of equal histories, of
which everybody has equally many, shares are of records. Ends with status 1 where anything was counted.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path

ROW, HAIR = "row_number", 1e-9

Pairs = set[tuple[str, str]]
"""People, or rows, and a value of each."""


def shares(pairs: Pairs) -> dict[str, float]:
    """Which part of those who are there has each value."""
    n = len({one for one, _ in pairs})
    return {value: held / n for value, held in Counter(value for _, value in pairs).items()}


def is_uniform(pairs: Pairs, l: int) -> bool:  # noqa: E741 (the letter of the field)
    """Whether there are fewer than l values, or one that all have; where l is 1 nothing was promised."""
    held = Counter(value for _, value in pairs)
    return l > 1 and (len(held) < l or max(held.values()) == len({one for one, _ in pairs}))


def distance(pairs: Pairs, usual: Mapping[str, float]) -> float:
    """How far shares are from the usual ones: gains and losses are added up apart, and the larger sum counts."""
    here = shares(pairs)
    moves = [here.get(value, 0.0) - share for value, share in usual.items()]
    return max(sum(move for move in moves if move > 0), -sum(move for move in moves if move < 0))


def gathered(members: Iterable[tuple[Hashable, tuple[str, str]]]) -> list[Pairs]:
    """The pairs of each group."""
    found: dict[Hashable, Pairs] = defaultdict(set)
    for group, pair in members:
        found[group].add(pair)
    return list(found.values())


def main(original: Path, release: Path, linked: str, person: str, sensitive: str, *said: str) -> int:
    """Print what was counted."""
    k, l, t, quasi = int(said[0]), int(said[1]), float(said[2]), said[3:]  # noqa: E741
    with original.open(newline="", encoding="utf-8") as file:
        rows = {row[ROW]: (row[person] or f"nobody's {row[ROW]}", row[sensitive]) for row in csv.DictReader(file)}
    with release.open(newline="", encoding="utf-8") as file:
        records = [(row[ROW], tuple(row[name] for name in quasi), row[sensitive]) for row in csv.DictReader(file)]
    wrong = sum(value.removeprefix("'") != rows[number][1] for number, _, value in records)
    wrong += len(records) - len({number for number, _, _ in records})
    usual = shares(set(rows.values()))
    place: dict[str, Hashable]
    if linked == "histories":
        theirs: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for number, labels, _ in records:
            theirs[rows[number][0]].append(labels)
        numbers: dict[Hashable, int] = {}
        ids = {key: numbers.setdefault(tuple(sorted(own)), len(numbers)) for key, own in theirs.items()}
        place = {number: ids[rows[number][0]] for number, _, _ in records}
    else:
        place = {number: labels for number, labels, _ in records}
    pools = gathered((place[number], rows[number]) for number, _, _ in records)
    small = sum(len({key for key, _ in pool}) < k for pool in pools)
    uniform = sum(is_uniform(pool, l) for pool in pools)
    far = sum(distance(pool, usual) > t + HAIR for pool in pools)
    if linked == "histories":
        of_rows = shares({(number, value) for number, (_, value) in rows.items()})
        parts = [(place[number], labels) for number, labels, _ in records]
        numbered = [(number, value) for number, _, value in records]
        uniform += sum(is_uniform(part, l) for part in gathered(zip(parts, numbered, strict=True)))
        far += sum(distance(part, of_rows) > t + HAIR for part in gathered(zip(parts, numbered, strict=True)))
    what = "histories" if linked == "histories" else "classes"
    n_people = len({key for pool in pools for key, _ in pool})
    print(f"{len(records):,} of {len(rows):,} rows, {n_people:,} people, {len(pools):,} {what}")
    print(f"{small} under {k} people, {uniform} under {l} values, {far} farther than {t:g}, {wrong} wrong records")
    return int(any((small, uniform, far, wrong)))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]))
