"""Every attack on a release that is built to fall to it, and on one that provably stops it."""

from __future__ import annotations

import hashlib
import hmac
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.audit import ALL
from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Risk
from shoal.audit.scorer import Referee
from shoal.core.arrays import Codes
from shoal.core.contracts import PrivacyModel
from shoal.engine.auditing import audit_release
from shoal.engine.auditing_result import audit_result
from support.graphs import publication

Columns = Mapping[str, Sequence[object]]


def attack(name: str, original: Columns, release: Columns, **said: Any) -> Risk:
    """The one risk that an attack reports."""
    quasi = said.pop("quasi_identifiers", ["q"])
    found = audit_release(
        pl.DataFrame(original), pl.DataFrame(release), quasi_identifiers=quasi, attacks=[name], **said
    )
    [risk] = found.risks
    assert risk.attack == name
    return risk


def _lists(frame: pl.DataFrame) -> dict[str, list[Any]]:
    return frame.to_dict(as_series=False)


def grouped(values: Sequence[object], size: int) -> dict[str, list[Any]]:
    """One person after the other, in groups of equal size."""
    n = len(values)
    people = [f"{i:04}" for i in range(n)]
    groups = [people[i : i + size] for i in range(0, n, size)]
    return {"q": people, "label": ["{" + ", ".join(g) + "}" for g in groups for _ in g], "s": list(values)}


def on_groups(name: str, values: Sequence[object], size: int, **said: Any) -> Risk:
    """An attack on the sensitive column of a release in groups; records are shuffled inside the table."""
    table = pl.DataFrame(grouped(values, size))
    release = table.select(q="label", s="s").sample(fraction=1, shuffle=True, seed=5)
    return attack(name, _lists(table.select("q", "s")), _lists(release), sensitive=["s"], **said)


def on_sets(name: str, sets: Sequence[Sequence[int]], **said: Any) -> Risk:
    """An attack on records that are sets of people."""
    release = {"q": ["{" + ", ".join(f"{p:04}" for p in sorted(cell)) + "}" for cell in sets]}
    return attack(name, {"q": [f"{p:04}" for p in range(said.pop("n", len(sets)))]}, release, **said)


def ring(n: int, k: int) -> list[list[int]]:
    return [[(i + j) % n for j in range(k)] for i in range(n)]


def hub(n: int, k: int) -> list[list[int]]:
    """Everybody keeps k matches and more by k records that fit all, and is nearly named by their own."""
    return [[i, (i + 1) % n] for i in range(n - k)] + [list(range(n))] * k


# From the text of Wong et al.'s figure 4: what person 0 gives away comes back over one edge, from person 4 to record 5.
NARROW = {0: [0, 1, 2], 1: [1, 2, 3, 4], 2: [1, 2, 3, 4], 3: [1, 2, 3, 4], 4: [1, 2, 3, 4, 5], 5: [5, 6, 7]}
NARROW |= {6: [0, 5, 6, 7], 7: [0, 5, 6, 7]}
NARROW_SETS = [[person for person in range(8) if record in NARROW[person]] for record in range(8)]


def correlated(n: int, share: float, seed: int) -> tuple[dict[str, list[object]], dict[str, list[object]]]:
    """Groups of four people drawn at random; an f has the value a with the given chance, an m the value b."""
    rng = np.random.default_rng(seed)
    is_f, keeps = rng.random(n) < 0.5, rng.random(n) < share
    sex = ["f" if f else "m" for f in is_f]
    value = ["a" if f == k else "b" for f, k in zip(is_f, keeps, strict=True)]
    group = [f"{i // 4:04}" for i in range(n)]
    original: dict[str, list[object]] = {"group": list(group), "sex": list(sex), "s": list(value)}
    order = rng.permutation(n)
    release: dict[str, list[object]] = {
        "group": [group[i] for i in order],
        "sex": ["*"] * n,
        "s": [value[i] for i in order],
    }
    return original, release


def _definetti(share: float, n: int = 2000, seed: int = 3) -> Risk:
    original, release = correlated(n, share, seed)
    return attack("definetti", original, release, quasi_identifiers=["group", "sex"], sensitive=["s"])


