"""A publication: shuffled, and with no way back to who owns what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import numpy.typing as npt
import polars as pl
from hypothesis import given

from shoal.core.hierarchy import Hierarchy
from shoal.core.randomness import Randomness
from shoal.core.release import Publication, Release, publish
from shoal.core.table import Table
from shoal.io.labels import to_frame
from support.strategies import releases
from support.tables import coded, partitioned, single

N = 60


def _people() -> Table:
    """Enough rows that no array is equal to the owners by chance."""
    letters = [chr(97 + row * 7 % 5) for row in range(N)]
    columns: dict[str, list[object]] = {
        "age": [row * 37 % 11 for row in range(N)],
        "town": list(letters),
        "blood": list(letters),
        "code": list(letters),
        "illness": [row % 3 for row in range(N)],
        "note": [f"note {row}" for row in range(N)],
    }
    tree = Hierarchy.from_dict({"v": ["a", "e"], "c": ["b", "c", "d"]})
    return coded(
        columns,
        ["age", "town", "blood", "code"],
        sensitive=("illness",),
        others=("note",),
        hierarchies={"town": tree},
        recodings={"code": "suppress"},
    )


def _release() -> Release:
    """Groups whose rows are in no particular order, and two rows suppressed."""
    rows = [row * 23 % N for row in range(N)]
    return partitioned(_people(), [rows[:10], rows[10:33], rows[33:58]])


def _reachable(start: object) -> Iterator[object]:
    """Everything that can be got at from an object by attributes, items and the bases of arrays."""
    waiting, seen = [start], set[int]()
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (str, bytes, int, float, type, pl.Series, pl.DataFrame)):
            continue
        seen.add(id(thing))
        yield thing
        if isinstance(thing, np.ndarray):
            waiting.append(thing.base)
        elif isinstance(thing, dict):
            waiting += [*thing.keys(), *thing.values()]
        elif isinstance(thing, (list, tuple, set, frozenset)):
            waiting += thing
        else:
            waiting += vars(thing).values() if hasattr(thing, "__dict__") else ()


def test_nothing_leads_back() -> None:
    """No table, no release, and no array that says which row or shape a record was made from."""
    release = _release()
    secrets = [release.owners, release.shapes, np.argsort(release.owners), *release.table.codes]
    shuffled = Randomness(5).permutation(release.n_records)
    secrets += [shuffled, release.owners[shuffled], np.argsort(shuffled)]
    found = list(_reachable(publish(release, Randomness(5))))
    assert not [thing for thing in found if isinstance(thing, (Table, Release))]
    arrays: list[npt.NDArray[np.int64]] = [thing for thing in found if isinstance(thing, np.ndarray)]
    assert arrays, "the walk has to find the cells at least"
    for secret in secrets:
        assert not [array for array in arrays if np.array_equal(array, secret)]


def test_the_walk_would_find_the_owners() -> None:
    release = _release()
    assert any(thing is release.owners for thing in _reachable(release))


def test_only_cells_in_use_are_published() -> None:
    table = single([1, 2, 3, 4])
    whole = partitioned(table, [[0, 1], [2, 3]])
    part = Release(table, whole.owners[:2], whole.shapes[:2], whole.cells)
    (cells,) = publish(part, Randomness(0)).cells
    assert cells.n_distinct == 1


@given(releases())
def test_passengers_stay_with_their_cells(release: Release) -> None:
    publication = publish(release, Randomness(2))
    told = [[frozenset(c.leaves(int(cell)).tolist()) for cell in c.ids] for c in publication.cells]
    rows = Counter(zip(publication.passengers["note"], *told, strict=True)) if publication.n_records else Counter()
    cells = [cells.take(release.shapes) for cells in release.cells]
    before = [[frozenset(c.leaves(int(cell)).tolist()) for cell in c.ids] for c in cells]
    notes = release.table.passengers["note"]
    assert rows == Counter(zip((notes[int(owner)] for owner in release.owners), *before, strict=True))


def test_buckets_are_shuffled_along() -> None:
    table = coded({"a": [1, 2, 3, 4, 5], "note": list("vwxyz")}, ["a"], others=("note",))
    release = Release.identity(table)
    buckets = np.array([7, 7, 8, 8, 9], np.int32)
    publication = publish(Release(table, release.owners, release.shapes, release.cells, buckets), Randomness(3))
    assert publication.buckets is not None
    numbers = dict(zip(publication.passengers["note"], publication.buckets.tolist(), strict=True))
    assert numbers["v"] == numbers["w"] != numbers["x"] == numbers["y"] != numbers["z"]
    assert set(numbers.values()) == {0, 1, 2}, "numbered anew, as they come"
    assert publication.order == ("a", "note", "bucket")


def test_what_it_says_about_itself() -> None:
    publication = publish(_release(), Randomness(0))
    assert publication.n_records == 58
    assert publication.order == ("age", "town", "blood", "code", "illness", "note")
    assert publication.sensitive == ("illness",)
    assert set(vars(publication)) == {
        "quasi",
        "cells",
        "passengers",
        "order",
        "sensitive",
        "buckets",
        "pools_are_classes",
    }


def test_every_order_is_equally_likely() -> None:
    """Chi-square of the 24 orders of four records over 2,400 seeds: above 49.7 once in a thousand (23 degrees)."""
    table = coded({"a": [1, 2, 3, 4]}, ["a"])
    release = Release.identity(table)
    seen = Counter(tuple(_order(publish(release, Randomness(seed)))) for seed in range(2400))
    assert set(seen) == set(permutations([1, 2, 3, 4]))
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 49.7


def test_every_record_may_come_first() -> None:
    """Chi-square of the first of four records over 2,000 seeds: above 16.3 once in a thousand (3 degrees)."""
    release = Release.identity(single([1, 2, 3, 4]))
    firsts = Counter(_order(publish(release, Randomness(seed)))[0] for seed in range(10_000, 12_000))
    assert sum((firsts[value] - 500) ** 2 / 500 for value in (1, 2, 3, 4)) < 16.3


def _order(publication: Publication) -> list[int]:
    (cells,) = publication.cells
    return [int(low) + 1 for low in cells.low[cells.ids]]


def test_without_a_seed_no_two_shuffles_are_alike() -> None:
    release = _release()
    frames = [to_frame(publish(release, Randomness())) for _ in range(3)]
    assert not frames[0].equals(frames[1])
    assert not frames[1].equals(frames[2])
