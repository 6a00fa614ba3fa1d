from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.report.risk import RecordRisk


@given(st.lists(st.integers(1, 40), min_size=1, max_size=60))
def test_risks_are_those_of_the_records_one_by_one(sizes: list[int]) -> None:
    records = [size for size in sizes for _ in range(size)]
    risk = RecordRisk.of_sizes(sizes)
    assert (risk.n_rows, risk.n_classes) == (len(records), len(sizes))
    assert risk.n_unique == records.count(1)
    assert risk.highest == max(1 / size for size in records)
    assert risk.average == pytest.approx(sum(1 / size for size in records) / len(records))
    assert risk.mean_size == pytest.approx(sum(sizes) / len(sizes))
    assert [above.n_rows for above in risk.above] == [sum(s < least for s in records) for least in (2, 3, 5, 11, 20)]
    assert [s for s, n in risk.spectrum for _ in range(n)] == sorted(sizes)


def test_a_class_of_three_is_not_above_a_third() -> None:
    shares = {above.size: above.share for above in RecordRisk.of_sizes([3, 3]).above}
    assert shares == {2: 0, 3: 0, 5: 1, 11: 1, 20: 1}


def test_nothing_is_not_at_risk() -> None:
    risk = RecordRisk.of_sizes([])
    assert (risk.n_rows, risk.smallest, risk.highest, risk.average, risk.spectrum) == (0, 0, 0.0, 0.0, ())


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 30)), min_size=1, max_size=30))
def test_where_people_are_counted_a_record_hides_among_people(classes: list[tuple[int, int]]) -> None:
    people, sizes = [n for n, _ in classes], [n + more for n, more in classes]
    records = [n for n, size in zip(people, sizes, strict=True) for _ in range(size)]
    risk = RecordRisk.of_sizes(sizes, people)
    assert (risk.n_rows, risk.smallest, risk.n_unique) == (len(records), min(people), records.count(1))
    assert risk.highest == max(1 / n for n in records)
    assert risk.average == pytest.approx(sum(1 / n for n in records) / len(records))
    assert [above.n_rows for above in risk.above] == [sum(n < least for n in records) for least in (2, 3, 5, 11, 20)]
