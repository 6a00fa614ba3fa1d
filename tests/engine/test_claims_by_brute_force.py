"""Claims of algorithms on tiny tables, against every release there is, judged by what is printed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
import pytest

import shoal
from naive.optima import (
    Column,
    Keeps,
    Recoded,
    Row,
    cheapest_pairs,
    cuts,
    fewest_stars,
    loss_as_printed,
    minimal,
    nodes,
)

ZIP = Column(("11", "12", "21", "22"), (("1*", "1*", "2*", "2*"), ("*",) * 4))
SEX = Column(("f", "m"), (("*", "*"),))
TREES = {
    name: shoal.Hierarchy.from_rows([*zip(column.leaves, *column.levels, strict=True)])
    for name, column in {"zip": ZIP, "sex": SEX}.items()
}
CASES = range(25)


@dataclass(frozen=True)
class Case:
    """A tiny table with what is asked for."""

    frame: pl.DataFrame
    k: int
    diversity: int
    limit: float | str
    most: int

    @property
    def rows(self) -> list[Row]:
        """The quasi-identifiers."""
        return list(self.frame.drop("d").rows())

    @property
    def promises(self) -> list[Any]:
        """k-anonymity and, sometimes, distinct l-diversity."""
        return [shoal.KAnonymity(self.k), *([shoal.LDiversity(self.diversity, of="d")] if self.diversity > 1 else [])]

    @property
    def keeps(self) -> Keeps:
        """Whether rows may be a class."""
        diseases = self.frame["d"].to_list()
        return lambda rows: len(rows) >= self.k and len({diseases[row] for row in rows}) >= self.diversity

    def printed(self, algorithm: Any, **more: Any) -> tuple[shoal.Result, list[Row]]:
        """The release and its records, or nothing where it says that there is none."""
        quasi = self.frame.columns[:-1]
        words: dict[str, Any] = {
            "hierarchies": {name: TREES[name] for name in quasi if name in TREES},
            "suppression_limit": self.limit,
            "algorithm": algorithm,
            "audit": "off",
            "seed": 1,
        }
        result = shoal.anonymize(
            self.frame, quasi_identifiers=quasi, sensitive=["d"], privacy=self.promises, **{**words, **more}
        )
        records = result.frame.select(quasi).rows()
        assert self.frame.height - len(records) <= self.most
        shown = Counter(records)
        assert min(shown.values(), default=self.k) >= self.k
        return result, records


def drawn(number: int, *, numeric: bool = False, most_rows: int = 8) -> Case:
    """The table of this number; always the same."""
    chance = random.Random(number)
    n = chance.randint(2, most_rows)
    columns: dict[str, list[Any]] = {"zip": chance.choices(ZIP.leaves, (5, 2, 1, 1), k=n)}
    columns |= {"age": chance.choices(range(1, 5), k=n)} if numeric else {"sex": chance.choices(SEX.leaves, k=n)}
    frame = pl.DataFrame({**columns, "d": chance.choices("xyz", k=n)})
    k = chance.randint(1, min(3, n))
    diversity = chance.choice([1, 1, 2]) if frame["d"].n_unique() > 1 else 1
    most = chance.randint(0, n // 2)
    return Case(frame, k, diversity, most / n if number % 2 else f"{most} rows", most)


def columns_of(case: Case) -> list[Column]:
    """What the columns' labels stand for."""
    known = {"zip": ZIP, "sex": SEX}
    if "age" in case.frame.columns:
        known["age"] = Column(tuple(sorted(set(case.frame["age"].to_list()))))
    return [known[name] for name in case.frame.columns[:-1]]


def feasible(case: Case, found: Sequence[Recoded]) -> list[Recoded]:
    """Those that leave out few enough rows, and not all."""
    return [one for one in found if one.n_suppressed <= min(case.most, case.frame.height - 1)]


def figures(result: shoal.Result, key: str) -> dict[str, Any]:
    """The figures of the first claim that has this one."""
    return next(dict(claim.figures) for claim in result.claims if key in claim.figures)


def has_levels(case: Case, records: Sequence[Row], levels: Sequence[int]) -> bool:
    """Whether the records are the rows at these levels, some left out."""
    leaves = [
        dict(zip(column.leaves, (column.leaves, *column.levels)[level], strict=True))
        for column, level in zip(columns_of(case), levels, strict=True)
    ]
    rows = Counter(tuple(texts[value] for texts, value in zip(leaves, row, strict=True)) for row in case.rows)
    return not Counter(records) - rows


