"""Downcoding: what follows from how cells are cut, against counting all worlds."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Risk
from shoal.audit.finer_cells import greedy, tight, views
from shoal.audit.knowledge import Knowledge
from shoal.audit.refinement import CellRefinement
from shoal.audit.scorer import Referee
from shoal.core.cells import Cells
from shoal.core.randomness import Randomness
from shoal.core.release import publish
from shoal.core.table import Table
from shoal.engine.auditing import audit_release
from support.tables import coded, partitioned

LEVELS = shoal.Hierarchy.from_dict({"x": {"ab": ["a", "b"], "cde": ["c", "d", "e"]}, "y": ["f", "g"]})


def refine(original: list[Any], release: list[str], **said: Any) -> Risk:
    [risk] = audit_release(
        pl.DataFrame({"q": original}),
        pl.DataFrame({"q": release}),
        quasi_identifiers=["q"],
        attacks=["refinement"],
        **said,
    ).risks
    return risk


def test_two_suppressed_records_are_one_of_each() -> None:
    """Cohen's own example: had both people tested alike, nobody would have had to hide it."""
    yes_no = shoal.Hierarchy.flat(["yes", "no"])
    risk = refine(["yes", "no", "yes", "yes"], ["*", "*", "yes", "yes"], hierarchies={"q": yes_no}, k=2)
    assert risk.figures["read more finely by rule: tight"] == 2
    assert risk.outcome == "weak"
    assert risk.says == (
        "2 of 2 generalized cells (100%) can be read more finely than published: no cell is wider than its class "
        "needs, so somebody has each of its ends."
    )


def test_what_one_branch_cannot_hold_is_in_the_other() -> None:
    """Eight people in two branches, k = 5: neither was a class, so four are in each."""
    risk = refine(list("aaaabbbb"), ["*"] * 8, hierarchies={"q": shoal.Hierarchy.flat(["a", "b"])}, k=5)
    assert risk.rate == 1.0
    assert risk.says.endswith("a part of a class that was large enough would have been a class of its own.")


def test_somebody_has_each_end_of_a_range() -> None:
    risk = refine([30, 31, 35, 39, 40, 45, 50, 50], ["[30..39]"] * 4 + ["[40..50]"] * 4)
    assert (risk.outcome, risk.rate) == ("weak", 0.5)


def test_ends_that_are_round_numbers_say_nothing() -> None:
    risk = refine([31, 31, 35, 38, 41, 45, 50, 52], ["[30..39]"] * 4 + ["[40..59]"] * 4)
    assert (risk.outcome, risk.says) == ("stopped", "Nothing finer follows from how cells were cut.")


def test_a_rule_that_does_not_hold_is_found_out() -> None:
    """A full-domain release: cells are wider than they need to be, and the reading has no owner."""
    names = shoal.Hierarchy.from_dict({"ab": ["a", "b"], "cd": ["c", "d"]})
    risk = refine(list("aaaacd"), ["ab"] * 4 + ["cd"] * 2, hierarchies={"q": names})
    assert risk.figures["columns that refute the rule: tight"] == 1
    assert risk.outcome == "stopped"


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, list[list[int]]]:
    """Rows of a tree, a range and a set column in disjoint groups."""
    n = draw(st.integers(4, 16))
    columns: dict[str, list[Any]] = {
        "tree": draw(st.lists(st.sampled_from("abcdefg"), min_size=n, max_size=n)),
        "range": draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)),
        "set": draw(st.lists(st.sampled_from("pqr"), min_size=n, max_size=n)),
    }
    size = draw(st.integers(2, 4))
    order = draw(st.permutations(range(n)))
    groups = [list(order[i : i + size]) for i in range(0, n - n % size, size)]
    return coded(columns, [*columns], hierarchies={"tree": LEVELS}, kinds={"range": "numeric"}), groups


@given(tables())
def test_closures_of_classes_are_tight(case: tuple[Table, list[list[int]]]) -> None:
    """Whatever the classes are, the tight reading has owners: somebody is at each end."""
    table, groups = case
    seen = publish(partitioned(table, groups), Randomness(1))
    ends = tuple(np.ones(cells.n_distinct, bool) for cells in seen.cells)
    [risk] = CellRefinement().run(Scene(seen, Knowledge.of(table), k=2, ends=ends), Referee())
    assert risk.figures["columns that refute the rule: tight"] == 0
    assert risk.figures["generalized cells"] >= risk.figures["read more finely by rule: tight"]


@given(st.integers(2, 9), st.integers(2, 5), st.integers(2, 4))
def test_least_numbers_are_those_of_all_worlds(n: int, k: int, n_branches: int) -> None:
    """One class of n records and a flat hierarchy: count the worlds that a rule allows, and take the least of each."""
    names = [f"v{i}" for i in range(n_branches)]
    table = coded({"q": [*names, *["v0"] * n]}, ["q"], hierarchies={"q": shoal.Hierarchy.flat(names)})
    cells = Cells.of_intervals(np.zeros(1, np.int32), np.full(1, n_branches - 1, np.int32))
    [view] = views(table.quasi, [cells], np.array([n]), (), k)
    worlds = [counts for counts in product(range(n + 1), repeat=n_branches) if sum(counts) == n]
    for rule, allowed in ((tight, n - 1), (greedy, k - 1)):
        kept = [counts for counts in worlds if max(counts) <= allowed]
        pieces = rule(view)
        assert (pieces is None) == (not kept)
        expected = [min((counts[i] for counts in kept), default=0) for i in range(n_branches)]
        found = [0] * n_branches
        for leaves, count in (pieces or {}).get(0, []):
            found[int(leaves[0])] = count
        assert found == expected


@pytest.mark.parametrize("seed", range(3))
def test_downcoding_of_clusters(seed: int) -> None:
    """Clusters of 2k − 2 people, k − 1 in each half: a minimal release gives everybody's half away, as a list."""
    k, rng = 5, np.random.default_rng(seed)
    people = [(f"c{c}", half) for c in range(20) for half in "ab" for _ in range(k - 1)]
    order = rng.permutation(len(people))
    original = pl.DataFrame([people[i] for i in order], schema=["cluster", "half"], orient="row")
    made = shoal.anonymize(
        original,
        quasi_identifiers=["cluster", "half"],
        hierarchies={
            "cluster": shoal.Hierarchy.flat([f"c{c}" for c in range(20)]),
            "half": shoal.Hierarchy.flat(["a", "b"]),
        },
        privacy=[shoal.KAnonymity(k)],
        algorithm="mondrian",
        weights={"cluster": 1, "half": 0.01},
        audit="off",
        seed=seed,
    )
    [risk] = made.audit(attacks=["refinement"]).risks
    assert risk.rate == 1.0
