"""A package of two kernels beside our own decorators, to be called in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from shoal.kernels import machine_code

KERNELS = Path(machine_code.__file__).parent
OWN = "arrays.py", "bundled_code.py", "compiled.py", "decorators.py", "machine_code.py"
INNER = "from shoal.kernels.decorators import kernel\n@kernel\ndef inside(x):\n    return x + {added}\n"
OUTER = (
    "from shoal.kernels.a import inside\nfrom shoal.kernels.decorators import kernel\n"
    "@kernel\ndef outside(x):\n    return inside(x)\n"
)
CALL = (
    "from shoal.kernels.compiled import when_compiling\nfrom shoal.kernels.b import outside\nsaid = []\n"
    "with when_compiling(lambda: said.append('compiled')):\n    print(outside(1), *said)\n"
)


def kernel_package(folder: Path, added: int) -> Path:
    """A package with two kernels, one of which calls the other."""
    kernels = folder / "shoal" / "kernels"
    kernels.mkdir(parents=True)
    (folder / "shoal" / "__init__.py").touch()
    (kernels / "__init__.py").touch()
    for name in OWN:
        shutil.copyfile(KERNELS / name, kernels / name)
    (kernels / "a.py").write_text(INNER.format(added=added))
    (kernels / "b.py").write_text(OUTER)
    return folder


def called(package: Path, kept: Path, before: str = "", **settings: str) -> str:
    """What calling the outer kernel prints; ``before`` is Python that runs first."""
    env = os.environ | {"PYTHONPATH": str(package), "NUMBA_CACHE_DIR": str(kept), "NUMBA_DISABLE_JIT": "0"} | settings
    done = subprocess.run([sys.executable, "-c", before + CALL], env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()
