"""Forms of histories that too few people have give up rows, and no more than leaving the people out would."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.core.groups import Groups
from shoal.core.histories import HistoryForms, histories_of, numbered_within
from shoal.core.history_forms import fit_forms
from shoal.core.table import Table


def forms_of(lengths: list[int]) -> HistoryForms:
    """People with so many rows each."""
    different = sorted(set(lengths))
    places = tuple(np.arange(length, dtype=np.int32) for length in different)
    return HistoryForms(places, np.array([different.index(length) for length in lengths], np.int32))


@pytest.mark.parametrize("seed", range(30))
def test_every_form_has_enough_people_and_nobody_a_row_too_many(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lengths = rng.geometric(0.3, int(rng.integers(1, 40))).tolist()
    floor = int(rng.integers(1, 6))
    fit = fit_forms(forms_of(lengths), floor)
    counts = np.bincount(fit.of_person[fit.of_person >= 0], minlength=len(fit.places))
    assert (counts >= floor).all()
    kept = [fit.places[form].size if form >= 0 else 0 for form in fit.of_person]
    assert all(one <= other for one, other in zip(kept, lengths, strict=True))
    assert fit.n_lost == sum(lengths) - sum(kept)
    assert fit.n_lost <= sum(length for length in lengths if lengths.count(length) < floor)


def test_the_longest_join_the_next_and_only_the_surplus_is_lost() -> None:
    lengths = [15, 14, 13, 13, 12, 12, 12, *[11] * 4, *[10] * 9, *[9] * 30]
    fit = fit_forms(forms_of(lengths), 10)
    assert sorted(each.size for each in fit.places) == [9, 11]
    assert fit.n_lost == 4 + 3 + 2 + 2 + 3 + 9


def test_people_who_are_not_acceptable_together_are_not_published_so() -> None:
    fit = fit_forms(forms_of([1, 1, 2, 2]), 2, lambda people, form: form.size == 1)
    assert [each.tolist() for each in fit.places] == [[0]]
    assert fit.n_lost == 2
    assert fit_forms(forms_of([1, 1]), 2, lambda people, form: False).places == ()


def test_rows_of_a_group_share_a_group_place_by_place_and_surplus_rows_have_none() -> None:
    people = np.array([0, 1, 0, 1, 1], np.int32)
    table = Table((), np.empty((0, 5), np.int32), people=people)
    histories = histories_of(table, np.array([9, 3, 1, 4, 5]))
    assert numbered_within(people, np.array([9, 3, 1, 4, 5])).tolist() == [1, 0, 0, 1, 2]
    whole = Groups(np.array([0, 2]), np.array([0, 1], np.int32))
    (rows,) = histories.unfold(whole, [np.array([0, 1], np.int32)])
    assert [sorted(rows.of(g).tolist()) for g in range(len(rows))] == [[1, 2], [0, 3]]
