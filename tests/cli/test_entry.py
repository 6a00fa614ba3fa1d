from __future__ import annotations

import dataclasses
import os
import resource
import signal
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from shoal import algorithms
from shoal.cli.entry import COMMANDS, main
from shoal.core.contracts import Algorithm, GroupModel
from shoal.core.groups import Groups
from shoal.core.release import Release

ROLES = ("--identifiers", "name", "--quasi", "age,zip,sex", "--sensitive", "disease")
CALL = ("anonymize", "people.csv", *ROLES, "--k", "3", "-o", "release.csv")


def process(*words: str, code: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    start = ["-c", code] if code else ["-m", "shoal"]
    return subprocess.run(
        [sys.executable, *start, *words], capture_output=True, text=True, encoding="utf-8", timeout=120, **options
    )


def test_help_names_every_command_and_imports_none(shoal):
    for words in ((), ("--help",), ("-h",)):
        answer = shoal(*words)
        assert (answer.status, answer.err) == (0, "")
        shown = " ".join(answer.out.split())
        assert all(f" {name} {summary} " in shown for name, summary in COMMANDS.items())
    heavy = "{'rich', 'numpy', 'polars', 'numba', 'pyarrow', 'shoal.engine', 'shoal.core'} & set(sys.modules)"
    code = f"import sys; from shoal.cli import main; main(['--help']); sys.exit(str({heavy} or ''))"
    done = process(code=code)
    assert done.stderr.strip() == ""


def test_help_is_quick():
    def spent() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process("--help", check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(spent() for _ in range(3)) < 0.25


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(shoal, name):
    answer = shoal(name, "--help")
    assert (answer.status, answer.err) == (0, "")
    assert f"shoal {name}" in answer.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_loses_nothing_to_markup_and_names_no_python_type(shoal, name):
    shown = " ".join(shoal(name, "--help").out.split())
    assert "Any" not in shown
    source = import_module(f"shoal.cli.{name.replace('-', '_')}").command.__doc__.replace("``", "")
    for line in source.split("\n"):
        assert " ".join(line.split()) in shown


def test_version(shoal):
    assert shoal("--version").out == f"shoal {version('shoal')}\n"


def test_as_a_program(folder):
    done = process(*CALL, "--report", "report.html")
    assert done.returncode == 0, done.stderr
    assert "3-anonymity" in done.stdout
    assert "release.csv is the release." in done.stderr
    done = process("verify", "release.csv", "--quasi", "age,zip,sex", "--k", "60", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    assert '"holds": false' in done.stdout


INTERRUPTED = """
import os, signal, sys
from shoal.algorithms import Mondrian
from shoal.cli import main
def run(*_):
    os.kill(os.getpid(), signal.SIGINT)
    while True: pass
Mondrian.run = run
sys.exit(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_in_the_middle(folder):
    Path("release.csv").write_text("an old release")
    done = process(*CALL, code=INTERRUPTED)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "Interrupted; nothing was written.\n"
    assert Path("release.csv").read_text() == "an old release"
    assert {path.name for path in folder.iterdir()} == {"people.csv", "release.csv"}


INTERRUPTED_SEARCH = """
import os, signal, sys, threading
from shoal.algorithms.clustering import partition_search as refining
from shoal.cli import main
search = refining.neighbourhoods
def run(*args):
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    return search(*args)
refining.neighbourhoods = run
sys.exit(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_in_a_search_that_had_a_minute_to_go(folder):
    rows = [f"{row * 7919 % 97},{row * 104729 % 89},{row * 1299709 % 83}" for row in range(5000)]
    Path("many.csv").write_text("\n".join(["a,b,c", *rows]) + "\n")
    words = ("anonymize", "many.csv", "--quasi", "a,b,c", "--k", "4", "--budget", "60s", "-o", "release.csv")
    done = process(*words, code=INTERRUPTED_SEARCH)
    assert (done.returncode, done.stdout) == (130, ""), done.stderr
    assert "Interrupted; nothing was written.\n" in done.stderr
    assert {path.name for path in folder.iterdir()} == {"people.csv", "many.csv"}


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
def test_a_reader_that_goes_away(folder):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "shoal", "inspect", "people.csv", "--json"], stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_a_terminal_that_speaks_only_ascii(folder):
    Path("t.csv").write_text("städt,b\nä,1\nä,1\n", encoding="utf-8")
    options: dict[str, Any] = {"env": {**os.environ, "PYTHONIOENCODING": "ascii"}}
    done = process("verify", "t.csv", "--quasi", "städt", "--k", "2", **options)
    assert (done.returncode, done.stderr) == (0, "")
    done = process("verify", "t.csv", "--quasi", "städt", "--k", "2", "--json", **options)
    assert '"städt": "ä"' in done.stdout
    done = process("verify", "ö.csv", "--quasi", "städt", "--k", "2", **options)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@dataclasses.dataclass(frozen=True)
class Liar(Algorithm):
    """Publishes every row as it is and calls it anonymous."""

    name: ClassVar[str] = "liar"
    summary: ClassVar[str] = "does nothing"
    serves = (GroupModel,)

    def run(self, table, goal, randomness, progress):
        return Release.identity(table)


class Forger(Liar):
    """Publishes cells that do not hold their owner's values."""

    def run(self, table, goal, randomness, progress):
        whole = Release.from_groups(table, Groups.whole(table.n_rows))
        first = np.zeros(1, np.int32)
        wrong = tuple(dataclasses.replace(cells, low=first, high=first) for cells in whole.cells)
        return dataclasses.replace(whole, cells=wrong)


@pytest.mark.parametrize("liar", [Liar, Forger])
def test_a_broken_promise_is_our_bug(shoal, folder, files, monkeypatch, liar):
    monkeypatch.setitem(algorithms.ALL, "liar", liar)
    Path("release.csv").write_text("an old release")
    before = files()
    answer = shoal(*CALL, "--algorithm", "liar", "--report", "report.html")
    assert (answer.status, answer.out) == (3, "")
    assert "bug in shoal" in answer.err
    assert answer.err.count("\n") == 1
    assert files() == before


@pytest.mark.parametrize(
    ("problem", "status", "says"),
    [
        (MemoryError(), 70, "not enough memory"),
        (ZeroDivisionError("by\nnothing"), 70, "ZeroDivisionError: by nothing"),
        (RecursionError("too deep"), 70, "SHOAL_DEBUG=1"),
        (OSError(28, "No space left on device"), 2, "No space left on device"),
        (FileNotFoundError(2, "No such file or directory", "x.csv"), 2, "'x.csv'"),
        (KeyboardInterrupt(), 130, "Interrupted"),
        (type("PanicException", (BaseException,), {})("boom"), 70, "boom"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_happens_is_one_sentence(shoal, folder, files, monkeypatch, problem, status, says):
    def fail(*_, **__):
        raise problem

    monkeypatch.setattr("shoal.cli.anonymize.run_command", fail)
    before = files()
    answer = shoal(*CALL)
    assert (answer.status, answer.out, answer.err.count("\n")) == (status, "", 1)
    assert says in answer.err
    assert files() == before


def test_tracebacks_on_request(shoal, folder, monkeypatch):
    monkeypatch.setenv("SHOAL_DEBUG", "1")
    answer = shoal("anonymize", "nothing.csv", "--quasi", "a", "--k", "2")
    assert answer.status == 2
    assert "Traceback" in answer.err
    assert answer.err.splitlines()[-1].startswith("Error: There is no file")


def test_messages_cannot_steer_a_terminal(shoal, folder):
    answer = shoal("anonymize", "people.csv", "--quasi", "a\x1b[31m\nb", "--k", "2")
    assert answer.status == 2
    assert "\x1b" not in answer.err
    assert answer.err.count("\n") == 1


def test_main_takes_the_words_of_the_process(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["shoal", "--version"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("shoal ")


_UNUSED = (
    "pyarrow.compute", "scipy.sparse", "sklearn", "nicegui", "shoal.algorithms.clustering.partition_search",
    "shoal.algorithms.lattice.optimal", "shoal.core.builders.mask", "shoal.engine.backends.disk",
    "shoal.engine.backends.spark.cluster", "shoal.engine.linked.result", "shoal.engine.usefulness",
    "shoal.io.preparation.rare", "shoal.policies.hipaa_safe_harbor", "shoal.utility.pairs", "shoal.web",
)  # fmt: skip


def test_a_quick_run_imports_nothing_that_it_does_not_use(folder):
    words = (*CALL, "--quick", "-q")
    code = f"import sys, shoal.cli\nprint(shoal.cli.main({words!r}), *sorted(set(sys.modules) & set({_UNUSED!r})))"
    done = process(code=code)
    assert (done.stdout, done.stderr) == ("0\n", "")
