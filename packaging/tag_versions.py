"""Tags that follow from the changelog: ``python packaging/tag_versions.py [--check]``.

A version is dated by a commit, and its tag belongs on that commit: the last one that gave the version's heading in
``CHANGELOG.md`` its present form, with a date. A version that was dated after the next one had begun is tagged on the
last commit of that day (UTC) that still has its number in ``pyproject.toml``. Tags that exist are never moved. The exit
status is 1 if one of them is on another commit, or names a version that the changelog does not date; with ``--check``
nothing is tagged.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
_DATED = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", re.MULTILINE)


def commits(folder: Path) -> dict[str, str]:
    """The commit of every version that the changelog of the last commit dates.

    Raises:
        SystemExit: the history is not whole, or no commit has the version's number.
    """
    if _git(folder, "rev-parse", "--is-shallow-repository") == "true":
        raise SystemExit("This clone does not have the whole history: git fetch --unshallow")
    return {
        version: _dated_by(folder, version, date)
        for version, date in _DATED.findall(_git(folder, "show", "HEAD:CHANGELOG.md"))
    }


def _dated_by(folder: Path, version: str, date: str) -> str:
    heading = f"## {version} ({date})"
    dated = _git(folder, "log", "-1", "--first-parent", "--format=%H", f"-S{heading}", "--", "CHANGELOG.md")
    if _version_at(folder, dated) == version:
        return dated
    for commit in _git(folder, "log", "--first-parent", f"--until={date}T23:59:59Z", "--format=%H").split():
        if _version_at(folder, commit) == version:
            return commit
    raise SystemExit(f"{heading!r} in CHANGELOG.md: no commit until then has version {version} in pyproject.toml.")


def _version_at(folder: Path, commit: str) -> str:
    return str(tomllib.loads(_git(folder, "show", f"{commit}:pyproject.toml"))["project"]["version"])


def main(folder: Path, *, check: bool = False) -> int:
    """Tag what has no tag, or only say so."""
    wanted = {f"v{version}": commit for version, commit in commits(folder).items()}
    there = {tag: _git(folder, "rev-list", "-1", tag) for tag in _git(folder, "tag", "--list", "v*").split()}
    for tag, commit in wanted.items():
        if tag not in there:
            sys.stdout.write(f"{tag} {'would be' if check else 'is'} put on {commit}\n")
            if not check:
                _git(folder, "tag", "--annotate", tag, commit, "--message", f"shoal {tag.removeprefix('v')}")
    wrong = {tag: commit for tag, commit in there.items() if wanted.get(tag) != commit}
    for tag, commit in wrong.items():
        belongs = f"the changelog dates {wanted[tag]}" if tag in wanted else "the changelog does not date this version"
        sys.stdout.write(f"{tag} is on {commit}, but {belongs}\n")
    return int(bool(wrong))


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8")  # noqa: S603, S607
    if done.returncode:
        raise SystemExit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(ROOT, check="--check" in sys.argv[1:]))
