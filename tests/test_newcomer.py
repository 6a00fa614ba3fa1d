"""A newcomer's first hour: a fresh clone, an empty environment, and the commands of the README one by one."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from support.environments import is_reachable

SCRIPT = Path(__file__).parents[1] / "packaging" / "newcomer.py"
newcomer = runpy.run_path(str(SCRIPT))


@pytest.mark.slow
@pytest.mark.nightly
def test_every_command_of_the_readme_works_in_a_fresh_clone(tmp_path: Path) -> None:
    if not is_reachable(Path(sys.executable)):
        pytest.skip("pip finds no packages from here")
    assert newcomer["main"](tmp_path / "newcomer") == 0


def _clone(folder: Path, readme: str) -> Path:
    """As much of a clone as the script follows: a README, and a Makefile whose demo makes the programs."""
    clone = folder / "shoal"
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (clone / "Makefile").write_text("demo:\n\ttouch made\n")
    (clone / "README.md").write_text(readme)
    return folder


BLOCKS = "```shell\n{}\n```\n```python\nprint('b', end='\\n')\nprint('a')\n```\n```text\n{}\n```\n"


@pytest.mark.skipif(sys.platform == "win32", reason="it needs make and sh")
def test_it_runs_each_command_and_compares_what_the_example_prints(tmp_path: Path) -> None:
    said = BLOCKS.format('echo $HOME > home\ntest -z "$SHOAL_DATA"', "a\nb")
    folder = _clone(tmp_path / "one", said)
    assert newcomer["main"](folder) == 0
    assert (folder / "shoal" / "made").exists()
    assert (folder / "work" / "home").read_text().strip() == str(folder)
    assert newcomer["main"](_clone(tmp_path / "other", BLOCKS.format("true", "a\nc"))) == 1
    with pytest.raises(SystemExit, match="false ends with 1"):
        newcomer["main"](_clone(tmp_path / "failing", BLOCKS.format("false", "a\nb")))
