"""Compiles the kernels of a default run before its clock starts, in parallel processes, once per machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import sleep, time
from typing import Literal

import numpy as np
from numba.core import config

from shoal import algorithms
from shoal.core.progress import Progress
from shoal.kernels import machine_code
from shoal.kernels.bundled_code import bundled_code
from shoal.kernels.compiled import compiling
from shoal.kernels.distinct import number_rows

Promises = Literal["sizes", "values"]
"""Whether models are about the sizes of classes only, or also about sensitive values: these use other kernels."""

DEFAULT = ("search", "starts")
"""The components of a default run, in parts that take about equally long to compile."""

FURTHER = ("further-starts",)
"""Starts that default runs use on some tables only: compiled on demand, by ``shoal warm-up``, and for wheels."""

N_KERNELS = 18
"""The approximate number of kernels compiled."""

_LONGEST = 120.0
"""The most seconds to wait for another process that compiles."""

_OFTEN = 0.1


def warm_up(promises: Promises, progress: Progress, parts: Sequence[str] = DEFAULT) -> None:
    """Compile what a default run needs, or other parts, unless already done; it does not count against time limits.

    If processes cannot be started or code cannot be stored, kernels are compiled when they are needed.
    """
    if config.DISABLE_JIT or not sys.executable or (os.cpu_count() or 1) < 2 or not machine_code.is_lasting():
        return
    mark = machine_code.folder() / f"{'-'.join([promises, *(() if parts is DEFAULT else parts)])}.compiled"
    if mark.exists() or bundled_code() is not None:
        return
    with compiling(), _turn(mark.with_suffix(".compiling")) as is_ours:
        if is_ours and compile_parts([(part, promises) for part in parts], progress):
            mark.touch()


@contextmanager
def loading_kernels() -> Iterator[None]:
    """Load numba in a thread beside the block: before its first kernel it needs half a second."""
    first = Thread(target=number_rows, args=(np.zeros((1, 1), np.int32),))
    first.start()
    try:
        yield
    finally:
        first.join()


def compile_everything(progress: Progress) -> None:
    """Compile what default runs need, and every algorithm."""
    with compiling():
        both: tuple[Promises, ...] = ("sizes", "values")
        compile_parts([(part, each) for part in (*DEFAULT, *FURTHER, *algorithms.ALL) for each in both], progress)


def compile_parts(parts: Sequence[tuple[str, Promises]], progress: Progress) -> bool:
    """Compile the kernels of each part in its own process, as many at once as there are cores.

    Returns:
        Whether all processes succeeded.
    """
    progress.stage("compiling for this machine, once", N_KERNELS * len(parts) / len(DEFAULT))
    folder = machine_code.folder()
    waiting, running, done, told = list(parts)[::-1], list[subprocess.Popen[bytes]](), list[int](), _count(folder)
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


def _process(part: tuple[str, Promises]) -> subprocess.Popen[bytes]:
    """A process that compiles, with the same package as this one."""
    source, said = str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")
    return subprocess.Popen(  # noqa: S603 (our own interpreter and arguments)
        [sys.executable, "-m", "shoal.engine.compile_part", *part],
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
