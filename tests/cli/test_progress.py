from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from numba import config, njit

from shoal.cli.faults import Interrupted
from shoal.cli.progress import WRITING, Reporter, reporting

SHOWS = """
import sys, time
from shoal.cli.progress import reporting
with reporting(False) as progress:
    progress.stage("cutting", 100)
    time.sleep({seconds})
    progress.advance(50)
    progress.stage("checking [all]")
    time.sleep({then})
"""


def on_terminal(code: str) -> str:
    """What a program writes to stderr where that is a terminal."""
    import pty

    master, terminal = pty.openpty()
    subprocess.run([sys.executable, "-c", code], stderr=terminal, stdout=subprocess.PIPE, check=True, timeout=60)
    os.close(terminal)
    parts = []
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    os.close(master)
    return b"".join(parts).decode()


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals there")
def test_a_bar_once_the_work_has_taken_a_second():
    shown = on_terminal(SHOWS.format(seconds=1.8, then=0.3))
    assert "cutting" in shown
    assert "checking [all]" in shown
    assert "left:" in shown


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals there")
def test_no_bar_for_quick_work():
    assert on_terminal(SHOWS.format(seconds=0, then=0)) == ""


def test_no_bar_where_there_is_no_terminal(capsys):
    with reporting(False) as progress:
        progress.stage("cutting", 10)
        time.sleep(0.05)
        progress.advance()
    assert capsys.readouterr().err == ""


def test_a_bar_that_comes_too_late_is_not_shown(capsys):
    reporter = Reporter()
    reporter.close()
    reporter._open()
    assert capsys.readouterr().err == ""


def test_ctrl_c_while_writing_does_not_claim_that_nothing_was_written():
    def interrupt(stage: str) -> None:
        with reporting(False) as progress:
            progress.stage(stage)
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="while writing"):
        interrupt(WRITING)
    with pytest.raises(KeyboardInterrupt) as caught:
        interrupt("cutting")
    assert not isinstance(caught.value, Interrupted)


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled without the JIT")  # type: ignore[attr-defined]
@pytest.mark.parametrize("quiet", [False, True])
def test_says_once_that_kernels_are_compiled(quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    with reporting(quiet):
        njit(lambda x: x + 1)(1)
        njit(lambda x: x + 2)(1)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("Compiling for this machine") == (0 if quiet else 1)
