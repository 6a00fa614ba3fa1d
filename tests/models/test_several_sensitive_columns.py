"""What becomes of the other sensitive columns, in every model that has an opinion."""

from __future__ import annotations

import pytest

from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.models import AlphaK, BetaLikeness, DeltaDisclosure, LDiversity, PSensitive, TCloseness
from support.tables import coded, partitioned


def _both() -> Table:
    """Each column has both values in each ward; who knows the pay in ward a knows the illness."""
    columns: dict[str, list[object]] = {
        "ward": ["a", "a", "b", "b", "b", "b"],
        "illness": ["flu", "gout", "flu", "gout", "flu", "gout"],
        "pay": ["low", "high", "low", "low", "high", "high"],
    }
    return coded(columns, ["ward"], sensitive=("illness", "pay"))


@pytest.mark.parametrize(
    ("known", "ignored"),
    [
        (LDiversity(2), LDiversity(2, others="ignore")),
        (LDiversity(2, "entropy"), LDiversity(2, "entropy", others="ignore")),
        (TCloseness(0.1), TCloseness(0.1, others="ignore")),
        (AlphaK(0.5, 2), AlphaK(0.5, 2, others="ignore")),
        (PSensitive(2, 2, others="quasi"), PSensitive(2, 2)),
        (BetaLikeness(0.5), BetaLikeness(0.5, others="ignore")),
        (DeltaDisclosure(0.5), DeltaDisclosure(0.5, others="ignore")),
    ],
)
def test_a_value_that_gives_another_away(known: LDiversity, ignored: LDiversity) -> None:
    release = Release.identity(_both())
    assert ignored.check(release).holds
    verdict = known.check(release)
    assert (verdict.holds, verdict.n_failing) == (False, 1)
    assert known.check(partitioned(_both(), [[2, 3, 4, 5]])).holds


def test_the_size_of_a_class_is_that_of_all_of_it() -> None:
    """k counts records, not those of them that agree on other sensitive columns."""
    assert AlphaK(0.5, 4).check(partitioned(_both(), [[2, 3, 4, 5]])).holds
    assert not AlphaK(0.5, 5).check(partitioned(_both(), [[2, 3, 4, 5]])).holds


def test_one_sensitive_column_has_no_others() -> None:
    columns: dict[str, list[object]] = {"ward": ["a", "a"], "illness": ["flu", "gout"]}
    release = Release.identity(coded(columns, ["ward"], sensitive=("illness",)))
    assert LDiversity(2).check(release).achieved == LDiversity(2, others="ignore").check(release).achieved == 2


def test_refuses_what_no_part_could_keep() -> None:
    columns: dict[str, list[object]] = {"ward": ["a"] * 3, "illness": ["x", "y", "z"], "pay": [1, 1, 2]}
    table = coded(columns, ["ward"], sensitive=("illness", "pay"))
    LDiversity(3, of="illness", others="ignore").refuse(table)
    with pytest.raises(ImpossibleGoal, match=r"which has 2 at most in rows that agree on the other .*at most 2\.$"):
        LDiversity(3, of="illness").refuse(table)


def test_says_how_the_others_are_treated_where_it_is_not_the_usual() -> None:
    assert str(LDiversity(2, others="ignore")) == "2-diversity, other sensitive columns ignored"
    assert str(PSensitive(2)) == "2-sensitivity"
    assert str(PSensitive(2, others="quasi")) == "2-sensitivity, other sensitive columns known"


def test_bad_treatment() -> None:
    with pytest.raises(InputError, match=r"^others must be one of quasi, ignore, got 'drop'\.$"):
        LDiversity.parse("2:others=drop")


def test_alpha_of_values_that_are_not_there() -> None:
    with pytest.raises(InputError, match=r"'goutt' is not a value of a sensitive column\. Did you mean 'gout'\?"):
        AlphaK(0.5, 1, ("goutt",)).refuse(_both())
    AlphaK(0.1, 1, ("gout",)).refuse(_both())


def test_alpha_below_what_equal_shares_need() -> None:
    with pytest.raises(ImpossibleGoal, match=r"of the 2 values of 'illness' .* at least 0\.5; ask"):
        AlphaK(0.4, 1).refuse(_both())


def test_one_chosen_value_may_be_given_alone() -> None:
    assert AlphaK(0.5, 1, "gout") == AlphaK(0.5, 1, ("gout",))  # type: ignore[arg-type]
