"""Any file can be checked and attacked, algorithms compared, and later rows published by an earlier recoding."""

from __future__ import annotations

import asyncio
import io
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import polars as pl
import pytest

from shoal.core.progress import Silent
from shoal.errors import InputError
from shoal.web.downloads import download, to_database
from shoal.web.findings import accept, findings_of
from shoal.web.pages.algorithms import comparison_words
from shoal.web.receiving import receive, receive_from, receive_other
from shoal.web.session import Session
from shoal.web.tool_process import TOOLS
from shoal.web.undo import step

ROWS = pl.DataFrame(
    {
        "zip": [f"0213{i % 4}" for i in range(40)],
        "age": [30 + i % 8 for i in range(40)],
        "ill": [["flu", "cold", "gout"][i % 3] for i in range(40)],
    }
)
RELEASE = ROWS.with_columns(zip=pl.lit("0213*"), age=pl.lit("[30..37]")).sample(fraction=1, shuffle=True, seed=4)
COLUMNS: dict[str, Any] = {"quasi_identifiers": ["zip", "age"], "sensitive": ["ill"]}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    ROWS.write_csv(tmp_path / "original.csv")
    RELEASE.write_csv(tmp_path / "release.csv")
    return {"original": tmp_path / "original.csv", "release": tmp_path / "release.csv"}


def ask(tool: str, files: dict[str, Path], **words: Any) -> dict[str, Any]:
    return TOOLS[tool](files, words, Silent())


def test_a_file_is_checked_whichever_tool_made_it(files: dict[str, Path]) -> None:
    good = ask("verify", {"release": files["release"]}, **COLUMNS, privacy={"k": 5})
    assert (good["is_good"], good["headline"]) == (True, "40 records, and every promise holds.")
    bad = ask("verify", {"release": files["original"]}, **COLUMNS, privacy={"k": 7, "l": 2})
    assert not bad["is_good"]
    assert "without 7-anonymity" in bad["headline"]
    assert "Where 7-anonymity is kept least" in bad["parts"][1]


def test_a_file_is_attacked_with_the_original_at_hand(files: dict[str, Path]) -> None:
    safe = ask("audit", files, **COLUMNS, k=5)
    naked = ask("audit", {**files, "release": files["original"]}, **COLUMNS, k=9)
    assert (safe["is_good"], naked["is_good"]) == (True, False)
    assert naked["parts"]


@pytest.mark.slow
def test_algorithms_are_compared_with_the_words_of_the_job(files: dict[str, Path]) -> None:
    words = {
        **COLUMNS,
        "privacy": {"k": 2},
        "hierarchies": {"zip": "mask"},
        "quick": True,
        "reading": {"delimiter": ","},
    }
    said = {"algorithms": ["mondrian"], "ks": ["2", "5"]}
    found = ask("compare", {"table": files["original"]}, **comparison_words(words, said, 60.0))
    assert [dot[3] for dot in found["dots"]] == ["2-anonymity", "5-anonymity"]
    assert "mondrian loses least" in found["headline"]


async def _body(frame: pl.DataFrame) -> AsyncIterator[bytes]:
    yield frame.write_csv().encode()


async def _ended(session: Session) -> None:
    while any(run.state == "running" or run.is_preparing for run in session.runs.values()):
        await asyncio.sleep(0.05)


@pytest.mark.slow
def test_later_rows_are_published_by_an_earlier_recoding_and_guarded_like_any_release(tmp_path: Path) -> None:
    later = ROWS.tail(32)

    async def work() -> pl.DataFrame:
        session = Session(tmp_path)
        await receive(session, "january.csv", _body(ROWS))
        trees = {"zip": "mask", "age": "intervals:width=4"}
        session.change({**COLUMNS, "privacy": {"k": 4}, "hierarchies": trees, "algorithm": "lattice"})
        first = await session.start("January")
        await _ended(session)
        assert first.state == "done", first.sentence
        await receive_other(session, "february.csv", _body(later))
        second = await session.apply(first, "february.csv")
        await _ended(session)
        assert second.state == "done", second.sentence
        assert (second.applied, second.figures["levels"]) == ("January", first.figures["levels"])
        for found in findings_of(second):
            accept(second, found.key, "Known, and fine for this test.")
        released = pl.read_csv(await download(second, "release.csv"), infer_schema=False)
        assert (await download(first, "recoding.json")).stat().st_size > 100
        session.wipe()
        return released

    released = asyncio.run(work())
    assert released.height == later.height
    assert min(released.group_by("zip", "age").len()["len"]) >= 4