@pytest.mark.parametrize("number", CASES)
def test_full_domain_claims_are_true(number: int) -> None:
    case = drawn(number)
    found = nodes(case.rows, columns_of(case), case.keeps)
    lawful = feasible(case, found)
    if not lawful:
        for algorithm in ("lattice", "samarati", "incognito"):
            with pytest.raises(shoal.ShoalError):
                case.printed(algorithm)
        return
    result, records = case.printed("lattice")
    least = min(node.loss for node in lawful)
    assert loss_as_printed(records, case.frame.height, columns_of(case)) == pytest.approx(least)
    assert figures(result, "proven")["bound"] == pytest.approx(least)
    assert has_levels(case, records, figures(result, "levels")["levels"])
    lowest = minimal(found, case.most, case.frame.height)
    for algorithm in ("samarati", "incognito"):
        result, records = case.printed(algorithm)
        levels = tuple(figures(result, "levels")["levels"])
        assert levels in lowest
        assert has_levels(case, records, levels)
        height = min(map(sum, lowest))
        told = figures(result, "minimal_nodes")["minimal_nodes"]
        assert told == len(lowest if algorithm == "incognito" else [node for node in lowest if sum(node) == height])
        if algorithm == "samarati":
            assert sum(levels) == height


@pytest.mark.parametrize("number", CASES)
def test_levels_that_are_asked_for_are_those_printed_or_refused(number: int) -> None:
    case = drawn(number)
    found = nodes(case.rows, columns_of(case), case.keeps)
    node = random.Random(-number).choice(found)
    if node not in feasible(case, found):
        with pytest.raises(shoal.GoalNotMet):
            case.printed("auto", levels=list(node.levels))
        return
    result, records = case.printed("auto", levels=list(node.levels))
    assert has_levels(case, records, node.levels)
    assert case.frame.height - len(records) == node.n_suppressed
    assert figures(result, "levels")["levels"] == [*node.levels]


@pytest.mark.parametrize("number", CASES)
def test_what_k_optimize_claims_is_true(number: int) -> None:
    case = drawn(number, numeric=True)
    lawful = feasible(case, list(cuts(case.rows, columns_of(case), case.keeps)))
    if not lawful:
        with pytest.raises(shoal.ShoalError):
            case.printed("k-optimize")
        return
    least = min(cut.loss for cut in lawful)
    for algorithm in ("k-optimize", "k-optimize:max_sets=1"):
        result, records = case.printed(algorithm)
        told = figures(result, "proven")
        loss = loss_as_printed(records, case.frame.height, columns_of(case))
        assert loss == pytest.approx(told["loss"])
        assert told["bound"] <= least + 1e-9 <= loss + 2e-9
        assert told["proven"] == (told["gap"] == 0)
        if told["proven"]:
            assert loss == pytest.approx(least)
    assert figures(case.printed("k-optimize")[0], "proven")["proven"]


PATTERNS = {"zip,sex": (False, False), "zip,*": (False, True), "*,sex": (True, False), "*,*": (True, True)}


@pytest.mark.parametrize("number", CASES)
@pytest.mark.parametrize("method", ["program", "guess"])
def test_exact_patterns_star_as_few_cells_as_possible_and_only_by_allowed_patterns(number: int, method: str) -> None:
    chance, case = random.Random(number), drawn(number, most_rows=6)
    case = Case(case.frame, case.k, 1, case.limit, case.most)
    allowed = chance.sample(sorted(PATTERNS), chance.randint(1, 4))
    rules = {"name": "patterns-exact", "patterns": allowed, "outliers": "*,*" in allowed, "method": method}
    fewest = fewest_stars(case.rows, [PATTERNS[text] for text in allowed], case.k, case.most)
    if fewest is None or case.most == case.frame.height:
        return
    result, records = case.printed(rules)
    stars = sum(label == "*" for row in records for label in row) + 2 * (case.frame.height - len(records))
    assert stars == fewest
    assert figures(result, "proven")["proven"]
    assert figures(result, "proven")["loss"] == pytest.approx(fewest)
    assert {tuple(label == "*" for label in row) for row in records} <= {PATTERNS[text] for text in allowed}


@pytest.mark.parametrize("number", CASES)
@pytest.mark.parametrize("algorithm", ["patterns", "patterns-search"])
def test_patterns_star_only_by_allowed_patterns(number: int, algorithm: str) -> None:
    chance, case = random.Random(number), drawn(number)
    allowed = chance.sample(sorted(PATTERNS), chance.randint(1, 4))
    rules = {"name": algorithm, "patterns": allowed, "outliers": "*,*" in allowed}
    try:
        _, records = case.printed(rules)
    except (shoal.GoalNotMet, shoal.InputError):
        return
    assert {tuple(label == "*" for label in row) for row in records} <= {PATTERNS[text] for text in allowed}


@pytest.mark.parametrize("number", CASES)
def test_exact_freeform_loses_as_little_as_possible(number: int) -> None:
    case = drawn(number, numeric=True, most_rows=6)
    result = shoal.anonymize(
        case.frame,
        quasi_identifiers=["zip", "age"],
        hierarchies={"zip": TREES["zip"]},
        privacy=shoal.UniformMatching(2),
        algorithm="freeform:method=exact",
        audit="off",
        seed=1,
    )
    records = result.frame.select("zip", "age").rows()
    least = cheapest_pairs(case.rows, columns_of(case))
    assert loss_as_printed(records, case.frame.height, columns_of(case)) == pytest.approx(least)
    if case.frame.height > 2:
        assert figures(result, "proven")["proven"]
        assert figures(result, "proven")["bound"] == pytest.approx(least)
