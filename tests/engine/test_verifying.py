"""The verb ``verify``: any table, as it stands."""

from __future__ import annotations

import polars as pl
import pytest

import shoal

RELEASED = pl.DataFrame(
    {
        "zip": ["2203*"] * 6 + ["2204*"] * 3,
        "marital": ["been", "been", "never", "never", "never", "been", "been", "been", "been"],
        "sex": ["F", "F", "M", "M", "M", "F", "M", "M", "M"],
        "disease": ["hyper", "hyper", "obesity", "HIV", "obesity", "hyper", "obesity", "HIV", "HIV"],
    }
)
QUASI = ["zip", "marital", "sex"]


def test_figure_18_is_three_anonymous_but_one_class_has_a_single_disease() -> None:
    checked = shoal.verify(
        RELEASED, quasi_identifiers=QUASI, sensitive=["disease"], privacy=[shoal.KAnonymity(3), shoal.LDiversity(2)]
    )
    k, diversity = checked.verdicts
    assert (k.holds, k.achieved, k.n_groups) == (True, 3, 3)
    assert (diversity.holds, diversity.achieved, diversity.n_failing) == (False, 1, 1)
    assert not checked.holds
    worst = next(entry for entry in checked.worst if entry.promise.startswith("2-diversity"))
    assert worst.labels == {"zip": "2203*", "marital": "been", "sex": "F"}
    assert (worst.size, worst.measure) == (3, 1)


def test_a_missing_quasi_identifier_is_a_value_and_not_a_reason_to_look_away() -> None:
    frame = pl.DataFrame({"age": [30, 30, 30, None], "zip": ["a", "a", "a", "a"]})
    checked = shoal.verify(frame, quasi_identifiers=["age", "zip"], privacy=shoal.KAnonymity(3))
    assert not checked.holds
    assert checked.verdicts[0].achieved == 1


def test_the_order_of_rows_and_the_index_do_not_matter() -> None:
    frame = RELEASED.to_pandas()
    for seed in range(5):
        shuffled = frame.sample(frac=1, random_state=seed)
        checked = shoal.verify(shuffled, quasi_identifiers=QUASI, sensitive=["disease"], privacy=[shoal.LDiversity(2)])
        assert checked.verdicts[0].achieved == 1


def test_a_column_of_nothing_but_missing_is_constant() -> None:
    frame = pl.DataFrame({"x": [None, None], "y": ["a", "a"]}, schema={"x": pl.String, "y": pl.String})
    assert shoal.verify(frame, quasi_identifiers=["x", "y"], privacy=shoal.KAnonymity(2)).holds


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"quasi_identifiers": ["zipp"]}, "Did you mean 'zip'"),
        ({"quasi_identifiers": []}, "No quasi-identifier"),
        ({"privacy": []}, "No promise was named"),
        ({"privacy": [shoal.LDiversity(2)], "sensitive": []}, "needs a sensitive column"),
    ],
)
def test_bad_questions_are_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(shoal.InputError, match=says):
        shoal.verify(RELEASED, **{"quasi_identifiers": QUASI, "privacy": shoal.KAnonymity(2), **change})


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(shoal.InputError, match="0 rows"):
        shoal.verify(RELEASED.clear(), quasi_identifiers=QUASI, privacy=shoal.KAnonymity(2))
