"""The worked examples of section 5 of Ciriani et al., k-Anonymity: figures 18 and 19 and the (0.4, 3) example."""

from __future__ import annotations

import pytest

from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models import AlphaK, KAnonymity, LDiversity, PSensitive, TCloseness
from support.tables import coded

ZIP = ["2203*"] * 6 + ["2204*"] * 3
STATUS = ["been married"] * 2 + ["never married"] * 3 + ["been married"] * 4
SEX = ["F", "F", "M", "M", "M", "F", "M", "M", "M"]
DISEASE = ["hypertension", "hypertension", "obesity", "HIV", "obesity", "hypertension", "obesity", "HIV", "HIV"]
DIABETES = ["N", "N", "Y", "Y", "N", "N", "N", "Y", "N"]
CHOLESTEROL = [230, 220, 250, 260, 250, 275, 285, 210, 190]
QUASI = ["zip", "status", "sex"]
HELLEN, BOB, LAST = 0, 2, 6


def _table(**sensitive: list[object]) -> Table:
    columns: dict[str, list[object]] = {"zip": [*ZIP], "status": [*STATUS], "sex": [*SEX], **sensitive}
    return coded(columns, QUASI, sensitive=tuple(sensitive))


def _block(release: Release, row: int) -> int:
    """The q-block that a row is in."""
    return int(release.classes.ids(9)[row])


@pytest.fixture
def figure_18() -> Release:
    return Release.identity(_table(disease=[*DISEASE]))


@pytest.fixture
def figure_19() -> Release:
    return Release.identity(_table(diabetes=[*DIABETES], cholesterol=[*CHOLESTEROL]))


def test_figure_18_is_3_anonymous(figure_18: Release) -> None:
    verdict = KAnonymity(3).check(figure_18)
    assert (verdict.holds, verdict.achieved, verdict.n_groups) == (True, 3, 3)


def test_figure_18_is_not_2_diverse(figure_18: Release) -> None:
    """Two q-blocks are 2-diverse, Hellen's is not: all of it has hypertension."""
    verdict = LDiversity(2).check(figure_18)
    assert (verdict.holds, verdict.achieved, verdict.n_failing) == (False, 1, 1)
    assert verdict.worst[0] == _block(figure_18, HELLEN)
    assert not PSensitive(2, 3).check(figure_18).holds


def test_figure_18_is_not_04_3_anonymous(figure_18: Release) -> None:
    """HIV appears twice in the last q-block of 3: a relative frequency of 0.67 where 0.4 is allowed."""
    verdict = AlphaK(0.4, 3, ("HIV",)).check(figure_18)
    assert (verdict.holds, verdict.n_failing) == (False, 1)
    assert verdict.worst[0] == _block(figure_18, LAST)
    assert verdict.achieved == pytest.approx(0.4 / (2 / 3))
    assert AlphaK(0.67, 3, ("HIV",)).check(figure_18).holds
    assert not AlphaK(0.67, 4, ("HIV",)).check(figure_18).holds


def test_all_values_of_figure_18_sensitive(figure_18: Release) -> None:
    """Then the 0.67 of Bob's block and Hellen's hypertension count as well."""
    assert AlphaK(0.4, 3).check(figure_18).n_failing == 3


def test_figure_19_is_3_anonymous_and_its_cholesterol_2_diverse(figure_19: Release) -> None:
    """(The first q-block has nobody with diabetes, so the caption can only mean cholesterol.)"""
    assert KAnonymity(3).check(figure_19).holds
    assert LDiversity(2, of="cholesterol", others="ignore").check(figure_19).achieved == 2
    assert LDiversity(2, of="diabetes", others="ignore").check(figure_19).n_failing == 1


def test_skewness_attack_on_figure_19(figure_19: Release) -> None:
    """67% of Bob's q-block have diabetes against a third of all: a third too many."""
    promise = TCloseness(0.3, of="diabetes", others="ignore")
    distances = promise.shown(promise.measure(figure_19.table, figure_19.classes))
    assert distances[_block(figure_19, BOB)] == pytest.approx(2 / 3 - 3 / 9)
    assert distances[_block(figure_19, LAST)] == 0
    assert promise.check(figure_19).n_failing == 2


def test_similarity_attack_on_figure_19(figure_19: Release) -> None:
    """Single males of 2203* have 250 to 260: two values, but close ones. Ordered distance sees it, 2-diversity not."""
    promise = TCloseness(0.2, "ordered", of="cholesterol", others="ignore")
    distances = promise.shown(promise.measure(figure_19.table, figure_19.classes))
    # of the ranks 190, 210, 220, 230, 250 (twice), 260, 275, 285: ninths missing below 250, too many from there on
    running = [1, 2, 3, 4, 6 - 6, 7 - 9, 8 - 9, 0]
    assert distances[_block(figure_19, BOB)] == pytest.approx(sum(map(abs, running)) / 9 / 7)
    assert LDiversity(2, of="cholesterol", others="ignore").check(figure_19).holds


def test_several_sensitive_columns_of_figure_19(figure_19: Release) -> None:
    """Who knows that someone of Bob's q-block has no diabetes knows their cholesterol, though both columns vary."""
    assert LDiversity(2, of="cholesterol", others="ignore").check(figure_19).holds
    verdict = LDiversity(2, of="cholesterol").check(figure_19)
    assert not verdict.holds
    assert verdict.achieved == 1
    assert _block(figure_19, BOB) in verdict.worst[: verdict.n_failing]
    assert _block(figure_19, HELLEN) not in verdict.worst[: verdict.n_failing]