def _order(shuffle: bool, seed: int = 2) -> Risk:
    rng = np.random.default_rng(seed)
    table = pl.DataFrame(grouped([f"v{v}" for v in rng.integers(0, 5, 400)], 10))
    release = table.select(q="label", s="s")
    release = release.sample(fraction=1, shuffle=True, seed=seed) if shuffle else release
    return attack("order", _lists(table.select("q", "s")), _lists(release), sensitive=["s"])


def _composition(second: Sequence[str]) -> Risk:
    original = {"q": ["1", "2", "3", "4"], "s": ["flu", "gout", "cold", "acne"]}
    first = {"q": ["{1, 2}", "{1, 2}", "{3, 4}", "{3, 4}"], "s": original["s"]}
    other = pl.DataFrame({"q": list(second), "s": original["s"]})
    kinds = {"q": "nominal"}
    return attack("composition", original, first, sensitive=["s"], other=other, kinds=kinds)


def _hidden_data(**more: Sequence[object]) -> Risk:
    people = {"q": [f"{i % 10}" for i in range(40)]}
    return attack("hidden-data", people, {**people, **more})


class Known:
    """An algorithm that gives everybody the same cells again."""

    reads_values = False

    def __init__(self, shapes: Sequence[int]) -> None:
        self._shapes = np.array(shapes, np.int32)

    def shapes(self) -> Codes:
        return self._shapes

    def agrees(self, values: Sequence[Codes]) -> bool:
        return True


def _algorithm(shapes: Sequence[int]) -> Risk:
    """A ring of seven, three matches each, whose owners somebody thinks to know."""
    scene = Scene(*publication(ring(7, 3), list(range(7))), k=3, rerun=Known(shapes))
    own = np.arange(7, dtype=np.int32)
    [risk] = ALL["algorithm"]().run(scene, Referee(shapes=own))
    return risk


def _minimality(promise: PrivacyModel, illnesses: Sequence[str], attack: str = "minimality") -> Risk:
    """Two people of q1 and five of q2, published as finely as the promise allows."""
    people = pl.DataFrame({"q": ["q1"] * 2 + ["q2"] * 5, "s": list(illnesses)})
    made = shoal.anonymize(
        people,
        quasi_identifiers=["q"],
        sensitive=["s"],
        hierarchies={"q": shoal.Hierarchy.flat(["q1", "q2"])},
        privacy=[promise],
        algorithm="lattice",
        seed=1,
    )
    [risk] = audit_result(made, attacks=[attack]).risks
    return risk


def _repeated(keys: str) -> Risk:
    """Two classes of three rows, of the people of these keys."""
    people = {"q": list("aaabbb"), "who": list(keys)}
    return attack("repeated-people", people, {"q": list("aaabbb")}, person="who", k=3)


def _pseudonyms(made: Callable[[bytes], str]) -> Risk:
    """One class of six people, and beside it what was made of their ids."""
    ids = [f"patient {i}" for i in range(6)]
    return attack("pseudonyms", {"q": ["a"] * 6, "id": ids}, {"q": ["a"] * 6, "id": [made(i.encode()) for i in ids]})


def _aligned(stays: Sequence[int]) -> Risk:
    """Everybody comes once and stays so long; both dates are published, shifted."""
    came = [date(2024, 1, 1 + i) for i in range(len(stays))]
    left = [day + timedelta(days=stay) for day, stay in zip(came, stays, strict=True)]
    frame = pl.DataFrame({"q": ["a"] * len(stays), "who": range(len(stays)), "came": came, "left": left})
    with tempfile.TemporaryDirectory() as folder:
        made = shoal.anonymize(
            frame, quasi_identifiers=["q"], others=["came", "left"], person="who", privacy={"k": 2}, audit="off",
            shift_dates=["came", "left"], key_file=f"{folder}/key",
        )  # fmt: skip
    [risk] = made.audit(attacks=["aligned-dates"]).risks
    return risk


def _nearest(means: Sequence[float]) -> Risk:
    """Six people of six ages, whose ages are published as these means."""
    return attack("nearest-record", {"q": [10, 20, 30, 40, 50, 60]}, {"q": list(means)}, k=3)


HIV = ["HIV", "HIV", "flu", "flu", "flu", "flu", "flu"]

