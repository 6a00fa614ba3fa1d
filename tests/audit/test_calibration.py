"""Whether chances are true: attacks name records and values, and the owners, whom they never see, say who was right."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import get_args, get_type_hints

import numpy as np
import pytest

from shoal.audit import ALL
from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Risk
from shoal.audit.knowledge import Knowledge
from shoal.audit.scorer import Referee, interval
from shoal.core.arrays import Codes, Floats
from shoal.core.randomness import Randomness
from shoal.core.release import Publication, Release, publish
from shoal.core.table import Table
from shoal.engine.result import Result
from support.tables import coded, partitioned


def people(n: int, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    return coded(
        {"age": rng.integers(0, 60, n).tolist(), "town": rng.choice(list("abcd"), n).tolist()},
        ["age", "town"],
        kinds={"age": "numeric"},
    )


def published(release: Release, seed: int) -> tuple[Publication, Codes]:
    """A publication, and the owner of each of its records: the same shuffle, undone with its seed."""
    shuffled = Randomness(seed).permutation(release.n_records)
    return publish(release, Randomness(seed)), release.owners[shuffled]


def hits(scene: Scene, owners: Codes) -> float:
    """How many people own a record of the shape that is likeliest for them, divided by its records."""
    links, chances = scene.links, scene.chances
    starts, shapes, values = chances.of_types(np.arange(links.n_types, dtype=np.int32))
    own = np.full(links.types.size, -1)
    own[owners] = links.shapes
    found = 0.0
    for person, kind in enumerate(links.types):
        at = slice(starts[kind], starts[kind + 1])
        shown = np.where(shapes[at] < links.n_shapes, values[at], -1)
        best = shapes[at][np.argmax(shown)]
        found += (own[person] == best) / links.records[best]
    return found


@pytest.mark.parametrize("seed", range(3))
def test_overlapping_classes(seed: int) -> None:
    """Groups drawn at random have wide cells that overlap: the expected share of hits is what happens."""
    table = people(600, seed)
    order = np.random.default_rng(seed).permutation(600)
    by_age = order[np.argsort(table.codes[0][order] // 8, kind="stable")]
    release = partitioned(table, [by_age[i : i + 5].tolist() for i in range(0, 600, 5)])
    seen, owners = published(release, seed)
    scene = Scene(seen, Knowledge.of(table), k=5)
    expected = scene.chances.expected_hits
    deviation = np.sqrt(expected)
    assert abs(hits(scene, owners) - expected) < 4 * deviation


def test_intervals_cover_what_they_should() -> None:
    rng = np.random.default_rng(0)
    for share in (0.05, 0.5, 0.9):
        inside = [
            low <= share <= high for low, high in (interval(int(rng.binomial(80, share)), 80) for _ in range(400))
        ]
        assert np.mean(inside) > 0.91


def reachable(kind: object, seen: set[object]) -> set[object]:
    """All classes of ours that annotations lead to from a class."""
    for part in get_args(kind) or (kind,):
        if isinstance(part, type) and part.__module__.startswith("shoal.") and part not in seen:
            seen.add(part)
            fields = get_type_hints(part) if is_dataclass(part) else {}
            for field in fields.values():
                reachable(field, seen)
        elif get_args(part):
            reachable(part, seen)
    return seen


@pytest.mark.parametrize("name", ALL)
def test_an_attack_takes_a_scene_and_a_referee_and_nothing_else(name: str) -> None:
    """By annotation: there is no way from what an attack is given to a release, its owners or its table."""
    assert get_type_hints(ALL[name].run) == {"scene": Scene, "referee": Referee, "return": list[Risk]}
    assert get_type_hints(ALL[name].lacks) == {"scene": Scene, "return": str}
    known = reachable(Scene, set())
    assert {Publication, Knowledge} <= known
    assert not known & {Release, Table, Referee, Result}
    returned = {get_type_hints(method)["return"] for method in (Referee.hits, Referee.knows, Referee.found)}
    assert returned == {tuple[float, int], bool, Floats | None}


def test_attacks_cannot_see_owners() -> None:
    """By type: a scene has a publication and knowledge, and neither has a field for owners or answers."""
    for kind in (Scene, Publication, Knowledge):
        fields = set(kind.__dataclass_fields__)
        assert not fields & {"owners", "release", "table", "answers", "truth"}
    assert "Release" not in str(Attack.run.__annotations__)
    assert Referee({"s": np.array([1, 2], np.int32)}).hits("s", np.array([1, -1], np.int32)) == (1, 1)
