"""Rules: what they allow, how it is counted, and what is said about rules that cannot be."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.algorithms.patterns.listing import by_stars
from shoal.algorithms.patterns.mask import PatternMask, make_mask, steps_of
from shoal.algorithms.patterns.rules import Rules
from shoal.core.hierarchy import Hierarchy
from shoal.core.table import Table
from shoal.errors import InputError
from support.tables import coded

NAMES = ["age", "zip", "sex", "job", "town"]


def table_of(names: list[str], **schema: object) -> Table:
    return coded({name: ["x", "y"] for name in names}, names, **schema)


def mask_of(rules: Rules, names: list[str] | None = None, **schema: object) -> PatternMask:
    return make_mask(rules, table_of(names or NAMES[:3], **schema).quasi)


def texts(mask: PatternMask) -> list[str]:
    return [mask.text(pattern) for pattern in range(len(mask))]


def test_without_rules_every_pattern_is_allowed_cheapest_first() -> None:
    """Ties by ascending star mask with the first column as the most significant bit: the paper's order."""
    assert texts(mask_of(Rules())) == [
        "age,zip,sex",
        "age,zip,*",
        "age,*,sex",
        "*,zip,sex",
        "age,*,*",
        "*,zip,*",
        "*,*,sex",
        "*,*,*",
    ]


def test_explicit_patterns_keep_their_order_where_costs_are_equal() -> None:
    mask = mask_of(Rules(patterns=("*,zip,sex", "age,*,*", "age,zip,*")))
    assert texts(mask) == ["*,zip,sex", "age,zip,*", "age,*,*", "*,*,*"]


def test_the_user_of_section_3_6() -> None:
    """Two stars at most, education and class never, work class with occupation, one of age, sex and race: 14 and *."""
    names = ["age", "work", "education", "marital", "occupation", "race", "sex", "country", "class"]
    rules = Rules(
        max_stars=2,
        never=("education", "class"),
        together=(("work", "occupation"),),
        at_most_one=(("age", "sex", "race"),),
    )
    mask = mask_of(rules, names)
    assert len(mask) == 15
    assert mask.costs.tolist() == [0, *[1] * 5, *[2] * 8, 9]
    assert mask.star == 14


def test_outliers_are_starred_whatever_the_rules_say_unless_forbidden() -> None:
    assert texts(mask_of(Rules(max_stars=0))) == ["age,zip,sex", "*,*,*"]
    assert texts(mask_of(Rules(max_stars=0, outliers=False))) == ["age,zip,sex"]
    assert mask_of(Rules(outliers=False)).star == -1


def test_costs_and_weights_order_patterns() -> None:
    by_weight = mask_of(Rules(max_stars=1, outliers=False), weights={"age": 3.0, "zip": 2.0})
    assert texts(by_weight) == ["age,zip,sex", "age,zip,*", "age,*,sex", "*,zip,sex"]
    by_cost = mask_of(Rules(max_stars=1, outliers=False, costs={"age": 0.5}), weights={"age": 3.0, "zip": 2.0})
    assert texts(by_cost)[1] == "*,zip,sex"
    assert by_cost.costs.tolist() == [0, 0.5, 1, 2]


def test_levels_of_hierarchies() -> None:
    tree = Hierarchy.from_dict({"vowel": ["a", "e"], "other": ["b", "c"]})
    table = coded({"l": ["a", "b", "c", "e"], "n": [1, 2, 3, 4]}, ["l", "n"], hierarchies={"l": tree})
    every = make_mask(Rules(levels=True), table.quasi)
    assert texts(every) == ["l,n", "l@1,n", "l,*", "*,n", "l@1,*", "*,*"]
    assert every.costs.tolist() == [0, 0.5, 1, 1, 1.5, 2]
    given_ = make_mask(Rules(patterns=("l@1,n",), outliers=False), table.quasi)
    assert texts(given_) == ["l@1,n"]
    assert texts(make_mask(Rules(levels=True, never=("l",), outliers=False), table.quasi)) == [
        "l,n",
        "l@1,n",
        "l,*",
        "l@1,*",
    ]


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    groups = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True), max_size=2)
    return Rules(
        max_stars=draw(st.one_of(st.none(), st.integers(0, 5))),
        never=tuple(draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True))),
        together=tuple(map(tuple, draw(groups))),
        at_most_one=tuple(map(tuple, draw(groups))),
        outliers=draw(st.booleans()),
    )