FALLS: Mapping[str, Callable[[], Risk]] = {
    "linking": lambda: on_sets("linking", [[i] for i in range(6)]),
    "matching": lambda: on_sets("matching", [[0, 1, 2, 3, 4], [1, 2], [2, 3], [2, 3], [0, 1, 2, 3, 4]]),
    "posterior": lambda: on_sets("posterior", hub(60, 5), k=5),
    "repeated-people": lambda: _repeated("xxyuvw"),
    "homogeneity": lambda: on_groups("homogeneity", ["flu", "flu", "flu", "flu", "gout", "cold"], 2),
    "background": lambda: on_groups("background", ["a", "b", "a", "b", "b", "c"], 2),
    "skewness": lambda: on_groups("skewness", ["a", "a", "b", "b", "b", "b", "b", "b", "b"], 3),
    "similarity": lambda: on_groups("similarity", [1, 2, 3, 100, 500, 900, 10, 700, 200], 3),
    "inference": lambda: on_groups("inference", ["a"] * 50 + ["b"] * 50, 10),
    "definetti": lambda: _definetti(0.95),
    "corruption": lambda: on_sets("corruption", NARROW_SETS, k=3, seed=1),
    "order": lambda: _order(shuffle=False),
    "algorithm": lambda: _algorithm(range(7)),
    "minimality": lambda: _minimality(shoal.AlphaK(0.5, 1, values=("HIV",)), HIV),
    "refinement": lambda: attack("refinement", {"q": list("aabbcd")}, {"q": list("aabb**")}),
    "composition": lambda: _composition(["{1, 3}", "{2, 4}", "{1, 3}", "{2, 4}"]),
    "as-is": lambda: attack("as-is", {"q": ["a"] * 4}, {"q": ["a"] * 4, "stay": [1, 1, 2, 3]}),
    "nearest-record": lambda: _nearest([10.5, 20.5, 30.5, 40.5, 50.5, 60.5]),
    "pseudonyms": lambda: _pseudonyms(lambda text: hashlib.sha256(text).hexdigest()[:20]),
    "aligned-dates": lambda: _aligned([1, 2, 3, 3, 5, 9]),
    "hidden-data": lambda: _hidden_data(nr=list(range(40))),
}
"""Releases built to fall, by attack."""

STOPS: Mapping[str, Callable[[], Risk]] = {
    "linking": lambda: on_sets("linking", [list(range(6))] * 6, k=6),
    "matching": lambda: on_sets("matching", ring(7, 3), k=3),
    "posterior": lambda: on_sets("posterior", [[0, 1, 2]] * 3 + [[3, 4, 5, 6]] * 4, k=3),
    "repeated-people": lambda: _repeated("xyzxvw"),
    "homogeneity": lambda: on_groups("homogeneity", ["a", "b", "b", "c", "a", "c"], 2),
    "background": lambda: on_groups("background", ["a", "b", "c", "d"] * 3, 4),
    "skewness": lambda: on_groups("skewness", ["a", "b", "c"] * 6, 3),
    "similarity": lambda: on_groups("similarity", [1, 500, 1000] * 4, 3),
    "inference": lambda: on_groups("inference", ["a", "b"] * 50, 10),
    "definetti": lambda: _definetti(0.5),
    "corruption": lambda: on_sets("corruption", [[0, 1, 2, 3]] * 4 + [[4, 5, 6, 7]] * 4, k=4, seed=1),
    "order": lambda: _order(shuffle=True),
    "algorithm": lambda: _algorithm([1, 2, 3, 4, 5, 6, 0]),
    "minimality": lambda: _minimality(shoal.LDiversity(1), HIV),
    "refinement": lambda: attack(
        "refinement", {"q": list("abcd")}, {"q": ["*"] * 4}, hierarchies={"q": shoal.Hierarchy.flat(list("abcd"))}
    ),
    "composition": lambda: _composition(["{1, 2}", "{1, 2}", "{3, 4}", "{3, 4}"]),
    "as-is": lambda: attack("as-is", {"q": ["a"] * 4}, {"q": ["a"] * 4, "stay": [1, 1, 2, 2], "ward": ["x"] * 4}),
    "nearest-record": lambda: _nearest([20.5] * 3 + [50.5] * 3),
    "pseudonyms": lambda: _pseudonyms(lambda text: hmac.digest(bytes(range(32)), text, "sha256").hex()),
    "aligned-dates": lambda: _aligned([2, 2, 3, 3, 3, 2]),
    "hidden-data": lambda: _hidden_data(),
}
"""Releases that provably stop it, by attack."""

