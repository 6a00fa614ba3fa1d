"""The best of all releases of tiny tables, by trying every one: plain values, printed labels, nothing of ours.

A column is described by its leaves and by what each label stands for. LM of a cell is (leaves in it − 1) / (leaves of
the column − 1), of a row that is left out 1 in every column.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

Value = str | int
Row = tuple[Value, ...]
Cell = frozenset[Value]
Keeps = Callable[[Sequence[int]], bool]
"""Whether rows, by number, may be a class."""


@dataclass(frozen=True)
class Column:
    """A column: its leaves in order and, where it has a hierarchy, the label of each leaf on each level."""

    leaves: tuple[Value, ...]
    levels: tuple[tuple[str, ...], ...] = ()

    def cell(self, label: Value) -> Cell:
        """What a printed label stands for."""
        if label in self.leaves:
            return frozenset([label])
        if label == "*":
            return frozenset(self.leaves)
        for level in self.levels:
            if label in level:
                return frozenset(leaf for leaf, text in zip(self.leaves, level, strict=True) if text == label)
        text = str(label)
        if not text.startswith("["):
            return frozenset([int(text)])
        low, high = (int(end) for end in text[1:-1].split(".."))
        return frozenset(leaf for leaf in self.leaves if low <= int(leaf) <= high)

    def lm(self, cell: Cell) -> float:
        """The loss of a cell."""
        return (len(cell) - 1) / (len(self.leaves) - 1) if len(self.leaves) > 1 else 0.0

    def all_levels(self) -> list[list[Cell]]:
        """Of each level the cell of each leaf; without a hierarchy: the value, and everything."""
        exact = [frozenset([leaf]) for leaf in self.leaves]
        if not self.levels:
            return [exact, [frozenset(self.leaves)] * len(exact)]
        return [exact, *([self.cell(text) for text in level] for level in self.levels)]

    def all_cuts(self) -> Iterator[list[Cell]]:
        """Every way to recode all leaves: into intervals, or into nodes of the hierarchy that overlap nowhere."""
        if self.levels:
            nodes = {cell for level in self.all_levels() for cell in level}
            for chosen in product([False, True], repeat=len(nodes)):
                cells = [cell for cell, is_in in zip(nodes, chosen, strict=True) if is_in]
                if sum(map(len, cells)) == len(self.leaves) and len(frozenset().union(*cells)) == len(self.leaves):
                    yield [next(cell for cell in cells if leaf in cell) for leaf in self.leaves]
            return
        n = len(self.leaves)
        for n_cuts in range(n):
            for cuts in combinations(range(1, n), n_cuts):
                parts = [self.leaves[i:j] for i, j in zip((0, *cuts), (*cuts, n), strict=True)]
                yield [frozenset(part) for part in parts for _ in part]


def loss_as_printed(records: Sequence[Row], n_rows: int, columns: Sequence[Column]) -> float:
    """LM of a printed table of which ``n_rows`` rows were wanted."""
    paid = sum(column.lm(column.cell(label)) for row in records for column, label in zip(columns, row, strict=True))
    return (paid + (n_rows - len(records)) * len(columns)) / (n_rows * len(columns))


@dataclass(frozen=True)
class Recoded:
    """One recoding of all rows: the levels where it is a node, its loss, and how many rows have to be left out."""

    levels: tuple[int, ...]
    loss: float
    n_suppressed: int


def nodes(rows: Sequence[Row], columns: Sequence[Column], keeps: Keeps) -> list[Recoded]:
    """Every choice of one level per column, failing classes left out."""
    choices = [list(enumerate(column.all_levels())) for column in columns]
    return [
        _recoded(rows, columns, [cells for _, cells in chosen], keeps, tuple(level for level, _ in chosen))
        for chosen in product(*choices)
    ]


def cuts(rows: Sequence[Row], columns: Sequence[Column], keeps: Keeps) -> Iterator[Recoded]:
    """Every way to cut all columns, failing classes left out."""
    for chosen in product(*(list(column.all_cuts()) for column in columns)):
        yield _recoded(rows, columns, chosen, keeps)


def _recoded(
    rows: Sequence[Row],
    columns: Sequence[Column],
    recoding: Sequence[Sequence[Cell]],
    keeps: Keeps,
    levels: tuple[int, ...] = (),
) -> Recoded:
    classes: dict[tuple[Cell, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        key = tuple(c[column.leaves.index(v)] for c, column, v in zip(recoding, columns, row, strict=True))
        classes[key].append(number)
    loss, lost = 0.0, 0
    for key, members in classes.items():
        if keeps(members):
            loss += len(members) * sum(column.lm(cell) for column, cell in zip(columns, key, strict=True))
        else:
            loss, lost = loss + len(members) * len(columns), lost + len(members)
    return Recoded(levels, loss / (len(rows) * len(columns)), lost)


def minimal(found: Sequence[Recoded], most: int, n_rows: int) -> set[tuple[int, ...]]:
    """The feasible nodes with no feasible node below."""
    feasible = [node.levels for node in found if node.n_suppressed <= min(most, n_rows - 1)]
    return {
        one
        for one in feasible
        if not any(other != one and all(a <= b for a, b in zip(other, one, strict=True)) for other in feasible)
    }


Pattern = tuple[bool, ...]
"""Which columns are starred."""


def fewest_stars(rows: Sequence[Row], patterns: Sequence[Pattern], k: int, most: int) -> int | None:
    """The least number of stars, a row that is left out counting as all of them; None where nothing is lawful."""
    width, best = len(rows[0]), None
    for chosen in product([None, *patterns], repeat=len(rows)):
        stars = sum(width if pattern is None else sum(pattern) for pattern in chosen)
        if chosen.count(None) > most or (best is not None and stars >= best):
            continue
        shown = Counter(
            tuple("*" if star else value for value, star in zip(row, pattern, strict=True))
            for row, pattern in zip(rows, chosen, strict=True)
            if pattern is not None
        )
        if all(count >= k for count in shown.values()):
            best = stars
    return best


def cheapest_pairs(rows: Sequence[Row], columns: Sequence[Column]) -> float:
    """The least LM where each record holds its own row and one other, and each row is the other of one record."""
    least = float(len(rows) * len(columns))
    for others in permutations(range(len(rows))):
        if any(own == other for own, other in enumerate(others)):
            continue
        pairs = ((rows[own], rows[other]) for own, other in enumerate(others))
        cost = sum(_pair_lm(column, a, b) for one, two in pairs for column, a, b in zip(columns, one, two, strict=True))
        least = min(least, cost)
    return least / (len(rows) * len(columns))


def _pair_lm(column: Column, one: Value, other: Value) -> float:
    """The loss of the smallest cell around two values."""
    if column.levels:
        places = column.leaves.index(one), column.leaves.index(other)
        return next(
            column.lm(cells[places[0]]) for cells in column.all_levels() if cells[places[0]] == cells[places[1]]
        )
    low, high = sorted((int(one), int(other)))
    return column.lm(frozenset(leaf for leaf in column.leaves if low <= int(leaf) <= high))
