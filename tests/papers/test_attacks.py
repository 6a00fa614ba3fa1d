"""The counter-examples of the papers, each with the sentence that a user reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.audit import ALL
from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Risk
from shoal.audit.scorer import Referee
from shoal.core.hierarchy import Hierarchy
from shoal.engine.auditing import audit_release
from support.graphs import publication


def attack(name: str, sets: Sequence[Sequence[int]], people: Sequence[int], k: int | None = None) -> Risk:
    """One attack on records that are sets of values."""
    [risk] = ALL[name]().run(Scene(*publication(sets, people), k=k), Referee())
    return risk


def span(first: int, last: int) -> list[int]:
    return list(range(first, last + 1))


def ring(n: int, k: int) -> list[list[int]]:
    """Record i may be of k people in a row."""
    return [[(i + j) % n for j in range(k)] for i in range(n)]


# Wong, Mamoulis and Cheung, Non-homogeneous generalization in privacy preserving data publishing (2010)

TABLE_4 = [span(1, 5), [2, 3], [3, 4], [3, 4], span(1, 5)]


def test_table_4_looks_2_anonymous() -> None:
    risk = attack("linking", TABLE_4, span(1, 5), k=2)
    assert risk.outcome == "stopped"
    assert risk.says == "Everybody fits at least 2 records, and every record fits at least 2 people."


def test_table_4_is_not() -> None:
    risk = attack("matching", TABLE_4, span(1, 5), k=2)
    assert risk.outcome == "falls"
    assert risk.figures["people with one match"] == 1
    assert risk.says == (
        "1 person has only one record left once impossible matches are ruled out, though everybody seems to fit "
        "at least 2 records."
    )


FIGURE_4_EDGES = {
    1: [1, 2, 3],
    **{n: [2, 3, 4, 5] for n in (2, 3, 4)},
    5: [2, 3, 4, 5, 6],
    6: [6, 7, 8],
    7: [1, 6, 7, 8],
    8: [1, 6, 7, 8],
}
"""As the text of figure 4 has it: three effective matches each, and whatever n1 gives away comes back over n5 → n6."""


def test_figure_4_has_three_matches_each_and_one_of_them_is_too_likely() -> None:
    people = span(1, 8)
    sets = [[person for person in people if record in FIGURE_4_EDGES[person]] for record in people]
    assert attack("matching", sets, people, k=3).outcome == "stopped"
    risk = attack("posterior", sets, people, k=3)
    assert risk.outcome == "falls"
    assert risk.says == (
        "1 of 8 people has a record that is theirs with a probability above 50% (up to 75%), although everybody has at "
        "least 3 possible records."
    )


def test_figure_4_the_first_match_or_the_narrow_one() -> None:
    """The text: every assignment has the match of n1 with itself or that of n5 with n6, so one has at least a half."""
    people = span(1, 8)
    sets = [[person for person in people if record in FIGURE_4_EDGES[person]] for record in people]
    scene = Scene(*publication(sets, people), k=3)

    def chance(person: int, record: int) -> float:
        _, shapes, values = scene.chances.of_types(scene.links.types[[person - 1]])
        return float(values[shapes == scene.links.shapes[record - 1]].sum())

    assert chance(1, 1) + chance(5, 6) == pytest.approx(1.0)


def test_thirteen_assignments_are_not_a_third_each() -> None:
    scene = Scene(*publication(ring(5, 3), span(0, 4)), k=3)
    starts, _, values = scene.chances.of_types(np.arange(5, dtype=np.int32))
    for person in range(5):
        assert sorted(values[starts[person] : starts[person + 1]]) == pytest.approx([4 / 13, 4 / 13, 5 / 13])
    risk = attack("posterior", ring(5, 3), span(0, 4), k=3)
    assert risk.rate == pytest.approx(5 / 13)
    assert risk.says == "The likeliest record of a person is theirs with a probability of 38.5%, more than 1 in 3."


# Tassa, Mazza and Gionis, k-Concealment (2012)


def test_figure_2_a_k1_anonymization_pins_somebody_down() -> None:
    risk = attack("linking", [[1, 2], [2, 3], [2, 3]], [1, 2, 3], k=2)
    assert risk.outcome == "falls"
    assert risk.says == "1 person fits a single record: an adversary who knows value has found them."


def test_figure_3_a_1k_anonymization_reveals_most() -> None:
    """n = 5, k = 2: three records as they were, two stars."""
    sets = [[1], [2], [3], span(1, 5), span(1, 5)]
    risk = attack("linking", sets, span(1, 5), k=2)
    assert risk.outcome == "falls"
    assert risk.says == "3 records fit a single person: an adversary who knows value has found them."
    assert attack("matching", sets, span(1, 5), k=2).figures["people with one match"] == 3


K = 4
ONE_LEFT = "1 person has only one record left once impossible matches are ruled out"
EVERYBODY = span(1, K + 1)


def _without(value: int) -> list[int]:
    return [other for other in EVERYBODY if other != value]


G_K = [EVERYBODY] * (K + 1)
G_1K = [[1], *[EVERYBODY] * (K - 1), _without(1)]
G_K1 = [_without(K + 1), *[_without(1)] * K]
G_KK = [_without(value) for value in EVERYBODY]
OMEGA_3 = [span(1, K - 1), *[EVERYBODY] * K]
A, B = [*span(1, K + 1)], [*span(11, 10 + K)]
OMEGA_4 = [[1, *B[:-1]], *[A] * (K - 1), A[1:], *[B] * K]


@pytest.mark.parametrize(
    ("sets", "people", "linking", "matching"),
    [
        pytest.param(
            G_K,
            EVERYBODY,
            ("stopped", "Everybody fits at least 5 records, and every record fits at least 5 people."),
            ("stopped", "Nothing can be ruled out: everybody keeps at least 5 records."),
            id="k",
        ),
        pytest.param(
            G_1K,
            EVERYBODY,
            ("falls", "1 record fits a single person: an adversary who knows value has found them."),
            ("falls", f"{ONE_LEFT}, though everybody seems to fit at least 4 records."),
            id="1k, omega 1",
        ),
        pytest.param(
            G_K1,
            EVERYBODY,
            ("falls", "1 person fits a single record: an adversary who knows value has found them."),
            ("falls", f"{ONE_LEFT}."),
            id="k1",
        ),
        pytest.param(
            G_KK,
            EVERYBODY,
            ("stopped", "Everybody fits at least 4 records, and every record fits at least 4 people."),
            ("stopped", "Nothing can be ruled out: everybody keeps at least 4 records."),
            id="kk, omega 2",
        ),
        pytest.param(
            OMEGA_3,
            EVERYBODY,
            (
                "weak",
                "Everybody fits at least 4 records, and every record fits at least 3 people. For 1 record, that is "
                "fewer than the promised 4.",
            ),
            (
                "weak",
                "Nothing can be ruled out: everybody keeps at least 4 records. But a record can be that of 3 people "
                "only.",
            ),
            id="omega 3",
        ),
        pytest.param(
            OMEGA_4,
            [*A, *B],
            ("stopped", "Everybody fits at least 4 records, and every record fits at least 4 people."),
            ("falls", f"{ONE_LEFT}, though everybody seems to fit at least 4 records."),
            id="omega 4",
        ),
    ],
)
def test_witnesses_of_the_propositions(
    sets: Sequence[Sequence[int]], people: Sequence[int], linking: tuple[str, str], matching: tuple[str, str]
) -> None:
    for name, (outcome, says) in (("linking", linking), ("matching", matching)):
        risk = attack(name, sets, people, k=K)
        assert (risk.outcome, risk.says) == (outcome, says)


def test_figure_4_of_concealment_has_one_perfect_matching() -> None:
    """Four edges beside the horizontal ones form a cycle of the graph, and no bicycle: nobody keeps a second match."""
    risk = attack("matching", [[1], [2], [1, 2, 3], [1, 2, 4]], span(1, 4), k=2)
    assert risk.figures["people with one match"] == 4
    assert risk.says == "4 people have only one record left once impossible matches are ruled out."


def test_omega_3_is_concealed_though_a_record_fits_few() -> None:
    risk = attack("matching", OMEGA_3, EVERYBODY, k=K)
    assert risk.figures["fewest matches of a person"] == K
    assert risk.figures["fewest matches of a record"] == K - 1


def test_omega_4_is_kk_and_the_first_person_has_one_match() -> None:
    risk = attack("matching", OMEGA_4, [*A, *B], k=K)
    assert risk.figures["people with one match"] == 1


def test_hubs_conceal_on_paper() -> None:
    """Everybody has at least k matches by k stars and a chain of bridges, and nearly everybody is as good as named."""
    n, k = 40, 3
    sets = [[i, (i + 1) % n] if i % 2 else [i] for i in range(n - k)] + [span(0, n - 1)] * k
    scene_risk = attack("posterior", sets, span(0, n - 1))
    assert scene_risk.outcome == "falls"
    assert scene_risk.figures["people above 0.5"] > 20
    assert scene_risk.figures["records that fit half of all people"] == k


# Ciriani, De Capitani di Vimercati, Foresti and Samarati, k-Anonymity (2007), section 5

CIRIANI = pl.DataFrame(
    {
        "ZIP": ["22030", "22032", "22030", "22032", "22031", "22031", "22041", "22045", "22047"],
        "MaritalStatus": ["married", "divorced", "single", "single", "single", "widow", "married", "divorced", "widow"],
        "Sex": list("FFMMMFMMM"),
    }
)
MARITAL = Hierarchy.from_dict({"been married": ["married", "divorced", "widow"], "never married": ["single"]})
PUBLISHED = pl.DataFrame(
    {
        "ZIP": ["2203∗"] * 6 + ["2204∗"] * 3,
        "MaritalStatus": ["been married"] * 2 + ["never married"] * 3 + ["been married"] * 4,
        "Sex": list("FFMMMFMMM"),
    }
)
FIGURE_18: dict[str, list[Any]] = {
    "Disease": ["hypertension"] * 2 + ["obesity", "HIV", "obesity", "hypertension", "obesity", "HIV", "HIV"]
}
FIGURE_19: dict[str, list[Any]] = {
    "Diabetes": list("NNYYNNNYN"),
    "Cholesterol": [230, 220, 250, 260, 250, 275, 285, 210, 190],
}


def on_figure(name: str, values: dict[str, list[object]], column: str) -> Risk:
    """One attack on one sensitive column of a figure."""
    found = audit_release(
        CIRIANI,
        PUBLISHED.with_columns(**{name: pl.Series(name, given) for name, given in values.items()}),
        quasi_identifiers=CIRIANI.columns,
        sensitive=[column],
        hierarchies={"MaritalStatus": MARITAL},
        k=3,
        attacks=["linking", name],
    )
    linking, risk = found.risks
    assert linking.outcome == "stopped"
    return risk


def test_figure_18_hellen_suffers_from_hypertension() -> None:
    risk = on_figure("homogeneity", FIGURE_18, "Disease")
    assert risk.outcome == "falls"
    assert risk.says == (
        "The Disease of 3 of 9 people is certain, 'hypertension' for instance for 3 people: all records that may be "
        "theirs agree."
    )


def test_figure_18_bob_is_thin() -> None:
    risk = on_figure("background", FIGURE_18, "Disease")
    assert (risk.outcome, risk.rate, risk.baseline) == ("weak", 1.0, pytest.approx(1 / 3))
    assert risk.says == (
        "An adversary who can rule out a value of Disease may know the Disease of 9 of 9 people with certainty."
    )


def test_figure_19_skewness() -> None:
    risk = on_figure("skewness", FIGURE_19, "Diabetes")
    assert risk.outcome == "falls"
    assert "for example, 'Y' has a probability of 66.7% for 3 people, compared with 33.3% of all records." in risk.says


def test_figure_19_similarity() -> None:
    risk = on_figure("similarity", FIGURE_19, "Cholesterol")
    assert risk.outcome == "falls"
    assert risk.says == (
        "The Cholesterol of 3 of 9 people is known closely: between 250 and 260 for 3 people, for instance."
    )
