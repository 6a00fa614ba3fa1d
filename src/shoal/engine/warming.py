"""Compiles the kernels of a default run before its clock starts, in parallel processes, once per machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Thread
from time import sleep, time
from typing import Literal

import numpy as np
from numba.core import config

from shoal import algorithms
from shoal.core.contracts import Algorithm
from shoal.core.progress import Progress
from shoal.kernels import machine_code
from shoal.kernels.bundled_code import bundled_code
from shoal.kernels.compiled import compiling
from shoal.kernels.distinct import number_rows

Promises = Literal["sizes", "values"]
"""Whether models are about the sizes of classes only, or also about sensitive values: these use other kernels."""

SEARCH = "search"
"""The part of a default run that all others share kernels with."""

AT_FIRST = ("cuts", "clusters")
"""What the search begins with on most tables; with models of sensitive values, clusters are rarely affordable."""

LATER = ("neighbours", "specialization", "curve", "sets", "program")
"""Parts that only some tables need, which is known once a table was read: ``compile_part`` says what they are."""

_PART_OF = {
    "agglomerative": "clusters",
    "specialization": "specialization",
    "hilbert": "curve",
    "column-generation": "program",
}

_KERNELS_OF_AN_ALGORITHM = 9
"""About how many kernels an algorithm compiles."""

_LONGEST = 120.0
"""The most seconds to wait for another process that compiles."""

_OFTEN = 0.05


def warm_up(promises: Promises, progress: Progress, *parts: str) -> None:
    """Compile what most default runs need, or these parts, unless already done. It does not count against time limits.

    If processes cannot be started or code cannot be stored, kernels are compiled when they are needed.
    """
    if config.DISABLE_JIT or not sys.executable or (os.cpu_count() or 1) < 2 or not machine_code.is_lasting():
        return
    wanted = parts or (SEARCH, *(AT_FIRST if promises == "sizes" else AT_FIRST[:1]))
    marks = [machine_code.folder() / f"{part} {promises}.compiled" for part in wanted]
    marks = [mark for mark in marks if not mark.exists()]
    if not marks or bundled_code() is not None:
        return
    from shoal.kernels.compile_signatures import needed_by, shared_out  # names every kernel, which takes a moment

    with compiling(), _turn(marks[0].with_suffix(".compiling")) as is_ours:
        numbers = needed_by([mark.stem for mark in marks]) if is_ours else []
        shares = [tuple(map(str, share)) for share in shared_out(numbers, os.cpu_count() or 1)]
        commands = [("shoal.kernels.compile_signatures", *share) for share in shares]
        if is_ours and _run_beside(commands, len(numbers), progress):
            for mark in marks:
                mark.touch()


def parts_of(algorithm: Algorithm) -> tuple[str, ...]:
    """The parts of a default run that this algorithm needs, or one that it runs."""
    names = {one.name for one in _all_of(algorithm)}
    lists = any(getattr(one, "neighbours", 0) for one in _all_of(algorithm))
    return tuple(part for name, part in _PART_OF.items() if name in names) + (("neighbours",) if lists else ())


def _all_of(algorithm: Algorithm) -> Iterator[Algorithm]:
    """An algorithm, and those that it was given."""
    yield algorithm
    for given in vars(algorithm).values():
        for one in given if isinstance(given, tuple) else (given,):
            if isinstance(one, Algorithm):
                yield from _all_of(one)


@contextmanager
def loading_kernels() -> Iterator[None]:
    """Load what the first kernel needs in a thread beside the block, unless that was begun before."""
    first = begin_loading_kernels()
    try:
        yield
    finally:
        first.join()


@cache
def begin_loading_kernels() -> Thread:
    """Load what numba needs before its first kernel, in a thread, once per process.

    Where that kernel would have to be compiled first, processes do so later, side by side with others.
    """
    first = Thread(target=_load_first_kernel, name="loading kernels")
    first.start()
    return first


def _load_first_kernel() -> None:
    if bundled_code() is not None or any(machine_code.folder().glob(f"*.{number_rows.__name__}-*.nbi")):
        number_rows(np.zeros((1, 1), np.int32))


def compile_algorithms(progress: Progress) -> None:
    """Compile every algorithm, each in a process of its own that publishes a few made-up rows."""
    commands = [
        ("shoal.engine.compile_part", name, promises) for name in algorithms.ALL for promises in ("sizes", "values")
    ]
    with compiling():
        _run_beside(commands, _KERNELS_OF_AN_ALGORITHM * len(commands), progress)


def _run_beside(commands: Sequence[Sequence[str]], n_kernels: int, progress: Progress) -> bool:
    """Run modules in processes of their own, as many at once as there are cores.

    Returns:
        Whether all processes succeeded.
    """
    progress.stage("compiling for this machine, once", n_kernels)
    folder = machine_code.folder()
    waiting, running, done, told = list(commands)[::-1], list[subprocess.Popen[bytes]](), list[int](), _count(folder)
    try:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                running.append(_process(waiting.pop()))
            sleep(_OFTEN)
            told, before = _count(folder), told
            progress.advance(told - before)
            done += [child.returncode for child in running if child.poll() is not None]
            running = [child for child in running if child.returncode is None]
    finally:
        for child in running:
            child.terminate()
    return not any(done)


def _process(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """A process that runs a module of the same package as this one."""
    source, said = str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")
    return subprocess.Popen(  # noqa: S603 (our own interpreter and our own words)
        [sys.executable, "-m", *command],
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{said}" if said else source},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _count(folder: Path) -> int:
    return sum(1 for _ in folder.glob("*.nbi"))


@contextmanager
def _turn(lock: Path) -> Iterator[bool]:
    """Whether this process should compile; if another one already does, wait until it is done."""
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        with suppress(OSError):
            while time() - lock.stat().st_mtime < _LONGEST:
                sleep(_OFTEN)
            lock.unlink()
        yield False
        return
    try:
        yield True
    finally:
        lock.unlink(missing_ok=True)
