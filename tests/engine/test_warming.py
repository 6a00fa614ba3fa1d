"""What a default run needs is compiled once, before, and in other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep
from typing import Any

import pytest
from numba import config

from shoal.core.progress import Silent
from shoal.engine import warming
from shoal.engine.compile_part import compile_part
from shoal.engine.warming import DEFAULT, FURTHER, N_KERNELS, Promises, warm_up
from shoal.kernels import machine_code
from shoal.kernels.clustering_graph import merge_along
from shoal.kernels.clustering_specialize import specialize
from shoal.kernels.compiled import working_time

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled without the JIT")  # type: ignore[attr-defined]


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Promises]]:
    """The parts for which processes were started: they only wait a moment, and fail where ``values`` are asked for."""
    found: list[tuple[str, Promises]] = []

    def process(part: tuple[str, Promises]) -> subprocess.Popen[bytes]:
        found.append(part)
        said = f"import sys, time; time.sleep(0.2); sys.exit({int(part[1] == 'values')})"
        return subprocess.Popen([sys.executable, "-c", said])

    folder = tmp_path / "kernels-test"
    folder.mkdir()
    monkeypatch.setattr(machine_code, "folder", lambda: folder)
    monkeypatch.setattr(warming, "_process", process)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return found


def test_it_happens_once_and_takes_no_working_time(started: list[tuple[str, Promises]]) -> None:
    began, wall = working_time(), perf_counter()
    warm_up("sizes", Silent())
    assert working_time() - began < (perf_counter() - wall) / 2
    assert started == [(part, "sizes") for part in DEFAULT]
    warm_up("sizes", Silent())
    assert len(started) == len(DEFAULT)


def test_further_starts_are_compiled_once_too(started: list[tuple[str, Promises]]) -> None:
    for _ in range(2):
        warm_up("sizes", Silent())
        warm_up("sizes", Silent(), FURTHER)
    assert started == [(part, "sizes") for part in (*DEFAULT, *FURTHER)]


def test_it_is_tried_again_where_a_process_failed(started: list[tuple[str, Promises]]) -> None:
    for _ in range(2):
        warm_up("values", Silent())
    assert started == 2 * [(part, "values") for part in DEFAULT]


def test_a_second_process_waits_for_the_first(started: list[tuple[str, Promises]]) -> None:
    first = Thread(target=warm_up, args=("sizes", Silent()))
    first.start()
    while not started:
        sleep(0.01)
    warm_up("sizes", Silent())
    assert len(started) == len(DEFAULT)
    assert (machine_code.folder() / "sizes.compiled").exists()
    first.join()


def test_the_lock_of_a_process_that_died_does_not_hold_for_ever(
    started: list[tuple[str, Promises]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine_code.folder() / "sizes.compiling").touch()
    monkeypatch.setattr(warming, "_LONGEST", 0.05)
    for _ in range(2):
        warm_up("sizes", Silent())
    assert len(started) == len(DEFAULT)


def test_nothing_is_started_where_code_cannot_be_kept(
    started: list[tuple[str, Promises]], monkeypatch: pytest.MonkeyPatch
) -> None:
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
    n_kernels = sum(1 for _ in tmp_path.rglob("*.nbi"))
    assert 0.8 * N_KERNELS <= n_kernels <= 1.2 * N_KERNELS


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
    compile_part("further-starts", "sizes")
    assert called