@pytest.mark.slow
def test_a_run_within_a_memory_limit_is_locked_until_somebody_answers_for_what_was_not_attacked(tmp_path: Path) -> None:
    async def work() -> pl.DataFrame:
        session = Session(tmp_path)
        await receive(session, "people.csv", _body(ROWS.with_columns(seen=pl.lit("2024-05-17"))))
        said = {**COLUMNS, "others": ["seen"], "privacy": {"k": 4}, "hierarchies": {"zip": "mask"}, "memory": "4GiB"}
        session.change(said)
        run = await session.start()
        await _ended(session)
        assert run.state == "done", run.sentence
        assert [found.key for found in findings_of(run)] == ["audit", "dates:seen"]
        with pytest.raises(InputError, match="No attack was tried"):
            await download(run, "release.csv")
        for found in findings_of(run):
            accept(run, found.key, "Known, and fine for this test.")
        with pytest.raises(KeyError):
            await download(run, "release.parquet")
        released = pl.read_csv(await download(run, "release.csv"), infer_schema=False)
        session.wipe()
        return released

    released = asyncio.run(work())
    assert min(released.group_by("zip", "age").len()["len"]) >= 4


@pytest.mark.slow
def test_a_database_gives_the_table_and_takes_the_release_once_it_is_answered_for(tmp_path: Path) -> None:
    source, target = f"sqlite:///{tmp_path}/house.db#people", f"sqlite:///{tmp_path}/house.db#released"
    with sqlite3.connect(tmp_path / "house.db") as house:
        house.execute("create table people (zip text, age integer, ill text, seen text)")
        house.executemany("insert into people values (?, ?, ?, '2024-05-17')", ROWS.rows())

    async def work() -> None:
        session = Session(tmp_path)
        with pytest.raises(InputError, match="address of a table in a database"):
            await receive_from(session, str(tmp_path / "house.db"))
        await receive_from(session, source)
        assert (session.table.name, session.table.size["n_rows"]) == ("people.parquet", 40)
        await receive_from(session, source.removesuffix("#people"), "select zip, age, ill from people where age > 31")
        assert session.table.size["n_rows"] == 30
        await step(session, "undo")
        assert session.table.size["n_rows"] == 40
        session.change({**COLUMNS, "others": ["seen"], "privacy": {"k": 4}, "quick": True})
        run = await session.start()
        await _ended(session)
        assert "dates:seen" in [found.key for found in findings_of(run)]
        with pytest.raises(InputError, match="locked"):
            await to_database(run, target, replace=False)
        for found in findings_of(run):
            accept(run, found.key, "Known, and fine for this test.")
        assert (await to_database(run, target, replace=False)).endswith("#released")
        with pytest.raises(InputError, match="released"):
            await to_database(run, target, replace=False)
        session.wipe()

    asyncio.run(work())
    with sqlite3.connect(tmp_path / "house.db") as house:
        assert house.execute("select count(*) from released").fetchone() == (40,)


def test_files_of_others_are_kept_apart_from_the_table(session: tuple[httpx.Client, str]) -> None:
    client, path = session
    file = io.BytesIO()
    RELEASE.write_csv(file)
    for name, status in (("release.csv", 200), ("../release.csv", 422), ("release.exe", 422)):
        answer = client.put(f"{path}/others", params={"name": name}, content=file.getvalue())
        assert answer.status_code == status
    assert client.get(path).json()["files"] == []
