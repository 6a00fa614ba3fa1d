"""Every test that says it belongs to a group is dealt out with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("xdist", reason="pytest-xdist is not installed")

from support.grouping import GROUPS, group

HERE = Path(__file__).parent


def test_files_that_name_a_group_are_in_it() -> None:
    named = {
        path.relative_to(HERE.parent).as_posix(): found[1]
        for path in HERE.rglob("test_*.py")
        if (
            found := re.search(
                r'^pytestmark = .*xdist_group\("(\w+)"\)', path.read_text(encoding="utf-8"), re.MULTILINE
            )
        )
    }
    assert {*named.values()} == {*GROUPS.values()}
    assert {path: group(f"{path}::test_it") for path in named} == named


def test_others_are_groups_of_their_own() -> None:
    one, other = "tests/cli/test_entry.py::test_help", "tests/cli/test_entry.py::test_version"
    assert group(one) != group(other)
