"""Every promise over people means what its definition says, and what it says of itself is true."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from naive.people import TWINS
from shoal.core.contracts import GroupModel, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.models import ALL

PROMISES: list[PrivacyModel] = [
    shoal.KAnonymity(3),
    *(shoal.LDiversity(2, kind) for kind in ("distinct", "entropy", "grassberger", "frequency")),
    shoal.LDiversity(2, "recursive", 2),
    shoal.LDiversity(3, "recursive", 1.5, of="ill"),
    shoal.LDiversity(2, others="ignore"),
    shoal.TCloseness(0.3),
    shoal.TCloseness(0.3, "ordered", others="ignore"),
    shoal.AlphaK(0.5, 2),
    shoal.AlphaK(0.5, 2, ("a",), of="ill"),
    shoal.PSensitive(2, 3),
    shoal.BetaLikeness(1),
    shoal.BetaLikeness(1, "enhanced"),
    shoal.DeltaDisclosure(1.5),
    shoal.OneK(3),
    shoal.KOne(3),
    shoal.KK(3),
    shoal.KConcealment(3),
    shoal.LinkageBound(0.4),
    shoal.UniformMatching(3),
]


def random_table(seed: int, n_columns: int = 1) -> tuple[Table, pl.DataFrame]:
    """Rows of people of whom some have many, with values that some people share in all their rows."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 40))
    who = rng.integers(0, max(2, n // int(rng.integers(1, 5))), n)
    frame = pl.DataFrame(
        {
            "who": who,
            "age": rng.integers(0, 4, n),
            "ill": np.where(rng.random(n) < 0.5, np.array(list("abcd"))[who % 4], rng.choice(list("abcd"), n)),
            "pay": rng.integers(0, 3, n),
        }
    )
    named = ("ill", "pay")[:n_columns]
    table = encode(frame, Schema(("age",), named, person="who")).table
    return table, frame.select("who", "age", *named)


def random_groups(table: Table, seed: int) -> Groups:
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, max(1, table.n_rows // 5), table.n_rows)
    return Groups.from_ids(np.unique(ids, return_inverse=True)[1].astype(np.int32), np.unique(ids).size)


def of_people(promise: PrivacyModel) -> GroupModel:
    counted = promise.of_people()
    assert isinstance(counted, GroupModel)
    return counted


@pytest.mark.parametrize("promise", PROMISES, ids=str)
@pytest.mark.parametrize("n_columns", [1, 2])
def test_measures_are_those_of_the_definition(promise: PrivacyModel, n_columns: int) -> None:
    for seed in range(12):
        table, frame = random_table(seed, n_columns)
        groups = random_groups(table, seed)
        rows = [(row.pop("who"), {k: v for k, v in row.items() if k != "age"}) for row in frame.to_dicts()]
        twin = TWINS[promise.name]
        wanted = [float(twin(promise, [rows[i] for i in groups.of(g)], rows)) for g in range(len(groups))]
        assert of_people(promise).measure(table, groups).tolist() == pytest.approx(wanted)


@pytest.mark.parametrize("promise", PROMISES, ids=str)
def test_with_one_row_each_people_are_rows(promise: PrivacyModel) -> None:
    if not isinstance(promise, GroupModel):
        pytest.skip("matches across classes count for rows alone")
    for seed in range(6):
        table, frame = random_table(seed)
        alone = encode(frame.with_columns(who=pl.int_range(pl.len())), Schema(("age",), ("ill",), person="who")).table
        groups = random_groups(table, seed)
        by_rows = promise.measure(encode(frame.drop("who"), Schema(("age",), ("ill",))).table, groups)
        assert of_people(promise).measure(alone, groups).tolist() == pytest.approx(by_rows.tolist())


@pytest.mark.parametrize("promise", PROMISES, ids=str)
def test_what_grows_and_what_is_monotone_is_so(promise: PrivacyModel) -> None:
    counted = of_people(promise)
    for seed in range(40):
        table, _ = random_table(seed)
        fine = counted.accepts(table, groups := random_groups(table, seed))
        for one in range(len(groups) - 1):
            both = Groups(
                np.array([0, groups.sizes[one] + groups.sizes[one + 1]], np.int64),
                np.concatenate([groups.of(one), groups.of(one + 1)]),
            )
            grown = counted.is_growing and fine[one : one + 2].any()
            if grown or (counted.is_monotone and fine[one : one + 2].all()):
                assert counted.accepts(table, both).all()


def test_a_value_that_everybody_has_is_no_diversity() -> None:
    frame = pl.DataFrame({"who": [1, 1, 2, 2, 3, 3], "age": [1] * 6, "ill": ["hiv", "a", "hiv", "b", "hiv", "c"]})
    table = encode(frame, Schema(("age",), ("ill",), person="who")).table
    whole = Groups.whole(6)
    for kind in ("distinct", "entropy", "frequency"):
        assert of_people(shoal.LDiversity(2, kind)).measure(table, whole)[0] == 1
        assert shoal.LDiversity(2, kind).measure(table, whole)[0] >= 2


def test_k_map_and_presence_count_people_of_the_population() -> None:
    frame = pl.DataFrame({"who": [1, 1, 2], "age": [1, 1, 1]})
    everybody = pl.DataFrame({"who": [1, 1, 2, 3, 3, 3], "age": [1] * 6})
    table = encode(frame, Schema(("age",), person="who"), everybody).table
    assert shoal.KMap(2).of_people().measure(table, Groups.whole(3))[0] == 3
    assert shoal.DeltaPresence(0.9).of_people().measure(table, Groups.whole(3))[0] == pytest.approx(-2 / 3)
    unnamed = encode(frame, Schema(("age",), person="who"), everybody.drop("who")).table
    assert shoal.KMap(2).measure(unnamed, Groups.whole(3))[0] == 6


@pytest.mark.parametrize("name", [name for name in ALL if name != "of-people"])
def test_every_promise_says_what_it_means_over_people(name: str) -> None:
    assert "People counted: " in (ALL[name].__doc__ or "")
