"""Tags follow from the history of the changelog, and a tag that does not is found."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
tags = runpy.run_path(str(ROOT / "packaging" / "tag_versions.py"))
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Repository:
    """A project with a changelog and a version, of which every commit is made at a given time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "--quiet")

    def git(self, *arguments: str, day: str = "2026-01-01") -> str:
        """What git prints, on that day at noon (UTC)."""
        when = f"{day}T12:00:00Z"
        who = {f"GIT_{role}_{what}": "a@b.example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        settings = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_CONFIG_GLOBAL": "/dev/null", **who}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=settings, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self, version: str, *headings: str, day: str = "2026-01-01") -> str:
        """The commit with that version and those headings, the newest first; text below them changes each time."""
        count = len(list(self.folder.glob("*.txt")))
        (self.folder / f"{count}.txt").touch()
        (self.folder / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
        (self.folder / "CHANGELOG.md").write_text("\n".join(["# Changes", *headings, f"Change {count}.", ""]))
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Something", day=day)
        return self.git("rev-parse", "HEAD")

    def tagged(self) -> dict[str, str]:
        """The commit of every tag."""
        return {tag: self.git("rev-list", "-1", tag) for tag in self.git("tag", "--list").split()}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "a")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@b.example")
    return Repository(tmp_path)


def test_a_version_is_tagged_where_it_got_its_date(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.commit("0.1.0", "## 0.1.0 (unreleased)")
    dated = repository.commit("0.1.0", "## 0.1.0 (2026-01-01)")
    repository.commit("0.1.0", "## 0.1.0 (2026-01-01)")
    repository.commit("0.2.0", "## 0.2.0 (unreleased)", "## 0.1.0 (2026-01-01)")
    assert tags["main"](repository.folder, check=True) == 0
    assert capsys.readouterr().out == f"v0.1.0 would be put on {dated}\n"
    assert repository.tagged() == {}
    assert tags["main"](repository.folder) == 0
    assert capsys.readouterr().out == f"v0.1.0 is put on {dated}\n"
    assert repository.tagged() == {"v0.1.0": dated}
    assert repository.git("cat-file", "tag", "v0.1.0").endswith("\n\nshoal 0.1.0")
    assert tags["main"](repository.folder) == 0
    assert capsys.readouterr().out == ""


def test_a_version_that_is_dated_again_is_tagged_where_it_was_dated_last(repository: Repository) -> None:
    repository.commit("0.1.0", "## 0.1.0 (2026-01-01)")
    repository.commit("0.1.0", "## 0.1.0 (2026-01-02)")
    assert tags["commits"](repository.folder) == {"0.1.0": repository.git("rev-parse", "HEAD")}
    repository.commit("0.1.0", "## 0.1.0 (unreleased)")
    assert tags["commits"](repository.folder) == {}
    again = repository.commit("0.1.0", "## 0.1.0 (2026-01-02)")
    repository.commit("0.1.0", "## 0.1.0 (2026-01-02)")
    assert tags["commits"](repository.folder) == {"0.1.0": again}


def test_a_version_dated_later_is_tagged_on_the_last_commit_of_its_day(repository: Repository) -> None:
    repository.commit("0.1.0", "## 0.1.0", day="2026-01-01")
    last = repository.commit("0.1.0", "## 0.1.0", day="2026-01-02")
    repository.commit("0.1.0", "## 0.1.0", day="2026-01-03")
    repository.commit("0.2.0", "## 0.2.0 (unreleased)", "## 0.1.0 (2026-01-02)", day="2026-01-04")
    assert tags["commits"](repository.folder) == {"0.1.0": last}
    repository.commit("0.2.0", "## 0.2.0 (unreleased)", "## 0.1.0 (2025-12-31)", day="2026-01-05")
    with pytest.raises(SystemExit, match=r"no commit until then has version 0\.1\.0"):
        tags["commits"](repository.folder)


def test_tags_elsewhere_or_without_a_date_are_told_and_not_moved(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    before = repository.commit("0.1.0", "## 0.1.0 (unreleased)")
    dated = repository.commit("0.1.0", "## 0.1.0 (2026-01-01)")
    repository.commit("0.2.0", "## 0.2.0 (unreleased)", "## 0.1.0 (2026-01-01)")
    repository.git("tag", "v0.1.0", before)
    repository.git("tag", "v0.2.0", dated)
    assert tags["main"](repository.folder) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"v0.1.0 is on {before}, but the changelog dates {dated}",
        f"v0.2.0 is on {dated}, but the changelog does not date this version",
    ]
    assert repository.tagged() == {"v0.1.0": before, "v0.2.0": dated}


def test_half_a_history_is_refused(repository: Repository, tmp_path: Path) -> None:
    repository.commit("0.1.0", "## 0.1.0 (2026-01-01)")
    repository.commit("0.1.0", "## 0.1.0 (2026-01-01)")
    repository.git("clone", "--quiet", "--depth", "1", f"file://{tmp_path}", str(tmp_path / "shallow"))
    with pytest.raises(SystemExit, match="git fetch --unshallow"):
        tags["main"](tmp_path / "shallow")


def test_the_tags_of_this_project_are_where_the_changelog_dates_them() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone with git")
    whole = subprocess.run(["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, text=True)
    if whole.stdout.strip() != "false":
        pytest.skip("not the whole history")
    assert tags["main"](ROOT, check=True) == 0
