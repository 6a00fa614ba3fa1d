"""What every privacy model owes: the verdict of its definition, and the truth about itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import models as twins
from naive.plain import PlainRecord, classes_of, people_of, pools_of, records_of
from shoal.core.contracts import GroupModel, PrivacyModel
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.models import ALL
from shoal.models.sensitive import SensitiveModel
from support import promises as asked
from support.effort import examples
from support.promises import entry
from support.shapes import SHAPES
from support.strategies import partitions, releases, tables
from support.tables import groups_of, reordered

GROUP_MODELS = [name for name, model in ALL.items() if issubclass(model, GroupModel)]
few = settings(max_examples=examples(1 / 3))
every_model = pytest.mark.parametrize("name", ALL)
every_group_model = pytest.mark.parametrize("name", GROUP_MODELS)


def _draw(data: st.DataObject, name: str, table: Table) -> GroupModel:
    """A promise of this model, possible on the table or not."""
    possible = entry("POSSIBLE of tests/support/promises.py", asked.POSSIBLE, name)(table)
    impossible = entry("IMPOSSIBLE of tests/support/promises.py", asked.IMPOSSIBLE, name)(table)
    promise = data.draw(st.sampled_from([*possible, *impossible]))
    assert isinstance(promise, GroupModel)
    return promise


def _measures(promise: GroupModel, groups: Sequence[Sequence[PlainRecord]], table: Table) -> list[twins.Number]:
    if promise.judges_cells:
        by_cells = entry("CELL_TWINS of tests/naive/models.py", twins.CELL_TWINS, promise.name)
        return [float(by_cells(promise, members[0].cells, table)) for members in groups]
    twin, everybody = entry("TWINS of tests/naive/models.py", twins.TWINS, promise.name), people_of(table)
    return [twin(promise, [record.sensitive for record in members], everybody) for members in groups]


def _shown(promise: GroupModel, measures: Sequence[twins.Number]) -> list[float]:
    return [float(shown) for shown in promise.shown(np.array(measures, np.float64))]


def _compare(promise: GroupModel, release: Release) -> None:
    """The verdict against the twin's."""
    records = records_of(release)
    groups = classes_of(records) if promise.reads == "classes" else pools_of(records)
    measures = _measures(promise, groups, release.table)
    wanted = entry("WANTED of tests/naive/models.py", twins.WANTED, promise.name)(promise)
    verdict = promise.check(release)
    assert verdict.holds == all(measure >= wanted for measure in measures)
    assert promise.threshold == pytest.approx(float(wanted))
    assert [verdict.wanted] == pytest.approx(_shown(promise, [wanted]))
    assert [verdict.achieved] == pytest.approx(_shown(promise, [min(measures, default=np.inf)]))
    assert verdict.n_groups == len(measures)
    assert verdict.n_failing == sum(measure < wanted for measure in measures)
    assert list(verdict.worst_measures) == pytest.approx(_shown(promise, sorted(measures)[:10]))
    assert verdict.reads == promise.reads
    assert verdict.promise == str(promise)


@every_group_model
@given(release=releases(), data=st.data())
def test_random_releases(name: str, release: Release, data: st.DataObject) -> None:
    _compare(_draw(data, name, release.table), release)


@every_group_model
@few
@given(release=releases(), data=st.data())
def test_releases_with_buckets(name: str, release: Release, data: st.DataObject) -> None:
    n = release.n_records
    buckets = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), np.int32)
    pooled = Release(release.table, release.owners, release.shapes, release.cells, buckets)
    _compare(_draw(data, name, release.table), pooled)


@pytest.mark.parametrize("shape", SHAPES)
@every_group_model
def test_known_shapes(name: str, shape: str) -> None:
    release = Release.identity(SHAPES[shape]())
    for promise in asked.POSSIBLE[name](release.table):
        assert isinstance(promise, GroupModel)
        _compare(promise, release)


@every_group_model
@few
@given(table=tables(20), data=st.data())
def test_the_worst_groups_are_named(name: str, table: Table, data: st.DataObject) -> None:
    promise, release = _draw(data, name, table), Release.identity(table)
    verdict = promise.check(release)
    groups = release.classes if verdict.reads == "classes" else release.pools
    measures = promise.shown(promise.measure(table, groups))
    assert [measures[group] for group in verdict.worst] == list(verdict.worst_measures)
    assert len(verdict.worst) == min(10, len(groups))


@every_model
@few
@given(table=tables(20), data=st.data())
def test_the_verdict_does_not_depend_on_order(name: str, table: Table, data: st.DataObject) -> None:
    promise = data.draw(st.sampled_from(asked.POSSIBLE[name](table)))
    rows = data.draw(st.permutations(range(table.n_rows)))
    columns = data.draw(st.permutations(range(table.n_quasi)))
    one = promise.check(Release.identity(table))
    other = promise.check(Release.identity(reordered(table, rows, columns)))
    assert (one.holds, one.achieved, one.n_groups, one.n_failing) == (
        other.holds,
        other.achieved,
        other.n_groups,
        other.n_failing,
    )
    assert one.worst_measures == other.worst_measures