NOISE = {"definetti": 0.07, "order": 0.08, "inference": 0.0}
"""How far above the baseline chance alone may carry an attack that counts right guesses: about three deviations."""


@pytest.mark.parametrize("name", ALL)
def test_a_release_built_to_fall_falls(name: str) -> None:
    assert name in FALLS, f"{name!r} has no entry in FALLS; add one."
    risk = FALLS[name]()
    assert risk.outcome in ("falls", "weak")
    assert risk.rate > risk.baseline
    assert risk.says.endswith(".")


@pytest.mark.parametrize("name", ALL)
def test_a_release_that_stops_it_does_so(name: str) -> None:
    assert name in STOPS, f"{name!r} has no entry in STOPS; add one."
    risk = STOPS[name]()
    assert risk.outcome == "stopped"
    assert risk.rate <= risk.baseline + NOISE.get(name, 1e-9)


def _drawn(seed: int) -> Risk:
    """The owners of a ring's records are drawn; whoever runs the algorithm draws others."""
    rng, n, k = np.random.default_rng(seed), 60, 3
    own, theirs = ((np.arange(n) + rng.integers(k)) % n for _ in range(2))
    scene = Scene(*publication(ring(n, k), list(range(n))), k=k, rerun=Known(theirs.tolist()))
    [risk] = ALL["algorithm"]().run(scene, Referee(shapes=own.astype(np.int32)))
    return risk


def _named(seed: int) -> Risk:
    """Owners of the records of overlapping classes, drawn among all assignments: naming the likeliest is 1 in k."""
    rng, n, k = np.random.default_rng(seed), 60, 5
    sets = [list(range(first, first + k)) for first in range(0, n, k) for _ in range(k)]
    own = np.concatenate([first + rng.permutation(k) for first in range(0, n, k)])
    shapes = np.arange(n) // k
    scene = Scene(*publication(sets, list(range(n))), k=k)
    [risk] = ALL["posterior"]().run(scene, Referee(shapes=shapes[np.argsort(own)].astype(np.int32)))
    return replace(risk, rate=risk.figures["found by naming the likeliest record"] / n)


def _buckets(seed: int) -> Risk:
    """Anatomy shuffles; people of a type have like values, so their buckets have, whatever the order."""
    rng = np.random.default_rng(seed)
    types = rng.integers(0, 40, 400)
    values = np.where(rng.random(400) < 0.5, types % 8, rng.integers(0, 8, 400))
    frame = pl.DataFrame({"q": types, "s": [f"v{v}" for v in values]})
    made = shoal.anonymize(
        frame,
        quasi_identifiers=["q"],
        sensitive=["s"],
        privacy=shoal.LDiversity(3),
        algorithm="anatomy",
        audit="off",
        seed=seed,
    )
    return made.audit(attacks=["order"]).risks[0]


CHANCE: Mapping[str, Callable[[int], Risk]] = {
    "definetti": lambda seed: _definetti(0.5, 600, seed),
    "order": lambda seed: _order(shuffle=True, seed=seed),
    "order, buckets": _buckets,
    "algorithm": _drawn,
    "posterior": _named,
}
"""Attacks whose success on a release that stops them is a matter of chance, by seed."""


@pytest.mark.parametrize("name", CHANCE)
def test_chance_alone_does_not_beat_the_baseline(name: str) -> None:
    """Over many releases that stop it an attack gains nothing: at most four standard errors, one-sided."""
    gains = np.array([risk.rate - risk.baseline for risk in map(CHANCE[name], range(24))])
    assert gains.mean() <= 4 * gains.std(ddof=1) / np.sqrt(gains.size) + 1e-9


