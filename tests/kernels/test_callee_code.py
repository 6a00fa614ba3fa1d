"""Kernels whose callees have no machine code are the same kernels, in that process and when loaded again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import config

from shoal.kernels import machine_code

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled without the JIT")  # type: ignore[attr-defined]

SCRIPT = """
import sys
import numpy as np
from llvmlite.binding.executionengine import ExecutionEngine

emitted, emit = [], ExecutionEngine.finalize_object

def noted(engine):
    emitted.append(engine)
    emit(engine)

ExecutionEngine.finalize_object = noted  # before numba takes hold of it

from shoal.kernels.callee_code import without_code_of_callees
from shoal.kernels.distinct import number_rows
from probed import checked

if sys.argv[1] == "lean":
    without_code_of_callees()
ids, firsts = number_rows(np.array([[3, 1, 3, 2, 1], [0, 0, 0, 1, 0]], np.int32))[:2]
print(ids.tolist(), firsts.tolist(), checked(np.arange(4)))
try:
    checked(np.arange(9))
except ValueError as problem:
    print(problem)
is_compiled = any(kernel.stats.cache_misses for kernel in (number_rows, checked))
print(len(emitted) if is_compiled else 0, file=sys.stderr)
"""

PROBED = """
from shoal.kernels.decorators import inner, kernel

@inner
def few(values):
    if values.size > 5:
        raise ValueError("too many values")
    return values.size

@inner
def total(values):
    found = few(values)
    for value in values:
        found += value
    return found

@kernel
def checked(values):
    return total(values)
"""


def _run(folder: Path, how: str) -> tuple[str, int]:
    (folder / "script.py").write_text(SCRIPT)
    (folder / "probed.py").write_text(PROBED)
    env = os.environ | {"NUMBA_CACHE_DIR": str(folder / how.split()[0]), "NUMBA_DISABLE_JIT": "0"}
    env["PYTHONPATH"] = os.pathsep.join([str(Path(machine_code.__file__).parents[2]), str(folder)])
    words = [sys.executable, str(folder / "script.py"), how.split()[-1]]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    return done.stdout, int(done.stderr.split()[-1])


def test_kernels_are_the_same_with_less_machine_code(tmp_path: Path) -> None:
    plain, n_plain = _run(tmp_path, "plain")
    lean, n_lean = _run(tmp_path, "lean")
    assert lean == plain
    assert "too many values" in lean
    assert 0 < n_lean < n_plain
    again, n_again = _run(tmp_path, "lean plain")
    assert again == plain
    assert n_again == 0
