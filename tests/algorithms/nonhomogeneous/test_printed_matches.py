"""Diversity for somebody who joins people and records by the printed cells and does not know the matches' names."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from shoal.algorithms import Blocked, Freeform, NonHomogeneous
from shoal.core.contracts import Algorithm
from shoal.core.groups import Groups
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.regular_parts import RegularParts
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet, ImpossibleGoal, InputError
from shoal.kernels.rings import ring_edges
from shoal.metrics import LM
from shoal.models import LDiversity, UniformMatching
from support.published import keeps, run
from support.tables import coded, goal_of

ALGORITHMS: tuple[Algorithm, ...] = (
    NonHomogeneous(),
    Freeform(),
    Freeform("greedy"),
    Blocked("nonhomogeneous", rows=6),
)
KINDS = (
    LDiversity(2, "frequency"),
    LDiversity(1.5, "frequency"),
    LDiversity(1.7, "entropy"),
    LDiversity(2, "recursive", 2),
    LDiversity(1.5, "grassberger"),
)


def _tiny(chance: Random) -> Table:
    """Two columns whose sets or ranges overlap easily."""
    n = chance.randint(4, 14)
    columns = {name: [chance.randint(1, 5) for _ in range(n)] for name in ("p", "q")}
    recodings = {name: chance.choice(["range", "sets"]) for name in columns}
    kinds = {name: "numeric" if form == "range" else "nominal" for name, form in recodings.items()}
    values = [chance.choice("aabcd") for _ in range(n)]
    return coded({**columns, "s": values}, ["p", "q"], sensitive=("s",), recodings=recodings, kinds=kinds)


def _kept(number: int, *, named: bool = False) -> bool | None:
    """Whether a release keeps its promises counted out by hand, on both kinds of matches; None if none is made."""
    chance = Random(number)
    table, k = _tiny(chance), chance.randint(2, 4)
    promise, algorithm = chance.choice(KINDS), chance.choice(ALGORITHMS)
    asked = LDiversity(promise.l, promise.kind, promise.c, matches="named") if named else promise
    goal = goal_of(UniformMatching(k), asked)
    try:
        done = run(algorithm, table, goal, number)
    except (GoalNotMet, ImpossibleGoal):
        return None
    assert asked.check(done.release).holds
    assert keeps(UniformMatching(k), done)
    return keeps(promise, done)


def test_printed_matches_are_diverse_in_tiny_tables() -> None:
    made = [_kept(number) for number in range(300)]
    assert made.count(False) == 0
    assert made.count(True) > 150


def test_named_matches_alone_do_not_see_to_it() -> None:
    """What was named diverse, and is not to somebody who does not know the names."""
    assert [_kept(number, named=True) for number in range(300)].count(False) > 0


@pytest.mark.nightly
def test_printed_matches_are_diverse_in_thousands_of_tiny_tables() -> None:
    assert [number for number in range(300, 8000) if _kept(number) is False] == []


def _two_rings() -> Release:
    """Two rings of four beside each other whose cells overlap: 1 2 3 4 and 3 4 5 6, each with as many a as b."""
    table = coded({"q": [1, 2, 3, 4, 3, 4, 5, 6], "s": list("abababab")}, ["q"], sensitive=("s",))
    bounds = np.array([0, 4, 8])
    rows = np.arange(8, dtype=np.int32)
    return RegularParts(rows, bounds, np.zeros(2, bool), ring_edges(bounds, 2)).release(table, Randomness(3))


def test_the_verdict_says_which_matches_were_judged() -> None:
    release = _two_rings()
    both, named = (LDiversity(1.2, "frequency", matches=matches).check(release) for matches in ("printed", "named"))
    assert str(both).startswith("frequency 1.2-diversity, matches as named and as printed")
    assert str(named).startswith("frequency 1.2-diversity of named matches, matches as named")
    assert both.achieved <= named.achieved
    assert both.n_groups > named.n_groups
    assert max(both.worst) < named.n_groups, "reports look these groups up among the pools of the release"


def test_both_readings_can_be_said_in_words() -> None:
    assert LDiversity.parse("2:frequency:matches=named") == LDiversity(2, "frequency", matches="named")
    assert LDiversity.parse("2:frequency").matches == "printed"
    with pytest.raises(InputError, match="matches must be one of printed, named"):
        LDiversity.parse("2:matches=drawn")


def test_what_is_closed_does_not_depend_on_the_draw() -> None:
    """Otherwise records that kept cells of their own would tell which draws they would not have survived."""
    for number in range(40):
        table = _tiny(Random(number))
        goal = goal_of(UniformMatching(2), LDiversity(1.5, "frequency"))
        try:
            seen = {
                tuple(map(tuple, (c.ids.tolist() for c in release.cells)))
                for release in (NonHomogeneous().run(table, goal, Randomness(seed), Silent()) for seed in range(4))
            }
        except (GoalNotMet, ImpossibleGoal):
            continue
        assert len(seen) == 1


def test_nothing_is_closed_for_named_matches_or_for_different_values() -> None:
    table = _tiny(Random(4))
    losses = [
        LM().score(NonHomogeneous().run(table, goal_of(UniformMatching(3), promise), Randomness(1), Silent()))
        for promise in (LDiversity(1.5, "frequency", matches="named"), LDiversity(1.5, "frequency"))
    ]
    assert losses[0] <= losses[1]


def test_closing_some_parts_leaves_the_others_as_they_are() -> None:
    bounds = np.array([0, 4, 9, 12])
    rings = RegularParts(np.arange(12, dtype=np.int32), bounds, np.array([False, False, False]), ring_edges(bounds, 2))
    done = rings.closed(np.array([False, True, False]))
    assert done.is_complete.tolist() == [False, True, False]
    assert done.edges.tolist() == rings.edges[[0, 1, 2, 3, 9, 10, 11]].tolist()
    whole = RegularParts.complete(Groups(bounds, np.arange(12, dtype=np.int32)))
    assert whole.is_complete.all()
    assert sorted(whole.draw(Randomness(1)).tolist()) == list(range(12))
