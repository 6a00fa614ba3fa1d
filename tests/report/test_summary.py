from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from report.made_by_hand import CANARY, Made, frame_of, make
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.metrics import ALL as METRICS
from shoal.models.k_anonymity import KAnonymity
from shoal.models.l_diversity import LDiversity
from shoal.report.before_after import worst_groups
from shoal.report.html_edition import render_html
from shoal.report.json_edition import render_json
from shoal.report.published import meaning
from shoal.report.summary import RunFacts, Summary, summarize
from shoal.report.text_edition import render_plain


def test_risk_before_is_that_of_the_original_rows(made: Made, summary: Summary) -> None:
    rows = [tuple(row) for row in made.release.table.codes.T.tolist()]
    assert summary.before is not None
    assert summary.before.n_rows == len(rows) == 613
    assert summary.before.n_unique == sum(rows.count(row) == 1 for row in rows)
    assert summary.before.n_classes == len(set(rows))


def test_verdicts_are_passed_on_with_their_worst_groups(made: Made, summary: Summary) -> None:
    for checked, verdict in zip(summary.checked, made.verdicts, strict=True):
        assert verdict.holds
        assert (checked.promise.name, checked.wanted, checked.achieved) == (
            verdict.promise, verdict.wanted, verdict.achieved,
        )  # fmt: skip
    assert summary.checked[0].worst[0].size == summary.checked[0].achieved
    assert summary.checked[1].worst[0].n_values["diagnosis"] == summary.checked[1].achieved


def test_worst_groups_carry_the_labels_of_published_records(made: Made) -> None:
    published = made.frame.group_by(["age", "<i>job</i>", "town"]).len()
    sizes = {tuple("(missing)" if v is None else v for v in row[:3]): row[3] for row in published.iter_rows()}
    for group in worst_groups(made.release, made.verdicts[0], limit=10):
        assert sizes[tuple(group.labels.values())] == group.size


def test_losses_and_c_avg(made: Made, summary: Summary) -> None:
    scores = {loss.name: loss.score for loss in summary.losses}
    assert scores.pop("c_avg") == pytest.approx(scores["aecs"] / 5)
    assert scores == {name: metric().score(made.release) for name, metric in METRICS.items()}
    lm = [column.losses["lm"] for column in summary.columns]
    assert np.mean(lm) == pytest.approx(scores["lm"])
    assert [c.column for c in summary.columns] == ["age", "<i>job</i>", "town"]
    town = summary.columns[2]
    assert (town.n_values, town.recoding) == (6, "tree")
    assert town.n_cells == made.frame["town"].n_unique()


def test_suppressed_rows_are_counted(summary: Summary) -> None:
    assert (summary.n_rows, summary.n_suppressed, summary.published.n_records) == (613, 20, 593)
    assert summary.suppression_limit == 0.05


def test_a_run_has_no_seed() -> None:
    with pytest.raises(ValueError, match="seed undoes the shuffle"):
        RunFacts(parameters={"seed": 7})


def test_promises_explain_themselves() -> None:
    frequency = "No sensitive value has more than 45.5% of the records that may belong to a person."
    assert meaning(LDiversity(2.2, "frequency")) == frequency
    assert "as uncertain as 3 equally likely ones" in meaning(LDiversity(3, "entropy"))
    assert "less than 4 times as frequent as those from rank 2 on" in meaning(LDiversity(2, "recursive", c=4))
    assert meaning(KAnonymity(10)) == "Every record shares its quasi-identifiers with at least 9 others."
    assert (
        meaning(LDiversity(3)) == "The records that may belong to a person have at least 3 different sensitive values."
    )


def test_a_table_that_was_only_checked_has_no_before(made: Made) -> None:
    release = Release.identity(made.release.table)
    verdict = KAnonymity(5).check(release)
    assert not verdict.holds
    summary = summarize(release, frame_of(release), [verdict], compare=False)
    assert (summary.before, summary.pairs, summary.losses) == (None, (), ())
    page = render_html(summary)
    assert "does not hold" in page
    assert "without 5-anonymity" in page
    assert "Before and after" not in page
    assert "wanted: at least" not in page  # no goal, so nobody said what a class has to have
    assert "✗ does not hold" in render_plain(summary)


def test_a_release_with_buckets(made: Made) -> None:
    buckets = np.arange(made.release.n_records, dtype=np.int32) // 100
    release = replace(made.release, buckets=buckets)
    summary = summarize(release, made.frame, [LDiversity(2).check(release)])
    assert summary.published.diversity == ()
    assert summary.checked[0].n_groups == 6
    assert str(summary.checked[0].worst[0]) == "a bucket"
    assert "The records of one class" not in render_html(summary)


def test_an_empty_release(made: Made) -> None:
    table = made.release.table
    release = Release.from_groups(table, Groups(np.zeros(1, np.int64), np.zeros(0, np.int32)))
    frame = made.frame.clear()
    summary = summarize(release, frame, [KAnonymity(5).check(release)])
    for public in (False, True):
        assert "No record is published." in render_html(summary, public=public)
        assert "Infinity" not in render_json(summary, public=public)
        assert "0 records with 5-anonymity" in render_plain(summary, public=public)


def test_same_release_same_bytes() -> None:
    assert render_html(make().summary()) == render_html(make().summary())


def test_pairs_tie_rows_to_their_own_records(made: Made, summary: Summary) -> None:
    assert len(summary.pairs) == 6
    first = summary.pairs[0]
    assert (first.before["town"], first.after["town"]) == (CANARY, "south")
    for pair in summary.pairs:
        age, cell = pair.before["age"], pair.after["age"].strip("[]").split("..")
        assert int(cell[0]) <= int(age) <= int(cell[-1])


def test_the_input_is_unchanged(made: Made) -> None:
    before = made.frame.clone()
    made.summary()
    assert made.frame.equals(before)
    assert isinstance(made.frame, pl.DataFrame)
