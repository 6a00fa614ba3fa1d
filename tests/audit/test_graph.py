"""Links, matches and chances against the twins that write every assignment down."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import attacks as naive
from shoal.audit.chances import Chances, sampled, scale
from shoal.audit.links import Links
from shoal.audit.matches import Matches
from shoal.core.randomness import Randomness
from support.graphs import fits_of, links_of

Sets = list[list[int]]


@st.composite
def releases(draw: st.DrawFn) -> tuple[Sets, list[int]]:
    """A few people and records that can be assigned to each other, in disorder; perhaps people without a record."""
    people = draw(st.lists(st.integers(0, 5), min_size=1, max_size=6))
    n_records = draw(st.integers(max(1, len(people) - 2), len(people)))
    owners = draw(st.permutations(people))[:n_records]
    return [[owner, *draw(st.sets(st.integers(0, 6), max_size=4))] for owner in owners], people


def _pairs(links: Links) -> list[list[bool]]:
    """Who fits what, person by person and record by record, as the links say."""
    starts, shapes = links.shapes_of(np.arange(links.n_types, dtype=np.int32))
    fitting = [set(shapes[starts[r] : starts[r + 1]].tolist()) for r in range(links.n_types)]
    return [[int(s) in fitting[r] for s in links.shapes] for r in links.types]


@given(releases())
def test_links(case: tuple[Sets, list[int]]) -> None:
    sets, people = case
    links, fits = links_of(sets, people), fits_of(sets, people)
    assert _pairs(links) == fits
    assert links.records_fitting[links.types].tolist() == [sum(row) for row in fits]
    assert links.people_fitting[links.shapes].tolist() == [sum(column) for column in zip(*fits, strict=True)]


@given(releases())
def test_matches(case: tuple[Sets, list[int]]) -> None:
    sets, people = case
    matches = Matches.of(links_of(sets, people))
    assert matches.n_unplaced == 0
    assert _pairs(matches.links) == naive.effective(fits_of(sets, people))


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=2), min_size=1, max_size=5))
def test_records_that_nobody_can_own(sets: Sets) -> None:
    people = [0, 1, 2, 3, 3][: max(len(sets), 3)]
    matches = Matches.of(links_of(sets, people))
    assert (matches.n_unplaced > 0) == (naive.chances(fits_of(sets, people)) is None)


def _chances(found: Chances) -> list[list[float]]:
    links = found.matches.links
    starts, shapes, values = found.of_types(np.arange(links.n_types, dtype=np.int32))
    known = [dict(zip(shapes[a:b].tolist(), values[a:b].tolist(), strict=True)) for a, b in pairwise(starts)]
    return [[known[r].get(int(s), 0.0) for s in links.shapes] for r in links.types]


@given(releases())
def test_chances_are_exact_in_small_components(case: tuple[Sets, list[int]]) -> None:
    sets, people = case
    found = Chances.of(Matches.of(links_of(sets, people)))
    wanted = naive.chances(fits_of(sets, people))
    assert wanted is not None
    links = found.matches.links
    assert np.array(_chances(found)) == pytest.approx(np.array(wanted, float))
    assert found.best_of_type[links.types] == pytest.approx([float(max(row)) for row in wanted])
    assert found.best_of_shape[links.shapes] == pytest.approx([float(max(c)) for c in zip(*wanted, strict=True)])
    assert sum(found.people_by_method.values()) == len(people)


def _random_case(seed: int, n: int = 7) -> tuple[Sets, list[int]]:
    rng = np.random.default_rng(seed)
    return [[i, *rng.choice(n, rng.integers(0, 4), replace=False).tolist()] for i in range(n)], list(range(n))


def test_estimates_come_close_to_exact_values() -> None:
    errors: dict[str, list[float]] = {"belief": [], "scaling": [], "sampling": []}
    for seed in range(12):
        sets, people = _random_case(seed)
        matches = Matches.of(links_of(sets, people))
        exact = Chances.of(matches)
        if exact.edges is None:
            continue
        estimated = Chances.of(matches, most_states=0)
        assert "belief propagation" in estimated.people_by_method
        assert estimated.edges is not None
        types = np.repeat(estimated.edges.types, np.diff(estimated.edges.offsets))
        x, y = scale(matches)
        drawn = sampled(estimated, 2000, Randomness(seed)).mean(axis=0)
        errors["belief"] += abs(estimated.values - exact.values).tolist()
        errors["scaling"] += abs(x[types] * y[estimated.edges.shapes] - exact.values).tolist()
        errors["sampling"] += abs(drawn - exact.values).tolist()
    worst = {name: max(found) for name, found in errors.items()}
    mean = {name: float(np.mean(found)) for name, found in errors.items()}
    assert mean["belief"] < 0.015 < mean["scaling"] < 0.06
    assert mean["sampling"] < 0.015
    assert worst["belief"] < 0.12
    assert worst["sampling"] < 0.06


@given(releases(), st.booleans())
def test_no_estimate_exceeds_what_symmetry_allows(case: tuple[Sets, list[int]], is_scaled: bool) -> None:
    """n people of one type, or n records of one shape, are equally likely: neither estimate says more than 1 / n."""
    matches = Matches.of(links_of(*case))
    found = Chances.of(matches, most_states=0, most_edges=0 if is_scaled else 10**6)
    links = matches.links
    fitting = 1.0 / np.maximum(1, links.visible)
    fitting[links.visible == 0] = 0
    assert (found.best_of_type <= links.largest_shape(fitting) + 1e-9).all()
