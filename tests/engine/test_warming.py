"""What a default run needs is compiled once, before, and in other processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep
from typing import Any

import pytest
from numba import config

import shoal
from shoal.algorithms.best import Best
from shoal.algorithms.clustering import Refined, Search, Specialization
from shoal.core.progress import Silent
from shoal.engine import warming
from shoal.engine.compile_part import compile_part
from shoal.engine.warming import AT_FIRST, LATER, SEARCH, parts_of, warm_up
from shoal.kernels import machine_code
from shoal.kernels.clustering_graph import merge_along
from shoal.kernels.clustering_specialize import specialize
from shoal.kernels.compile_signatures import needed_by, shared_out
from shoal.kernels.compiled import working_time
from shoal.kernels.grouping import count_distinct
from shoal.kernels.signatures import SIGNATURES

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled without the JIT")  # type: ignore[attr-defined]

FIRST = ["search sizes", "cuts sizes", "clusters sizes"]


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """The kernels for which processes were started: these only wait a moment; they fail where distinct values count."""
    found: list[set[int]] = []

    def process(command: Sequence[str]) -> subprocess.Popen[bytes]:
        assert command[0] == "shoal.kernels.compile_signatures"
        found.append(set(map(int, command[1:])))
        fails = any(SIGNATURES[number].kernel is count_distinct for number in found[-1])
        return subprocess.Popen([sys.executable, "-c", f"import sys, time; time.sleep(0.2); sys.exit({int(fails)})"])

    folder = tmp_path / "kernels-test"
    folder.mkdir()
    monkeypatch.setattr(machine_code, "folder", lambda: folder)
    monkeypatch.setattr(warming, "_process", process)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return found


def test_it_happens_once_and_takes_no_working_time(started: list[set[int]]) -> None:
    began, wall = working_time(), perf_counter()
    warm_up("sizes", Silent())
    assert working_time() - began < (perf_counter() - wall) / 2
    assert len(started) == 2
    assert not started[0] & started[1]
    assert started[0] | started[1] == set(needed_by(FIRST))
    warm_up("sizes", Silent())
    assert len(started) == 2


def test_further_starts_are_compiled_once_too(started: list[set[int]]) -> None:
    for _ in range(2):
        warm_up("sizes", Silent())
        warm_up("sizes", Silent(), "clusters", "curve", "neighbours")
    assert set.union(*started[:2]) == set(needed_by(FIRST))
    assert set.union(*started[2:]) == set(needed_by(["curve sizes", "neighbours sizes"]))
    assert len(started) == 4


def test_it_is_tried_again_where_a_process_failed(started: list[set[int]]) -> None:
    for _ in range(2):
        warm_up("values", Silent())
    assert len(started) == 4
    assert set.union(*started[:2]) == set.union(*started[2:]) == set(needed_by(["search values", "cuts values"]))


def test_what_a_plan_needs_is_known_from_its_algorithms() -> None:
    start = Best((shoal.Agglomerative(neighbours=25), shoal.Mondrian(relaxed=True), shoal.Hilbert()))
    assert parts_of(Refined(start, (Search(),), 2.0)) == ("clusters", "curve", "neighbours")
    assert parts_of(Refined(Specialization(), (Search(),))) == ("specialization",)
    assert parts_of(Refined(Best((shoal.ColumnGeneration(), Specialization())))) == ("specialization", "program")
    assert parts_of(shoal.Mondrian()) == ()


def test_processes_take_about_as_long_as_each_other() -> None:
    for n_processes, parts in product((1, 2, 3, 50), (FIRST, ["neighbours values"])):
        numbers = needed_by(parts)
        shares = shared_out(numbers, n_processes)
        assert sorted(number for share in shares for number in share) == sorted(numbers)
        took = [sum(SIGNATURES[number].seconds for number in share) for share in shares]
        longest = max(SIGNATURES[number].seconds for number in numbers)
        assert max(took) <= max(longest, sum(took) / len(took) + longest)
        assert len(shares) == min(n_processes, len(numbers))


def test_a_second_process_waits_for_the_first(started: list[set[int]]) -> None:
    first = Thread(target=warm_up, args=("sizes", Silent()))
    first.start()
    while not started:
        sleep(0.01)
    warm_up("sizes", Silent())
    assert len(started) == 2
    assert (machine_code.folder() / "search sizes.compiled").exists()
    first.join()


def test_the_lock_of_a_process_that_died_does_not_hold_for_ever(
    started: list[set[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine_code.folder() / "search sizes.compiling").touch()
    monkeypatch.setattr(warming, "_LONGEST", 0.05)
    for _ in range(2):
        warm_up("sizes", Silent())
    assert len(started) == 2


def test_nothing_is_started_where_code_cannot_be_kept(started: list[set[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "is_lasting", lambda: False)
    warm_up("sizes", Silent())
    assert started == []


RUN = (
    "import shoal\nfrom shoal.io.example import ROLES, hierarchies, people\n"
    "from shoal.kernels.compiled import when_compiling\n"
    "with when_compiling(lambda: print('compiled')):\n"
    "    shoal.anonymize(people(2000), **ROLES, hierarchies=hierarchies(), privacy=shoal.KAnonymity(5))\n"
)


@pytest.mark.nightly
def test_after_a_warm_up_a_default_run_compiles_nothing(tmp_path: Path) -> None:
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(warming.__file__).parents[2])}
    code = (
        "from shoal.core.progress import Silent; from shoal.engine.warming import warm_up; warm_up('sizes', Silent())"
    )
    for said in (code, RUN):
        done = subprocess.run([sys.executable, "-c", said], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == ""
    there = {file.name.split("-")[0].split(".")[-1] for file in tmp_path.rglob("*.nbi")}
    assert {SIGNATURES[number].kernel.__name__ for number in needed_by(FIRST)} <= there


USED = """
import json, sys
from shoal.engine.compile_part import compile_part
compile_part(sys.argv[2], sys.argv[1])
from shoal.kernels.signatures import SIGNATURES
from shoal.kernels.decorators import _Kept
wanted = {(number, one.arguments in one.kernel.overloads) for number, one in enumerate(SIGNATURES)}
listed = {(one.kernel, one.arguments) for one in SIGNATURES}
others = [
    f"{each.__module__}.{each.__name__}{types}"
    for name, module in list(sys.modules.items()) if name.startswith("shoal.kernels.")
    for each in vars(module).values() if isinstance(getattr(each, "_cache", None), _Kept)
    for types in each.overloads if (each, types) not in listed
]
print(json.dumps([[number for number, is_used in wanted if is_used], others]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("promises", ["sizes", "values"])
@pytest.mark.parametrize("part", [SEARCH, *AT_FIRST, *LATER])
def test_the_list_of_kernels_is_what_runs_use(part: str, promises: str) -> None:
    """After a change of kernels or of their arguments: ``python packaging/list_kernels.py``."""
    env = os.environ | {"PYTHONPATH": str(Path(warming.__file__).parents[2])}
    numbers, shared = needed_by([f"{part} {promises}"]), needed_by([f"{SEARCH} {promises}"])
    for command in (
        ["-m", "shoal.kernels.compile_signatures", *map(str, {*numbers, *shared})],
        ["-c", USED, promises, part],
    ):
        done = subprocess.run([sys.executable, *command], env=env, capture_output=True, text=True, check=True)
    used, others = json.loads(done.stdout)
    assert others == []
    assert set(numbers) <= set(used) <= {*numbers, *shared}


def test_kernels_of_lists_of_near_clusters_are_compiled_with_the_algorithm(monkeypatch: pytest.MonkeyPatch) -> None:
    called = []

    def noted(*said: Any) -> Any:
        called.append(said)
        return merge_along(*said)

    monkeypatch.setattr("shoal.algorithms.clustering.nearest_lists.merge_along", noted)
    compile_part("agglomerative", "sizes")
    assert called


def test_kernels_of_cuts_down_hierarchies_are_compiled_with_further_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    called = []

    def noted(*said: Any) -> Any:
        called.append(said)
        return specialize(*said)

    monkeypatch.setattr("shoal.algorithms.clustering.specialization.specialize", noted)
    compile_part("specialization", "sizes")
    assert called
