"""The quick look: the same as the kernels say, and what it concludes without them is true."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.audit.adversary_view import Scene
from shoal.audit.attack_runs import run_attacks
from shoal.audit.knowledge import Knowledge
from shoal.audit.links import Links
from shoal.audit.matching import Matching
from shoal.audit.posterior import Posterior
from shoal.audit.quick_fits import Fits, affordable, mixed
from shoal.audit.scorer import Referee
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.core.release import publish
from shoal.core.table import Table
from shoal.core.tallies import Tallies
from shoal.kernels.mixing import mix
from support.graphs import fits_of, publication
from support.tables import coded, partitioned

Case = tuple[list[list[int]], list[int]]


@st.composite
def releases(draw: st.DrawFn) -> Case:
    """A few people, and records that are sets of values."""
    people = draw(st.lists(st.integers(0, 5), min_size=1, max_size=9))
    sets = st.sets(st.integers(0, 6), min_size=1, max_size=4).map(sorted)
    return draw(st.lists(sets, min_size=1, max_size=20)), people


@given(releases())
def test_pairs_are_those_of_the_twin_and_of_the_tree(case: Case) -> None:
    fits, links, plain = Fits.of(*publication(*case)), Links.of(*publication(*case)), fits_of(*case)
    starts, shapes = fits.shapes_of(np.arange(fits.n_types, dtype=np.int32))
    fitting = [set(shapes[starts[r] : starts[r + 1]].tolist()) for r in range(fits.n_types)]
    assert [[int(s) in fitting[r] for s in fits.shapes] for r in fits.types] == plain
    assert fits.records_fitting.tolist() == links.records_fitting.tolist()
    assert fits.people_fitting.tolist() == links.people_fitting.tolist()
    assert (fits.only_shape >= 0).tolist() == [len(found) == 1 for found in fitting]


def people(n: int, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    columns = {"age": rng.integers(0, 40, n).tolist(), "town": rng.choice(list("abc"), n).tolist()}
    columns["ill"] = rng.choice(["flu", "gout", "HIV"], n, p=[0.6, 0.3, 0.1]).tolist()
    return coded(columns, ["age", "town"], kinds={"age": "numeric"}, sensitive=("ill",))


def in_disorder(n: int, k: int, seed: int) -> Scene:
    """Groups of k drawn nearly at random: wide cells that overlap."""
    table = people(n, seed)
    order = np.random.default_rng(seed).permutation(n)
    order = order[np.argsort(table.codes[0][order] // 9, kind="stable")]
    release = partitioned(table, [order[i : i + k].tolist() for i in range(0, n - n % k, k)])
    seen = publish(release, Randomness(seed))
    return Scene(seen, Knowledge.of(table), table.sensitive, k=k, pace="quick")


@pytest.mark.parametrize("seed", range(4))
def test_what_symmetry_says_bounds_what_the_puzzle_gives(seed: int) -> None:
    """Ranges of numbers and sets of towns; with and without people who have no record."""
    quick = in_disorder(203 + seed, 5, seed)
    whole = Scene(quick.seen, quick.known, k=5)
    assert quick.is_plain
    [matched], [weighed] = (attack().run(quick, Referee()) for attack in (Matching, Posterior))
    exact = whole.chances.best_of_type
    assert weighed.figures["largest chance"] >= exact.max() - 1e-9
    assert weighed.rate >= whole.chances.expected_hits / whole.known.n_people - 1e-9
    placed = whole.matches.links.records_fitting
    assert matched.figures["fewest matches of a person"] <= placed[placed > 0].min()
    assert (matched.outcome, weighed.outcome) == ("stopped", "stopped")


def test_records_of_their_own_are_not_taken_for_hidden() -> None:
    """Nobody shares cells: then the puzzle is solved, however quick it has to be."""
    seen, known = publication([[0, 1], [1, 2], [0, 2]], [0, 1, 2])
    scene = Scene(seen, known, k=2, pace="quick")
    assert not scene.is_plain
    assert Posterior().run(scene, Referee())[0].figures["largest chance"] == pytest.approx(0.5)


def test_no_kernel_of_the_audit_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("shoal.audit.links.Links.of", "shoal.audit.matches.Matches.of", "shoal.audit.beliefs.mix"):
        monkeypatch.setattr(name, None)
    found = run_attacks(in_disorder(200, 5, 1), Referee())
    outcomes = {risk.attack: risk.outcome for risk in found.risks}
    assert outcomes["linking"] == outcomes["posterior"] == "stopped"
    assert outcomes["definetti"] == outcomes["refinement"] == outcomes["minimality"] == "not run"


def test_values_are_those_of_the_classes() -> None:
    scene = in_disorder(200, 5, 2)
    [beliefs] = scene.beliefs
    frame = pl.DataFrame({"class": scene.links.shapes, "ill": scene.sensitive[0].codes})
    counted = frame.group_by("class").agg(pl.col("ill").n_unique()).sort("class")["ill"]
    assert beliefs.n_values.tolist() == counted.to_list()
    assert beliefs.n_people == 200


def test_how_many_people_can_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = in_disorder(200, 5, 3)
    assert affordable(scene.seen, scene.known) > 200
    monkeypatch.setattr("shoal.audit.quick_fits.MOST_PAIRS", 40 * 30)
    assert affordable(scene.seen, scene.known) == 40 * 30 // scene.fits.n_shapes
    monkeypatch.setattr("shoal.audit.quick_fits.MOST_PAIRS", 10**6)
    monkeypatch.setattr("shoal.audit.quick_fits.MOST_FITS", 100)
    assert affordable(scene.seen, scene.known) < 100


groups = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30)


@given(groups)
def test_tallies_without_a_kernel(rows: list[tuple[int, int]]) -> None:
    ids, codes = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    plain, known = Tallies.of_ids(ids, codes, 5), Tallies.of(Groups.from_ids(ids, int(ids.max()) + 1), codes, 5)
    for field in ("offsets", "values", "counts"):
        assert getattr(plain, field).tolist() == getattr(known, field).tolist()


@given(groups, st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=5))
def test_mixtures_without_a_kernel(rows: list[tuple[int, int]], mixtures: list[list[int]]) -> None:
    ids, codes = (np.array(column, np.int32) for column in zip(*[*rows, (3, 0)], strict=True))
    tallies = Tallies.of_ids(ids, codes, 5)
    starts = np.cumsum([0, *map(len, mixtures)]).astype(np.int64)
    parts = np.array([group for mixture in mixtures for group in mixture], np.int32)
    weights = np.linspace(0, 1, parts.size)
    counts = tallies.counts.astype(np.float64)
    given_ = (starts, parts, weights, tallies.offsets, tallies.values, counts, 5)
    for plain, known in zip(mixed(*given_), mix(*given_), strict=True):
        assert plain == pytest.approx(known)
