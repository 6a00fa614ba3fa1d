"""The word ``cells`` in every face: types, files, refusals; and nothing but the release goes into what is printed."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.core.randomness import Randomness
from shoal.core.release import publish
from shoal.core.schema import Schema
from shoal.engine.forms_of_cells import in_forms
from shoal.engine.job import Job
from shoal.engine.vocabulary import CommandWords, FormWords
from shoal.errors import BrokenPromise
from shoal.io.cell_forms.printing import Printer
from shoal.io.encode import encode
from shoal.io.labels import to_frame
from shoal.web.job_words import checked_job
from support.tables import lists_of, partitioned

PEOPLE = pl.DataFrame(
    {
        "age": [20 + i * 7 % 45 for i in range(60)],
        "born": [dt.date(1960, 1, 1) + dt.timedelta(days=i * 911 % 20000) for i in range(60)],
        "town": [["Ely", "Truro", "Ripon"][i % 3] for i in range(60)],
        "disease": [["flu", "asthma", "gout"][i * 5 % 13 % 3] for i in range(60)],
    }
)
SAID: dict[str, Any] = {
    "quasi_identifiers": ["age", "born", "town"],
    "sensitive": ["disease"],
    "privacy": shoal.KAnonymity(5),
    "quick": True,
    "audit": "off",
    "seed": 4,
}
QUASI = ["--quasi", "age,born,town", "--sensitive", "disease", "--k", "5", "--quick", "--audit", "off", "-q"]


def published(data: Any = PEOPLE, **more: Any) -> Any:
    return shoal.anonymize(data, **{**SAID, **more})


def test_types_are_kept() -> None:
    bounds = published(cells="bounds").to_frame()
    assert bounds.schema == {
        "age_low": pl.Int64, "age_high": pl.Int64, "born_low": pl.Date, "born_high": pl.Date, "town": pl.String,
        "disease": pl.String,
    }  # fmt: skip
    for form in ("center", "sampled"):
        assert published(cells=form).to_frame().schema == PEOPLE.schema
    numbers = published(PEOPLE.to_pandas(), cells={"age": "center"}).to_frame()
    assert isinstance(numbers, pd.DataFrame)
    assert numbers["age"].dtype == "int64"


def test_labels_are_judged_and_recorded_whatever_is_printed(tmp_path: Path) -> None:
    result = published(cells={"age": "sampled", "town": "codes"})
    assert result.frame.equals(published().frame)
    assert result.formed == {"age": "sampled", "town": "codes"}
    result.write(tmp_path / "release.csv")
    assert json.loads((tmp_path / "release.run.json").read_text())["cells"] == result.formed
    book = pl.read_csv(tmp_path / "release.codes.csv")
    assert set(book["column"]) == {"town"}


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".arrow", ".xlsx"])
def test_bounds_and_codes_are_read_back_from_files_to_the_same_cells(tmp_path: Path, ending: str) -> None:
    wanted = shoal.read_release(published().frame, quasi_identifiers=SAID["quasi_identifiers"])
    kinds: dict[str, Any] = {"age": "numeric", "born": "date", "town": "nominal"}
    forms: dict[str, dict[str, Any]] = {"bounds": {}, "codes": {"codebook": tmp_path / f"codes.codes{ending}"}}
    for cells, more in forms.items():
        target = tmp_path / f"{cells}{ending}"
        published(cells=cells).write(target)
        back = shoal.read_release(target, quasi_identifiers=SAID["quasi_identifiers"], kinds=kinds, **more)
        for name in SAID["quasi_identifiers"]:
            assert back[name].to_list() == wanted[name].to_list()


def test_nothing_but_the_release_goes_into_what_is_printed() -> None:
    """Originals are swapped for others in the same cells: the same labels, so the same values, drawn or not."""
    levels = {"hierarchies": {"age": "intervals:width=10", "town": {"a": ["Ely", "Truro"], "b": ["Ripon"]}}}
    said = {**levels, "quasi_identifiers": ["age", "town"], "levels": [1, 1], "privacy": shoal.KAnonymity(2), "seed": 8}
    one = PEOPLE.drop("born")
    other = one.with_columns(
        (pl.col("age") // 10 * 10 + (pl.col("age") * 3 + 1) % 10).alias("age"),
        pl.col("town").replace({"Ely": "Truro", "Truro": "Ely"}),
    )
    assert not one.equals(other)
    for cells in ("labels", "bounds", "codes", "center", "sampled"):
        first, second = (published(data, cells=cells, **said).to_frame() for data in (one, other))
        assert first.equals(second), cells


def swapped(rows_of: list[list[int]]) -> pl.DataFrame:
    """The people, where those of each list have exchanged their quasi-identifiers, each column by itself."""
    drawn, values = np.random.default_rng(5), {name: PEOPLE[name].to_list() for name in SAID["quasi_identifiers"]}
    for own in values.values():
        for rows in rows_of:
            for row, value in zip(rows, [own[other] for other in drawn.permutation(rows)], strict=True):
                own[row] = value
    return PEOPLE.with_columns(pl.Series(name, own) for name, own in values.items())


def printed_from(people: pl.DataFrame, rows_of: list[list[int]], form: str, seed: int, draws: int = 1) -> Any:
    """What is printed of the release in which each list of rows shares its cells."""
    schema = Schema(quasi_identifiers=tuple(SAID["quasi_identifiers"]), sensitive=("disease",))
    publication = publish(partitioned(encode(people, schema).table, rows_of), Randomness(1))
    words = FormWords.said({"cells": form if draws == 1 else {"age": form}, "draws": draws})
    made = in_forms(publication, to_frame(publication), schema, words, Randomness(seed))
    assert made is not None
    return made.frames


@pytest.mark.parametrize("algorithm", ["mondrian", "agglomerative"])
def test_originals_that_are_swapped_within_cells_leave_no_trace(algorithm: str) -> None:
    """Rows of a class exchange originals: cells stay as they were, so what is printed does; else it does not."""
    release = published(algorithm=algorithm).release
    classes = [release.owners[records].tolist() for records in lists_of(release.classes)]
    others = swapped(classes)
    assert sum(one != other for one, other in zip(PEOPLE.rows(), others.rows(), strict=True)) > 40
    for form in ("center", "sampled"):
        first, second = (printed_from(people, classes, form, 7)[0] for people in (PEOPLE, others))
        assert first.write_csv() == second.write_csv(), form
    elsewhere = PEOPLE.with_columns(age=pl.col("age") + 30)
    first, second, control = (
        np.array([frame["age"] for frame in printed_from(people, classes, "sampled", seed, draws=30)])
        for people, seed in ((PEOPLE, 1), (others, 2), (elsewhere, 2))
    )
    assert far_apart(first, second) < 5, "the draws of each record follow one law"
    assert far_apart(first, control) > 5, "and another one where its cell is another"


def far_apart(one: Any, other: Any) -> float:
    """The largest difference of a record's mean draw, in standard errors."""
    error = np.sqrt((one.var(axis=0) + other.var(axis=0)) / len(one)) + 0.01
    return float((np.abs(one.mean(axis=0) - other.mean(axis=0)) / error).max())


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize("algorithm", ["mondrian", "lattice"])
def test_within_a_memory_limit_every_form_is_printed(tmp_path: Path, ending: str, algorithm: str) -> None:
    PEOPLE.with_columns(age=pl.when(pl.col("age") > 22).then("age")).write_parquet(tmp_path / "people.parquet")
    words = {**SAID, "algorithm": algorithm, "hierarchies": {"age": "intervals:width=10"} if "l" in algorithm else {}}
    del words["quick"], words["audit"]

    def made(**more: Any) -> tuple[pl.DataFrame, Any]:
        target = tmp_path / f"release{ending}"
        outcome = shoal.anonymize_file(tmp_path / "people.parquet", target, memory="8GiB", **{**words, **more})
        return (pl.read_parquet(target) if ending == ".parquet" else pl.read_csv(target, try_parse_dates=True)), outcome

    labels, _ = made()
    quasi = SAID["quasi_identifiers"]
    kinds: dict[str, Any] = {"age": "numeric", "born": "date", "town": "nominal"}
    wanted = shoal.read_release(labels.with_columns(pl.all().cast(pl.String)), quasi_identifiers=quasi, kinds=kinds)
    for form in ("bounds", "codes"):
        shown, outcome = made(cells=form)
        assert {*outcome.cells.values()} == {form}
        more: dict[str, Any] = {"codebook": outcome.codebook} if form == "codes" else {}
        back = shoal.read_release(shown, quasi_identifiers=quasi, kinds=kinds, **more)
        for name in quasi:
            assert [str(cell) for cell in back[name]] == [str(cell) for cell in wanted[name]]
        assert (tmp_path / f"release.codes{ending}").exists() == (form == "codes")
    for form in ("center", "sampled"):
        shown, outcome = made(cells=form)
        if algorithm == "mondrian":  # the other leaves nothing but stars, which have no type in a text
            assert shown.select("age", "born").dtypes == PEOPLE.select("age", "born").dtypes
        assert shown["disease"].equals(labels["disease"])
        record = json.loads((tmp_path / "release.run.json").read_text())
        assert {*record["cells"].values()} == {form}
        written = (tmp_path / f"release{ending}").read_bytes()
        assert record["output"]["sha256"] == hashlib.sha256(written).hexdigest()


