"""Blocks that cannot stand alone are joined with their neighbours, wherever rows are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shoal.core.block_union import join_neighbours

SIZES = st.lists(st.integers(0, 6), min_size=1, max_size=12)


def _joined(sizes: list[int], least: int, held: int | None = None) -> list[list[int]]:
    alone = ([size] for size in sizes)
    return [*join_neighbours(alone, lambda block: sum(block) >= least, lambda one, other: one + other, held)]


@given(SIZES, st.integers(1, 8), st.sampled_from([None, 1, 2]))
def test_every_block_is_large_enough_and_nothing_is_lost(sizes: list[int], least: int, held: int | None) -> None:
    blocks = _joined(sizes, least, held)
    assert [size for block in blocks for size in block] == sizes
    if sum(sizes) >= least:
        assert min(map(sum, blocks)) >= least
    else:
        assert len(blocks) == 1


def test_blocks_that_are_able_stay_as_they_are() -> None:
    assert _joined([3, 4, 5], 3) == [[3], [4], [5]]
    assert _joined([3, 1, 5, 1], 3) == [[3], [1, 5, 1]]


def test_the_last_is_joined_with_as_many_as_it_takes() -> None:
    """Able is only who has no odd one, or all: so the last has to go all the way back."""

    def is_able(block: list[int]) -> bool:
        return all(size % 2 == 0 for size in block) or len(block) == 4

    assert [*join_neighbours(([n] for n in (2, 4, 6, 7)), is_able, lambda one, other: one + other)] == [[2, 4, 6, 7]]


def test_no_more_are_held_back_than_was_said() -> None:
    seen: list[int] = []

    def blocks() -> object:
        for n in range(1, 6):
            seen.append(n)
            yield [n]

    first = next(join_neighbours(blocks(), lambda block: True, lambda one, other: one + other, 1))  # type: ignore[arg-type]
    assert first == [1]
    assert seen == [1, 2]
