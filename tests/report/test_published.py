"""The public edition: right numbers, worked out again by an obvious twin, and nothing about the original."""

from __future__ import annotations

import re
from dataclasses import fields

import polars as pl
import pytest

from report.made_by_hand import CANARY, Made
from shoal.report.before_after import pairs_of
from shoal.report.html_edition import render_html
from shoal.report.json_edition import render_json
from shoal.report.published import Asked, PublicSummary, describe
from shoal.report.summary import Summary
from shoal.report.text_edition import render_plain

QUASI = ["age", "<i>job</i>", "town"]


def classes(frame: pl.DataFrame) -> dict[tuple[str | None, ...], list[str]]:
    """The slow twin: sensitive values by published quasi-identifiers."""
    found: dict[tuple[str | None, ...], list[str]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(tuple(row[name] for name in QUASI), []).append(row["diagnosis"])
    return found


def test_numbers_are_those_of_the_published_table(made: Made, summary: Summary) -> None:
    seen, twin = summary.public(), classes(made.frame)
    sizes = [len(values) for values in twin.values()]
    assert seen.n_records == made.frame.height == 593
    assert seen.risk.n_classes == len(twin)
    assert (seen.risk.smallest, seen.risk.largest) == (min(sizes), max(sizes))
    assert seen.risk.average == pytest.approx(len(twin) / 593)
    assert seen.diversity[0].fewest == min(len(set(values)) for values in twin.values())
    assert seen.columns.others == ("visits",)


def test_the_worst_classes_are_the_worst(made: Made, summary: Summary) -> None:
    seen, twin = summary.public(), classes(made.frame)
    by_size = sorted(len(values) for values in twin.values())
    by_values = sorted(len(set(values)) for values in twin.values())
    assert [c.size for c in seen.smallest] == by_size[:5]
    assert [c.n_values[0] for c in seen.least_diverse] == by_values[:5]
    named = {tuple("(missing)" if v is None else v[:59] for v in key): len(values) for key, values in twin.items()}
    for worst in (*seen.smallest, *seen.least_diverse):
        assert named[tuple(label.rstrip("…")[:59] for label in worst.labels)] == worst.size


def test_the_sample_is_the_head_of_the_published_table(made: Made, summary: Summary) -> None:
    head = made.frame.select([*QUASI, "diagnosis", "visits"]).head(10)
    shown = [["(missing)" if v is None else str(v) for v in row] for row in head.iter_rows()]
    assert [list(row) for row in summary.public().sample.rows] == shown


def test_it_needs_nothing_but_the_published_table(made: Made, summary: Summary) -> None:
    seen = summary.public()
    assert describe(made.frame, QUASI, ["diagnosis"], seen.asked) == seen
    assert type(seen) is PublicSummary
    assert {f.name for f in fields(PublicSummary)} == {
        "n_records", "columns", "asked", "risk", "diversity", "smallest", "least_diverse", "sample", "in_buckets",
        "as_it_is",
    }  # fmt: skip
    assert {f.name for f in fields(Asked)} == {
        "promises", "class_size", "algorithm", "metric", "version", "policy", "prepared", "caveats",
    }  # fmt: skip


def leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def test_it_holds_plain_values_only(summary: Summary) -> None:
    assert {type(leaf) for leaf in leaves(summary.public().to_dict())} <= {str, int, float, bool}


@pytest.mark.parametrize("render", [render_html, render_plain, render_json])
def test_nothing_original_is_in_the_public_edition(made: Made, summary: Summary, render: object) -> None:
    assert callable(render)
    internal, public = render(summary, public=False), render(summary, public=True)
    assert CANARY not in made.frame.write_csv()  # generalized away, though a row has it
    assert any(CANARY in pair.before.values() for pair in pairs_of(made.release))
    for secret in (CANARY, "canary-people.csv", "canary-name", "canary-reason", "canary-parameter", "canary-phase"):
        assert secret in internal
    assert "canary" not in public
    for number in ("613", str(summary.before.n_unique if summary.before else "")):
        assert re.search(rf"\b{number}\b", internal)
        assert not re.search(rf"\b{number}\b", public)
    body = re.sub(r"chosen\s+before\s+the\s+data\s+was\s+seen", "", public.partition("</style>")[2] or public)
    for word in ("suppress", "original", "before", "gcp", "seed", "seconds"):
        assert word not in body.lower()


def test_missing_cells_are_one_class() -> None:
    frame = pl.DataFrame({"a": ["x", None, None], "s": ["1", "2", "2"]})
    seen = describe(frame, ["a"], ["s"], Asked())
    assert [(c.labels, c.size, c.n_values) for c in seen.smallest] == [(("x",), 1, (1,)), (("(missing)",), 2, (1,))]


def test_columns_may_have_any_name() -> None:
    frame = pl.DataFrame({"size": ["x", "x"], "q0": ["1", "2"], "s0": [1, 1]})
    seen = describe(frame, ["size", "s0"], ["q0"], Asked())
    assert (seen.risk.smallest, seen.diversity[0].fewest) == (2, 2)


def test_values_linked_by_buckets_are_not_counted_by_class() -> None:
    frame = pl.DataFrame({"a": ["x", "y"], "s": ["1", "2"]})
    seen = describe(frame, ["a"], ["s"], Asked(), by_class=False)
    assert (seen.diversity, seen.least_diverse, seen.columns.sensitive) == ((), (), ("s",))


def test_wide_and_empty_tables() -> None:
    wide = pl.DataFrame({f"c{i}": ["v" * 500] for i in range(200)})
    seen = describe(wide, wide.columns, [], Asked())
    assert (len(seen.sample.columns), seen.sample.n_more_columns) == (12, 188)
    assert len(seen.sample.rows[0][0]) == 60
    empty = describe(pl.DataFrame({"a": [], "s": []}), ["a"], ["s"], Asked())
    assert (empty.n_records, empty.risk.n_classes, empty.smallest, empty.diversity[0].fewest) == (0, 0, (), 0)