@pytest.mark.parametrize("name", ALL)
def test_every_attack_tells_its_story(name: str) -> None:
    assert ALL[name].story.endswith(".")
    assert ALL[name].remedy.endswith(".")
    assert ALL[name].name == name
    assert (ALL[name].__doc__ or "").count(".") > 1


def test_definetti_learns_what_groups_hide() -> None:
    risk = _definetti(0.95)
    assert risk.rate > 0.9
    assert risk.baseline < 0.75
    assert risk.interval is not None
    assert risk.interval[0] <= risk.rate <= risk.interval[1]


def test_hubs_are_named() -> None:
    risk = on_sets("posterior", hub(60, 5), k=5)
    assert "5 records so general that they fit most people make everybody look hidden" in risk.says


def test_a_ring_keeps_all_but_one_match_when_one_person_is_known() -> None:
    """Wong et al., section 5.2: at least k − 1 identities are left."""
    risk = on_sets("corruption", ring(9, 4), k=4, seed=2)
    assert risk.outcome == "stopped"
    assert risk.figures["fewest matches left"] >= 3


def test_corruption_of_a_2_ring_names_everybody() -> None:
    risk = on_sets("corruption", ring(9, 2), seed=2)
    assert risk.figures["others found, at most"] == 8
    assert risk.rate == 1.0


def test_a_release_of_other_people_is_not_attacked() -> None:
    risk = on_sets("matching", [[0], [0], [1, 2]])
    assert risk.outcome == "not run"
    assert risk.says.startswith("1 record fits nobody who is not needed by another record")


def test_suppressed_people_are_reckoned_with() -> None:
    """Two of four people have no record: who, nobody knows, so no match is certain."""
    risk = on_sets("matching", [[0, 1, 2, 3], [0, 1]], n=4)
    assert risk.figures["people with one match"] == 2  # 2 and 3 fit one record only
    weighed = on_sets("posterior", [[0, 1, 2, 3], [0, 1]], n=4)
    # six assignments: record 1 to 0 or 1, record 0 to one of the three others
    assert weighed.figures["largest chance"] == pytest.approx(3 / 6)


def test_minimality_betrays_the_pair() -> None:
    """Wong et al. 2007: had the two of q1 not both been ill, nothing would have been generalized."""
    risk = _minimality(shoal.AlphaK(0.5, 1, values=("HIV",)), HIV)
    assert risk.figures["people with the same value in all"] >= 2
    assert risk.rate == 1.0
    assert risk.baseline < 1.0
    assert "is the same in all of them" in risk.says


def test_minimality_ends_in_time_with_an_algorithm_that_takes_long() -> None:
    risk = _minimality(shoal.AlphaK(0.5, 1, values=("HIV",)), HIV, "minimality:seconds=0")
    assert risk.outcome == "not run"
    assert "of 1 imagined world" in risk.says


def test_cells_that_overlap_for_real_are_not_refined() -> None:
    risk = attack("refinement", {"q": list("aaab")}, {"q": list("aa**")})
    assert risk.figures["columns that refute the rule: nested"] == 1
    assert risk.says == ("Reading cells more finely would leave records without an owner: they were not cut to fit.")


def test_the_nearest_record_of_a_microaggregated_release_is_found_as_a_slow_search_finds_it() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"x": rng.normal(0, 10, 60).round(1), "y": rng.normal(5, 1, 60).round(2)})
    made = shoal.anonymize(
        frame, quasi_identifiers=["x", "y"], privacy=shoal.KAnonymity(3), algorithm="microaggregation:method=mdav",
        audit="off", seed=1,
    )  # fmt: skip
    [risk] = made.audit(attacks=["nearest-record"]).risks
    release, points = made.release, frame.to_numpy()
    spread = points.std(axis=0)
    of_row = np.empty(60, int)
    of_row[release.owners] = release.shapes
    means = np.array([points[of_row == group].mean(axis=0) for group in range(of_row.max() + 1)])
    sizes, found = np.bincount(of_row), 0.0
    for row in range(60):
        nearest = np.argmin((((means - points[row]) / spread) ** 2).sum(axis=1))
        found += (nearest == of_row[row]) / sizes[nearest]
    assert risk.rate == pytest.approx(found / 60, abs=0.01)
    assert risk.outcome == "stopped"
    assert risk.rate > 0.1