@every_group_model
@few
@given(table=tables(20), data=st.data())
def test_monotone_if_it_says_so(name: str, table: Table, data: st.DataObject) -> None:
    promise = _draw(data, name, table)
    if not promise.is_monotone:
        return
    lists = data.draw(partitions(table.n_rows))
    fine = [rows for rows in lists if promise.accepts(table, groups_of([rows])).all()]
    for rows in fine:
        assert promise.accepts(table, groups_of([[*rows, *other] for other in fine if other != rows])).all()


@every_group_model
@few
@given(table=tables(20), data=st.data())
def test_no_group_below_the_floor_is_accepted(name: str, table: Table, data: st.DataObject) -> None:
    promise = _draw(data, name, table)
    n = data.draw(st.integers(1, max(1, min(table.n_rows, promise.floor - 1))))
    rows = data.draw(st.permutations(range(table.n_rows)))[:n]
    if n < promise.floor:
        assert not promise.accepts(table, groups_of([rows])).any()


@every_group_model
@few
@given(table=tables(20), data=st.data())
def test_accepts_exactly_what_measures_enough(name: str, table: Table, data: st.DataObject) -> None:
    promise = _draw(data, name, table)
    groups = groups_of(data.draw(partitions(table.n_rows)))
    measures = promise.measure(table, groups)
    assert measures.dtype == np.float64
    assert measures.shape == (len(groups),)
    assert promise.accepts(table, groups).tolist() == [m >= promise.threshold for m in measures.tolist()]


@every_group_model
@few
@given(table=tables(20), data=st.data())
def test_groups_may_overlap(name: str, table: Table, data: st.DataObject) -> None:
    """Match sets of non-homogeneous releases do; each group is judged by itself."""
    promise = _draw(data, name, table)
    row = st.integers(0, table.n_rows - 1)
    lists = data.draw(st.lists(st.lists(row, min_size=1, unique=True), min_size=1, max_size=5))
    together = promise.measure(table, groups_of(lists)).tolist()
    assert together == [promise.measure(table, groups_of([rows])).item() for rows in lists]


@every_model
@pytest.mark.parametrize("shape", SHAPES)
def test_refuses_the_impossible_and_nothing_else(name: str, shape: str) -> None:
    table = SHAPES[shape]()
    for promise in entry("IMPOSSIBLE of tests/support/promises.py", asked.IMPOSSIBLE, name)(table):
        with pytest.raises(ImpossibleGoal):
            promise.refuse(table)
    for promise in entry("POSSIBLE of tests/support/promises.py", asked.POSSIBLE, name)(table):
        promise.refuse(table)


@every_model
def test_flag_forms(name: str) -> None:
    for text, promise in entry("FORMS of tests/support/promises.py", asked.FORMS, name).items():
        parsed = ALL[name].parse(text)
        assert parsed == promise
        assert str(parsed) == str(promise)
        assert hash(parsed) == hash(promise)


@every_model
@pytest.mark.parametrize("text", ["", "many", "-1", "nan", "1.5x"])
def test_bad_flag_forms_are_refused_in_a_sentence(name: str, text: str) -> None:
    with pytest.raises(InputError, match=r"must be .* got .*\.$"):
        ALL[name].parse(text)


@every_model
def test_promises_read_differently_where_they_differ(name: str) -> None:
    promises = set(entry("FORMS of tests/support/promises.py", asked.FORMS, name).values())
    assert len({str(promise) for promise in promises}) == len(promises)


@every_model
def test_promises_cannot_be_changed(name: str) -> None:
    promise = next(iter(entry("FORMS of tests/support/promises.py", asked.FORMS, name).values()))
    for field in vars(promise):
        with pytest.raises(AttributeError):
            setattr(promise, field, 1)


def test_names_and_flags_are_unique() -> None:
    assert all(name == model.name for name, model in ALL.items())
    assert len({model.flag for model in ALL.values()}) == len(ALL)
    assert all(model.summary and "\n" not in model.summary for model in ALL.values())
    assert all(issubclass(model, PrivacyModel) for model in ALL.values())


@pytest.mark.parametrize("name", [name for name, model in ALL.items() if issubclass(model, SensitiveModel)])
def test_a_model_with_a_measure_of_its_own_does_not_claim_that_tallies_say_all(name: str) -> None:
    model = ALL[name]
    assert issubclass(model, SensitiveModel)
    is_plain = model.measure is SensitiveModel.measure and model.accepts is GroupModel.accepts
    assert model.judges_tallies == is_plain
