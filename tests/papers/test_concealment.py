"""The paper's own witnesses: every region of figure 1, table 1, figures 2 to 4 (Tassa, Mazza and Gionis 2012)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from naive import concealment as naive
from shoal.core.cells import Cells
from shoal.core.consistency import consistency_of
from shoal.core.release import Release
from shoal.models import KK, KAnonymity, KConcealment, KOne, LinkageBound, OneK
from support.tables import coded, groups_of, single

Sets = Sequence[Sequence[str]]


def release_of(values: Sequence[str], sets: Sets) -> Release:
    """The values, each published as its set."""
    table = single(values, recodings={"q": "sets"}, kinds={"q": "nominal"})
    code = {text: at for at, text in enumerate(table.quasi[0].domain.texts)}
    lists = groups_of([[code[value] for value in members] for members in sets])
    n = table.quasi[0].domain.n_leaves
    rows = np.arange(len(values), dtype=np.int32)
    return Release(table, rows, rows, (Cells.of_sets(lists, np.arange(n, dtype=np.int32), n),))


def numbers(first: int, last: int) -> list[str]:
    return [f"{i:02}" for i in range(first, last + 1)]


def without(k: int, *gone: int) -> list[str]:
    """[k + 1] without some."""
    return [f"{i:02}" for i in range(1, k + 2) if i not in gone]


def anonymous(k: int) -> Release:
    return release_of(without(k), [without(k)] * (k + 1))


def one_k(k: int) -> Release:
    return release_of(without(k), [["01"], *[without(k)] * (k - 1), without(k, 1)])


def k_one(k: int) -> Release:
    return release_of(without(k), [without(k, k + 1), *[without(k, 1)] * k])


def kk(k: int) -> Release:
    """Each record without one value, but with its owner's: the paper's table taken one row further.

    As printed, record i of the last column lacks i and so is no generalization of row i; the proof of Proposition 7
    matches row i with the records i + 1, i + 2, …, so the records are shifted by one here.
    """
    return release_of(without(k), [without(k, i % (k + 1) + 1) for i in range(1, k + 2)])


def concealed_not_k_one(k: int) -> Release:
    return release_of(without(k), [numbers(1, k - 1), *[without(k)] * k])


def kk_not_concealed(k: int) -> Release:
    a, b = [f"a{i}" for i in range(1, k + 2)], [f"b{i}" for i in range(1, k + 1)]
    return release_of([*a, *b], [[a[0], *b[:-1]], *[a] * (k - 1), a[1:], *[b] * k])


REGIONS: dict[str, tuple[Callable[[int], Release], tuple[bool, ...]]] = {
    "k-anonymous": (anonymous, (True, True, True, True, True)),
    "(k,1) without (1,k)": (k_one, (False, False, True, False, False)),
    "(1,k) without (k,1) and concealment": (one_k, (False, True, False, False, False)),
    "(k,k) and concealed, not k-anonymous": (kk, (False, True, True, True, True)),
    "concealed without (k,1)": (concealed_not_k_one, (False, True, False, False, True)),
    "(k,k) without concealment": (kk_not_concealed, (False, True, True, True, False)),
}
"""The six regions of figure 1: the witness, and whether it is k-, (1,k)-, (k,1)-, (k,k)-anonymous and k-concealed."""


@pytest.mark.parametrize("k", range(2, 7))
@pytest.mark.parametrize("region", REGIONS)
def test_every_region_of_figure_1(region: str, k: int) -> None:
    if region == "concealed without (k,1)" and k == 2:
        pytest.skip("the region is empty for k = 2: see the test below")
    make, expected = REGIONS[region]
    release = make(k)
    promises = (KAnonymity(k), OneK(k), KOne(k), KK(k), KConcealment(k, "rows"))
    assert tuple(promise.check(release).holds for promise in promises) == expected
    of_rows, of_records = naive.fitting(naive.graph_of(release))
    matches, _ = naive.matching(naive.graph_of(release))
    by_hand = (min(of_rows) >= k, min(of_records) >= k, min(of_rows + of_records) >= k, min(matches) >= k)
    assert by_hand == expected[1:]


def test_no_concealment_for_k_2_has_a_record_of_one_row() -> None:
    """The paper's third witness fails at k = 2, and any would: such a record is its row's in every assignment."""
    release = concealed_not_k_one(2)
    assert not KConcealment(2, "rows").check(release).holds
    assert naive.matching(naive.graph_of(release))[0][0] == 1


@pytest.mark.parametrize("k", range(2, 7))
def test_matches_of_the_witness_of_concealment(k: int) -> None:
    """The numbers of matches that the proof of Proposition 7 counts."""
    if k > 2:
        of_types, _ = consistency_of(concealed_not_k_one(k)).matches
        assert of_types.tolist() == [*[k + 1] * (k - 1), k, k]
    first_has_one = consistency_of(kk_not_concealed(k)).matches[0]
    assert first_has_one[0] == 1


TABLE_1: dict[str, list[Any]] = {"age": [30, 21, 21, 55, 47], "zip": ["10055", "10055", "10023", "10165", "10224"]}


def test_table_1_conceals_two() -> None:
    """Table 1(c) is a 2-concealment at less loss than the 2-anonymous 1(b); Alice may be the first or the third."""
    table = coded(TABLE_1, ["age", "zip"], recodings={"zip": "sets"})
    ages = {age: code for code, age in enumerate([21, 30, 47, 55])}
    zips = {text: code for code, text in enumerate(table.quasi[1].domain.texts)}
    spans = [(21, 30), (21, 21), (21, 30), (47, 55), (47, 55)]
    low = np.array([ages[first] for first, _ in spans], np.int32)
    high = np.array([ages[last] for _, last in spans], np.int32)
    near, all_zips = [zips["10055"], zips["10023"]], [*zips.values()]
    sets = groups_of([[zips["10055"]], near, near, all_zips, all_zips])
    n = table.quasi[1].domain.n_leaves
    rows = np.arange(5, dtype=np.int32)
    cells = (Cells.of_intervals(low, high), Cells.of_sets(sets, np.arange(n, dtype=np.int32), n))
    release = Release(table, rows, rows, cells)
    assert naive.graph_of(release)[0] == [0, 2]
    assert KConcealment(2, "rows").check(release).holds
    assert not KAnonymity(2).check(release).holds


def test_figure_2_a_record_of_two_rows_may_be_the_only_one_of_a_row() -> None:
    release = release_of(["a", "b", "c"], [["a", "b"], ["b", "c"], ["b", "c"]])
    assert KOne(2).check(release).holds
    assert OneK(2).check(release).achieved == 1
    assert LinkageBound(0.5).check(release).achieved == 1.0


def test_figure_3_two_stars_keep_1_2_anonymity_and_nothing_else() -> None:
    people = ["a", "b", "c", "d", "e"]
    release = release_of(people, [["a"], ["b"], ["c"], people, people])
    assert OneK(2).check(release).holds
    assert not KConcealment(2, "rows").check(release).holds
    assert LinkageBound(0.5).check(release).achieved == 1.0
    assert LinkageBound(0.5).check(release).n_failing == 3


def test_figure_4_a_cycle_need_not_be_a_bicycle() -> None:
    """Rows 1 and 2 fit records 3 and 4 as well, a cycle of four edges that no complete assignment uses."""
    release = release_of(["a", "b", "c", "d"], [["a"], ["b"], ["a", "b", "c"], ["a", "b", "d"]])
    graph = consistency_of(release)
    assert graph.fits[0].tolist() == [3, 3, 1, 1]
    assert graph.matches[0].tolist() == [1, 1, 1, 1]