@given(rules())
def test_rules_by_their_definitions(asked: Rules) -> None:
    """Every combination of stars, kept where no rule is broken."""
    wanted = set()
    for stars in product([False, True], repeat=5):
        blank = {name for name, star in zip(NAMES, stars, strict=True) if star}
        fine = (
            (asked.max_stars is None or len(blank) <= asked.max_stars)
            and not blank & set(asked.never)
            and all(len(blank & set(group)) in (0, len(set(group))) for group in asked.together)
            and all(len(blank & set(group)) <= 1 for group in asked.at_most_one)
        )
        if fine if len(blank) < 5 else asked.outliers:
            wanted.add(",".join("*" if name in blank else name for name in NAMES))
    mask = mask_of(asked, NAMES)
    assert set(texts(mask)) == wanted
    assert len(mask) == len(wanted)
    counted = by_stars(asked, steps_of(asked, table_of(NAMES).quasi))
    assert sum(n for stars, n in counted.items() if stars < 5) == len(wanted - {"*,*,*,*,*"})


def test_thirty_columns_with_four_stars_at_most() -> None:
    names = [f"c{number}" for number in range(30)]
    assert len(mask_of(Rules(max_stars=4), names)) == 1 + 30 + 435 + 4060 + 27405 + 1


def test_more_patterns_than_can_be_listed_are_counted_and_refused() -> None:
    names = [f"c{number}" for number in range(40)]
    assert sum(by_stars(Rules(), steps_of(Rules(), table_of(names).quasi)).values()) == 2**40
    with pytest.raises(InputError, match=r"1,099,511,627,776 patterns of 40 columns.*max_stars"):
        mask_of(Rules(), names)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"never": ("agee",)}, r"'never' names 'agee'.*Did you mean 'age'"),
        ({"together": (("age", "nobody"),)}, "'together' names 'nobody'"),
        ({"at_most_one": (("sexx", "age"),)}, "Did you mean 'sex'"),
        ({"costs": {"zipp": 1.0}}, "'costs' names 'zipp'"),
        ({"patterns": ("age,*",)}, "2 places for 3 quasi-identifiers"),
        ({"patterns": ("age,sex,*",)}, "'sex' in the place of 'zip'"),
        ({"patterns": ("age@7,zip,sex",)}, "level '7' of 'age', which has 0 to 1"),
        ({"patterns": ("*,zip,sex",), "never": ("age",)}, r"'\*,zip,sex' breaks the rule never = age"),
        ({"patterns": ("*,*,sex",), "max_stars": 1}, "breaks the rule max_stars = 1"),
        ({"patterns": ("*,zip,sex",), "together": (("age", "zip"),)}, r"breaks the rule together = age\+zip"),
        ({"patterns": ("*,*,sex",), "at_most_one": (("age", "zip"),)}, r"breaks the rule at_most_one = age\+zip"),
        ({"patterns": ("*,*,*",), "outliers": False}, "breaks the rule outliers = false"),
    ],
)
def test_rules_that_do_not_fit_are_refused_in_a_sentence(said: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        mask_of(Rules(**said))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"max_stars": "two"}, "max_stars must be a whole number, got 'two'"),
        ({"max_stars": -1}, "max_stars must be at least 0"),
        ({"never": 5}, "never takes a list of columns"),
        ({"together": 5}, "together takes lists of columns"),
        ({"patterns": 5}, "patterns takes a list"),
        ({"costs": 5}, "costs takes a number for each column"),
        ({"costs": {"age": -1}}, "The cost of 'age' must be at least 0"),
    ],
)
def test_rules_of_the_wrong_kind_are_refused_when_made(said: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Rules(**said)  # type: ignore[arg-type]


def test_lists_may_be_written_as_a_command_line_can() -> None:
    rules = Rules(never="age+zip", together="a+b|c+d", at_most_one=["a", "b"])
    assert rules.never == ("age", "zip")
    assert rules.together == (("a", "b"), ("c", "d"))
    assert rules.at_most_one == (("a", "b"),)


def test_more_than_63_columns_are_refused() -> None:
    names = [f"c{number}" for number in range(64)]
    with pytest.raises(InputError, match="at most 63 quasi-identifiers, got 64"):
        mask_of(Rules(max_stars=1), names)
    assert len(mask_of(Rules(max_stars=1), names[:63])) == 65