def test_within_a_memory_limit_drawn_tables_go_with_the_release_that_they_are_of(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    words = {name: value for name, value in SAID.items() if name not in ("quick", "audit")}
    for cells, draws in (("sampled", 3), ("labels", 1)):
        target = tmp_path / "release.csv"
        shoal.anonymize_file(tmp_path / "people.csv", target, memory="8GiB", **words, cells=cells, draws=draws)
        drawn = [path for path in tmp_path.iterdir() if "draw" in path.name]
        assert len(drawn) == draws - 1
        assert len({path.read_bytes() for path in [target, *drawn]}) == draws


def test_a_file_that_is_not_what_was_printed_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    words = {name: value for name, value in SAID.items() if name not in ("quick", "audit")}
    real = Printer.print

    def spoiled(self: Printer, frame: pl.DataFrame, *more: Any) -> pl.DataFrame:
        return real(self, frame, *more).with_columns(spoil)

    monkeypatch.setattr(Printer, "print", spoiled)
    for spoil in (pl.int_range(pl.len()).alias("age_low"), pl.lit("flu").alias("disease")):  # noqa: B007
        with pytest.raises(BrokenPromise, match="printed"):
            shoal.anonymize_file(
                tmp_path / "people.csv", tmp_path / "release.csv", memory="8GiB", **words, cells="bounds"
            )
        assert not (tmp_path / "release.csv").exists()


def test_draws_are_tables_of_their_own(tmp_path: Path) -> None:
    result = published(cells="sampled", draws=3)
    assert [*result.tables] == ["", "draw2", "draw3"]
    assert len(result.to_frames()) == 3
    result.write(tmp_path / "release.csv")
    first, second = (pl.read_csv(tmp_path / name) for name in ("release.csv", "release.draw2.csv"))
    assert not first.equals(second)
    assert first["disease"].equals(second["disease"])


def test_means_of_drawn_values_are_near_those_of_the_original() -> None:
    people = pl.DataFrame({"age": [20 + (i * i) % 61 for i in range(2000)], "sex": ["m", "f"] * 1000})
    drawn = shoal.anonymize(
        people, quasi_identifiers=["age", "sex"], privacy=shoal.KAnonymity(10), cells="sampled", quick=True, seed=1
    ).to_frame()
    assert abs(drawn["age"].mean() - people["age"].mean()) < 1


def test_in_every_face(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_csv("people.csv")
    assert main(["anonymize", "people.csv", *QUASI, "-o", "a.csv", "--cells", "age=bounds,town=codes"]) == 0
    assert main(["anonymize", "people.csv", *QUASI, "-o", "b.csv", "--cells", "sampled", "--draws", "2"]) == 0
    assert pl.read_csv("a.csv").columns == ["age_low", "age_high", "born", "town", "disease"]
    assert pl.read_csv("b.draw2.csv", try_parse_dates=True).schema == PEOPLE.schema
    text = """input = "people.csv"
output = "c.csv"
quasi_identifiers = ["age", "born", "town"]
sensitive = ["disease"]
quick = true
[privacy]
k = 5
[cells]
age = "center"
"""
    Path("job.toml").write_text(text)
    assert main(["run", "job.toml", "-q"]) == 0
    assert pl.read_csv("c.csv")["age"].dtype == pl.Int64
    assert {"cells", "draws"} <= {*Job.json_schema()["properties"]} & {*CommandWords.json_schema()["properties"]}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--cells", "town=bounds"], "has no bounds; leave its cells as labels"),
        (["--cells", "bound"], "Did you mean 'bounds'"),
        (["--cells", "bounds", "--cells", "age=codes"], "--cells takes one value for all columns"),
        (["--cells", "disease=codes"], "'disease' is not a quasi-identifier"),
        (["--draws", "3"], "say cells = sampled"),
        (["--cells", "town=bounds", "--memory", "8GiB"], "has no bounds; leave its cells as labels"),
        (["--cells", "codes", "-o", "sqlite:///r.db#t"], "written to files"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_a_sentence(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_csv("people.csv")
    target = [] if "-o" in words else ["-o", "release.csv"]
    assert main(["anonymize", "people.csv", *QUASI, *target, *words]) == 2
    assert says in capsys.readouterr().err
    assert not Path("release.csv").exists()


def test_the_workbench_takes_all_forms_but_several_draws() -> None:
    said = {"quasi_identifiers": ["age"], "privacy": {"k": 5}}
    for cells in ("bounds", "codes", {"age": "codes"}):
        assert checked_job({**said, "cells": cells}, "people.csv", []).cells == cells
    with pytest.raises(shoal.InputError, match="command line"):
        checked_job({**said, "cells": "sampled", "draws": 2}, "people.csv", [])


def test_read_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    published().write("release.csv")
    assert main(["read", "release.csv", "-q"]) == 0
    assert main(["read", "release.csv"]) == 0
    assert "age_low" in capsys.readouterr().out
    assert main(["read", "release.csv", "--cells", "sampled", "--draws", "2", "-o", "drawn.parquet", "-q"]) == 0
    assert pl.read_parquet("drawn.draw2.parquet").schema == PEOPLE.schema
    assert main(["read", "release.csv", "--cells", "codes", "-o", "coded.csv", "-q"]) == 0
    assert main(["read", "coded.csv", "--codebook", "coded.codes.csv", "--cells", "labels", "-o", "again.csv"]) == 0
    assert Path("again.csv").read_bytes() == Path("release.csv").read_bytes()
    assert main(["read", "release.csv", "-o", "release.csv"]) == 2
    assert main(["read", "release.csv", "--cells", "structs"]) == 2


def test_the_frame_that_one_asks_for() -> None:
    release = published().frame
    quasi = {"quasi_identifiers": SAID["quasi_identifiers"]}
    assert isinstance(shoal.read_release(release.to_pandas(), **quasi), pd.DataFrame)
    assert isinstance(shoal.read_release(release, kind="pyarrow", cells="bounds", **quasi).to_pandas(), pd.DataFrame)
    intervals = shoal.read_release(release, kind="pandas", cells="intervals", **quasi)
    assert isinstance(intervals["age"].dtype, pd.IntervalDtype)
    assert intervals["age"].dtype.closed == "both"
    assert all(isinstance(value, list) for value in intervals["town"].dropna())
    low, high = (shoal.read_release(release, cells="bounds")[f"age_{end}"] for end in ("low", "high"))
    assert [pair.left for pair in intervals["age"]] == low.to_list()
    assert [pair.right for pair in intervals["age"]] == high.to_list()
    assert len(shoal.read_release(release, cells="sampled", draws=4)) == 4
    with pytest.raises(shoal.InputError, match="kind='pandas'"):
        shoal.read_release(release, cells="intervals", **quasi)
    with pytest.raises(shoal.InputError, match="kind must be one of"):
        shoal.read_release(release, kind="table", **quasi)  # type: ignore[arg-type]
