"""Randomness: reproducible with a seed, a secret without, and never biased."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal.core.randomness
from shoal.core.arrays import Words64
from shoal.core.randomness import Randomness

SECRETS = {
    "web": {"secrets"},
    "spark": {"secrets"},
    "io": {"secrets"},
    "preparation": {"secrets"},
    "kernels": {"uuid"},
    "backends": {"uuid"},
}
"""Folders that may draw tokens, keys and names of files from the operating system."""

SOURCES = sorted(Path(shoal.core.randomness.__file__).parents[1].rglob("*.py"))


@given(st.integers(), st.integers(0, 50))
def test_a_seed_gives_the_same_stream(seed: int, n: int) -> None:
    one, other = Randomness(seed), Randomness(seed)
    for _ in range(2):
        assert one.words(n).tolist() == other.words(n).tolist()
        assert one.permutation(n).tolist() == other.permutation(n).tolist()


def test_the_stream_is_the_same_on_every_machine() -> None:
    """A change here would change every release that was made with a seed."""
    assert Randomness(7).words(2).tolist() == [12684821702376366339, 7334023075430807647]
    assert Randomness(7).permutation(6).tolist() == [2, 1, 0, 4, 3, 5]


@given(st.integers(0, 300) | st.sampled_from([1023, 1024, 1025, 40_000]), st.integers(0, 9))
def test_a_permutation_is_the_order_of_its_words(n: int, seed: int) -> None:
    words = Randomness(seed).words(n)
    assert Randomness(seed).permutation(n).tolist() == np.argsort(words, kind="stable").tolist()


def test_words_that_begin_alike_are_told_apart_by_their_ends_and_equal_ones_drawn_again() -> None:
    class Drawn(Randomness):
        streams = iter([[5, 5, 9, 1, 2], [12, 3 << 40, 11, 13, 10]])

        def words(self, n: int) -> Words64:
            return np.array(next(self.streams), np.uint64)

    assert Drawn().permutation(5).tolist() == [4, 2, 0, 3, 1]


def test_other_seeds_give_other_streams() -> None:
    streams = {tuple(Randomness(seed).words(4).tolist()) for seed in (*range(100), -1, 2**64, 2**64 + 1)}
    assert len(streams) == 103


def test_without_a_seed_the_key_is_the_operating_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def urandom(n: int) -> bytes:
        asked.append(n)
        return bytes([len(asked)] * n)

    monkeypatch.setattr("os.urandom", urandom)
    assert Randomness().words(4).tolist() != Randomness().words(4).tolist()
    assert asked == [32, 32]


def test_a_stream_goes_on() -> None:
    stream = Randomness(1)
    assert len({int(word) for _ in range(50) for word in stream.words(20)}) == 1000


def test_children_do_not_depend_on_what_else_is_drawn() -> None:
    parent, other = Randomness(3), Randomness(3)
    other.words(10)
    other.child("something else").words(10)
    assert parent.child("publish").words(5).tolist() == other.child("publish").words(5).tolist()


def test_children_are_independent() -> None:
    """Of each other, of their parent and of their parent's seed as a seed."""
    parent = Randomness(3)
    streams = [parent.words(50), parent.child("a").words(50), parent.child("b").words(50)]
    streams += [parent.child("a").child("a").words(50), Randomness(4).child("a").words(50), Randomness(0).words(50)]
    everything = np.concatenate(streams)
    assert np.unique(everything).size == everything.size


@given(st.integers(0, 60), st.integers(0, 2**32))
def test_permutations(n: int, seed: int) -> None:
    order = Randomness(seed).permutation(n)
    assert sorted(order.tolist()) == list(range(n))
    assert order.dtype == np.int32


def test_a_tie_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal keys would leave the order of rows as it was."""
    draws = iter([[5, 1, 5], [9, 9, 9], [7, 8, 2]])
    monkeypatch.setattr(Randomness, "words", lambda self, n: np.array(next(draws), np.uint64))
    assert Randomness(0).permutation(3).tolist() == [2, 0, 1]


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 2**32, 2**63, 2**64 - 1])
def test_integers_stay_below_the_bound(bound: int) -> None:
    drawn = Randomness(1).integers(bound, 300)
    assert drawn.size == 300
    assert all(0 <= int(number) < bound for number in drawn)


def test_integers_are_uniform() -> None:
    """Chi-square with 9 degrees: above 27.9 once in a thousand."""
    counts = Counter(Randomness(2).integers(10, 5000).tolist())
    assert sum((counts[number] - 500) ** 2 / 500 for number in range(10)) < 27.9


def test_large_bounds_are_not_biased() -> None:
    """Below 3 · 2^62 a remainder alone would fall into the first third half of the time."""
    drawn = Randomness(3).integers(3 * 2**62, 6000)
    assert abs(float((drawn < np.uint64(2**62)).mean()) - 1 / 3) < 0.03


def test_words_beyond_the_last_multiple_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    last = 2**64 - 1
    draws = iter([[4, last, last], [last, 1], [2]])

    def words(self: Randomness, n: int) -> Words64:
        drawn = np.array(next(draws), np.uint64)
        assert drawn.size == n
        return drawn

    monkeypatch.setattr(Randomness, "words", words)
    assert Randomness(0).integers(5, 3).tolist() == [4, 2, 1]


def _names(tree: ast.AST) -> set[str]:
    """Dotted names of attributes and imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{node.value.id}.{node.attr}")
    return found


def test_no_other_generator_is_used() -> None:
    """All randomness comes from what was passed in; tokens, keys and file names from the operating system."""
    others = {"random", "secrets", "uuid", "np.random", "numpy.random"}
    assert len(SOURCES) > 50, "the walk has to find the sources"
    for source in SOURCES:
        names = _names(ast.parse(source.read_text(encoding="utf-8")))
        found = {name for name in names if name in others or name.startswith(("random.", "numpy.random."))}
        found -= SECRETS.get(source.parent.name, set())
        assert not found, source
