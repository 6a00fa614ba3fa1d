"""Judges a printed release by the original keys. Imports nothing of shoal, on purpose.

The release carries a column with the number of each row, published as it is, which only a test would do: by it every
printed record finds its original row, and so the key of its person.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

ROW = "row_number"


@dataclass(frozen=True)
class Judged:
    """What the classes of a release hold at worst."""

    n_records: int
    n_classes: int
    fewest_people: int
    fewest_values: int
    largest_share: Fraction
    largest_part: Fraction
    farthest: Fraction
    columns: tuple[str, ...]

    def classes_under(self, k: int) -> bool:
        """Whether a class has fewer people than that."""
        return self.fewest_people < k


def judge(release: Path, original: Path, quasi: list[str], person: str, sensitive: str) -> Judged:
    """Read both files and look at every class."""
    with original.open(newline="", encoding="utf-8") as file:
        rows = {row[ROW]: row for row in csv.DictReader(file)}
    keys = {number: row[person] or f"nobody else than row {number}" for number, row in rows.items()}
    with release.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        columns = tuple(reader.fieldnames or ())
        classes: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        for record in reader:
            number = record[ROW]
            value = record[sensitive].removeprefix("'")  # before what a spreadsheet would take for a formula
            assert value == rows[number][sensitive]
            classes[tuple(record[name] for name in quasi)].append((keys[number], value))
    usual = _shares([(keys[number], row[sensitive]) for number, row in rows.items()])
    return Judged(
        n_records=sum(map(len, classes.values())),
        n_classes=len(classes),
        fewest_people=min(len({key for key, _ in members}) for members in classes.values()),
        fewest_values=min(map(_values, classes.values())),
        largest_share=max(max(_shares(members).values()) for members in classes.values()),
        largest_part=max(
            Fraction(max(Counter(key for key, _ in members).values()), len(members)) for members in classes.values()
        ),
        farthest=max(_gains(members, usual) for members in classes.values()),
        columns=columns,
    )


def people_of_classes(release: Path, original: Path, quasi: list[str], person: str) -> list[int]:
    """How many different people each class of the release holds."""
    with original.open(newline="", encoding="utf-8") as file:
        keys = {row[ROW]: row[person] or f"nobody else than row {row[ROW]}" for row in csv.DictReader(file)}
    classes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    with release.open(newline="", encoding="utf-8") as file:
        for record in csv.DictReader(file):
            classes[tuple(record[name] for name in quasi)].add(keys[record[ROW]])
    return [len(people) for people in classes.values()]


def few_people_told(people: list[int], person: str, k: int) -> list[str]:
    """How the note on an identifier that repeats has to begin; nothing where every class holds k people."""
    n_few = sum(n < k for n in people)
    counted = f"{n_few:,} of {len(people):,} classes hold fewer than {k} people."
    return [f"Rows were counted, not people: by '{person}', which repeats, {counted}"] if n_few else []


def _shares(members: list[tuple[str, str]]) -> dict[str, Fraction]:
    """Which part of the people has each value."""
    n = len({key for key, _ in members})
    return {value: Fraction(held, n) for value, held in Counter(value for _, value in set(members)).items()}


def _values(members: list[tuple[str, str]]) -> int:
    """Different values; one where everybody has it."""
    shares = _shares(members)
    return 1 if max(shares.values()) == 1 else len(shares)


def _gains(members: list[tuple[str, str]], usual: dict[str, Fraction]) -> Fraction:
    """How much likelier values are among these people than among all, summed over the values that are."""
    return sum((max(Fraction(0), share - usual[value]) for value, share in _shares(members).items()), Fraction(0))
