"""Anatomy: different values in every bucket, nobody tied to a value, and two tables that fit together."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms import Anatomy
from shoal.algorithms.anatomy import buckets
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import free_name, publish
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError
from shoal.io.labels import to_frame, to_sensitive_frame
from shoal.metrics import LM
from shoal.models import KAnonymity, LDiversity, PSensitive, TCloseness
from support.tables import coded, goal_of

KINDS = [LDiversity(3), LDiversity(3, "frequency"), LDiversity(3, "entropy"), LDiversity(2, "recursive", 0.7)]


@given(st.lists(st.integers(0, 7), min_size=1, max_size=120), st.integers(1, 6), st.integers(0, 9))
def test_buckets_have_different_values_wherever_that_is_possible(drawn: list[int], size: int, seed: int) -> None:
    values = np.array(drawn, np.int32)
    ids = buckets(values, size, Randomness(seed))
    assert set(ids.tolist()) == set(range(ids.max() + 1))
    counts = Counter(zip(ids.tolist(), drawn, strict=True))
    sizes = Counter(ids.tolist())
    if max(Counter(drawn).values()) * size <= len(drawn):
        assert max(counts.values()) == 1
        assert size <= min(sizes.values())
        assert max(sizes.values()) < 2 * size
    elif len(set(drawn)) >= size:
        distinct = Counter(bucket for bucket, _ in counts)
        assert min(distinct.values()) >= size


def people(n_rows: int = 300, seed: int = 3) -> Table:
    rng = np.random.default_rng(seed)
    return coded(
        {
            "age": rng.integers(20, 80, n_rows).tolist(),
            "zip": [f"0{value}" for value in rng.integers(0, 50, n_rows)],
            "ill": [f"i{value}" for value in rng.integers(0, 9, n_rows)],
            "note": [f"{row}" for row in range(n_rows)],
        },
        ["age", "zip"],
        sensitive=["ill"],
        others=["note"],
    )


@pytest.mark.parametrize("model", KINDS, ids=str)
def test_every_kind_of_diversity_holds_in_the_buckets(model: LDiversity) -> None:
    release = Anatomy().run(people(), goal_of(model), Randomness(1), Silent())
    assert model.check(release).holds
    assert LM().score(release) == 0
    assert release.n_suppressed == 0
    assert not KAnonymity(2).check(release).holds


def test_values_are_dealt_out_at_random_and_numbers_tell_nothing() -> None:
    table = people()
    release = Anatomy().run(table, goal_of(LDiversity(4)), Randomness(1), Silent())
    seen = publish(release, Randomness(2))
    assert "ill" not in seen.order
    assert seen.buckets is not None
    assert seen.buckets[0] == 0
    first = {int(bucket): at for at, bucket in reversed(list(enumerate(seen.buckets.tolist())))}
    assert sorted(first, key=lambda bucket: first[bucket]) == sorted(first)
    notes = seen.passengers["note"].cast(int).to_numpy()
    own = table.passengers["ill"].to_numpy()[notes] == seen.passengers["ill"].to_numpy()
    assert 0.15 < own.mean() < 0.4, "a value stands beside its owner as often as chance has it: about one in four"
    assert Counter(zip(seen.buckets.tolist(), seen.passengers["ill"], strict=True)) == Counter(
        zip(seen.buckets.tolist(), table.passengers["ill"][notes.tolist()], strict=True)
    )


def test_the_two_tables() -> None:
    release = Anatomy().run(people(), goal_of(LDiversity(3)), Randomness(1), Silent())
    seen = publish(release, Randomness(2))
    frame, values = to_frame(seen), to_sensitive_frame(seen)
    assert frame.columns == ["age", "zip", "note", "bucket"]
    assert values is not None
    assert values.columns == ["bucket", "ill", "count"]
    assert values["count"].sum() == frame.height == 300
    assert values.equals(values.sort("bucket", "ill"))
    assert sorted(set(frame["bucket"])) == sorted(set(values["bucket"])) == list(range(1, 101))


def test_taken_names_get_a_number() -> None:
    assert [free_name("count", []), free_name("count", ["count", "count 2"])] == ["count", "count 3"]


@pytest.mark.parametrize("model", [KAnonymity(2), TCloseness(0.3), PSensitive(2)], ids=str)
def test_other_promises_are_refused_in_a_sentence(model: object) -> None:
    goal = Goal((LDiversity(2), model), LM())  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"unchanged, so it cannot promise {model}; ask it for l-diversity alone"):
        Anatomy().refuse(people(), goal)


def test_tables_without_sensitive_values_are_refused() -> None:
    with pytest.raises(InputError, match="Anatomy needs a sensitive column"):
        Anatomy().refuse(coded({"a": [1, 2]}, ["a"]), goal_of(LDiversity(1)))


def test_what_not_even_one_bucket_keeps_is_told() -> None:
    table = coded({"a": [1, 2, 3], "s": ["x", "x", "y"]}, ["a"], sensitive=["s"])
    with pytest.raises(GoalNotMet, match="one bucket"):
        Anatomy().run(table, goal_of(LDiversity(2, "frequency")), Randomness(0), Silent())
