"""A newcomer who runs the tests is told what was left out or skipped, and how to have it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def _said(*chosen: str) -> str:
    bare = {name: value for name, value in os.environ.items() if name not in ("SHOAL_DATA", "PYTEST_ADDOPTS")}
    whole = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *chosen]
    return subprocess.run(whole, cwd=ROOT, env=bare, capture_output=True, text=True).stdout


def test_the_command_of_the_readme_says_what_it_leaves_out() -> None:
    said = _said("-m", "not nightly and not slow", "tests/test_grouping.py")
    assert "make test-slow runs what takes longer: Spark, PostgreSQL" in said
    assert "make nightly runs thousands of cases more." in said


def test_a_skipped_test_says_what_it_needs() -> None:
    said = _said("tests/policies/test_policies.py", "-k", "adult")
    assert "set SHOAL_DATA to the folder that holds datasets/ and reference/ to run this test" in said
    assert "Skipped tests say above what they need" in said
    assert "make test-slow" not in said
