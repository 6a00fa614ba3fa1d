"""Whatever an upload is called, no download gives it back, and it takes the place of nothing that a run made."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import polars as pl
import pytest

from shoal.engine.run_view import PIECES
from shoal.errors import InputError
from shoal.web.desk_process import Answers
from shoal.web.downloads import DOWNLOADS, RELEASES
from shoal.web.job_words import checked_job, job_text
from shoal.web.names import ENDINGS
from shoal.web.run import Run
from shoal.web.run_folder import RunFolder
from shoal.web.run_process import ROWS
from shoal.web.session import Session
from support.bench import accept_all, finish

SECRET = "Zaphod"
TABLE = pl.DataFrame(
    {
        "name": [f"{SECRET} {number}" for number in range(12)],
        "age": [20, 21, 22, 23, 40, 41, 42, 43, 60, 61, 62, 63],
        "sex": ["m", "f"] * 6,
    }
)
WRITERS: dict[str, Callable[[pl.DataFrame, io.BytesIO], Any]] = {
    ".csv": lambda frame, file: frame.write_csv(file),
    ".parquet": lambda frame, file: frame.write_parquet(file),
    ".arrow": lambda frame, file: frame.write_ipc(file),
    ".xlsx": lambda frame, file: frame.write_excel(file),
}
ARTEFACTS = sorted(
    {*DOWNLOADS, "release.sensitive.csv", ROWS, "nodes.json", *(f"{piece}.json" for piece in PIECES)}
    | {"new_release.csv", "RELEASE.CSV", "Job.toml"}
    | {"inputs", "outputs", "shown", "runs", "incoming", "lock", "open.html", "upload.part", "hierarchy_sex_0.csv"}
)
"""Every name of a file or folder that the workbench makes, and what its own names give way to."""

TREE = b"m;any;*\nf;any;*\n"


def as_file(name: str) -> bytes:
    """The table as the kind of file that its name says."""
    file = io.BytesIO()
    WRITERS[Path(name).suffix.lower()](TABLE, file)
    return file.getvalue()


def upload_files(client: httpx.Client, path: str, *, but: str) -> dict[str, bytes]:
    """Every artefact's name as a hierarchy; those that were taken."""
    taken = {}
    for number, name in enumerate(name for name in ARTEFACTS if name != but):
        content = TREE + b"\n" * number
        answer = client.put(f"{path}/files", params={"name": name}, content=content)
        assert answer.status_code in (200, 422), (name, answer.text)
        if answer.status_code == 200:
            taken[name] = content
    return taken


def downloads(client: httpx.Client, path: str, run: str) -> dict[str, bytes]:
    accept_all(client, path, run)
    found = {name: client.get(f"{path}/runs/{run}/files/{name}") for name in DOWNLOADS}
    assert {name: answer.status_code for name, answer in found.items()} == dict.fromkeys(DOWNLOADS, 200)
    return {name: answer.content for name, answer in found.items()}


@pytest.mark.parametrize(
    ("table", "tree"),
    [
        pytest.param("release.parquet", "release.csv", marks=pytest.mark.slow),
        pytest.param("release.csv", "release.run.json", marks=pytest.mark.nightly),
        pytest.param("release.xlsx", "report.html", marks=pytest.mark.nightly),
        pytest.param("RELEASE.CSV", "public.html", marks=pytest.mark.nightly),
        pytest.param("release.arrow", "runs", marks=pytest.mark.nightly),
    ],
)
def test_no_download_is_an_upload_whatever_that_is_called(
    session: tuple[httpx.Client, str], table: str, tree: str
) -> None:
    client, path = session
    original = as_file(table)
    client.put(f"{path}/table", params={"name": table}, content=original).raise_for_status()
    uploaded = upload_files(client, path, but=table)
    job = {
        "identifiers": ["name"],
        "quasi_identifiers": ["age", "sex"],
        "privacy": {"k": 4},
        "hierarchies": {"sex": tree},
        "algorithm": "mondrian",
    }
    client.put(f"{path}/job", json=job).raise_for_status()
    run = client.post(f"{path}/runs").json()["id"]
    assert finish(client, path, run)["state"] == "done"
    found = downloads(client, path, run)
    given = {original, *uploaded.values()}
    for name, content in found.items():
        assert content not in given, name
        assert SECRET.encode() not in content, name
    assert pl.read_csv(io.BytesIO(found["release.csv"])).columns == ["age", "sex"]
    assert pl.read_parquet(io.BytesIO(found["release.parquet"])).columns == ["age", "sex"]
    assert pl.read_excel(io.BytesIO(found["release.xlsx"])).columns == ["age", "sex"]
    packed = zipfile.ZipFile(io.BytesIO(found["again.zip"]))
    assert {name: packed.read(name) for name in packed.namelist()} == {
        "job.toml": found["job.toml"],
        "job.py": found["job.py"],
        tree: uploaded[tree],
    }
    upload_files(client, path, but=table)
    client.put(f"{path}/table", params={"name": "release.csv"}, content=as_file("release.csv")).raise_for_status()
    assert downloads(client, path, run) == found


