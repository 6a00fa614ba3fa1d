"""A judge of releases of whole histories. Knows the printed file and the original table, and nothing of shoal.

Records carry a row number that the original has too, so the judge knows whose each of them is without being told.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

Row = Mapping[str, str]


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, as texts."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def histories(
    records: Sequence[Row], keys: Sequence[str], quasi: Sequence[str]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The published history of each person: their records' cells, in no order that would tell anything."""
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for record, key in zip(records, keys, strict=True):
        found[key].append(tuple(record[name] for name in quasi))
    return {key: tuple(sorted(rows)) for key, rows in found.items()}


def fewest(records: Sequence[Row], keys: Sequence[str], quasi: Sequence[str]) -> int:
    """The smallest number of people who share a whole history."""
    return min(Counter(histories(records, keys, quasi).values()).values())


def holds(cell: str, value: str) -> bool:
    """Whether a printed cell stands for a value."""
    if cell in ("*", value):
        return True
    if ends := re.fullmatch(r"\[(.*)\.\.(.*)\]", cell):
        try:
            return float(ends[1]) <= float(value) <= float(ends[2])
        except ValueError:
            return bool(value) and ends[1] <= value <= ends[2]
    if cell.startswith("{"):
        return (value or "(missing)") in cell[1:-1].split(", ")
    return False


def complaints(
    original: Sequence[Row], release: Sequence[Row], person: str, quasi: Sequence[str], k: int, number: str = "row"
) -> list[str]:
    """What is wrong with a release: histories of too few people, cells that lie, rows published twice."""
    by_number = {row[number]: row for row in original}
    wrong = []
    if len({record[number] for record in release}) < len(release):
        wrong.append("a row is published twice")
    mine = [by_number[record[number]] for record in release]
    keys = [row[person] or f"nobody's {row[number]}" for row in mine]
    if release and fewest(release, keys, quasi) < k:
        wrong.append(f"a history is shared by {fewest(release, keys, quasi)} people, not {k}")
    for record, row in zip(release, mine, strict=True):
        wrong += [
            f"{record[name]!r} does not hold {row[name]!r}" for name in quasi if not holds(record[name], row[name])
        ]
    if release and person in release[0]:
        pairs = {(record[person], key) for record, key in zip(release, keys, strict=True)}
        if not len(pairs) == len({one for one, _ in pairs}) == len({key for _, key in pairs}):
            wrong.append("pseudonyms and people do not go one to one")
    return wrong


def worst_values(
    original: Sequence[Row], release: Sequence[Row], person: str, quasi: Sequence[str], sensitive: str
) -> tuple[int, Fraction]:
    """The fewest different values of people whose histories are equal, and how far their shares are from all people's.

    Looked for in each class of equal histories as a whole, and in each set of equal records in it. A value that
    everybody there has is certain, whatever else they have. Shares are of people, and of rows among equal records, of
    which everybody has equally many; distances are summed over the values that are commoner than among all.
    """
    by_number = {row["row"]: row for row in original}
    keys = [by_number[record["row"]][person] or f"nobody's {record['row']}" for record in release]
    whole = histories(release, keys, quasi)
    classes: dict[object, set[tuple[str, str]]] = defaultdict(set)
    parts: dict[object, set[tuple[str, str]]] = defaultdict(set)
    rows: dict[object, list[tuple[str, str]]] = defaultdict(list)
    for record, key in zip(release, keys, strict=True):
        part = whole[key], tuple(record[name] for name in quasi)
        classes[whole[key]].add((key, record[sensitive]))
        parts[part].add((key, record[sensitive]))
        rows[part].append((record["row"], record[sensitive]))
    usual = _shares({(row[person] or f"nobody's {row['row']}", row[sensitive]) for row in original})
    usual_rows = _shares({(row["row"], row[sensitive]) for row in original})
    fewest = min(map(_different, [*classes.values(), *parts.values()]))
    farthest = max(_gains(pool, usual) for pool in classes.values())
    return fewest, max(farthest, *(_gains(set(pool), usual_rows) for pool in rows.values()))


def _different(pairs: set[tuple[str, str]]) -> int:
    """How many values people have; one where all have the same."""
    shares = _shares(pairs)
    return 1 if max(shares.values()) == 1 else len(shares)


def _gains(pairs: set[tuple[str, str]], usual: Mapping[str, Fraction]) -> Fraction:
    """How much commoner values are here than usual, summed over those that are."""
    return sum((max(Fraction(0), share - usual[value]) for value, share in _shares(pairs).items()), Fraction(0))


def _shares(pairs: set[tuple[str, str]]) -> dict[str, Fraction]:
    """Which part of the people has each value."""
    n = len({key for key, _ in pairs})
    return {value: Fraction(held, n) for value, held in Counter(value for _, value in pairs).items()}
