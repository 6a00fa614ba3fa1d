"""The pipeline: what it promises by default, what its options do, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from naive.assignment import possible
from naive.concealment import fitting, graph_of
from shoal.algorithms import ALL, Concealment
from shoal.core.contracts import Algorithm, PrivacyModel
from shoal.core.hierarchy import Hierarchy
from shoal.core.linkage import linkage_of
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.table import Table
from shoal.engine.algorithm_choice import build, choose_algorithm
from shoal.engine.release_check import check_claims
from shoal.errors import BrokenPromise, GoalNotMet, ImpossibleGoal, InputError
from shoal.io.labels import to_frame
from shoal.metrics import LM
from shoal.models import KK, AlphaK, KAnonymity, KConcealment, KOne, LDiversity, LinkageBound, OneK, PSensitive
from support.tables import coded, goal_of, single

PROMISES: Sequence[PrivacyModel] = (
    OneK(4), KOne(4), KK(4), KConcealment(4), KConcealment(4, "rows"), KConcealment(4, "records"),
)  # fmt: skip


def _table() -> Table:
    n = 90
    ages, towns = [row * row % 61 for row in range(n)], [f"t{row * 7 % 13}" for row in range(n)]
    illness = ["flu" if row % 4 else "HIV" for row in range(n)]
    return coded({"age": ages, "town": towns, "illness": illness}, ["age", "town"], sensitive=("illness",))


def _run(algorithm: Concealment, *promises: PrivacyModel, seed: int = 1) -> Release:
    return algorithm.run(_table(), goal_of(*promises), Randomness(seed), Silent())


@pytest.mark.parametrize("promise", PROMISES, ids=str)
def test_no_link_is_likelier_than_2_over_k_by_default(promise: PrivacyModel) -> None:
    release = _run(Concealment(steps=50), promise)
    assert promise.check(release).holds
    assert linkage_of(release).largest <= 0.5 + 1e-9
    assert "0 of 90 rows can be linked with more than 0.5" in release.account[0]


def test_without_the_bound_less_is_lost_and_the_account_says_what_for() -> None:
    bounded, free = _run(Concealment(steps=50), OneK(4)), _run(Concealment(linkage=1), OneK(4))
    assert LM().score(free) < LM().score(bounded)
    above = linkage_of(free).rows_above(0.5)
    assert above > 0
    assert f"{above} of 90 rows can be linked with more than 0.5" in free.account[0]


@pytest.mark.parametrize("side", ["rows", "records", "both"])
def test_matches_of_either_side(side: str) -> None:
    """The (k,1) and (k,k) versions of concealment, end of section 4.2."""
    release = _run(Concealment(linkage=1), KConcealment(4, side))  # type: ignore[arg-type]
    rows, records = fitting(possible(graph_of(release)))
    assert side == "records" or min(rows) >= 4
    assert side == "rows" or min(records) >= 4


def test_a_tighter_bound_is_kept_too() -> None:
    release = _run(Concealment(steps=50), KConcealment(4), LinkageBound(0.1))
    assert linkage_of(release).largest <= 0.1 + 1e-9
    release = _run(Concealment(steps=50, linkage=0.25), KConcealment(4))
    assert linkage_of(release).largest <= 0.25 + 1e-9


@pytest.mark.parametrize("option", ["shrink=false", "randomized=true", "block=30"])
def test_options_from_the_command_line(option: str) -> None:
    algorithm = build("algorithm", f"concealment:linkage=1,{option}", ALL)
    assert isinstance(algorithm, Concealment)
    plain, other = _run(Concealment(linkage=1), KConcealment(5)), _run(algorithm, KConcealment(5))
    assert KConcealment(5).check(other).holds
    assert LM().score(other) != LM().score(plain)


def test_the_greedy_expansion_is_used_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.algorithms.concealment.expansion.can_be_optimal", lambda field: True)
    monkeypatch.setattr("shoal.algorithms.concealment.expansion.optimal", _never)
    algorithm = build("algorithm", "concealment:linkage=1,expansion=greedy", ALL)
    assert isinstance(algorithm, Concealment)
    assert KConcealment(5).check(_run(algorithm, KConcealment(5))).holds
    with pytest.raises(AssertionError, match="asked for"):
        _run(Concealment(linkage=1), KConcealment(5))


def _never(*given: object, **more: object) -> None:
    raise AssertionError("nobody asked for it")


def test_shrinking_recovers_loss() -> None:
    wide = _run(Concealment(linkage=1, shrink=False, expansion="greedy"), KConcealment(5))
    narrow = _run(Concealment(linkage=1, expansion="greedy"), KConcealment(5))
    assert LM().score(narrow) < LM().score(wide)


def test_no_time_at_all_keeps_the_promises_too() -> None:
    release = _run(Concealment(budget=0), KConcealment(4))
    assert KConcealment(4).check(release).holds
    assert linkage_of(release).largest <= 0.5 + 1e-9


def test_with_the_bound_large_tables_without_hierarchies_get_groups() -> None:
    """A union of blocks need not keep a bound, and cells of ranges are not shared."""
    large = _run(Concealment(steps=50, block=89), KConcealment(4))
    groups = _run(Concealment(steps=50, shrink=False), KConcealment(4))
    assert LM().score(large) == LM().score(groups)
    assert KAnonymity(4).check(large).holds


@pytest.mark.parametrize(("promise", "saves"), [(KOne(6), 0.005), (KConcealment(6), 0.0)], ids=str)
def test_with_the_bound_large_tables_share_cells_in_blocks(promise: PrivacyModel, saves: float) -> None:
    """Matches of a small table cost what sharing saves; what is published never loses more than groups."""
    ages, towns = [f"{row * row % 61}" for row in range(180)], [f"t{row * 7 % 13}" for row in range(180)]
    trees = {"age": Hierarchy.from_rows([[str(age), str(age // 8), str(age // 24), "*"] for age in range(61)])}
    table = coded({"age": ages, "town": towns}, ["age", "town"], hierarchies=trees, recodings={"town": "suppress"})
    large, groups = (
        algorithm.run(table, goal_of(promise), Randomness(1), Silent())
        for algorithm in (Concealment(steps=50, block=100), Concealment(steps=50, shrink=False))
    )
    assert LM().score(large) <= LM().score(groups) - saves
    assert promise.check(large).holds
    assert linkage_of(large).largest <= 1 / 3 + 1e-9


def test_randomized_runs_differ_and_seeds_repeat_them() -> None:
    algorithm = Concealment(linkage=1, randomized=True)
    scores = [LM().score(_run(algorithm, KConcealment(5), seed=seed)) for seed in (1, 1, 2, 3)]
    assert scores[0] == scores[1]
    assert len(set(scores)) == 3


def test_diverse_match_sets() -> None:
    promises = KConcealment(4), LDiversity(1.2, "frequency")
    for algorithm in (Concealment(steps=50), Concealment(linkage=1)):
        release = _run(algorithm, *promises)
        assert all(promise.check(release).holds for promise in promises)


@pytest.mark.parametrize("promise", [*PROMISES, LinkageBound(0.2)], ids=str)
def test_auto_takes_it_for_these_promises(promise: PrivacyModel) -> None:
    table = _table()
    assert choose_algorithm("auto", table, goal_of(promise)).algorithm.name == "concealment"
    assert choose_algorithm("auto", table, goal_of(promise, LDiversity(2))).algorithm.name == "concealment"
    given = choose_algorithm("auto", table, goal_of(promise), 7.0).algorithm
    assert isinstance(given, Concealment)
    assert given.budget == 7.0


def test_auto_says_which_promises_do_not_go_together() -> None:
    """Nobody chose mondrian, so nothing is said of what it cannot do."""
    with pytest.raises(
        InputError, match=r"No algorithm keeps .* \(3-concealment: concealment; 2-sensitivity: mondrian"
    ):
        choose_algorithm("auto", _table(), goal_of(KConcealment(3), PSensitive(2)))


def test_auto_leaves_other_promises_to_others() -> None:
    assert choose_algorithm("auto", _table(), goal_of(KAnonymity(4))).algorithm.name != "concealment"


@pytest.mark.parametrize("linkage", [0.0, 1.0])
def test_k_equal_to_n_and_equal_rows(linkage: float) -> None:
    for table in (_table(), single([7] * 12)):
        n = table.n_rows
        release = Concealment(steps=20, linkage=linkage).run(table, goal_of(KConcealment(n)), Randomness(1), Silent())
        assert KConcealment(n).check(release).holds
        assert (LM().score(release) == 0) == (table.n_quasi == 1)


@pytest.mark.parametrize("promise", [OneK(91), KOne(91), KK(91), KConcealment(91)], ids=str)
def test_k_above_n(promise: PrivacyModel) -> None:
    with pytest.raises(ImpossibleGoal, match="91"):
        _run(Concealment(), promise)


def test_more_diversity_than_there_is() -> None:
    """67 of 90 have the flu: frequency l-diversity ends at 90 / 67."""
    with pytest.raises(GoalNotMet, match=r"1\.4-diversity .* all rows in one class reach 1\.343"):
        _run(Concealment(), KConcealment(4), LDiversity(1.4, "frequency"))
    with pytest.raises(ImpossibleGoal, match="at most 2"):
        _run(Concealment(), KConcealment(4), LDiversity(3))


@pytest.mark.parametrize("promise", [KAnonymity(3), PSensitive(2), AlphaK(0.9, 3)], ids=str)
def test_records_that_look_alike_are_for_others(promise: PrivacyModel) -> None:
    with pytest.raises(InputError, match=r"cannot promise .*; ask for k-concealment \(--concealment \d\)"):
        Concealment().refuse(_table(), goal_of(promise))


def test_bad_options() -> None:
    with pytest.raises(InputError, match="Did you mean 'greedy'"):
        Concealment(expansion="gredy")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="between 0 and 1"):
        Concealment(linkage=2)
    with pytest.raises(InputError, match="q must be above k - 1 = 3"):
        Concealment(linkage=1, randomized=True, q=3).refuse(_table(), goal_of(KConcealment(4)))


@pytest.mark.parametrize("promises", [(KConcealment(4),), (KConcealment(2),), (KK(4), LinkageBound(0.9))])
def test_nothing_is_drawn_at_random_under_a_bound(promises: Sequence[PrivacyModel]) -> None:
    """Cells are chosen by what they cost there: randomization would be a word without an effect."""
    with pytest.raises(InputError, match=r"cannot randomize .*linkage=1,randomized=true"):
        Concealment(randomized=True).refuse(_table(), goal_of(*promises))


def _claims(algorithm: Algorithm, release: Release, *promises: PrivacyModel) -> list[str]:
    printed = to_frame(publish(release, Randomness(1)))
    return [str(found) for found in check_claims(algorithm, release, goal_of(*promises), printed)]


def test_the_bound_is_a_claim_that_others_judge() -> None:
    release = _run(Concealment(steps=50), KConcealment(4))
    assert any("linkage at most 0.5" in told for told in _claims(Concealment(), release, KConcealment(4)))
    asked = _claims(Concealment(), release, KConcealment(4), LinkageBound(0.5))
    assert not any("linkage" in told for told in asked), "a promise is told among the promises"
    assert not any("linkage" in told for told in _claims(Concealment(linkage=1), release, KConcealment(4)))


def test_a_release_above_the_bound_is_stopped() -> None:
    """Made without a bound, and passed off as made with it."""
    release = _run(Concealment(linkage=1), OneK(4))
    with pytest.raises(BrokenPromise, match=r"linkage at most 0\.5"):
        _claims(Concealment(), release, OneK(4))


def test_two_matches_are_bounded_too() -> None:
    """2 / k would be certainty."""
    release = _run(Concealment(steps=50), KConcealment(2))
    assert linkage_of(release).largest <= 2 / 3 + 1e-9
    assert "0 of 90 rows can be linked with more than 0.667" in release.account[0]
