"""What promises foresee: rows that are lost however a group is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.tallies import Tallies
from shoal.models import ALL
from shoal.models.sensitive import SensitiveModel
from support.promises import POSSIBLE
from support.strategies import partitions, tables
from support.tables import groups_of

NAMES = [name for name, model in ALL.items() if issubclass(model, SensitiveModel)]


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_no_cut_saves_them(name: str, data: st.DataObject) -> None:
    table = data.draw(tables(20))
    model = data.draw(st.sampled_from(POSSIBLE[name](table)))
    assert isinstance(model, SensitiveModel)
    rows = data.draw(st.lists(st.integers(0, table.n_rows - 1), min_size=1, unique=True))
    parts = [[rows[place] for place in part] for part in data.draw(partitions(len(rows), may_suppress=False))]
    groups = groups_of(parts)
    for column in model.columns(table):
        whole = Tallies.of(groups_of([rows]), column.codes, column.domain.n_leaves)
        judged = model.judge(column, Tallies.of(groups, column.codes, column.domain.n_leaves))
        lost = groups.sizes[judged < model.threshold].sum()
        assert model.doomed(column, whole)[0] <= lost + 1e-9


def test_something_is_foreseen() -> None:
    """A group of one value is lost to every promise about shares."""
    from shoal.models import AlphaK, BetaLikeness, DeltaDisclosure, LDiversity, PSensitive, TCloseness
    from support.tables import coded

    table = coded({"age": [1] * 20, "ill": ["a"] * 10 + ["b"] * 10}, ["age"], sensitive=("ill",))
    column = table.sensitive[0]
    alone = Tallies.of(groups_of([range(10)]), column.codes, 2)
    half = Tallies.of(groups_of([range(2, 14)]), column.codes, 2)
    kinds = [LDiversity(2, kind) for kind in ("entropy", "frequency", "distinct")]
    for model in (
        *kinds,
        LDiversity(2, "recursive", 2),
        TCloseness(0.1),
        AlphaK(0.5, 1),
        PSensitive(2),
        BetaLikeness(0.1),
        DeltaDisclosure(0.5),
    ):
        assert model.doomed(column, alone)[0] == 10, model
        assert 0 <= model.doomed(column, half)[0] < 12
    assert TCloseness(0.1).doomed(column, half)[0] == 2