@pytest.mark.parametrize("name", [name for name in ARTEFACTS if Path(name).suffix.lower() in ENDINGS])
def test_the_job_file_writes_over_nothing_that_it_reads(name: str) -> None:
    words = {"quasi_identifiers": ["a"], "privacy": {"k": 2}, "hierarchies": {"a": "tree"}}
    for table, files in ((name, ["tree"]), ("people.csv", ["tree", name])):
        job = checked_job(words, table, files)
        assert job.output is not None
        record = str(Path(job.output).with_suffix(".run.json"))
        written = {job.output, record, str(job.report), str(job.public_report)}
        assert not {one.casefold() for one in written} & {one.casefold() for one in (table, *files)}


def test_a_file_does_not_take_the_name_of_the_table_or_of_what_it_is_packed_with(
    session: tuple[httpx.Client, str],
) -> None:
    client, path = session
    client.put(f"{path}/table", params={"name": "people.csv"}, content=as_file("people.csv")).raise_for_status()
    for name in ("job.toml", "JOB.TOML", "job.py", "people.csv"):
        assert client.put(f"{path}/files", params={"name": name}, content=TREE).status_code == 422, name


def test_only_what_was_recorded_is_given_out(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.make()
    recorded = folder.put("release.csv", "a\n1\n")
    assert folder.fetch("release.csv", recorded) == folder.outputs / "release.csv"
    with pytest.raises(InputError, match="not the one that the run wrote"):
        folder.fetch("release.xlsx", "")
    (folder.outputs / "release.csv").write_text("a\n2\n")
    with pytest.raises(InputError, match="not the one that the run wrote"):
        folder.fetch("release.csv", recorded)
    (tmp_path / "same.csv").write_text("a\n1\n")
    (folder.outputs / "release.csv").unlink()
    (folder.outputs / "release.csv").symlink_to(tmp_path / "same.csv")
    with pytest.raises(InputError, match="not the one that the run wrote"):
        folder.fetch("release.csv", recorded)


def test_a_run_keeps_its_inputs_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_bytes(TREE)
    folder = RunFolder(tmp_path / "run")
    folder.make()
    folder.take_in(tmp_path / "tree.csv")
    (tmp_path / "fresh").write_bytes(b"other")
    (tmp_path / "fresh").replace(tmp_path / "tree.csv")
    assert (folder.inputs / "tree.csv").read_bytes() == TREE


@pytest.mark.parametrize("spec", ["/etc/passwd", "../../people.csv", "~/people.csv", "inputs/../x.csv"])
def test_no_hierarchy_is_read_from_a_path(tmp_path: Path, spec: str) -> None:
    """A page's event may say any text; neither the desk nor the session takes one that leads elsewhere."""
    (tmp_path / "t.csv").write_text("a,b\n1,2\n1,3\n")
    answers = Answers(tmp_path)
    answers.open("t.csv", {})
    for ask in (answers.tree, answers.export):
        with pytest.raises(InputError, match="plain name"):
            ask("a", spec, None)
    with pytest.raises(InputError, match="plain name"):
        answers.edit("a", spec, None, "keep", {})
    session = Session(tmp_path)
    with pytest.raises(InputError, match="plain name"):
        session.set_hierarchies({"a": spec})
    assert not session.table.files
    assert session.table.hierarchy("a") is None


def test_a_hierarchy_made_on_a_page_takes_no_uploads_place(tmp_path: Path) -> None:
    (tmp_path / "hierarchy_a_1.csv").write_text("a,b\n1,2\n2,3\n")
    (tmp_path / "tree.csv").write_text("1;builder;*\n2;builder;*\n")
    answers = Answers(tmp_path)
    answers.open("hierarchy_a_1.csv", {})
    made = {answers._spelled("a", answers._hierarchy("a", "tree.csv", None)) for _ in range(3)}
    assert made == {"hierarchy_a_0.csv", "hierarchy_a_2.csv", "hierarchy_a_3.csv"}
    assert (tmp_path / "hierarchy_a_1.csv").read_text().startswith("a,b")


def test_everything_of_a_run_is_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n1,3\n")
    job = checked_job({"quasi_identifiers": ["a"], "privacy": {"k": 2}}, "t.csv", [])
    run = Run("one", job, {}, tmp_path / "runs")
    run.begin(tmp_path, lambda: None)
    run.cancel()
    for folder in (run.folder.path, run.folder.inputs, run.folder.outputs, run.folder.shown):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert "inputs/t.csv" not in job_text(job)
    assert 'input = "inputs/t.csv"' in (run.folder.path / "job.toml").read_text()
    assert sorted(run.written) == ["job.py", "job.toml"]
    assert RELEASES[0] not in run.written
