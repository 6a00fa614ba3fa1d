"""Projects: sealed files that nobody reads or changes without the passphrase, and that come back as they were."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from shoal.errors import InputError
from shoal.web.projects import Projects
from shoal.web.receiving import receive, receive_file
from shoal.web.sealed import seal, unseal
from shoal.web.session import Session
from shoal.web.undo import step

_SECRET = "correct horse"


@pytest.mark.parametrize("body", [b"", b"x", bytes(range(256)) * 20_000])
def test_what_was_sealed_comes_back_and_is_not_to_be_seen(tmp_path: Path, body: bytes) -> None:
    plain, sealed, back = (tmp_path / name for name in ("plain", "sealed", "back"))
    plain.write_bytes(body)
    seal(plain, sealed, _SECRET)
    unseal(sealed, back, _SECRET)
    assert back.read_bytes() == body
    assert len(body) < 2 or body[:64] not in sealed.read_bytes()
    assert sealed.stat().st_mode & 0o077 == 0
    first = sealed.read_bytes()
    seal(plain, sealed, _SECRET)
    assert sealed.read_bytes() != first


def test_a_wrong_passphrase_and_any_changed_byte_are_noticed(tmp_path: Path) -> None:
    plain, sealed, back = (tmp_path / name for name in ("plain", "sealed", "back"))
    plain.write_bytes(b"name,disease\nAnn,flu\n")
    seal(plain, sealed, _SECRET)
    with pytest.raises(InputError, match="passphrase is wrong"):
        unseal(sealed, back, "correct hors")
    whole = sealed.read_bytes()
    for place in (20, 40, len(whole) // 2, len(whole) - 1):
        sealed.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(InputError, match="passphrase is wrong, or the file was changed"):
            unseal(sealed, back, _SECRET)
    for cut in (whole[:-1], whole[:10], b"", b"something else" * 10):
        sealed.write_bytes(cut)
        with pytest.raises(InputError):
            unseal(sealed, back, _SECRET)
    assert not back.exists()
    with pytest.raises(InputError, match="at least 8 characters"):
        seal(plain, sealed, "short")


async def _rows(text: str):
    yield text.encode()


async def _ended(session: Session) -> None:
    while any(run.state == "running" or run.is_preparing for run in session.runs.values()):
        await asyncio.sleep(0.05)


@pytest.mark.slow
def test_a_session_comes_back_in_another_workbench(tmp_path: Path) -> None:
    """Table, files, words and finished runs; a run that was made of them can be fetched again."""
    rows = "".join(f"{20 + i % 30},{'FM'[i % 2]},{['flu', 'cold'][i % 3 % 2]}\n" for i in range(60))

    async def first() -> tuple[dict[str, object], dict[str, object], bytes]:
        session = Session(tmp_path)
        await receive(session, "people.csv", _rows(f"age,sex,disease\n{rows}"))
        await receive_file(session, "sex.csv", _rows("F;*\nM;*\n"))
        session.change({"quasi_identifiers": ["age", "sex"], "sensitive": ["disease"], "privacy": {"k": 3}})
        session.set_hierarchies({"sex": "sex.csv"})
        run = await session.start("kept")
        await _ended(session)
        assert run.state == "done", run.sentence
        Projects(tmp_path / "projects").save(session, "kept", _SECRET)
        released = run.folder.fetch("release.csv", run.written["release.csv"]).read_bytes()
        words, figures = session.words, run.figures
        session.wipe()
        return words, figures, released

    async def second() -> tuple[dict[str, object], dict[str, object], bytes]:
        projects, session = Projects(tmp_path / "projects"), Session(tmp_path)
        assert projects.names() == ["kept"]
        with pytest.raises(InputError, match="passphrase is wrong"):
            await projects.open(session, "kept", "another one")
        await projects.open(session, "kept", _SECRET)
        (run,) = session.runs.values()
        table = session.table
        assert (table.name, table.files, table.size["n_rows"]) == ("people.csv", {"sex.csv"}, 60)
        assert session.is_current(run)
        assert session.runs.chosen() is run
        released = run.folder.fetch("release.csv", run.written["release.csv"]).read_bytes()
        found = dict(session.words), run.figures, released
        await session.start("again")
        await _ended(session)
        assert [one.state for one in session.runs.values()] == ["done", "done"]
        projects.remove(session, "kept")
        assert projects.names() == []
        await step(session, "undo")
        assert projects.names() == ["kept"]
        session.wipe()
        return found

    before, after = asyncio.run(first()), asyncio.run(second())
    assert (before[0], before[2]) == (after[0], after[2])
    assert json.loads(json.dumps(before[1])) == after[1]


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden"])
def test_the_name_of_a_project_is_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        Projects(tmp_path).remove(Session(tmp_path), name)
